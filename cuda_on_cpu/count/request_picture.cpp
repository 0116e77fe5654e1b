// SPDX-License-Identifier: MIT
#include "count/request_picture.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdio>
#include <map>
#include <set>

namespace cuda_on_cpu::count {
namespace {

constexpr int square = 22, left = 96, top = 86;
constexpr int width = left + 32 * square + 8;
constexpr int gap = 8;  // between sectors that are not neighbours

std::string text(int x, int y, const std::string& words, const std::string& more = "") {
    return "<text x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) + "\"" + more + ">" +
           escaped(words) + "</text>\n";
}

// A cell of the width of some squares, from this column on.
std::string box(int column, int y, const std::string& colour, const std::string& words,
                int squares = 1) {
    const int x = left + column * square, size = squares * square;
    std::string result = "<rect x=\"" + std::to_string(x) + "\" y=\"" + std::to_string(y) +
                         "\" width=\"" + std::to_string(size - 1) + "\" height=\"" +
                         std::to_string(square - 1) + "\" fill=\"" + colour + "\"/>\n";
    if (!words.empty()) result += text(x + size / 2, y + 15, words, " text-anchor=\"middle\"");
    return result;
}

// Of a number of colours around the wheel, no two equal; neighbours differ in lightness, too.
std::string colour(std::size_t number, std::size_t of) {
    const double hue = 12.0 * static_cast<double>(number) / static_cast<double>(of);
    const double lightness = number % 2 == 0 ? 0.78 : 0.62;
    const double strength = 0.7 * std::min(lightness, 1 - lightness);
    char hex[8] = "#";
    for (int i = 0; i < 3; ++i) {  // red, green, blue
        const double at = std::fmod(hue + (i == 0 ? 0 : i == 1 ? 8 : 4), 12);
        const double value = lightness - strength * std::clamp(std::min(at - 3, 9 - at), -1.0, 1.0);
        std::snprintf(hex + 1 + 2 * i, 3, "%02x", static_cast<int>(255 * value + 0.5));
    }
    return hex;
}

struct Drawing {
    std::string words;             // what the cells below the warp mean
    std::string colours[32] = {};  // of the lanes
    std::string cells = {};
    int height = top;
};

// Each line is a sector; a cell is what a lane asks for in it.
Drawing draw_global(const Request& request) {
    struct Cell {
        int lane, bytes;
    };
    std::map<std::uint64_t, std::map<int, Cell>> cells_of;  // by sector, and by byte in it
    for (std::uint32_t lanes = request.lanes; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        for (std::uint64_t at = request.address[lane], end = at + request.bytes; at < end;) {
            const std::uint64_t next = std::min(end, (at / sector_bytes + 1) * sector_bytes);
            cells_of[at / sector_bytes].try_emplace(static_cast<int>(at % sector_bytes),
                                                    Cell{lane, static_cast<int>(next - at)});
            at = next;
        }
    }
    Drawing drawing{.words =
                        "Each line is a sector of 32 bytes, and has its own colour. A cell is "
                        "what a thread asks for, with its number."};
    std::size_t number = 0;
    std::uint64_t last = cells_of.begin()->first;
    for (const auto& [sector, cells] : cells_of) {
        if (sector > last + 1) drawing.height += gap;
        last = sector;
        const std::string fill = colour(number++, cells_of.size());
        for (int lane = 0; lane < 32; ++lane)
            if (request.address[lane] / sector_bytes == sector) drawing.colours[lane] = fill;
        drawing.cells += text(8, drawing.height + 15, "sector " + std::to_string(number));
        for (int byte = 0; byte < static_cast<int>(sector_bytes); ++byte)
            drawing.cells += box(byte, drawing.height, "#eeeeee", "");
        for (const auto& [byte, cell] : cells)
            drawing.cells += box(byte, drawing.height, fill, std::to_string(cell.lane), cell.bytes);
        drawing.height += square;
    }
    return drawing;
}

// Each line is 128 bytes, one word of each bank.
Drawing draw_shared(const Request& request) {
    std::map<std::uint64_t, int> lane_of;  // of each word the first lane
    std::set<std::uint64_t> rows;
    for (std::uint32_t lanes = request.lanes; lanes != 0; lanes &= lanes - 1) {
        const int lane = std::countr_zero(lanes);
        const std::uint64_t address = request.address[lane];
        for (std::uint64_t word = address / 4; word <= (address + request.bytes - 1) / 4; ++word) {
            lane_of.try_emplace(word, lane);
            rows.insert(word / 32);
        }
    }
    std::map<std::uint64_t, std::size_t> in_bank;
    std::size_t most = 0;
    for (const auto& [word, lane] : lane_of) most = std::max(most, ++in_bank[word % 32]);
    in_bank.clear();
    std::map<std::uint64_t, std::string> colour_of;
    for (const auto& [word, lane] : lane_of) colour_of[word] = colour(in_bank[word % 32]++, most);
    Drawing drawing{.words =
                        "The 32 banks. A cell is 4 bytes, with the first thread that touches "
                        "them; each colour is a wavefront."};
    for (int lane = 0; lane < 32; ++lane)
        if (const auto found = colour_of.find(request.address[lane] / 4); found != colour_of.end())
            drawing.colours[lane] = found->second;
    for (const std::uint64_t row : rows) {
        drawing.cells += text(8, drawing.height + 15, "byte " + std::to_string(row * 128));
        for (int bank = 0; bank < 32; ++bank) {
            const auto word = lane_of.find(row * 32 + static_cast<unsigned>(bank));
            drawing.cells += word == lane_of.end()
                                 ? box(bank, drawing.height, "#eeeeee", "")
                                 : box(bank, drawing.height, colour_of[word->first],
                                       std::to_string(word->second));
        }
        drawing.height += square;
    }
    return drawing;
}

}  // namespace

std::string escaped(const std::string& text) {
    std::string result;
    for (const char c : text)
        result += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
    return result;
}

std::string request_picture(const std::string& title, Use use, const Request& request) {
    Request here = request;
    // Places (places.cpp) keeps memories apart by the bits above.
    for (std::uint64_t& address : here.address) address &= (std::uint64_t{1} << 44) - 1;
    const bool is_shared = use == Use::shared_load || use == Use::shared_store;
    const Drawing drawing = is_shared ? draw_shared(here) : draw_global(here);
    const std::string size = std::to_string(width), height = std::to_string(drawing.height + 8);
    std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + size + " " +
                      height + "\" width=\"" + size + "\" height=\"" + height +
                      "\" font-family=\"sans-serif\" font-size=\"13\">\n";
    svg += "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n";
    svg += text(8, 18, title, " font-size=\"14\"");
    svg += text(8, 45, "32 threads");
    for (int lane = 0; lane < 32; ++lane) {
        const bool takes_part = (request.lanes >> lane & 1U) != 0;
        svg += box(lane, 30, takes_part ? drawing.colours[lane] : "#ffffff",
                   takes_part ? std::to_string(lane) : "");
    }
    return svg + text(8, 74, drawing.words) + drawing.cells + "</svg>\n";
}

}  // namespace cuda_on_cpu::count
