// SPDX-License-Identifier: MIT
#include "common/base/atomic_file.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <string>
#include <vector>

#include "tests/catch.hpp"
#include "tests/kit.hpp"

TEST_CASE("Ctrl-C while a file is written leaves the whole file and nothing else") {
    const convolab::test::Folder folder;
    const std::vector<char> bytes(50'000'000, 'x');
    const std::string path = folder.file("whole");
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        convolab::write_whole_file(path, bytes.data(), bytes.size());
        _exit(0);
    }
    while (folder.files() == 0) usleep(100);  // until the child has begun
    kill(child, SIGINT);
    waitpid(child, nullptr, 0);
    CHECK(folder.files() == 1);
    REQUIRE(std::filesystem::exists(path));
    CHECK(std::filesystem::file_size(path) == bytes.size());
}

TEST_CASE("past the limit of a file's size: a sentence, and no draft stays") {
    const convolab::test::Folder folder;
    const std::vector<char> bytes(100'000, 'x');
    rlimit before;
    REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
    const rlimit less{50'000, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &less) == 0);
    const std::string sentence = convolab::test::refusal(
        [&] { convolab::write_whole_file(folder.file("large"), bytes.data(), bytes.size()); });
    setrlimit(RLIMIT_FSIZE, &before);
    convolab::test::says(sentence, {"File too large", "ulimit -f"});
    CHECK(folder.files() == 0);
}
