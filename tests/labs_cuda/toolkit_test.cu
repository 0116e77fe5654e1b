// SPDX-License-Identifier: MIT
// The variants that call libraries of the CUDA toolkit, on pictures larger than one of their
// batches and bands; verify's pictures are smaller. Skipped if the program lacks the library.
#include "labs/03_cuda_global/variants.hpp"
#include "labs/12_tensor/variants.hpp"
#include "tests/catch.hpp"
#include "tests/labs_cuda/packed.hpp"

namespace convolab::defects {

static void check_large(const Variant& variant, const Image& image, int ksize) {
    try {
        check_packed(variant, image, make_filter("edge", ksize), {});
    } catch (const MissingLibrary& why) {
        SKIP_TEST(why.what());
    }
}

TEST_CASE("fft: tiles in two batches, the second not full") {
    check_large(cuda_global::fft, noise(3000, 2600, 1), 15);
}

TEST_CASE("cublas: windows in two bands") {
    check_large(tensor_cores::cublas, noise(1850, 1800, 1), 9);
}

}  // namespace convolab::defects
