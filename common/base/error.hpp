// SPDX-License-Identifier: MIT
// The kinds of failure. Each message is one sentence for the user: it
// names the file, option or call, says what was expected and what to do.
#pragma once

#include <stdexcept>
#include <string>

namespace convolab {

/// Something failed: exit code 1.
struct Error : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The command line or a setting is wrong: exit code 2.
struct UsageError : Error {
    using Error::Error;
};

/// A variant cannot do this job by its nature (tile too small for the filter, more threads than
/// blocks): the row says `unsupported` and why.
struct Unsupported : Error {
    using Error::Error;
};

/// The same, by a limit of an array or of the device, which the variant does not name. For the
/// small jobs of verify that is a mistake: a failure.
struct OverLimit : Unsupported {
    using Unsupported::Unsupported;
};

/// The same, by a setting that does not fit the image: more ranks than rows. `run` ends with 2.
struct UnfitSetting : Unsupported {
    using Unsupported::Unsupported;
};

/// The same, because a library is missing, or lacks what the variant needs: MPI that is not
/// CUDA-aware.
struct MissingLibrary : Unsupported {
    using Unsupported::Unsupported;
};

/// The machine cannot do this job now (no GPU, not enough memory): the row says `skipped` and why.
struct Skipped : Error {
    using Error::Error;
};

/// Why a variant failed that threw a number, for example.
inline constexpr const char* kNoException = "It threw something that is not a std::exception.";

}  // namespace convolab
