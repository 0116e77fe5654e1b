// SPDX-License-Identifier: MIT
// The chart is a function of the place (x, y) on its board, in thousandths of the picture's height
// as 20-bit fixed point, sampled 4 x 4 times per pixel. The zone plate alone depends on the pixel
// grid: its rings reach half a cycle per pixel at its edge, at every size.
#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>

#include "common/media/scene_parts.hpp"

namespace convolab::scene {

namespace {

using Glyph = std::array<std::uint8_t, 7>;

/// Rows of 'A'..'Z' and '0'..'9', the highest first; of 5 bits the highest is the leftmost dot.
constexpr Glyph glyph(char c) {
    constexpr Glyph kLetters[] = {
        {14, 17, 17, 31, 17, 17, 17}, {30, 17, 17, 30, 17, 17, 30}, {14, 17, 16, 16, 16, 17, 14},
        {30, 17, 17, 17, 17, 17, 30}, {31, 16, 16, 30, 16, 16, 31}, {31, 16, 16, 30, 16, 16, 16},
        {14, 17, 16, 23, 17, 17, 14}, {17, 17, 17, 31, 17, 17, 17}, {14, 4, 4, 4, 4, 4, 14},
        {7, 2, 2, 2, 2, 18, 12},      {17, 18, 20, 24, 20, 18, 17}, {16, 16, 16, 16, 16, 16, 31},
        {17, 27, 21, 21, 17, 17, 17}, {17, 25, 25, 21, 19, 19, 17}, {14, 17, 17, 17, 17, 17, 14},
        {30, 17, 17, 30, 16, 16, 16}, {14, 17, 17, 17, 21, 18, 13}, {30, 17, 17, 30, 20, 18, 17},
        {15, 16, 16, 14, 1, 1, 30},   {31, 4, 4, 4, 4, 4, 4},       {17, 17, 17, 17, 17, 17, 14},
        {17, 17, 17, 17, 10, 10, 4},  {17, 17, 17, 21, 21, 27, 17}, {17, 17, 10, 4, 10, 17, 17},
        {17, 17, 10, 4, 4, 4, 4},     {31, 1, 2, 4, 8, 16, 31}};
    constexpr Glyph kDigits[] = {{14, 17, 19, 21, 25, 17, 14}, {4, 12, 4, 4, 4, 4, 14},
                                 {14, 17, 1, 6, 8, 16, 31},    {30, 1, 1, 14, 1, 1, 30},
                                 {2, 6, 10, 18, 31, 2, 2},     {31, 16, 30, 1, 1, 17, 14},
                                 {14, 16, 16, 30, 17, 17, 14}, {31, 1, 2, 4, 4, 8, 8},
                                 {14, 17, 17, 14, 17, 17, 14}, {14, 17, 17, 15, 1, 1, 14}};
    if (c >= 'A' && c <= 'Z') return kLetters[c - 'A'];
    if (c >= '0' && c <= '9') return kDigits[c - '0'];
    return {};
}

constexpr std::int64_t kWidth = milli(640), kHeight = milli(330), kMargin = milli(36);
constexpr Colour kPaper = rgb(240, 239, 234), kInk = rgb(24, 24, 28), kFrame = rgb(58, 44, 36);
constexpr int kSide = 4;  ///< samples along a pixel's side

struct Box {
    std::int64_t x, y, width, height;
    bool has(std::int64_t px, std::int64_t py) const {
        return px >= x && py >= y && px < x + width && py < y + height;
    }
};
constexpr Box box(int x, int y, int width, int height) {
    return {milli(x), milli(y), milli(width), milli(height)};
}
constexpr Box kStar = box(22, 66, 166, 166), kPlate = box(200, 66, 166, 166);
constexpr Box kColours = box(22, 244, 344, 32), kGrays = box(22, 280, 344, 28);
constexpr Box kBars = box(382, 212, 236, 60), kChecks = box(382, 280, 236, 28);

struct Line {
    int x, y, dot;  ///< thousandths; the dot in 20ths of a thousandth
    std::string_view text;
};
constexpr Line kLines[] = {
    {22, 20, 92, "CONVOLAB"},
    {256, 20, 48, "TEST SCENE 2026"},
    {256, 43, 26, "SAME SCENE AT ANY SIZE"},
    {382, 66, 60, "SHARP EDGES"},
    {382, 92, 46, "BLUR EMBOSS SOBEL"},
    {382, 113, 36, "ABCDEFGHIJKLMNOPQRSTUV"},
    {382, 129, 30, "THE QUICK BROWN FOX 012345"},
    {382, 143, 24, "JUMPS OVER THE LAZY DOG 6789"},
    {382, 155, 20, "PACK MY BOX WITH FIVE DOZEN JUGS"},
    {382, 165, 16, "SPHINX OF BLACK QUARTZ JUDGE MY VOW"},
    {382, 173, 12, "HOW VEXINGLY QUICK DAFT ZEBRAS JUMP 0123456789"},
    {382, 180, 9, "WALTZ BAD NYMPH FOR QUICK JIGS VEX 9876543210 ABCDEFGHIJKL"},
    {382, 186, 7, "THE FIVE BOXING WIZARDS JUMP QUICKLY AT DAWN 3141592653589793238462643383"},
    {382, 191, 5,
     "BRIGHT VIXENS JUMP DOZY FOWL QUACK AND THE SMALLEST LINES ARE ONLY FOR THE LARGEST SIZES 8K"},
    {382, 196, 4,
     "A QUICK MOVEMENT OF THE ENEMY WILL JEOPARDIZE SIX GUNBOATS AND YOU HAVE SURELY A VERY LARGE "
     "SCREEN"},
};

/// The line of text at height y, null where there is none.
const Line* line_at(std::int64_t y, std::int64_t from_x) {
    for (const Line& line : kLines)
        if (milli(line.x) >= from_x && y >= milli(line.y) &&
            y < milli(line.y) + 7 * (kOne * line.dot / 20000))
            return &line;
    return nullptr;
}

bool has_ink(const Line* line, std::int64_t x, std::int64_t y) {
    if (!line || x < milli(line->x)) return false;
    const auto dot = static_cast<std::uint32_t>(kOne * line->dot / 20000);
    const std::uint32_t column = static_cast<std::uint32_t>(x - milli(line->x)) / dot;
    const std::uint32_t down = static_cast<std::uint32_t>(y - milli(line->y)) / dot;
    if (column / 6 >= line->text.size() || column % 6 == 5) return false;
    return glyph(line->text[column / 6])[down] >> (4 - column % 6) & 1;
}

/// A row of samples, with the lines of text that it crosses: the title's or the other.
struct SampleRow {
    bool ink(std::int64_t x) const { return has_ink(x < milli(250) ? title : text, x, y); }
    std::int64_t y;
    const Line* title = line_at(y, 0);
    const Line* text = line_at(y, milli(200));
};

constexpr Colour kPatches[] = {
    rgb(115, 82, 68), rgb(194, 150, 130), rgb(98, 122, 157), rgb(87, 108, 67),  rgb(224, 124, 47),
    rgb(68, 91, 170), rgb(198, 82, 97),   rgb(94, 58, 106),  rgb(159, 189, 63), rgb(49, 65, 153),
    rgb(73, 151, 74), rgb(178, 50, 57),   rgb(238, 200, 27), rgb(188, 84, 150), rgb(0, 136, 170)};

/// The board at (x, y) from its upper left corner, without the zone plate.
Colour sample(std::int64_t x, const SampleRow& line) {
    const std::int64_t y = line.y;
    const std::int64_t rim = std::min({x, y, kWidth - x, kHeight - y});
    if (rim < milli(8)) return kFrame;
    if (kStar.has(x, y)) {
        const std::int64_t dx = x - kStar.x - kStar.width / 2, dy = y - kStar.y - kStar.height / 2;
        if (dx * dx + dy * dy > kStar.width * kStar.width / 4) return kPaper;
        return direction(dx, dy) * 72 >> 16 & 1 ? kInk : kPaper;
    }
    if (kColours.has(x, y)) return kPatches[(x - kColours.x) * 15 / kColours.width];
    if (kGrays.has(x, y)) {
        const int step = static_cast<int>((x - kGrays.x) * 16 / kGrays.width) * 17;
        return rgb(step, step, step);
    }
    if (kBars.has(x, y)) {
        // Bars in groups: each group's are 4/5 as wide; upright above, lying below.
        std::int64_t left = kBars.x, pitch = milli(12);
        while (x >= left + 4 * pitch) left += 4 * pitch, pitch = pitch * 4 / 5 + 1;
        const std::int64_t upper = y - kBars.y, across = x - left;
        if (upper < milli(28)) return across / (pitch / 2) % 2 ? kPaper : kInk;
        if (upper < milli(32) || across > pitch * 7 / 2) return kPaper;
        return (upper - milli(32)) / (pitch / 2) % 2 ? kPaper : kInk;
    }
    if (kChecks.has(x, y)) {
        const std::int64_t part = (x - kChecks.x) * 4 / kChecks.width;
        const std::int64_t cell = milli(14) >> part;
        return ((x - kChecks.x) / cell + (y - kChecks.y) / cell) % 2 ? kPaper : kInk;
    }
    return line.ink(x) ? kInk : kPaper;
}

}  // namespace

void paint_chart(const Canvas& canvas, std::int64_t row_number, Row& row) {
    const std::int64_t y = canvas.y_of(row_number) - (kOne - kMargin - kHeight);
    const std::int64_t pixel = kOne / canvas.height;
    if (y < -pixel || y > kHeight + pixel) return;
    const std::int64_t left = canvas.width * kOne / (2 * canvas.height) - kMargin - kWidth;
    const std::int64_t radius = kPlate.width / 2;
    const auto sub_row = [&](int s) {
        return SampleRow{y + (2 * s + 1 - kSide) * pixel / (2 * kSide)};
    };
    const SampleRow lines[kSide] = {sub_row(0), sub_row(1), sub_row(2), sub_row(3)};
    for (std::size_t i = 0; i < row.size(); ++i) {
        const std::int64_t x = canvas.x[i] - left;
        if (x < -pixel || x > kWidth + pixel) continue;
        if (kPlate.has(x, y)) {
            const std::int64_t dx = x - kPlate.x - radius, dy = y - kPlate.y - radius;
            const std::int64_t d2 = dx * dx + dy * dy;
            // Phase in turns: r^2 / (4 R) with r and R in pixels.
            const std::int64_t turns = d2 / (radius * 4) * canvas.height / (kOne >> 16);
            const std::int32_t wave = cosine(static_cast<std::uint32_t>(turns));
            const std::int32_t fading = ramp(radius * radius - d2, 0, radius * radius / 8);
            const std::int32_t gray = 128 + (wave * 120 >> 15) * fading / 256;
            row[i] = rgb(gray, gray, gray);
            continue;
        }
        Colour sum;
        int inside = 0, taken = 0;
        Colour first;
        bool plain = true;
        const auto take = [&](int across, int down) {
            const std::int64_t sx = x + (2 * across + 1 - kSide) * pixel / (2 * kSide);
            const SampleRow& line = lines[static_cast<std::size_t>(down)];
            ++taken;
            if (sx < 0 || line.y < 0 || sx >= kWidth || line.y >= kHeight) return;
            const Colour colour = sample(sx, line);
            if (inside++ == 0) first = colour;
            plain = plain && colour == first;
            sum = {sum.r + colour.r, sum.g + colour.g, sum.b + colour.b};
        };
        // A pixel whose corners agree is of one colour where pixels are small enough.
        for (const int corner : {0, kSide - 1}) take(corner, 0), take(corner, kSide - 1);
        if (!plain || inside < 4 || canvas.height < 2000)
            for (int down = 0; down < kSide; ++down)
                for (int across = 0; across < kSide; ++across)
                    if (across % (kSide - 1) != 0 || down % (kSide - 1) != 0) take(across, down);
        if (inside == 0) continue;
        const Colour mean{sum.r / inside, sum.g / inside, sum.b / inside};
        const Colour colour = mix(row[i], mean, inside * 256 / taken);
        row[i] = {colour.r & ~255, colour.g & ~255, colour.b & ~255};  // no grain
    }
}

}  // namespace convolab::scene
