// SPDX-License-Identifier: MIT
#include "screen.hpp"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace cuda_on_cpu::judge {
namespace {

// The line of a place, or nothing if there is no such file.
std::string line_at(const std::string& place) {
    const auto colon = place.rfind(':');
    std::ifstream file(place.substr(0, colon));
    std::string line;
    for (long number = std::stol(place.substr(colon + 1)); number > 0; --number)
        if (!std::getline(file, line)) return {};
    return line;
}

void print_source(const std::vector<std::string>& places) {
    for (const std::string& place : places) {
        const std::string line = line_at(place);
        if (line.empty()) continue;
        std::printf("   %6s | %.88s\n", place.substr(place.rfind(':') + 1).c_str(), line.c_str());
    }
}

}  // namespace

std::vector<std::string> places_in(const std::string& sentence) {
    std::vector<std::string> places;
    std::istringstream words(sentence);
    for (std::string word; words >> word;) {
        while (!word.empty() && std::isdigit(static_cast<unsigned char>(word.back())) == 0)
            word.pop_back();
        const auto colon = word.rfind(':');
        if (colon == std::string::npos || colon == 0 ||
            word.find_first_not_of("0123456789", colon + 1) != std::string::npos ||
            word.find('.') > colon || std::find(places.begin(), places.end(), word) != places.end())
            continue;
        if (word.front() == '(') word.erase(0, 1);
        places.push_back(word);
    }
    return places;
}

void print_wrapped(const std::string& head, const std::string& text) {
    constexpr std::size_t columns = 100;
    std::string line = head;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (line.size() > head.size() && line.size() + 1 + word.size() > columns) {
            std::printf("%s\n", line.c_str());
            line.assign(head.size(), ' ');
        }
        if (line.size() > head.size()) line += ' ';
        line += word;
    }
    std::printf("%s\n", line.c_str());
}

namespace {

// "Causes: a | b" as a list.
void print_causes(const std::string& causes) {
    std::printf("   Usual causes:\n");
    for (std::size_t from = 0; from != std::string::npos;) {
        const auto end = causes.find(" | ", from);
        print_wrapped("   - ", causes.substr(from, end - from));
        from = end == std::string::npos ? end : end + 3;
    }
}

// Behind its head, what has happened, the lines of the program that this names, and why.
void print_with_lines(const std::string& head, const std::string& sentence) {
    static const std::string remedy = "Remedy: ", causes = "Causes: ";
    const auto at = std::min(sentence.find(remedy), sentence.find(causes));
    std::string what = sentence.substr(0, at);
    const bool is_name = what.rfind("cuda", 0) == 0 || what.rfind("dim3", 0) == 0;
    if (!is_name) what[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(what[0])));
    std::printf("\n");
    print_wrapped(head, what);
    // Of the launch the sentence says enough.
    std::vector<std::string> places = places_in(what);
    const auto launched = what.find("launched at ");
    if (launched != std::string::npos && places.size() > 1)
        std::erase(places, places_in(what.substr(launched))[0]);
    if (places.size() > 3) places.resize(3);
    std::sort(places.begin(), places.end(), [](const auto& a, const auto& b) {
        return a.size() != b.size() ? a.size() < b.size() : a < b;
    });
    print_source(places);
    if (at == std::string::npos) return;
    if (sentence.compare(at, causes.size(), causes) == 0)
        print_causes(sentence.substr(at + causes.size()));
    else
        print_wrapped("   Remedy: ", sentence.substr(at + remedy.size()));
}

}  // namespace

void print_note(const std::string& note, bool is_unused) {
    print_with_lines("Note: ", note);
    if (is_unused)
        print_wrapped(
            "   ", "It is no mistake, as the host does not use the bytes that were never written.");
}

