// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace cuda_on_cpu::judge {

/// "lab.cu:12" and the like in a message, in their order, each once.
std::vector<std::string> places_in(const std::string& sentence);
/// In lines of at most 100 columns, those after the first below the end of `head`.
void print_wrapped(const std::string& head, const std::string& text);
/// What is no mistake, with the lines of the program that it names; because the host does not use
/// it?
void print_note(const std::string& note, bool is_unused);
/// A mistake: the sentence, the lines of the program that it names, and its remedy or causes.
void print_finding(std::size_t number, const std::string& sentence);

}  // namespace cuda_on_cpu::judge
