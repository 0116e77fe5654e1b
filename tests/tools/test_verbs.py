# SPDX-License-Identifier: MIT
"""The verbs of the Makefile, in a project of one lab whose programs only print how they were called; and what the real
rules say where they cannot build."""

import fcntl
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pytest

from tools.compile_commands import entries

ROOT = Path(__file__).resolve().parents[2]
LAB = "labs/01_only"
PRINTS = '#!/bin/bash\nprintf \'<%s>\' "${0##*/}" "$@"; echo\n'

# Makes a .venv of itself, in which pip installs ruff where there is a network.
FAKE_PYTHON = r"""case "$*" in
    "-c "*) ;;
    *venv*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    *pip*) [ -n "$NETWORK" ] && [ "$PIP_USER$PIP_TARGET" = 0 ] && printf '#!/bin/sh\necho ruff $*\n' >.venv/bin/ruff && chmod +x .venv/bin/ruff && echo "$6" >>pip ;;
esac"""


def make(folder, *arguments, **environment):
    """(exit code, words) of make in a folder; without the settings of a make that runs these tests."""
    inherited = {name: os.environ[name] for name in ("PATH", "HOME", "CXX") if name in os.environ}
    done = subprocess.run(
        ["make", *arguments],
        cwd=folder,
        env={**inherited, **environment},
        timeout=300,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    return done.returncode, done.stdout


class Verbs(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.root = Path(holder.name) / "it's a folder"
        self.lab = self.root / LAB
        self.lab.mkdir(parents=True)
        for name in ("Makefile", "config.mk", "pyproject.toml"):
            shutil.copy(ROOT / name, self.root)
        shutil.copytree(ROOT / "tools", self.root / "tools")
        (self.root / "tools/build.mk").write_text(".DEFAULT: ; @true\n")
        (self.lab / "main.cpp").touch()
        shutil.copy(ROOT / "labs/lab.mk", self.root / "labs")
        shutil.copy(ROOT / "labs/01_sequential/Makefile", self.lab)
        for program in (
            f"build/{LAB}/lab",
            f"build/asan/{LAB}/lab",
            f"build/tsan/{LAB}/lab",
            "build/labs/02/lab",
            "build/data/make_data",
        ):
            path = self.root / program
            path.parent.mkdir(parents=True)
            path.write_text(PRINTS)
            path.chmod(0o755)
        (self.root / "tools/setup.sh").write_text("#!/bin/sh\n")
        (self.root / "tools/find_python.sh").write_text(f"#!/bin/sh\necho {sys.executable}\n")

    def path_without(self, missing):
        """A PATH that has every program of this one, except some."""
        folder = self.root / "programs"
        folder.mkdir()
        for where in map(Path, os.environ["PATH"].split(":")):
            for program in where.glob("*"):
                if missing not in program.name and not (folder / program.name).is_symlink():
                    (folder / program.name).symlink_to(program)
        return str(folder)

    def said(self, *arguments, folder=None, **environment):
        """The output of a make that succeeds."""
        code, words = make(folder or self.root, *arguments, **environment)
        self.assertEqual(code, 0, words)
        return words

    def test_what_was_found_is_said(self):
        tools = self.root / "bin"
        tools.mkdir()
        for name, words in (
            ("nvcc", "Cuda compilation tools, release 13.0, V13.0.88"),
            ("mpicxx", "mpicxx: Open MPI 4.1.4 (Language: C++)"),
            ("nvidia-smi", "H200"),
            ("old/c++", "11.4.0"),
        ):
            (tools / name).parent.mkdir(exist_ok=True)
            (tools / name).write_text(f"#!/bin/sh\necho '{words}'\n")
            (tools / name).chmod(0o755)
        compiler = "CXX=bin/old/c++"
        on_cpu = "CUDA runs on the CPU: checked, not timed"
        none = (compiler, "NVCC=", "GPU=0", "MPICXX=", "CUDA_BACKEND=cuda_on_cpu")
        cuda = (compiler, "NVCC=nvcc", "GPU=1", "MPICXX=mpicxx", "NCCL=", "CUDA_BACKEND=cuda")
        path = {"PATH": f"{tools}:{os.environ['PATH']}"}
        for settings, words in (
            (none, f"01_only with c++ 11.4.0, no nvcc, no GPU, no MPI; {on_cpu}"),
            ((*none, "NVCC=nvcc"), f"01_only with c++ 11.4.0, nvcc 13.0, no GPU, no MPI; {on_cpu}"),
            (cuda, "01_only with c++ 11.4.0, nvcc 13.0, 1 GPU, MPI, no NCCL; CUDA runs on the GPU"),
        ):
            self.assertEqual(self.said("all", *settings, **path), f"{words}\n")
        (self.root / "labs/02_ranks/ranks").mkdir(parents=True)
        (self.root / "labs/02_ranks/main.cu").touch()
        skipped = r"02_ranks: it needs MPI \(on Debian and Ubuntu the packages .*\)"
        words = self.said("all", *none)
        self.assertRegex(words, f"\nnot built: {skipped}\n$")
        self.assertLessEqual(max(map(len, words.splitlines())), 100)
        for settings, found in (
            (none, ("nvcc +none", "GPU +none", "MPI +none", "labs +01", f"skipped +{skipped}")),
            (cuda, ("nvcc +13.0, nvcc", "GPU +1 x H200", "MPI +Open MPI 4.1.4, mpicxx", "NCCL +none", "labs +01 02")),
        ):
            lines = self.said("settings", *settings, **path).splitlines()
            self.assertLessEqual(len(lines), 15)
            self.assertLessEqual(max(map(len, lines)), 100)
            for pattern in ("compiler +c\\+\\+ 11.4.0", r"Python +\S+", r" +3\.\d+.* with matplotlib \d.*", *found):
                self.assertEqual(len([line for line in lines if re.fullmatch(pattern, line)]), 1, (pattern, lines))

    def test_a_shell_of_the_user_that_prints(self):
        (self.root / "prints.sh").write_text("echo printed\n")
        user = {"BASH_ENV": str(self.root / "prints.sh"), "CDPATH": "."}
        (self.lab / "01_a.cpp").write_text("// a -- does it\n")
        for verb in ("help", "all", "bench"):
            self.assertEqual(self.said(verb, **user), self.said(verb))
        self.said("new", "LAB=02_new", "FROM=01_only", **user)
        self.assertIn("to read them:\n\n- a: does it\n", (self.root / "labs/02_new/README.md").read_text())

    def test_a_repository_of_another_user(self):
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        other = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "HOME": str(self.root)}
        allow = "git config --global --add safe.directory"
        for verb in ("bench", "sweep"):
            self.assertIn(f"{allow} '{self.root}'", self.said(verb, **other))
            self.assertNotIn("note: ", self.said(verb))

    def test_files_are_where_the_user_stands(self):
        name = "it's $one, photo.png"
        for file in (self.root / name, self.lab / name, self.lab / "scene of me.png"):
            file.touch()
        call = "<lab><run><--image><{0}{1}><--out><{0}o.png><--filter><3x3: 1 2>\n"
        run = ["run", "LAB=01_only", f"IMAGE={name}", "OUT=o.png", 'ARGS=--filter "3x3: 1 2"']
        self.assertIn(call.format("", name), self.said(*run))
        self.assertIn(call.format(f"{LAB}/", name), self.said(*run, folder=self.lab))
        absolute = f"<--image><{self.root}/{name}><--out><{self.root}/d e.png>"
        self.assertIn(
            absolute, self.said("run", f"IMAGE={self.root}/{name}", f"OUT={self.root}/d e.png", folder=self.lab)
        )
        self.assertIn(f"<--image><{LAB}/{name}>", self.said("bench", folder=self.lab, IMAGE=name))
        self.assertNotIn("<--size>", self.said("bench", folder=self.lab, IMAGE=name))  # its own
        self.assertIn("<--size><4k>", self.said("bench", "SIZES=4k", folder=self.lab, IMAGE=name))
        # Without a picture or a clip the lab draws one, or says what it needs.
        self.assertIn(f"<lab><run><--out><{LAB}/o.png>\n", self.said("run", "OUT=o.png", folder=self.lab))
        # What is drawn has no path.
        for drawn in ("random:64x48:1", "scene"):
            words = self.said("run", f"IMAGE={drawn}", "OUT=scene", folder=self.lab)
            self.assertIn(f"<--image><{drawn}><--out><{LAB}/scene>\n", words)
        self.assertIn(f"<--image><{LAB}/scene of me.png>", self.said("bench", "IMAGE=scene of me.png", folder=self.lab))

    def test_clips(self):
        """File names are relative to the user's folder; ffmpeg is installed if it is missing."""
        (self.root / "tools/setup.sh").write_text("#!/bin/sh\necho setup $*\n")
        (self.lab / "frames").mkdir()
        for clip in (self.lab / "it's a clip.mp4", self.lab / "clip.y4m", self.root / "a.mp4"):
            clip.touch()
        path = {"PATH": self.path_without("ffmpeg")}
        for video, out in (("it's a clip.mp4", "heat.y4m"), ("clip.y4m", "heat.mp4"), ("frames", "pictures/")):
            words = self.said(
                "run", "LAB=01_only", f"VIDEO={video}", f"OUT={out}", "ARGS=--check", folder=self.lab, **path
            )
            self.assertIn(f"<lab><run><--video><{LAB}/{video}><--out><{LAB}/{out}><--check>\n", words)
            self.assertIn("setup ffmpeg", words, video)
        for video, out in (("0", "heat.mp4"), ("rtsp://host/a", "heat.y4m"), ("static:480p", "pictures/")):
            words = self.said("run", "LAB=01_only", f"VIDEO={video}", f"OUT={out}", folder=self.lab, **path)
            self.assertRegex(words, f"<--video><{video}><--out><.*{out}>\n")
            self.assertIn("setup ffmpeg", words, video)
        (self.root / "tools/setup.sh").write_text("#!/bin/sh\necho error: none; exit 1\n")
        self.assertEqual(make(self.root, "run", "LAB=01_only", "VIDEO=a.mp4", "OUT=b.mp4", **path)[0], 2)
        if shutil.which("ffmpeg") and shutil.which("ffprobe"):
            self.assertIn("<--video><a.mp4>", self.said("run", "LAB=01_only", "VIDEO=a.mp4", "OUT=b.mp4"))

    def test_sizes_with_spaces_and_only_these_are_drawn(self):
        for sizes in ("480p 720p", "480p,720p", "480p, 720p "):
            words = self.said("bench", f"SIZES={sizes}")
            self.assertIn("<make_data><--out><data/generated><--size><480p,720p>\n", words)
            self.assertIn("<--size><480p,720p><--data>", words)
        for arguments in (["bench"], ["sweep", "SIZES=480p"]):  # a sweep has its own sizes
            self.assertIn("<make_data><--out><data/generated>\n", self.said(*arguments))

    def test_help_fits_a_screen(self):
        first, every = self.said("help"), self.said("help-all")
        self.assertEqual([line for line in every.splitlines() + first.splitlines() if len(line) > 80], [])
        listed = [re.findall(r"  make ([a-z-]+)", words) for words in (first, every)]
        self.assertEqual(listed[0][:4], ["all", "bench", "verify", "plots"])
        self.assertEqual(listed[0], listed[1][: len(listed[0])])
        rules = re.findall(r"(?m)^([a-z-]+):.*## ", (ROOT / "Makefile").read_text())
        self.assertEqual(sorted(listed[1]), sorted(rules))
        self.assertTrue(20 < len(rules) <= 30, f"{len(rules)} verbs")
        self.assertEqual(self.said("help", folder=self.lab), first)

    def test_what_cannot_be_is_refused_before_anything_is_built(self):
        """One sentence each."""
        (self.root / "tools/build.mk").write_text(".DEFAULT: ; @echo built\n")
        (self.lab / "02_page.cu").touch()
        (self.lab / "main.cpp").rename(self.lab / "main.cu")
        (self.root / "labs/02_other").mkdir()
        (self.root / "labs/02_other/main.cpp").touch()
        run, page, two = ("run", "LAB=01_only"), ("LAB=01_only", "VARIANT=page"), "LAB=01_only 02_other"
        gpu = ("CUDA_BACKEND=cuda", "NVCC=/none/nvcc")
        for arguments, code, words in (
            (("bench", "PINNING=maybe"), 2, "PINNING is 'maybe'; set it to on or off"),
            (("all", "CUDA_BACKEND=gpu"), 2, "CUDA_BACKEND is 'gpu'; set it to cuda or cuda_on_cpu"),
            (("all", "CUDA_BACKEND=cuda", "NVCC="), 2, "there is no nvcc here"),
            (("bench", "SIZES="), 2, "SIZES is empty; set it to all"),
            (("bench", "SIZE=480p"), 2, "There is no setting SIZE; take SIZES"),
            (("help", "PINING=off"), 2, "There is no setting PINING; take PINNING"),
            (("bench", "iteration=2"), 2, "There is no setting iteration; take ITERATIONS"),
            (("new", "FORM=01_only"), 2, "There is no setting FORM; take FROM"),
            (("bench", "XYZ=1"), 2, "There is no setting XYZ; config.mk explains them"),
            (("count", "FILE=my.cu"), 2, "make cu FILE='my.cu' COUNT=1"),
            (("cu", "FILE=my.cu", "CHECK=1", "COUNT=1"), 2, "CHECK and COUNT are both set"),
            (("count", "LAB=01_only", "VARIANT=page,two"), 2, "'make count' takes one variant"),
            (("tsan", two), 2, "'make tsan' takes one lab"),
            (("bench", "VARIANT=one"), 2, "VARIANT is 'one'; say with LAB= of which lab"),
            (("sweep", "LAB=01_only", "VARIANT=one"), 2, "'make sweep' takes none"),
            (("all", "BUILD=it's"), 2, "BUILD is 'it's'; choose a name without spaces and signs"),
            (("new", "LAB=12_it's", "FROM=01_only"), 2, "'12_it's' is not a lab's name"),
            (("new", "LAB=12_its", "FROM=01_it's"), 2, "There is no lab '01_it's'"),
            (("new", "LAB=12_its"), 2, "Say the new name and the lab to start from"),
            (("new", "LAB=02_other", "FROM=01_only"), 2, "labs/02_other exists already"),
            (run, 2, "Say which: make run LAB="),
            ((*run, "OUT=o.png", "IMAGE=none.png"), 1, "File 'none.png' is not there"),
            ((*run, "OUT=o.mp4", "VIDEO=none.mp4"), 1, "File 'none.mp4' is not there"),
            ((*run, "OUT=none/o.png", "IMAGE=scene:64x48"), 1, "there is no folder 'none'"),
            ((*run, "OUT=o.jpg", "IMAGE=scene:64x48"), 2, "let its name end in .png"),
            ((*run, "OUT=o", "VIDEO=moving"), 2, "not the name of a video"),
            ((*run, "OUT=o.png", "VIDEO=moving"), 2, "not the name of a video"),
            *(
                [((*run, "OUT=o.xyz", "VIDEO=moving"), 2, "ffmpeg makes no video that ends in .xyz")]
                if shutil.which("ffmpeg")
                else []
            ),
            ((*run, "OUT=o.png", "VIDEO=moving", "IMAGE=scene"), 2, "both set"),
            (("profile", *page, "CUDA_BACKEND=cuda_on_cpu"), 1, "'make profile' needs a GPU"),
            (("profile", *page, *gpu), 1, "(ncu) is not installed"),
            (("profile", "LAB=01_only", "VARIANT=none"), 2, "has no CUDA variant 'none'; choose from: page"),
            (("sanitize", "CUDA_BACKEND=cuda_on_cpu"), 1, "compute-sanitizer needs a GPU"),
            (("sanitize", *gpu), 1, "compute-sanitizer is not installed"),
            (("sass", *page, "NVCC=/none/nvcc", "CUDA_BACKEND=cuda_on_cpu"), 1, "cuobjdump is not installed"),
            (("sass", *page, "NVCC="), 1, "There is no nvcc here"),
        ):
            tool = re.match(r"\(?([\w-]+)\)? is not installed", words)
            if tool and shutil.which(tool[1], path=f"{os.environ['PATH']}:/usr/local/cuda/bin"):
                continue  # it can do it
            with self.subTest(arguments):
                done, said = make(self.root, *arguments)
                self.assertEqual((done, said.count("built")), (2, 0), said)
                self.assertEqual(len([line for line in said.splitlines() if not line.startswith("make: ")]), 1, said)
                self.assertIn(words, said)
                self.assertRegex(said, rf"(Error {code}|Stop\.)\n$")

    def test_each_verb_says_how_far_the_build_is(self):
        (self.root / "tools/demo.sh").write_text("#!/bin/sh\necho measures\n")
        (self.root / "tools/build.mk").write_text(
            "Q = @echo '  $@'; \nprograms: $(foreach n,0 1 2 3 4 5 6 7 8 9,a$n b$n)\na%:\n\t$(Q)test -c x || test ! -e fails\nb%:\n\t$(Q)test -c x || test ! -e fails\n"
        )
        tenths = [f"file {files} of 20" for files in range(2, 20, 2)] + ["built 20 files"]
        first, *words = self.said("demo", "-j1").splitlines()
        self.assertEqual(first, "building 20 files")
        self.assertEqual(words, [*tenths, "measures"])
        self.assertEqual(self.said("all", "-j1").splitlines()[2:], tenths)
        self.assertIn("\necho '  a0'; test -c x ", self.said("-n", "all"))
        (self.root / "fails").touch()
        code, words = make(self.root, "demo")
        self.assertEqual((code, "measures" in words), (2, False), words)
        self.assertIn("make[1]: ***", words)
        self.assertNotIn("built", words)

    def test_two_that_build_here_wait_for_each_other(self):
        (self.root / "tools/build.mk").write_text('programs: ; @echo "  builds"\n')
        folder = os.open(self.root, os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)
        command = ["make", "all", "NVCC=", "GPU=0", "MPICXX="]
        with subprocess.Popen(command, cwd=self.root, stdout=subprocess.PIPE, text=True) as second:
            for line in second.stdout:
                if "waiting for another make" in line:
                    break
            self.assertNotEqual(select.select([second.stdout], [], [], 0.3)[0], [second.stdout])
            os.close(folder)
            self.assertIn("builds", second.stdout.read())
        self.assertEqual(second.returncode, 0)

    def test_an_nvidia_smi_that_hangs_is_no_gpu(self):
        (self.root / "nvidia-smi").write_text("#!/bin/sh\nexec sleep 100\n")
        (self.root / "timeout").write_text('#!/bin/sh\nshift\nexec /usr/bin/timeout 0.1 "$@"\n')
        for name in ("nvidia-smi", "timeout"):
            (self.root / name).chmod(0o755)
        words = self.said("settings", "NVCC=nvcc", PATH=f"{self.root}:{os.environ['PATH']}")
        self.assertIn("note: nvidia-smi does not answer, so no GPU is used\n", words)
        self.assertRegex(words, "(?m)^GPU +none$")

    def test_one_line_a_lab_unless_one_lab_or_more_words_are_asked_for(self):
        self.assertIn("<--brief>", self.said("bench"))
        self.assertNotIn("<--brief>", self.said("bench", "LAB=01_only"))
        for verb in ("bench", "verify"):
            (self.root / "build" / LAB / "lab").write_text('#!/bin/bash\nprintf "<%s>" "$@" >>calls\n')
            for words, is_brief in (([], True), (["VERBOSE=1"], False)):
                make(self.root, verb, *words)
                calls = (self.root / "calls").read_text()
                (self.root / "calls").unlink()
                self.assertEqual("<--brief>" in calls, is_brief, calls)

    def test_one_variant(self):
        (self.root / "build" / LAB / "lab").write_text('#!/bin/bash\nprintf "<%s>" "$@" >>calls\necho 1\n')
        for verb in ("run", "bench", "verify"):
            make(self.lab, verb, "VARIANT=one,two", "OUT=o.png", "IMAGE=scene:64x48")
            calls = (self.root / "calls").read_text()
            (self.root / "calls").unlink()
            self.assertIn(f"<{verb}>", calls)
            self.assertIn("<--variant><one,two>", calls)
            make(self.lab, verb, "OUT=o.png", "IMAGE=scene:64x48")
            self.assertNotIn("--variant", (self.root / "calls").read_text())
            (self.root / "calls").unlink()

    def test_lint_gets_ruff(self):
        """From PyPI into .venv, once per version; without a network one sentence, and no .venv stays."""
        shutil.copy(ROOT / "tools/setup.sh", self.root / "tools")
        for name, words in (("tools/find_python.sh", "echo ./python"), ("python", FAKE_PYTHON), ("apt-get", "exit 1")):
            (self.root / name).write_text(f"#!/bin/sh\n{words}\n")
            (self.root / name).chmod(0o755)
        here = {"PATH": f"{self.root}:{os.environ['PATH']}", "CXX": "true"}  # nothing else is missing
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        code, words = make(self.lab, "lint", **here)
        self.assertEqual((code, words.count("error: ")), (2, 1), words)
        self.assertRegex(
            words, r"error: ruff==[0-9.]+ could not be installed from PyPI into \.venv; run again with a network"
        )
        self.assertFalse((self.root / ".venv").exists())
        linted = "ruff check --quiet\nruff format --check\n"
        elsewhere = {"PIP_USER": "1", "PIP_TARGET": "elsewhere"}
        self.assertEqual(self.said("lint", NETWORK="on", **here, **elsewhere), linted)
        self.assertEqual(self.said("lint"), linted)
        (self.root / "pyproject.toml").write_text('required-version = "==9.9"\n')
        self.assertEqual(self.said("lint", NETWORK="on", **here), linted)
        self.assertRegex((self.root / "pip").read_text(), r"^ruff==(?!9)[0-9.]+\nruff==9\.9\n$")

    def test_a_variant_that_main_does_not_name_is_said(self):
        (self.lab / "main.cpp").write_text("extern const Variant one, two_more;\n... {&one, &two_more} // mine\n")
        for name in ("01_one", "02_two_more", "03_two", "04_mine"):
            (self.lab / f"{name}.cpp").touch()
        notes = [line for line in self.said("all").splitlines() if line.startswith("note: ")]
        self.assertEqual(
            notes,
            [
                f"note: {LAB}/{file}.cpp is not used: {LAB}/main.cpp does not name &{name}"
                for file, name in (("03_two", "two"), ("04_mine", "mine"))
            ],
        )

    def test_clean_in_the_folder_of_a_lab(self):
        self.said("clean", folder=self.lab)
        left = sorted(str(path.relative_to(self.root)) for path in self.root.glob("build/**/*") if path.is_file())
        self.assertEqual(left, ["build/data/make_data", "build/labs/02/lab"])
        self.said("clean")
        self.assertFalse((self.root / "build").exists())

    def test_sanitizers_over_one_lab(self):
        for verb in ("asan", "tsan"):
            (self.root / f"build/{verb}/{LAB}/lab").write_text(f"#!/bin/sh\necho {verb} $*\nexit 3\n")
            code, words = make(self.lab, verb, "VARIANT=one,two")
            self.assertEqual(code, 2, words)
            self.assertIn(f"{verb} verify --quick --variant one,two\n", words)
        (self.lab / "main.cpp").rename(self.lab / "main.cu")
        code, words = make(self.lab, "tsan")
        self.assertEqual(code, 2, words)
        self.assertIn("has CUDA kernels, whose threads ThreadSanitizer cannot follow", words)

    def test_sanitize_keeps_a_row_per_tool(self):
        (self.lab / "main.cpp").rename(self.lab / "main.cu")
        (self.root / "build/revision.txt").write_text("abc 0\n")
        tools = self.root / "bin"
        tools.mkdir()
        (tools / "compute-sanitizer").write_text(
            '#!/bin/sh\necho "1 % of a copy $*"\n[ "$2" != "$FAULTS_OF" ] || exit 99\n'
        )
        (tools / "nvidia-smi").write_text("#!/bin/sh\necho H200\n")
        for tool in tools.iterdir():
            tool.chmod(0o755)
        path = {"PATH": f"{tools}:{os.environ['PATH']}"}
        options = ("sanitize", "CUDA_BACKEND=cuda", "NVCC=/n")
        words = make(self.root, *options, **path)[1]
        self.assertIn("no fault in any kernel (results/sanitize.csv)", words)
        rows = (self.root / "results/sanitize.csv").read_text().splitlines()
        self.assertEqual(rows[0], "lab,tool,border,runs,status,device,revision,date")
        self.assertEqual(len(rows), 1 + 4 * 4)  # three borders, and a box
        self.assertTrue(all(row.startswith("01_only,") and ",1,ok,H200,abc,20" in row for row in rows[1:]), rows)
        code, words = make(self.root, *options, FAULTS_OF="racecheck", LAB="01_only", VARIANT="one,two", **path)
        self.assertEqual(code, 2, words)
        self.assertEqual(words.count(" --variant one,two "), 4, words)
        self.assertIn("error: racecheck found faults in 01_only with border valid.", words)
        self.assertEqual((self.root / "results/sanitize.csv").read_text().count(",failed,"), 4)
        (self.root / f"build/{LAB}/lab").write_text('#!/bin/sh\ncase "$*" in *--border*) exit 2;; esac\n')
        self.assertIn("no fault", make(self.root, *options, **path)[1])
        rows = (self.root / "results/sanitize.csv").read_text().splitlines()[1:]
        self.assertEqual(
            sorted(row.split(",")[1:4] for row in rows),
            [
                [tool, case, "1"]
                for tool in ("initcheck", "memcheck", "racecheck", "synccheck")
                for case in ("box", "none")
            ],
        )
        (tools / "compute-sanitizer").write_text("#!/bin/sh\necho nothing\n")
        self.assertIn("ran nothing of 01_only: no variant takes these options.", make(self.root, *options, **path)[1])

    def script(self, *command, **environment):
        """(exit code, words) of a script for maintainers."""
        done = subprocess.run(
            command, cwd=self.root, env={**os.environ, **environment}, capture_output=True, text=True, check=False
        )
        return done.returncode, done.stdout + done.stderr

    def test_frames_per_second_of_clips(self):
        for lab in ("01_sequential", "08_heat_map", "09_noise_map", "10_noise_filter"):
            (self.root / f"labs/{lab}").mkdir()
            (self.root / f"labs/{lab}/main.cpp").touch()
            program = self.root / f"build/labs/{lab}/lab"
            program.parent.mkdir(parents=True)
            program.write_text('#!/bin/bash\necho "${0%/lab}" "$@"\necho row >>"${!#}"\n')
            program.chmod(0o755)
        code, words = self.script("tools/clips.sh", "my clip.mp4")
        self.assertEqual(code, 0, words)
        for lab in ("08_heat_map", "09_noise_map", "10_noise_filter"):
            self.assertIn(
                f"build/labs/{lab} run --video my clip.mp4 --out build/clips/{lab}_my clip.mp4 --csv build/clips/clips.csv",
                words,
            )
        self.assertEqual((self.root / "results/clips.csv").read_text(), "row\nrow\nrow\n")
        self.assertEqual(self.script("tools/clips.sh")[1].count("build/clips/panning.mp4"), 3)

    def test_results_that_cannot_be_written(self):
        """Also for root, because the system lets no user create a file in /proc."""
        error = "error: The folder '/proc/none' cannot be written; choose another, such as RESULTS=/tmp/results."
        for verb in ("bench", "sweep", "verify"):
            code, words = make(self.root, verb, "RESULTS=/proc/none")
            self.assertEqual((code, words.count("error: "), words.count(error)), (2, 1, 1), words)
        for script in ("tools/clips.sh", "tools/peers/peers.sh", "tools/library/bench.sh"):
            self.assertEqual(self.script(script, RESULTS="/proc/none"), (1, f"{error}\n"))


class Setup(unittest.TestCase):
    def test_the_package_of_the_compiler(self):
        for compiler, package in (
            ("clang++-99", "clang-99"),
            ("g++-99", "g++-99"),
            ("no-such-c++", "g++"),
            ("env no-such/clang++-99 -m64", "clang-99"),
        ):
            with tempfile.TemporaryDirectory() as folder:
                for program, words in (("apt-get", f'echo "$@" >> "{folder}/log"'), ("id", "echo 0")):
                    path = Path(folder) / program
                    path.write_text(f"#!/bin/sh\n{words}\n")
                    path.chmod(0o755)
                subprocess.run(
                    [ROOT / "tools/setup.sh"],
                    cwd=ROOT,
                    check=True,
                    stdout=subprocess.DEVNULL,
                    env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}", "CXX": compiler},
                )
                log = (Path(folder) / "log").read_text().splitlines()
                self.assertEqual(log[0], "update")
                self.assertIn(package, log[1].split()[3:])

    def test_a_module_that_fails_says_why(self):
        with tempfile.TemporaryDirectory() as folder:
            python = Path(folder) / "python3"
            none_here = f"No Python here can import matplotlib, .*tried: {python}"
            for starts, module, words in (
                (True, "No module named 'matplotlib'", none_here),
                (False, "pyenv: python3: command not found", none_here),
                (
                    True,
                    "Key backend: 'x' is not one",
                    f"error: {python} cannot import matplotlib, .*: Key backend: 'x' is not one; mend",
                ),
            ):
                of_empty = '[ -n "$2" ] || exit 0\n' if starts else ""
                python.write_text(f'#!/bin/sh\n{of_empty}printf "Traceback\\n%s\\n" "{module}" >&2; exit 1\n')
                python.chmod(0o755)
                for tool in ("find_python.sh", "setup.sh")[: 2 if "Key" in module else 1]:
                    done = subprocess.run(
                        [ROOT / "tools" / tool],
                        cwd=ROOT,
                        env={**os.environ, "PYTHON": str(python)},
                        capture_output=True,
                        text=True,
                        check=False,
                    )
                    self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
                    self.assertRegex(done.stderr, words)