namespace {

// The emulator's sentences say what has happened, but not why a student's program usually does it:
// the first whose words the sentence contains.
constexpr struct {
    const char *words, *advice;
} advices[] = {
    {"at an address that is not a multiple of",
     "Causes: an index or offset that is no multiple of the type's elements | the last elements, "
     "which fill no whole vector"},
    {"past the end of the dynamic shared memory",
     "Causes: the third value in <<< >>> counts bytes: n * sizeof(the type) | an index that is too "
     "large"},
    {"past the end of the __shared__ variables",
     "Causes: an index that is not y * the tile's width + x | a tile without room for the halo"},
    {"past the end of host memory", "Causes: a host array of fewer bytes than are copied"},
    {"a copy goes",
     "Remedy: offset and size of a copy to or from a variable count bytes, and both together are "
     "at most its size."},
    {"a copy reads", "Causes: a copy or cudaMalloc counts bytes: n * sizeof(the type)"},
    {"a copy writes", "Causes: a copy or cudaMalloc counts bytes: n * sizeof(the type)"},
    {"cudaMemset writes", "Remedy: its third value counts bytes: n * sizeof(the type)."},
    {"which kernels can only read",
     "Remedy: make it a __device__ variable, or let the host fill it: cudaMemcpyToSymbol."},
    {"__ variable of ", "Causes: an index below 0, or not below the number of elements"},
    {" with a pitch of ",
     "Causes: a pitch counts bytes, an index elements: row y begins at (T*)((char*)d + y * pitch) "
     "| "
     "the guard: if (x < width && y < height)"},
    {"past the end of",
     "Causes: the guard, if (i < n), not <= n; in two dimensions if (x < width && y < height), "
     "with "
     "the index y * width + x | the memory: cudaMalloc counts bytes, n * sizeof(the type); a pitch "
     "counts bytes, too | the launch: <<<blocks, threads>>>, a width in x and a height in y"},
    {"before the beginning of",
     "Causes: an index below 0, such as that of in[i - 1] without if (i > 0)"},
    {"no allocation returned",
     "Remedy: cudaFree(d), the pointer that cudaMalloc has set, and not &d."},
    {"wrong pointer or index", "Causes: a pointer that is not set | an index outside of its array"},
    {"host memory that does not exist",
     "Causes: a pointer that is not set | an index outside of its array"},
    {"on a GPU the value is undefined",
     "Causes: a distance that leaves the lanes that take part | lanes that should take part, too: "
     "one without data passes what changes nothing, such as 0 in a sum"},
    {"wait in __shfl", "Remedy: the mask must name exactly the lanes that come there."},
    {"with the mask", "Remedy: the mask must name exactly the lanes that come there."},
    {"not all threads arrive",
     "Causes: the barrier is in a branch, or behind a return, that only some of the threads take"},
    {"at different barriers",
     "Remedy: all threads of the block must come to the same __syncthreads()."},
    {"memory of the host",
     "Remedy: give the device a pointer to memory of cudaMalloc, and fill that with cudaMemcpy."},
    {"of an object that the host has made",
     "Remedy: make the object in a kernel, with new (memory) and the name of its class: its table "
     "of virtual functions is then the device's."},
    {"was asked for 0 bytes",
     "Causes: a product of ints that is 4294967296 overflows to 0: begin it with a size_t, such "
     "as sizeof(float) * width * height"},
    {"through a null pointer", "Causes: cudaMalloc was not called, or has failed"},
    {"pointer is null", "Causes: cudaMalloc was not called, or has failed"},
    {"uses an invalid pointer", "Causes: cudaMalloc was not called for it"},
    {"cudaFree of memory that", "Remedy: free it once."},
    {"cudaFreeHost of memory that", "Remedy: free it once."},
    {"that cudaFreeAsync freed",
     "Remedy: free it in the stream that uses it last, or let its stream wait for that one: "
     "cudaEventRecord(event, stream), cudaStreamWaitEvent(the other stream, event)."},
    {"memory that was freed", "Remedy: free it after its last use."},
    {"memory that cudaFree", "Remedy: free it after its last use."},
    {"threads; allowed are",
     "Causes: more than 1024 threads in all: dim3 block(32, 32) has as many | a size of 0"},
    {"blocks; allowed are",
     "Causes: n / threads blocks are 0: (n + threads - 1) / threads | n is not set, or a product "
     "is too large for an int | more than 65535 rows: put the larger count in x, or let each block "
     "do several rows"},
    {"there is no such stream on device",
     "Causes: cudaSetDevice of another device before the launch | a stream that was created for "
     "another device, or destroyed"},
    {"keeps the arguments of its capture",
     "Causes: pointers that the host swaps between the launches: capture both directions | no "
     "cudaMemcpy of what the graph writes"},
    {"was never copied back",
     "Causes: no cudaMemcpy brings it to the host | a copy takes other memory"},
    {"bytes of dynamic shared memory; allowed",
     "Causes: a tile that is too large | a missing cudaFuncSetAttribute"},
    {"which is the host's copy of",
     "Remedy: a kernel uses such a variable by its name; cudaMemcpyToSymbol and "
     "cudaMemcpyFromSymbol "
     "copy it; cudaGetSymbolAddress gives its address on the device."},
    {"the direction is",
     "Causes: the two pointers of cudaMemcpy(to, from, bytes, direction) are swapped, or the "
     "direction is wrong"},
    {"a kernel launches it", "Remedy: launch it from the host."},
    {"uses element",
     "Causes: an array with fewer elements than the block has threads | a loop that "
     "ends too late"},
    {"overflows its stack", "Causes: a function that calls itself without an end"},
    {"CUDA_ON_CPU_TIMEOUT",
     "Causes: a loop that does not end | threads that wait for a block that runs later | threads "
     "that wait for a value that nobody writes"},
    {"operand of comma",
     "Remedy: (16, 16) is 16, as a comma in parentheses drops what is before it: write dim3 "
     "block(16, 16), and in <<< >>> dim3(16, 16)."},
    {"uninitialized", "Remedy: give it a value before it is read, int sum = 0;"},
};

// The sentence and, if it has neither, "Remedy: " where one cause is possible, or "Causes: a | b".
std::string with_advice(const std::string& sentence) {
    for (const char* const known : {"Remedy: ", "Causes: "})
        if (sentence.find(known) != std::string::npos) return sentence;
    for (const auto& [words, advice] : advices)
        if (sentence.find(words) != std::string::npos) return sentence + " " + advice;
    return sentence;
}

}  // namespace

void print_finding(std::size_t number, const std::string& sentence) {
    print_with_lines(std::to_string(number) + ". ", with_advice(sentence));
}

}  // namespace cuda_on_cpu::judge
