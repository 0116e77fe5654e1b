// SPDX-License-Identifier: MIT
#include "findings.hpp"

#include <algorithm>
#include <csignal>
#include <fstream>
#include <sstream>

#include "output.hpp"
#include "screen.hpp"

namespace cuda_on_cpu::judge {
namespace {

bool is_failed_assert(const Ending& ending) {
    return ending.signal == SIGABRT && ending.errors.find(": Assertion `") != std::string::npos;
}

}  // namespace

bool Findings::take(const std::string& text, const std::set<std::string>& known_places) {
    static const std::string note_mark = "note: ";
    const bool is_note = text.rfind(note_mark, 0) == 0;
    const std::string sentence = is_note ? text.substr(note_mark.size()) : text;
    std::vector<std::string>& all = is_note ? notes_ : sentences_;
    const std::vector<std::string> places = places_in(sentence);
    const bool is_known = std::find(all.begin(), all.end(), sentence) != all.end() ||
                          (!is_note && !places.empty() &&
                           std::all_of(places.begin(), places.end(), [&](const auto& place) {
                               return known_places.contains(place);
                           }));
    if (!is_known) all.push_back(sentence);
    if (!is_note) places_.insert(places.begin(), places.end());
    return !is_note;
}

void Findings::take_compiled(const std::string& file) {
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) take(line, {});
}

void Findings::take(const Ending& ending) {
    static const std::string mark = "CUDA on the CPU: ";
    const bool is_first = runs_++ == 0;
    const std::set<std::string> known_places = is_first ? std::set<std::string>() : places_;
    bool told = false;
    std::istringstream lines(ending.errors);
    for (std::string line; std::getline(lines, line);)
        if (line.rfind(mark, 0) == 0) told |= take(line.substr(mark.size()), known_places);
    if (ending.signal != 0 && !told && is_first && !is_failed_assert(ending))
        sentences_.push_back("the program is ended by " + ending.how() +
                             ", in the host's code. Remedy: compile it with -Xcompiler "
                             "-fsanitize=address, and run it without check.");
}

void Findings::compare(const Ending& first, const Ending& second, const std::string& how,
                       const std::string& advice, double rounding) {
    if (!empty()) return;  // it follows from what is found
    std::string what = first_difference(first.output, second.output, 0);
    if (first.exit_code != second.exit_code)
        what = "it ends with " + second.how() + ", not with " + first.how();
    if (what.empty()) return;
    // `rounding` is 0 if the threads run in the same order.
    const bool is_of_order = rounding > 0 && first.exit_code == second.exit_code;
    std::string reason;
    if (is_of_order && first_difference(first.output, second.output, rounding).empty())
        reason = ". A sum of floats is rounded differently in another order, on a GPU, too.";
    else if (is_of_order && first.has_list)
        reason =
            ". If an atomic function hands out the places of a list, they are in another "
            "order in each run, on a GPU, too.";
    const auto is_known = [&](const std::string& note) {
        return note.find(reason) != std::string::npos;
    };
    if (!reason.empty()) {
        if (std::none_of(notes_.begin(), notes_.end(), is_known))
            notes_.push_back(how + " " + what + reason);
    } else {
        sentences_.push_back("the program does something else " + how + ": " + what + ". " +
                             advice);
    }
}

namespace {

bool is_read(const std::string& sentence) {
    return sentence.find(", which was never written") != std::string::npos ||
           sentence.find(", which no thread of the block has") != std::string::npos;
}
bool is_copied(const std::string& note) {
    return note.find("it has not written") != std::string::npos ||
           note.find("to the host that was never written") != std::string::npos;
}

}  // namespace

bool Findings::has_unwritten() const {
    return std::any_of(sentences_.begin(), sentences_.end(), is_read) ||
           std::any_of(notes_.begin(), notes_.end(), is_copied);
}

void Findings::decide_unwritten(const Ending& first, const Ending& zeros, bool is_repeatable) {
    if (empty() && is_different(first, zeros) && is_repeatable)
        for (const std::string& note : notes_) {
            if (is_copied(note)) sentences_.push_back(note);
        }
    if (!is_different(first, zeros) && first.results == zeros.results)
        std::erase_if(sentences_, is_read);
}

void Findings::print(const std::string& program) const {
    constexpr std::size_t limit = 6;  // one screen
    if (empty()) {
        print_wrapped("", program + ": nothing found, with the threads in three orders.");
        for (const std::string& note : notes_) print_note(note, is_copied(note));
        print_wrapped(
            "",
            "Not looked for: whether the results are right; how fast it is; what this input does "
            "not reach; an array on the host's stack that is too small for a copy; most copies of "
            "too few bytes; races of the host's "
            "threads; an index that is wrong but inside of the same memory.");
        return;
    }
    print_wrapped("", program + ": " + std::to_string(sentences_.size()) +
                          (sentences_.size() == 1 ? " mistake." : " mistakes."));
    for (std::size_t i = 0; i < sentences_.size() && i < limit; ++i)
        print_finding(i + 1, sentences_[i]);
    if (sentences_.size() > limit)
        print_wrapped("", "The others may follow from these; correct them first.");
}

}  // namespace cuda_on_cpu::judge