class RealRules(unittest.TestCase):
    def test_each_command_of_make_that_a_text_names_is_a_verb(self):
        verbs = set(re.findall(r"(?m)^([a-z-]+):.*## ", (ROOT / "Makefile").read_text()))
        texts = [path for path in ROOT.rglob("*.md") if path.relative_to(ROOT).parts[0] not in ("build", "results")]
        texts += [ROOT / name for name in ("convolab.ipynb", ".ci/run", "config.mk", "Dockerfile", ".clangd")]
        texts += [path for path in ROOT.glob("tools/**/*.sh")]
        named = {}
        for path in texts:
            text = path.read_text(encoding="utf-8")
            verbs_of_text = re.findall(r"[`'!]make (?:[A-Z]+=\S* )*([a-z][a-z-]*)", text)
            verbs_of_text += re.findall(r"(?m)^ {4}make (?:[A-Z]+=\S* )*([a-z-]+)(?= +[A-Z]+=| +#|$)", text)
            named.update({verb: str(path.relative_to(ROOT)) for verb in verbs_of_text})
        self.assertEqual({verb: path for verb, path in named.items() if verb not in verbs}, {})
        self.assertLessEqual({"demo", "test", "exercises", "exercise", "bench", "verify", "settings"}, set(named))

    def test_each_setting_that_a_text_names_is_known(self):
        texts = [path for path in ROOT.rglob("*.md") if path.relative_to(ROOT).parts[0] not in ("build", "results")]
        texts += [ROOT / name for name in ("convolab.ipynb", ".ci/run", "config.mk", "Makefile", "labs/lab.mk")]
        texts += [path for path in ROOT.glob("tools/**/*.sh")]
        call = re.compile(r"""\bmake((?: [a-z][a-z-]*| [A-Z_]+=(?:'[^']*'|"[^"]*"|[^\s`'";)]*))+)""")
        named = set()
        for path in texts:
            for words in call.findall(path.read_text(encoding="utf-8")):
                named.update(re.findall(r" ([A-Z_]+)=", words))
        settings = set(re.findall(r"(?m)^([A-Z_]+) *[:?]?=", (ROOT / "config.mk").read_text()))
        self.assertLessEqual({"LAB", "SIZES", "FROM", "ARGS"}, named)
        arguments = [f"{name}=" for name in sorted((named | settings) - {"BUILD"})]
        self.assertEqual(make(ROOT, "-n", "help", *arguments)[0], 0)

    def test_a_clone_has_the_same_bytes_on_every_system(self):
        done = subprocess.run(["git", "ls-files", "--eol"], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.skipTest("no git repository")
        for line in done.stdout.splitlines():
            self.assertRegex(line, r"attr/(text=auto eol=lf|-text)\b.*\t")

    def test_the_files_of_a_program_of_ones_own(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            for source in ("a.cu", "b.cpp", "it's my/two  parts.cu", "it's my/a.cu"):
                (folder / source).parent.mkdir(exist_ok=True)
                (folder / source).touch()
            tool = folder / "cuda_on_cpu/cuda-on-cpu"  # notes its arguments and makes a program that does the same
            tool.parent.mkdir()
            note = "#!/bin/bash\nprintf '%s|' \"$@\" >> log; echo >> log\n"
            tool.write_text(f'{note}[ "$1" = check ] || {{ cp "$0.program" "${{!#}}"; }}\n')
            Path(f"{tool}.program").write_text(note)
            for path in (tool, Path(f"{tool}.program")):
                path.chmod(0o755)
            for files, check, calls in (
                ("a.cu b.cpp", "", ["a.cu|b.cpp|-o|build/cu/a|", "1|2 3|"]),
                ("it's my/two  parts.cu", "", ["it's my/two  parts.cu|-o|build/cu/two  parts|", "1|2 3|"]),
                ("it's my/a.cu -O2 b.cpp", "1", ["check|it's my/a.cu|-O2|b.cpp|--|1|2 3|"]),
                ("no such.cu", "1", ["check|no such.cu|--|1|2 3|"]),
                ("a.cu -lpng", "", ["a.cu|-lpng|-o|build/cu/a|", "1|2 3|"]),
                ("a.cu b.cpp", "count", ["count|a.cu|b.cpp|--|1|2 3|"]),
            ):
                verb = {"COUNT" if check == "count" else "CHECK": check}
                environment = {**os.environ, "FILE": files, **verb, "BUILD": "build"}
                subprocess.run([ROOT / "tools/cu.sh", "1", "2 3"], cwd=folder, env=environment, check=True)
                self.assertEqual((folder / "log").read_text().splitlines(), calls)
                (folder / "log").unlink()

    def test_what_kind_of_compiler_it_is_says_the_compiler(self):
        with tempfile.TemporaryDirectory() as folder:
            other, ccache = Path(folder, "c++"), Path(folder, "ccache")
            other.write_text("#!/bin/sh\n[ $1 != --version ] || echo 'Debian clang version 14.0.6'\n")
            ccache.write_text('#!/bin/sh\nexec "$@"\n')
            for program in (other, ccache):
                program.chmod(0o755)
            rules = ("-pn", "-f", "tools/build.mk", "FORCE", "CUDA_BACKEND=cuda_on_cpu", f"BUILD={folder}/b")
            for compiler, kind, host in ((other, "clang++", str(other)), (f"{ccache} g++", "g++", "g++")):
                words = make(ROOT, *rules, f"CXX={compiler}")[1]
                found = dict(re.findall("(?m)^(CXX_KIND|HOST_CXX) := (.*)$", words))
                self.assertEqual(found, {"CXX_KIND": kind, "HOST_CXX": host})
            code, words = make(ROOT, "count", "LAB=05_cuda_shared", "VARIANT=two_batch", f"CXX={other}")
            self.assertIn("count needs g++", words)

    def test_a_missing_compiler_and_a_folder_that_cannot_be_written(self):
        for arguments, words in (
            (("all", "CXX=no-such-g++"), "There is no compiler 'no-such-g++' here"),
            (("all", "BUILD=/proc/none"), "The folder '/proc/none' cannot be written"),
            (("-f", "tools/build.mk", "nvcc-check", "NVCC="), "There is no nvcc here"),
        ):
            code, said = make(ROOT, *arguments)
            self.assertEqual(code, 2)
            self.assertIn(words, said)

    @pytest.mark.long
    def test_a_compiler_that_is_too_old_or_none_of_cpp(self):
        with tempfile.TemporaryDirectory() as folder:
            old = Path(folder) / "old"
            old.write_text("#!/bin/sh\necho \"error: unrecognized command line option '-std=c++20'\" >&2\nexit 1\n")
            old.chmod(0o755)
            for compiler in (str(old), "gcc"):
                code, said = make(ROOT, "all", f"CXX={compiler}", f"BUILD={folder}/build")
                self.assertEqual((code, said.count("error: ")), (2, 1), said)
                self.assertIn(f"No program can be built with CXX={compiler}; it takes g++ 11 or later", said)
            code, said = make(ROOT, "-f", "tools/build.mk", f"{folder}/build/flags/timed.txt", f"BUILD={folder}/build")
            self.assertEqual(code, 0, said)
            self.assertFalse(Path(folder, "build/flags/compiles").exists())

    @pytest.mark.long
    def test_compile_commands(self):
        """The file lists each source once, and its command compiles it."""
        listed = entries("CUDA_BACKEND=cuda_on_cpu")
        files = [entry["file"] for entry in listed]
        sources = [
            str(path.relative_to(ROOT))
            for where in ("common/*", "cuda_on_cpu/*", "cuda_on_cpu/device/*", "labs/*", "tests")
            for kind in ("*.cpp", "*.cu")
            for path in ROOT.glob(f"{where}/{kind}")
            if path.parent.name not in ("build", "exercise")
        ]
        # The first is of a copied cuda_on_cpu folder.
        alone = {"cuda_on_cpu/tests/main.cpp", "labs/03_cuda_global/alone.cu"}
        self.assertEqual(set(sources) - set(files), alone)
        self.assertEqual(len(files), len(set(files)))
        for entry in listed:
            if entry["file"] in ("common/convolution/border.cpp", "cuda_on_cpu/device/base/settings.cpp"):
                dependencies = ["-MF", os.devnull]  # else the compiler writes border.d into the repository
                subprocess.run(entry["arguments"][:-2] + dependencies + ["-fsyntax-only"], cwd=ROOT, check=True)


if __name__ == "__main__":
    unittest.main()
