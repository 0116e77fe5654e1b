// SPDX-License-Identifier: MIT
// assert() in a kernel prints CUDA's message and causes cudaErrorAssert. C's assert calls the
// function below, which the linker finds before the C library's; for the host it does the same as
// the C library. The other function reports wrong operands of headers that replace GPU
// instructions.
#include <errno.h>

#include <cstdio>
#include <cstdlib>

#include "device/block.hpp"
#include "device/report.hpp"
#include "keywords.hpp"

extern "C" [[noreturn]] void __assert_fail(const char* expression, const char* file, unsigned line,
                                           const char* function) noexcept {
    cuda_on_cpu::Block& block = cuda_on_cpu::running_block();
    struct {
        const char *expression, *file;
        unsigned line;
        const char* function;
    } const place{expression, file, line, function};
    if (block.is_in_kernel())
        block.stop(cudaErrorAssert, [&place] {
            return "fails assert(" + std::string(place.expression) + ") at " + place.file + ":" +
                   std::to_string(place.line) + " in " + place.function;
        });
    std::fprintf(stderr, "%s: %s:%u: %s: Assertion `%s' failed.\n", program_invocation_short_name,
                 file, line, function, expression);
    std::abort();
}

namespace cuda_on_cpu {

void stop_kernel(cudaError_t error, const char* what, const char* file, int line,
                 const char* remedy) {
    const struct {
        const char *what, *file, *remedy;
        int line;
    } place{what, file, remedy, line};
    running_block().stop(error, [&place] {
        return std::string(place.what) + " at " + place.file + ":" + std::to_string(place.line) +
               ": " + place.remedy;
    });
}

}  // namespace cuda_on_cpu
