// SPDX-License-Identifier: MIT
#include "count/request_picture.hpp"

#include <bit>
#include <map>
#include <set>

namespace cuda_on_cpu::count {
namespace {

constexpr std::uint64_t row_bytes = 128;
constexpr int square = 22, left = 96, top = 78;
constexpr int between_sectors = 6;  // a wider gap, so that a sector is seen as one piece
constexpr std::size_t max_rows = 32;
// Told apart also by readers who do not see all colours (Okabe and Ito).
const char* const colours[] = {"#56b4e9", "#e69f00", "#009e73", "#f0e442",
                               "#cc79a7", "#d55e00", "#8da0cb", "#bbbbbb"};

bool is_shared(Use use) { return use == Use::shared_load || use == Use::shared_store; }

std::string text(int x, int y, const std::string& words, const std::string& more = "") {
    return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\"" + more + ">" +
           escaped(words) + "</text>\n";
}

std::string box(int x, int y, const std::string& colour, const std::string& words) {
    std::string result = "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) +
                         "\" width=\"" + std::to_string(square - 1) + "\" height=\"" +
                         std::to_string(square - 1) + "\" fill=\"" + colour + "\"/>\n";
    if (!words.empty()) result += text(x + square / 2, y + 15, words, " text-anchor=\"middle\"");
    return result;
}

int x_of_lane(int lane) { return left + lane * square; }

// A row of global memory consists of four sectors, a row of shared memory of 32 banks.
int x_of_word(Use use, int word) {
    return left + word * square + (is_shared(use) ? 0 : word / 8 * between_sectors);
}

// What is counted: the sectors in the order of the addresses, or the words of a bank.
std::map<std::uint64_t, std::size_t> colour_of_words(Use use,
                                                     const std::map<std::uint64_t, int>& lane_of) {
    std::map<std::uint64_t, std::size_t> result;
    std::map<std::uint64_t, std::size_t> sector_number, in_bank;
    for (const auto& [word, lane] : lane_of)
        result[word] =
            is_shared(use)
                ? in_bank[word % 32]++
                : sector_number.try_emplace(word * 4 / sector_bytes, sector_number.size())
                      .first->second;
    return result;
}

}  // namespace

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text)
        result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return result;
}

std::string request_picture(const std::string& title, Use use, const Request& request) {
    std::map<std::uint64_t, int> lane_of;  // of each word the first lane
    std::uint64_t word_of[32] = {};
    for (std::uint32_t lanes = request.lanes; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        // Places (places.cpp) keeps memories apart by the bits above.
        const std::uint64_t address = request.address[lane] & ((std::uint64_t{1} << 44) - 1);
        word_of[lane] = address / 4;
        for (std::uint64_t word = address / 4; word <= (address + request.bytes - 1) / 4; ++word)
            lane_of.try_emplace(word, lane);
    }
    const std::map<std::uint64_t, std::size_t> colour = colour_of_words(use, lane_of);
    std::set<std::uint64_t> rows;
    for (const auto& [word, lane] : lane_of) rows.insert(word * 4 / row_bytes);

    const int shown = static_cast<int>(std::min(rows.size(), max_rows));
    const int height = top + 10 + (shown + (rows.size() > max_rows ? 1 : 0)) * square,
              width = x_of_word(use, 32) + 8;
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " +
                      std::to_string(width) + " " + std::to_string(height) + "\" width=\"" +
                      std::to_string(width) + "\" height=\"" + std::to_string(height) +
                      "\" font-family=\"sans-serif\" font-size=\"13\">\n";
    svg += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    svg += text(8, 18, title, " font-size=\"14\"");
    svg += text(8, 45, "32 threads");
    for (int lane = 0; lane < 32; ++lane) {
        const bool takes_part = (request.lanes >> lane & 1U) != 0;
        const std::string fill =
            takes_part ? colours[colour.at(word_of[lane]) % std::size(colours)] : "#ffffff";
        svg += box(x_of_lane(lane), 30, fill, takes_part ? std::to_string(lane) : "");
    }
    int y = top;
    svg += text(8, y - 4,
                is_shared(use)
                    ? "The 32 banks. A cell is 4 bytes, with the first thread that touches them; "
                      "each colour is a wavefront."
                    : "Rows of 128 bytes. A cell is 4 bytes, with the first thread that touches "
                      "them; each colour is a sector.");
    y += 4;
    for (const std::uint64_t row : rows) {
        if (y >= top + 4 + shown * square) break;
        svg += text(8, y + 15, "byte " + std::to_string(row * row_bytes));
        for (int column = 0; column < 32; ++column) {
            const auto word = lane_of.find(row * row_bytes / 4 + static_cast<unsigned>(column));
            svg += word == lane_of.end() ? box(x_of_word(use, column), y, "#eeeeee", "")
                                         : box(x_of_word(use, column), y,
                                               colours[colour.at(word->first) % std::size(colours)],
                                               std::to_string(word->second));
        }
        y += square;
    }
    if (rows.size() > max_rows)
        svg += text(left, y + 15, std::to_string(rows.size() - max_rows) + " more rows");
    return svg + "</svg>\n";
}

}  // namespace cuda_on_cpu::count
