// SPDX-License-Identifier: MIT
#include <cctype>
#include <iomanip>
#include <iostream>
#include <utility>

#include "common/driver/commands.hpp"
#include "common/driver/tasks.hpp"
#include "common/driver/verify.hpp"

namespace convolab {
namespace {

std::string without_numbers_and_names(const std::string& sentence) {
    std::string text;
    bool is_name = false;
    for (const char c : sentence) {
        if (c == '\'') is_name = !is_name;
        if (!is_name && !std::isdigit(static_cast<unsigned char>(c))) text += c;
    }
    return text;
}

}  // namespace

void Tally::operator+=(const Tally& other) {
    if (refusal.empty() || (without_library == 0 && other.without_library > 0))
        refusal = other.refusal;
    if (other.first < first) {
        first = other.first;
        failure = other.failure;
        repeat = other.repeat;
    }
    jobs += other.jobs;
    samples += other.samples;
    different += other.different;
    failed += other.failed;
    unsupported += other.unsupported;
    for (const auto& [why, count] : other.refusals) refusals[why] += count;
    without_library += other.without_library;
    if (other.largest_width * other.largest_height > largest_width * largest_height) {
        largest_width = other.largest_width;
        largest_height = other.largest_height;
    }
}

void Tally::refuse(const std::string& why) {
    unsupported = 1;
    refusal = why;
    refusals[why] = 1;
}

Tallies::Tallies(const Lab& lab, std::vector<const Variant*> variants, std::vector<Filter> filters)
    : lab_(lab),
      variants_(std::move(variants)),
      filters_(std::move(filters)),
      tallies_(variants_.size() * filters_.size() * all_borders().size()) {}

Tally& Tallies::at(std::size_t variant, std::size_t filter, std::size_t border) {
    return tallies_[(variant * filters_.size() + filter) * all_borders().size() + border];
}

std::vector<Row> Tallies::rows() {
    std::vector<Row> rows;
    for (std::size_t v = 0; v < variants_.size(); ++v)
        for (std::size_t f = 0; f < filters_.size(); ++f)
            for (std::size_t b = 0; b < all_borders().size(); ++b) {
                const Tally& t = at(v, f, b);
                if (t.jobs == 0) continue;
                Row row = origin_row(lab_, *variants_[v]);
                const Filter& filter = filters_[f];
                row["filter"] = filter.name();
                row["ksize"] = std::to_string(filter.ksize());
                row["border"] = to_string(all_borders()[b]);
                row["jobs"] = std::to_string(t.jobs);
                row["samples_compared"] = std::to_string(t.samples);
                row["samples_different"] = std::to_string(t.different);
                row["status"] = t.failed > 0 ? "failed" : t.samples > 0 ? "ok" : "unsupported";
                row["reason"] = t.failed > 0 ? t.failure : t.refusal;
                rows.push_back(std::move(row));
            }
    return rows;
}

Tally Tallies::sum(std::size_t variant) {
    Tally sum;
    for (std::size_t f = 0; f < filters_.size(); ++f)
        for (std::size_t b = 0; b < all_borders().size(); ++b) sum += at(variant, f, b);
    return sum;
}

void Tallies::print_refusals() {
    struct Kind {
        std::string example;
        std::map<std::size_t, std::int64_t> jobs;  ///< of each variant
    };
    std::map<std::string, Kind> kinds;
    for (std::size_t v = 0; v < variants_.size(); ++v)
        for (const auto& [why, count] : sum(v).refusals) {
            Kind& kind = kinds[without_numbers_and_names(why)];
            if (kind.example.empty()) kind.example = why;
            kind.jobs[v] += count;
        }
    for (const auto& [words, kind] : kinds) {
        std::string of;
        for (const auto& [v, count] : kind.jobs)
            of += ", " + variants_[v]->name + ' ' + std::to_string(count);
        std::cout << "unsupported: " << of.substr(2) << ": " << kind.example << '\n';
    }
}

void Tallies::print_table() {
    std::cout << std::left << std::setw(17) << "lab" << ' ' << std::setw(20) << "variant"
              << std::right << std::setw(10) << "identical" << std::setw(12) << "unsupported"
              << std::setw(8) << "failed" << std::setw(16) << "samples" << std::setw(12)
              << "largest" << '\n';
    for (std::size_t v = 0; v < variants_.size(); ++v) {
        const Tally sum = this->sum(v);
        std::cout << std::left << std::setw(17) << lab_.name << ' ' << std::setw(20)
                  << variants_[v]->name << std::right << std::setw(10) << sum.identical()
                  << std::setw(12) << sum.unsupported << std::setw(8) << sum.failed << std::setw(16)
                  << sum.samples << std::setw(12)
                  << std::to_string(sum.largest_width) + 'x' + std::to_string(sum.largest_height)
                  << '\n';
    }
}

std::string Tallies::words_of(std::size_t variant, bool& is_bad) {
    const Tally sum = this->sum(variant);
    const bool is_excused = sum.without_library > 0;
    is_bad = sum.failed > 0 || (sum.identical() == 0 && !is_excused);
    const std::string begin = "    " + variants_[variant]->name;
    if (sum.failed == 0 && sum.identical() == 0)
        return begin + (is_excused ? " not compared" : " FAILED: nothing was compared") +
               (sum.refusal.empty() ? "" : ", " + sum.refusal) + '\n';
    if (sum.failed == 0) return "";
    std::string words = begin + " FAILED, first: " + sum.failure + '\n';
    if (sum.failed >= kEnoughFailures)
        words +=
            "    after " + std::to_string(sum.failed) + " failures its other jobs were left out\n";
    if (!sum.repeat.empty()) words += "    again: " + sum.repeat + '\n';
    return words;
}

int Tallies::print(bool is_brief) {
    if (!is_brief) print_table();
    if (!is_brief) print_refusals();
    Tally all;
    int bad = 0;
    std::string words;
    for (std::size_t v = 0; v < variants_.size(); ++v) {
        bool is_bad = false;
        words += words_of(v, is_bad);
        bad += is_bad;
        all += sum(v);
    }
    if (all.identical() == 0 && bad == 0) {
        words += "    FAILED: nothing was compared\n";
        ++bad;
    }
    const std::int64_t compared = all.identical() + all.failed;
    std::cout << lab_.name << ": " << variants_.size()
              << (variants_.size() == 1 ? " variant, " : " variants, ") << compared
              << (compared == 1 ? " comparison" : " comparisons");
    if (all.failed > 0)
        std::cout << ", " << all.identical() << " identical, " << all.failed << " failed";
    else if (compared > 0)
        std::cout << ", all identical";
    if (all.unsupported > 0) std::cout << "; " << all.unsupported << " unsupported";
    std::cout << '\n' << words;
    return bad;
}

}  // namespace convolab
