// SPDX-License-Identifier: MIT
#include "common/measurement/results.hpp"

#include <atomic>
#include <clocale>
#include <filesystem>
#include <fstream>
#include <thread>

#include "common/base/error.hpp"
#include "tests/kit.hpp"

using namespace convolab;
namespace fs = std::filesystem;

namespace {

const std::vector<std::string> kColumns = {"lab", "time", "reason"};

std::string refusal(const std::string& path, bool fresh) {
    return test::refusal([&] { const ResultFile file(path, kColumns, fresh); });
}

}  // namespace

TEST_CASE("rows come back as they were written, whatever they hold") {
    const test::Folder folder;
    const Row row = {{"lab", "a, \"quoted\" one"}, {"time", "1.5"}, {"reason", "; , \"\" '"}};
    {
        ResultFile file(folder.file("x.csv"), kColumns);
        file.append(row);
        file.append({{"lab", "second"}});
    }
    const auto rows = read_results(folder.file("x.csv"), kColumns);
    REQUIRE(rows.size() == 2);
    CHECK(rows[0] == row);
    CHECK(rows[1].at("time").empty());
    const ResultFile again(folder.file("x.csv"), kColumns);
    CHECK(again.rows() == rows);
}

TEST_CASE("a newline in a field does not break a row in two") {
    const test::Folder folder;
    {
        ResultFile file(folder.file("x.csv"), kColumns);
        file.append({{"reason", "one\ntwo"}});
    }
    REQUIRE(read_results(folder.file("x.csv"), kColumns).size() == 1);
}

TEST_CASE("half a row at the end is left out and goes when a row is appended") {
    const test::Folder folder;
    const std::string path = folder.file("x.csv");
    { ResultFile(path, kColumns).append({{"lab", "whole"}}); }
    const std::string whole = test::slurp(path);
    std::ofstream(path, std::ios::app) << "half,1.2";
    {
        ResultFile file(path, kColumns);
        REQUIRE(file.rows().size() == 1);
        CHECK(test::slurp(path) == whole + "half,1.2");
        file.append({{"lab", "next"}});
    }
    CHECK(test::slurp(path) == whole + "next,,\n");
}

TEST_CASE("fresh drops the rows with the first new one, not before") {
    const test::Folder folder;
    const std::string path = folder.file("x.csv");
    { ResultFile(path, kColumns).append({{"lab", "old"}}); }
    {
        ResultFile file(path, kColumns, true);
        CHECK(file.rows().empty());
        CHECK(read_results(path, kColumns).size() == 1);
        file.append({{"lab", "new"}});
    }
    REQUIRE(read_results(path, kColumns).size() == 1);
    CHECK(read_results(path, kColumns)[0].at("lab") == "new");
}

TEST_CASE("without a row no file is left") {
    const test::Folder folder;
    {
        const ResultFile file(folder.file("x.csv"), kColumns);
        CHECK(test::slurp(folder.file("x.csv")) == "lab,time,reason\n");  // what a kill would leave
    }
    CHECK_FALSE(fs::exists(folder.file("x.csv")));
    std::ofstream(folder.file("empty.csv")).flush();
    { const ResultFile file(folder.file("empty.csv"), kColumns); }
    CHECK(fs::exists(folder.file("empty.csv")));  // it was there before
}

TEST_CASE("a file that these programs did not write is never changed") {
    const test::Folder folder;
    const std::string foreign[] = {"a note of one line",
                                   "a,b\n1,2\n3,4",
                                   "\x89PNG\r\n\x1a\n and more",
                                   "lab,time\nwhole,1\nhalf",
                                   "lab,time,reason,more\n1,2,3,4\n",
                                   "lab,time,reas",
                                   "\xEF\xBB\xBFlab,time,reason\n",
                                   "lab,time,reason\r\n1,2,3\r\n",
                                   "lab;time;reason\n",
                                   "\n"};
    for (const auto& text : foreign)
        for (const bool fresh : {false, true}) {
            INFO(text);
            std::ofstream(folder.file("x.csv"), std::ios::binary) << text;
            CHECK(
                refusal(folder.file("x.csv"), fresh).find("is not one that this program writes") !=
                std::string::npos);
            CHECK(test::slurp(folder.file("x.csv")) == text);
            CHECK_THROWS_AS(read_results(folder.file("x.csv"), kColumns), Error);
        }
}

TEST_CASE("a file of an older version gives a separate message and is never changed") {
    const test::Folder folder;
    const std::string old = "lab,variant,backend,machine,ms\n01_sequential,flat,cpu,toy,1.5\n";
    for (const bool fresh : {false, true}) {
        std::ofstream(folder.file("x.csv")) << old;
        const std::string words = refusal(folder.file("x.csv"), fresh);
        CHECK(words.find("another version of this program") != std::string::npos);
        CHECK(words.find("Move it") != std::string::npos);
        CHECK(test::slurp(folder.file("x.csv")) == old);
    }
}

