// SPDX-License-Identifier: MIT
// A backend that replaces a GPU's in tests of the driver.
#pragma once

#include "common/variant/backend.hpp"
#include "common/variant/convolver.hpp"

namespace convolab {

class ToyGpu : public Backend {
  public:
    std::string name() const override { return "cuda"; }
    std::string device() const override { return ""; }
    std::string driver() const override { return ""; }
    bool is_timed() const override { return true; }
    bool is_concurrent() const override { return false; }
    double time_ms(const std::function<void()>& work) override {
        work();
        return 1;
    }
    CopySpeed copy_speed() override { return {}; }
    void flush_cache() override {}
};

}  // namespace convolab
