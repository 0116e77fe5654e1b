// SPDX-License-Identifier: MIT
// Calls cuda-on-cpu as a student does, in a new folder.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace fs = std::filesystem;

struct Result {
    int status;
    std::string output;  // stdout and stderr
};

inline bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

// A student's folder, removed after the test. The emulator is compiled before a test begins.
class Folder {
  public:
    Folder() : path_(fs::temp_directory_path() / ("driver test " + std::to_string(getpid()))) {
        fs::create_directories(path_);
        file("none.cpp", "");
        run("cuda-on-cpu -c none.cpp");
        fs::remove(path_ / "none.cpp");
        fs::remove(path_ / "none.o");
    }
    ~Folder() { fs::remove_all(path_); }
    static fs::path tool() { return fs::absolute(__FILE__).parent_path().parent_path(); }
    void file(const std::string& name, const std::string& text) const {
        fs::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name) << text;
    }
    Result run(const std::string& command) const {
        const std::string line =
            "PATH='" + tool().string() + "':$PATH; cd '" + path_.string() + "' && " + command;
        std::FILE* const pipe = popen(("{ " + line + "; } 2>&1").c_str(), "r");
        Result result{0, {}};
        char part[4096];
        for (std::size_t n; (n = fread(part, 1, sizeof part, pipe)) > 0;)
            result.output.append(part, n);
        result.status = WEXITSTATUS(pclose(pipe));
        return result;
    }
    std::string contents() const {  // the names of its files, in alphabetical order
        return run("ls | tr '\\n' ' '").output;
    }

  private:
    fs::path path_;
};