TEST_CASE("a file is locked by one run at a time") {
    const test::Folder folder;
    const ResultFile first(folder.file("x.csv"), kColumns);
    CHECK_THROWS_AS(ResultFile(folder.file("x.csv"), kColumns), Error);
}

TEST_CASE("a run waits for a file that another run creates or removes, and no row is lost") {
    const test::Folder folder;
    const std::string path = folder.file("x.csv");
    std::atomic<int> refused = 0;
    std::vector<std::thread> runs;
    for (int run = 0; run < 4; ++run)
        runs.emplace_back([&] {
            for (int i = 0; i < 200; ++i) try {
                    const ResultFile file(path, kColumns, false, true);  // without a row: removed
                } catch (const Error&) {
                    ++refused;
                }
            ResultFile(path, kColumns, false, true).append({{"lab", "a"}});
        });
    for (auto& run : runs) run.join();
    CHECK(refused == 0);
    CHECK(read_results(path, kColumns).size() == runs.size());
}

TEST_CASE("rows share the sessions beside them, and get them back") {
    const test::Folder folder;
    const auto columns = names(timing_columns());
    const std::vector<Row> rows = {{{"variant", "a"}, {"machine", "toy, 2 CPUs"}, {"seed", "1"}},
                                   {{"variant", "b"}, {"machine", "toy, 2 CPUs"}, {"seed", "1"}},
                                   {{"variant", "c"}, {"machine", "toy, 2 CPUs"}, {"seed", "2"}}};
    for (const char* name : {"x.csv", "y.csv"}) {
        ResultFile file(folder.file(name), columns);
        file.append_all(add_sessions(rows, folder.file(name)));
    }
    const auto sessions = read_results(folder.file("sessions.csv"), names(session_columns()));
    REQUIRE(sessions.size() == 2);
    CHECK(sessions[0].at("seed") == "1");
    const std::string path = folder.file("y.csv");
    const auto back = with_sessions(read_results(path, columns), path);
    REQUIRE(back.size() == 3);
    for (std::size_t i = 0; i < back.size(); ++i)
        for (const auto& [name, value] : rows[i]) CHECK(back[i].at(name) == value);
    CHECK(back[0].at("session") == back[1].at("session"));
    CHECK(back[0].at("session") != back[2].at("session"));
    CHECK(session_key(back[0]) == session_key(rows[0]));  // it depends only on the content
}

TEST_CASE("a row whose session is missing is an error") {
    const test::Folder folder;
    const std::string path = folder.file("x.csv");
    for (const bool is_there : {false, true}) {
        std::ofstream(path).flush();
        if (is_there) add_sessions({{{"seed", "7"}}}, path);
        try {
            with_sessions({{{"session", "s1"}}}, path);
            FAIL("no error");
        } catch (const Error& why) {
            const std::string words = why.what();
            CHECK(words.find(path + "' has a row of session 's1', which '") != std::string::npos);
            CHECK(words.find("sessions.csv' lacks") != std::string::npos);
        }
    }
    CHECK(with_sessions({}, path).empty());
}

TEST_CASE("files that cannot be used give an error message") {
    const test::Folder folder;
    CHECK_THROWS_AS(ResultFile(folder.file("none/x.csv"), kColumns), Error);
    CHECK_THROWS_AS(ResultFile(folder.path.string(), kColumns), Error);
    CHECK_THROWS_AS(ResultFile("/dev/full", kColumns), Error);
    std::ofstream(folder.file("short.csv")) << "lab,time,reason\n1,2\n";
    CHECK_THROWS_AS(ResultFile(folder.file("short.csv"), kColumns), Error);
    std::ofstream(folder.file("quote.csv")) << "lab,time,reason\n\"1,2,3\n";
    CHECK_THROWS_AS(read_results(folder.file("quote.csv"), kColumns), Error);
    CHECK(read_results(folder.file("absent.csv"), kColumns).empty());
}

TEST_CASE("numbers have a decimal point in every locale") {
    const char* comma = nullptr;
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "it_IT.UTF-8"})
        if (comma == nullptr) comma = std::setlocale(LC_ALL, name);
    CHECK(to_decimal(1234.5) == "1234.5");
    CHECK(to_decimal(0.1) == "0.1");
    CHECK(to_digits(3464.2, 3) == "3464");
    CHECK(to_digits(999.6, 3) == "1000");
    CHECK(to_digits(0.02558, 3) == "0.0256");
    CHECK(to_digits(1049942.0, 6) == "1049942");
    std::setlocale(LC_ALL, "C");
    if (comma == nullptr) SKIP_TEST("no locale with a decimal comma is installed");
}
