// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
//
// What verify compares: every filter with every border, on pictures of every type, number of
// channels and layout. The sizes include smaller than the filter, one pixel wide, one more than a
// tile, wider than a strip of the packed kernels. Sizes and launch settings take turns, so that
// each meets each filter, border and storage. A large picture, interleaved, is met once in each
// type, and some jobs once (verify_singles.hpp). And which variants are launched for it, and how.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "common/convolution/border.hpp"
#include "common/convolution/filter.hpp"
#include "common/driver/options.hpp"
#include "common/driver/pictures.hpp"
#include "common/image/image.hpp"
#include "common/variant/lab.hpp"

namespace convolab {

struct VerifyPicture {
    std::string name;  ///< as option --image of `lab run` takes it
    Image image;
};

/// One job, for every variant that takes the picture. The numbers are places in the plan's lists
/// and in all_borders().
struct VerifyCase {
    std::size_t picture;
    std::size_t filter;
    std::size_t border;
    std::size_t launch;      ///< a variant takes number launch % n of its n verify_settings()
    bool is_single = false;  ///< of verify_singles()
};

/// Variants by their places in a list, and how each is launched.
using Launches = std::vector<std::pair<std::size_t, Settings>>;

struct VerifyPlan {
    /// quick: smaller pictures, and half as many cases. photo: a PNG to add, or nullptr. Of an
    /// operation without filters or borders, each size is taken in each storage.
    explicit VerifyPlan(bool quick, const PictureSource* photo = nullptr,
                        const Operation& operation = {});

    /// The settings of a case, for a variant.
    Settings settings(const VerifyCase& one, const Variant& variant) const;
    /// Those of the variants that take the picture of the case.
    Launches launches(const VerifyCase& one, const std::vector<const Variant*>& variants) const;
    /// Of all these launches, in multiply-adds.
    double cost(const VerifyCase& one, const std::vector<const Variant*>& variants) const;

    std::vector<VerifyPicture> pictures;
    std::vector<Filter> filters;
    std::vector<VerifyCase> cases;  ///< small pictures first

  private:
    void add(const struct Single& single, std::size_t launch);
};

/// Which of Options::variants are launched on the scene of this size, by the type and channels in
/// which it is drawn: as bench times each variant, with all CPUs. An emulator takes minutes for all
/// sizes: there every variant gets the smallest.
std::map<std::pair<PixelType, int>, Launches> scene_launches(const Lab& lab, const Options& options,
                                                             const Size& size);

double scene_cost(const Lab& lab, const Options& options, const Size& size);

/// All named filters, those of any size with K 3, 5, 7, 9, and a Gaussian with sigma. Two more have
/// taps that are all different, so that a flip or a transposition shows, one has sums far from
/// 0..255 on both sides.
std::vector<Filter> verify_filters();
/// Those of the operation, with K 3, 5, 7, 9; the identity where it has none.
std::vector<Filter> verify_filters(const Operation& operation);

}  // namespace convolab
