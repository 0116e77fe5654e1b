// SPDX-License-Identifier: MIT
// CSV (RFC 4180, UTF-8): a header and one line per row; decimal points whatever the locale.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace convolab {

/// The fields of a row by their column.
using Row = std::map<std::string, std::string>;

/// One line with its newline, quoted where a field needs it; a newline in a field becomes a space.
std::string csv_line(const std::vector<std::string>& fields);

/// The rows of `text`; each has exactly the header's fields. Throws Error naming `path` and the
/// line.
std::vector<Row> parse_csv(const std::string& text, const std::string& path);

/// The shortest decimal that reads back as the same number, with a point in every locale.
std::string to_decimal(double value);
/// For people: with this many digits, or as a whole number, never with an exponent: "0.0256", "3460".
std::string to_digits(double value, int digits);

}  // namespace convolab
