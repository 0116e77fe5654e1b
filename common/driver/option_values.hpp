// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// From the text of an option to its value. Each function throws UsageError in one sentence
// that names the option.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/image/image.hpp"
#include "common/image/sizes.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

int whole_number(std::string_view text, const std::string& option, int least, int greatest);
double decimal_number(const std::string& text, const std::string& option);

// Of a list each value counts once, also "480p,853x480".

/// Whole numbers from 1 to 65536; "2-16:2" is 2, 4, .. 16. takes_lists: else one number.
std::vector<int> number_list(const std::vector<std::string>& items, const std::string& option,
                             bool takes_lists);

/// "all" is the six standard sizes.
std::vector<Size> size_list(const std::vector<std::string>& texts);

std::vector<const Variant*> choose_variants(const std::vector<std::string>& names, const Lab& lab);

PixelType pixel_type(const std::string& text);
Layout layout(const std::string& text);
int channels(const std::string& text);

}  // namespace convolab
