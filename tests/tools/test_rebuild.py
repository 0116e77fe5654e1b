# SPDX-License-Identifier: MIT
"""What make compiles again, by the real rules, in a project of three sources and a compiler that only logs its calls; and how
tools/compile.sh shortens a compiler's messages."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tools.test_verbs import ROOT, make

# For `translate` it writes a program that copies.
COMPILER = r"""#!/bin/bash
out=${!#} source=${@: -3:1}
case $* in
*ersion*) echo 12.2 ;;
*" -c "*)
    echo "$source" >>compiled
    touch "$out"
    [[ $source != build/translated/* ]] ||
        sed -n "s|#include \"\(.*\)\"|$out: build/translated/\1|p" "$source" >"${out%.o}.d" ;;
*) printf '#!/bin/sh\nmkdir -p "${2%%/*}"; cp "$1" "$2"\n' >"$out"; chmod +x "$out" ;;
esac
"""
# The files of common/driver are compiled together.
TIMED, UNTIMED, CUDA = "labs/01_cpu/main.cpp", "common/driver.cpp", "labs/02_cuda/main.cu"
EMPTY = (
    *(TIMED, "common/driver/b.cpp", "data/make_data.cpp", "labs/02_cuda/near.hpp", "common/measurement/build_info.cpp"),
    *("cuda_on_cpu/translate/main.cpp", "cuda_on_cpu/tests/any.cu"),
)


def with_real_rules(folder):
    for name in (
        "config.mk",
        "tests/tests.mk",
        *(f"cuda_on_cpu/{name}" for name in ("rules.mk", "flags.sh", "is_clang")),
    ):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, folder / name)
    shutil.copytree(ROOT / "tools", folder / "tools")
    for name in (*EMPTY, CUDA):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).touch()
    (folder / CUDA).write_text('#include "labs/02_cuda/near.hpp"\n')
    (folder / "c++").write_text(COMPILER)
    (folder / "c++").chmod(0o755)


def test_the_revision_is_of_this_folder_not_of_one_around_it_or_of_git_dir(tmp_path):
    here = tmp_path / "here"
    with_real_rules(here)

    def committed(folder):
        git = ("git", "-c", "user.name=a", "-c", "user.email=a@b")
        for command in (["init", "-q"], ["commit", "-q", "--allow-empty", "-m", str(folder)]):
            subprocess.run([*git, *command], cwd=folder, check=True)
        words = subprocess.run(["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True)
        return words.stdout[:12]

    def recorded(**environment):
        how = ("-f", "tools/build.mk", "build/revision.txt", "CXX=./c++", "CUDA_BACKEND=cuda_on_cpu")
        code, words = make(here, *how, **environment)
        assert code == 0, words
        return (here / "build/revision.txt").read_text().split()[0]

    committed(tmp_path)
    assert recorded() == "unknown"
    other = {"GIT_DIR": str(tmp_path / ".git"), "GIT_WORK_TREE": str(tmp_path)}
    revision = committed(here)
    assert recorded() == recorded(**other) == revision


def test_only_what_depends_on_a_change_is_compiled_again(tmp_path):
    with_real_rules(tmp_path)

    def compiled(*arguments):
        """Which of the three sources a make compiles."""
        log = tmp_path / "compiled"
        log.write_text("")
        how = ("-f", "tools/build.mk", "programs", "CXX=./c++", "CUDA_BACKEND=cuda_on_cpu", *arguments)
        code, words = make(tmp_path, *how)
        assert code == 0, words
        return {name for name in (TIMED, UNTIMED, CUDA) if name in log.read_text()}

    assert compiled() == {TIMED, UNTIMED, CUDA}
    assert compiled() == set()
    assert compiled("OPT=-O2") == {TIMED}
    assert compiled("OPT=-O2") == set()
    (tmp_path / "labs/02_cuda/near.hpp").write_text("// new\n")
    assert compiled("OPT=-O2") == {CUDA}
    (tmp_path / "c++").write_text(COMPILER.replace("12.2", "13.1"))
    assert compiled("OPT=-O2") == {TIMED, UNTIMED, CUDA}


A_WARNING = """template <class T> T twice(T a) {
    int unused = 1;
    return a + a;
}
int main() { return twice(1) + twice(2L) + twice(3.0); }
"""
SLOW = '#pragma message("ptxas info : (C7512) Potential Performance Loss: wgmma instructions are serialized")\n'
AN_ERROR = """template <class T> int twice(T a) { return a.sise() + a.sise(); }
struct A {} a; struct B {} b;
int main() { return twice(a) + twice(b) + none; }
"""
IN_A_HEADER = """#include <algorithm>
#include <vector>
struct A {};
void f(std::vector<A>& a) {
    std::sort(a.begin(), a.end());
}
"""


@pytest.mark.parametrize(
    ("source", "with_werror", "code", "found", "at_most"),
    [
        (A_WARNING, "", 0, "labs/a.cpp:2:9: warning: unused", 3),
        (A_WARNING, "1", 1, "error: Here a warning is an error.", 4),
        (SLOW, "", 0, "Potential Performance Loss", 5),
        (SLOW, "1", 1, "error: Here a warning is an error.", 5),
        (AN_ERROR, "", 1, "labs/a.cpp:", 6),
        (IN_A_HEADER, "", 1, "labs/a.cpp:5:", 12),
    ],
    ids=["warning", "warning is an error", "slow", "slow is an error", "error", "error in a header"],
)
def test_a_message_of_the_compiler_is_said_once(tmp_path, source, with_werror, code, found, at_most):
    (tmp_path / "labs").mkdir()
    (tmp_path / "labs/a.cpp").write_text(source)
    command = [
        ROOT / "tools/compile.sh",
        os.environ.get("CXX", "g++"),
        *"-std=c++20 -Wall -c labs/a.cpp -o a.o".split(),
    ]
    environment = {**os.environ, "V": "", "WERROR": with_werror}
    done = subprocess.run(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True, check=False)
    assert (done.returncode, Path(tmp_path, "a.o").exists()) == (code, code == 0)
    assert found in done.stderr
    assert done.stderr.count("\n") <= at_most
    assert done.stderr.count("error: ") == code
