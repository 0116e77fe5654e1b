// Copyright (c) 2026 The Convolab authors
// SPDX-License-Identifier: MIT
#include "common/measurement/results.hpp"

#include <unistd.h>

#include <clocale>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/base/error.hpp"
#include "tests/catch.hpp"

using namespace convolab;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kColumns = {"lab", "time", "reason"};

struct Folder {
    fs::path path = fs::temp_directory_path() / ("convolab_results_" + std::to_string(::getpid()));
    Folder() { fs::create_directories(path); }
    ~Folder() { fs::remove_all(path); }
    std::string file(const std::string& name) const { return (path / name).string(); }
};

std::string text_of(const std::string& path) {
    std::ostringstream text;
    text << std::ifstream(path).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("rows come back as they were written, whatever they hold") {
    const Folder folder;
    const Row row = {{"lab", "a, \"quoted\" one"}, {"time", "1.5"}, {"reason", "; , \"\" '"}};
    {
        ResultFile file(folder.file("x.csv"), kColumns);
        file.append(row);
        file.append({{"lab", "second"}});
    }
    const auto rows = read_csv(folder.file("x.csv"));
    REQUIRE(rows.size() == 2);
    CHECK(rows[0] == row);
    CHECK(rows[1].at("time").empty());
    const ResultFile again(folder.file("x.csv"), kColumns);
    CHECK(again.rows() == rows);
}

TEST_CASE("a newline in a field does not break a row in two") {
    const Folder folder;
    {
        ResultFile file(folder.file("x.csv"), kColumns);
        file.append({{"reason", "one\ntwo"}});
    }
    REQUIRE(read_csv(folder.file("x.csv")).size() == 1);
}

TEST_CASE("a row left half-written is cut off") {
    const Folder folder;
    { ResultFile(folder.file("x.csv"), kColumns).append({{"lab", "whole"}}); }
    const std::string whole = text_of(folder.file("x.csv"));
    std::ofstream(folder.file("x.csv"), std::ios::app) << "half,1.2";
    {
        const ResultFile file(folder.file("x.csv"), kColumns);
        REQUIRE(file.rows().size() == 1);
    }
    CHECK(text_of(folder.file("x.csv")) == whole);
    std::ofstream(folder.file("x.csv")) << "la";  // not even the header
    { const ResultFile file(folder.file("x.csv"), kColumns); }
    CHECK(text_of(folder.file("x.csv")) == "lab,time,reason\n");
}

TEST_CASE("fresh starts over") {
    const Folder folder;
    { ResultFile(folder.file("x.csv"), kColumns).append({{"lab", "old"}}); }
    { const ResultFile file(folder.file("x.csv"), kColumns, true); }
    CHECK(read_csv(folder.file("x.csv")).empty());
}

TEST_CASE("a file is held by one run at a time") {
    const Folder folder;
    const ResultFile first(folder.file("x.csv"), kColumns);
    CHECK_THROWS_AS(ResultFile(folder.file("x.csv"), kColumns), Error);
}

TEST_CASE("files that cannot be used are refused in a sentence") {
    const Folder folder;
    CHECK_THROWS_AS(ResultFile(folder.file("none/x.csv"), kColumns), Error);
    CHECK_THROWS_AS(ResultFile(folder.path.string(), kColumns), Error);
    CHECK_THROWS_AS(ResultFile("/dev/full", kColumns), Error);
    std::ofstream(folder.file("other.csv")) << "a,b\n1,2\n";
    CHECK_THROWS_AS(ResultFile(folder.file("other.csv"), kColumns), Error);
    std::ofstream(folder.file("short.csv")) << "lab,time,reason\n1,2\n";
    CHECK_THROWS_AS(ResultFile(folder.file("short.csv"), kColumns), Error);
    std::ofstream(folder.file("quote.csv")) << "lab,time,reason\n\"1,2,3\n";
    CHECK_THROWS_AS(read_csv(folder.file("quote.csv")), Error);
    CHECK(read_csv(folder.file("absent.csv")).empty());
}

TEST_CASE("numbers have a decimal point in every locale") {
    const char* comma = nullptr;
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "it_IT.UTF-8"})
        if (comma == nullptr) comma = std::setlocale(LC_ALL, name);
    CHECK(to_decimal(1234.5) == "1234.5");
    CHECK(to_decimal(0.1) == "0.1");
    CHECK(from_decimal("2.75") == 2.75);
    CHECK_THROWS_AS(from_decimal("2,75"), Error);
    CHECK_THROWS_AS(from_decimal(""), Error);
    std::setlocale(LC_ALL, "C");
    if (comma == nullptr) SKIP_TEST("no locale with a decimal comma is installed");
}
