// SPDX-License-Identifier: MIT
#include "common/measurement/csv.hpp"

#include <charconv>
#include <cmath>
#include <sstream>

#include "common/base/error.hpp"

namespace convolab {
namespace {

std::string quoted(const std::string& field) {
    if (field.find_first_of(",\"\r\n") == std::string::npos) return field;
    std::string out = "\"";
    for (const char c : field) {
        if (c == '"') out += '"';
        out += c == '\n' || c == '\r' ? ' ' : c;  // a row is a line
    }
    return out + '"';
}

std::vector<std::string> split(const std::string& line, const std::string& where) {
    std::vector<std::string> fields(1);
    bool inside = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        const char c = line[i];
        if (c == '"' && inside && i + 1 < line.size() && line[i + 1] == '"') {
            fields.back() += c;
            ++i;
        } else if (c == '"') {
            inside = !inside;
        } else if (c == ',' && !inside) {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    if (inside) throw Error(where + " has an opening quote without its end.");
    return fields;
}

}  // namespace

std::string csv_line(const std::vector<std::string>& fields) {
    std::string line;
    for (std::size_t i = 0; i < fields.size(); ++i) line += (i ? "," : "") + quoted(fields[i]);
    return line + '\n';
}

std::vector<Row> parse_csv(const std::string& text, const std::string& path) {
    std::vector<std::string> header;
    std::vector<Row> rows;
    std::istringstream lines(text);
    std::string line;
    for (int number = 1; std::getline(lines, line); ++number) {
        const std::string where = "File '" + path + "', line " + std::to_string(number) + ",";
        const auto fields = split(line, where);
        if (number == 1) {
            header = fields;
            continue;
        }
        if (fields.size() != header.size())
            throw Error(where + " has " + std::to_string(fields.size()) + " fields instead of " +
                        std::to_string(header.size()) + "; mend or delete the file.");
        Row row;
        for (std::size_t i = 0; i < fields.size(); ++i) row[header[i]] = fields[i];
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string to_decimal(double value) {
    char text[40];
    const auto [end, error] = std::to_chars(text, text + sizeof text, value);
    return error == std::errc{} ? std::string(text, end) : "";
}

std::string to_digits(double value, int digits) {
    const bool whole = std::abs(value) >= std::pow(10, digits) - 0.5;
    char text[400];
    const auto form = whole ? std::chars_format::fixed : std::chars_format::general;
    return {text, std::to_chars(text, text + sizeof text, value, form, whole ? 0 : digits).ptr};
}

}  // namespace convolab
