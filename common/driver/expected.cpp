// SPDX-License-Identifier: MIT
#include "common/driver/expected.hpp"

#include "common/base/error.hpp"

namespace convolab {

Expected::Expected(const Operation& operation, const Job& job) {
    try {
        image = operation.reference(job);
        allowed = operation.allowed_difference(job);
    } catch (const Unsupported&) {
    }
}

Comparison compare(const Image& result, const Expected& expected) {
    if (!expected.image) throw Error("It accepts a job that the reference does not support.");
    return compare(result, *expected.image, expected.allowed);
}

}  // namespace convolab
