// SPDX-License-Identifier: MIT
// A host that misuses memory gets a report with the line of the call.
#include <sys/mman.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "helpers.hpp"
#include "host_access.hpp"

#ifndef BUILT_WITH_ASAN  // for most of these ASan has separate messages: mistakes_test.cu
TEST_CASE("a copy of host memory that does not exist is reported with the line of the call") {
    constexpr int line = __LINE__ + 4;
    const Ending ending = in_child([] {
        DeviceBuffer<char> d_out(1 << 20);
        void* const nothing = mmap(nullptr, 1 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        cudaMemcpy(d_out.data(), nothing, 1 << 20, cudaMemcpyHostToDevice);
    });
    CHECK(WIFSIGNALED(ending.status));
    CHECK(ending.output ==
          "CUDA on the CPU: a copy reads host memory that does not exist, at " __FILE__ ":" +
              std::to_string(line) + ".\n");
}

TEST_CASE("a library may use device memory while a HostAccess opens it, and not afterwards") {
    const Ending ending = in_child([] {
        DeviceBuffer<int> d_data(10);
        d_data.fill(0);
        cudaDeviceSynchronize();
        volatile int* const library = d_data.data();
        {
            const int on_host = 0;
            const cuda_on_cpu::HostAccess open({d_data.data() + 3, &on_host, nullptr});
            library[3] = library[2] + 5;
        }
        int out[10];
        d_data.download(out);
        if (out[3] == 5) _exit(library[3]);  // closed again
    });
    CHECK(WIFSIGNALED(ending.status));
    CHECK(contains(ending.output, "the host reads byte 12 of device memory of 40 bytes"));
}

TEST_CASE("addr2line, which is slow, starts once for a line, however often it is wrong") {
    char folder[] = "/tmp/addr2line.XXXXXX";
    REQUIRE(mkdtemp(folder) != nullptr);
    const std::filesystem::path path = folder;
    std::ofstream(path / "addr2line") << "#!/bin/sh\necho >>" << path / "starts"
                                      << "\nPATH=${PATH#*:} exec addr2line \"$@\"\n";
    std::filesystem::permissions(path / "addr2line", std::filesystem::perms::owner_all);
    const Ending ending = in_child([&] {
        setenv("PATH", (path.string() + ':' + std::getenv("PATH")).c_str(), 1);
        DeviceBuffer<int> d_data(1);
        for (std::size_t bytes = 5; bytes < 15; ++bytes) cudaMemset(d_data.data(), 0, bytes);
    });
    INFO(ending.output);
    CHECK(ending.clean());
    CHECK(contains(ending.output, "cudaMemset writes 10 bytes past the end of "));
    std::ifstream starts(path / "starts");
    const auto count = std::count(std::istreambuf_iterator<char>(starts), {}, '\n');
    CHECK(count >= 1);
    CHECK(count <= 2);  // one for the line that writes, one for the allocation's line
    std::filesystem::remove_all(path);
}

TEST_CASE("other faults of the host are passed on") {
    const Ending own_handler = in_child([] {
        std::signal(SIGSEGV, [](int) { _exit(7); });
        DeviceBuffer<int> d_data(10);
        *static_cast<volatile int*>(nullptr) = 1;
    });
    CHECK(own_handler.output.empty());
    CHECK(WEXITSTATUS(own_handler.status) == 7);
}
#endif
