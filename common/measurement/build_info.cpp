// SPDX-License-Identifier: MIT
// Compiled for each lab when it is linked; the Makefile passes the values.
#include "common/measurement/machine.hpp"

namespace convolab {

const BuildInfo& build_info() {
    static const BuildInfo info{CONVOLAB_COMPILER, CONVOLAB_FLAGS, CONVOLAB_BUILD,
                                CONVOLAB_REVISION, CONVOLAB_DIRTY != 0};
    return info;
}

}  // namespace convolab
