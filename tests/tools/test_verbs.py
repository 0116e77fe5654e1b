# SPDX-License-Identifier: MIT
"""The verbs of the Makefile, in a project of one lab whose programs only print how they were called; and what the real
rules say where they cannot build."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LAB = "labs/01_only"
PRINTS = '#!/bin/bash\nprintf \'<%s>\' "${0##*/}" "$@"; echo\n'

# Makes a .venv of itself, in which pip installs ruff where there is a network.
FAKE_PYTHON = r"""case "$*" in
    "-c "*) ;;
    *venv*) mkdir -p .venv/bin && cp "$0" .venv/bin/python ;;
    *pip*) [ -n "$NETWORK" ] && printf '#!/bin/sh\necho ruff $*\n' >.venv/bin/ruff && chmod +x .venv/bin/ruff && echo "$6" >>pip ;;
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
        for name in ("Makefile", "config.mk", "ruff.toml"):
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

    def test_the_mode_is_said_whole(self):
        for nvcc, backend, words in (
            ("", "cuda_on_cpu", "no nvcc: CUDA labs run on the CPU and are checked, not timed"),
            ("/n", "cuda_on_cpu", "nvcc and no GPU: CUDA labs run on the CPU and are checked, not timed"),
            ("/n", "cuda", "nvcc and a GPU: everything runs"),
        ):
            self.assertEqual(self.said("all", f"NVCC={nvcc}", f"CUDA_BACKEND={backend}"), f"labs: 01_only; {words}\n")

    def test_all_cores_unless_told_otherwise(self):
        (self.root / "tools/build.mk").write_text("programs: ; @echo '$(MAKEFLAGS)'\n")
        self.assertRegex(self.said(), rf"-j{len(os.sched_getaffinity(0))}\b")
        self.assertRegex(self.said("-j1"), r"-j1\b")

    def test_a_shell_of_the_user_that_prints(self):
        (self.root / "prints.sh").write_text("echo printed\n")
        user = {"BASH_ENV": str(self.root / "prints.sh"), "CDPATH": "."}
        (self.lab / "01_a.cpp").write_text("// a -- does it\n")
        for verb in ("help", "all", "bench", "list"):
            self.assertEqual(self.said(verb, **user), self.said(verb))
        self.said("new", "LAB=02_new", "FROM=01_only", **user)
        self.assertIn("to read them:\n\n- a: does it\n", (self.root / "labs/02_new/README.md").read_text())

    def test_without_a_home(self):
        (self.root / f"build/{LAB}/lab").write_text("#!/bin/sh\necho home $HOME\n")
        words = subprocess.run(
            ["env", "-u", "HOME", "make", "list"], cwd=self.root, capture_output=True, text=True, check=True
        ).stdout
        self.assertIn("home /tmp\n", words)

    def test_a_repository_of_another_user(self):
        subprocess.run(["git", "init", "-q"], cwd=self.root, check=True)
        other = {"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1", "HOME": str(self.root)}
        allow = "git config --global --add safe.directory"
        for verb in ("bench", "sweep"):
            self.assertIn(f"{allow} '{self.root}'", self.said(verb, **other))
            self.assertNotIn("note: ", self.said(verb))

    def test_files_are_where_the_user_stands(self):
        name = "it's $one, photo.png"
        there = self.root / "a b"
        there.mkdir()
        for file in (self.root / name, self.lab / name, there / "c.png", self.lab / "scene of me.png"):
            file.touch()
        call = "<lab><run><--image><{0}{1}><--out><{0}o.png><--filter><3x3: 1 2>\n"
        run = ["run", "LAB=01_only", f"IMAGE={name}", "OUT=o.png", 'ARGS=--filter "3x3: 1 2"']
        self.assertIn(call.format("", name), self.said(*run))
        self.assertIn(call.format(f"{LAB}/", name), self.said(*run, folder=self.lab))
        self.assertIn(
            f"<--image><{there}/c.png><--out><{there}/d e.png>",
            self.said("run", f"IMAGE={there}/c.png", f"OUT={there}/d e.png", folder=self.lab),
        )
        self.assertIn(f"<--image><{LAB}/{name}>", self.said("bench", folder=self.lab, IMAGE=name))
        self.assertNotIn("<--size>", self.said("bench", folder=self.lab, IMAGE=name))  # its own
        self.assertIn("<--size><4k>", self.said("bench", "SIZES=4k", folder=self.lab, IMAGE=name))
        # Without a picture or a clip the lab draws one, or says what it needs.
        self.assertIn(f"<lab><run><--out><{LAB}/o.png>\n", self.said("run", "OUT=o.png", folder=self.lab))
        # What is drawn has no path.
        for drawn in ("scene:64x48", "random:64x48:1", "white:64x48", "scene", "moving:480p"):
            self.assertIn(
                f"<--image><{drawn}><--out><{LAB}/scene>\n",
                self.said("run", f"IMAGE={drawn}", "OUT=scene", folder=self.lab),
            )
        self.assertIn(f"<--image><{LAB}/scene of me.png>", self.said("bench", "IMAGE=scene of me.png", folder=self.lab))
        code, words = make(self.lab, "run", f"IMAGE={name}")
        self.assertEqual((code, words.splitlines()[0][:15]), (2, "error: Say whic"), words)

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
        for arguments in (["VIDEO=moving"], ["VIDEO=moving", "IMAGE=a.png", "OUT=o.mp4"]):
            code, words = make(self.root, "run", "LAB=01_only", *arguments)
            self.assertEqual((code, words.count("error: ")), (2, 1), words)
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

    def test_verbs_are_listed_and_work_in_the_folder_of_a_lab(self):
        verbs = re.findall(r"  make ([a-z-]+)", self.said("help-all"))
        self.assertIn("sanitize", verbs)
        of_a_student = set(re.findall(r"  make ([a-z-]+)", self.said("help")))
        self.assertEqual((len(of_a_student), of_a_student - set(verbs)), (13, set()))
        named = set(re.findall(r"(?:`| {4})make ([a-z-]+)", (ROOT / "README.md").read_text()))
        self.assertEqual(named - set(verbs), set(), "README.md names a verb that is not in the Makefile")
        self.assertLessEqual({"demo", "test", "exercises", "exercise", "bench"}, named)
        self.assertIn("<lab><list>", self.said("list", folder=self.lab))
        self.assertIn("labs/02_new is a copy", self.said("new", "LAB=02_new", folder=self.lab))

    def test_settings_that_cannot_be(self):
        """One message each, before anything is built."""
        (self.root / "labs/02_other").mkdir()
        (self.root / "labs/02_other/main.cpp").touch()
        two = "LAB=01_only 02_other"
        for arguments, words in (
            (["bench", "PINNING=maybe"], "PINNING is 'maybe'; set it to on or off"),
            (["bench", "PINNING="], "PINNING is ''"),
            (["all", "CUDA_BACKEND=gpu"], "CUDA_BACKEND is 'gpu'; set it to cuda or cuda_on_cpu"),
            (["all", "CUDA_BACKEND=cuda", "NVCC="], "there is no nvcc here"),
            (["bench", "SIZES="], "SIZES is empty; set it to all"),
            (["run", two, "OUT=o", "IMAGE=i"], "LAB is '01_only 02_other'; 'make run' takes one lab"),
            (["tsan", two], "'make tsan' takes one lab"),
            (["bench", "VARIANT=one"], "VARIANT is 'one'; say with LAB= of which lab"),
            (["sweep", "LAB=01_only", "VARIANT=one"], "'make sweep' takes none"),
            *(
                [["all", f"BUILD={name}"], f"BUILD is '{name}'; choose a name without spaces and signs"]
                for name in ("a b", "it's", "a:b", "a%b", "a=b", "a;b", "a(b")
            ),
        ):
            code, said = make(self.root, *arguments)
            said = [line for line in said.splitlines() if not re.match(r"make: .* Error \d", line)]
            self.assertEqual((code, len(said)), (2, 1), said)
            self.assertIn(words, said[0])

    def test_what_cannot_be_is_refused_before_anything_is_built(self):
        """One sentence each."""
        (self.root / "tools/build.mk").write_text(".DEFAULT: ; @echo built\n")
        (self.lab / "02_page.cu").touch()
        (self.lab / "main.cpp").rename(self.lab / "main.cu")
        run, page = ("run", "LAB=01_only"), ("LAB=01_only", "VARIANT=page")
        gpu = ("CUDA_BACKEND=cuda", "NVCC=/none/nvcc")
        for arguments, code, words in (
            ((*run, "OUT=o.png", "IMAGE=none.png"), 1, "File 'none.png' is not there"),
            ((*run, "OUT=o.mp4", "VIDEO=none.mp4"), 1, "File 'none.mp4' is not there"),
            ((*run, "OUT=none/o.png", "IMAGE=scene:64x48"), 1, "there is no folder 'none'"),
            ((*run, "OUT=o.jpg", "IMAGE=scene:64x48"), 2, "let its name end in .png"),
            ((*run, "OUT=o", "VIDEO=moving"), 2, "not the name of a video"),
            ((*run, "OUT=o.png", "VIDEO=moving"), 2, "not the name of a video"),
            *(
                [((*run, "OUT=o.xyz", "VIDEO=moving"), 2, "no video that ends in .xyz")]
                if shutil.which("ffmpeg")
                else []
            ),
            ((*run, "OUT=o.png", "VIDEO=moving", "IMAGE=scene"), 2, "both set"),
            (("timeline", "CUDA_BACKEND=cuda_on_cpu"), 1, "'make timeline' needs a GPU"),
            (("profile", *page, "CUDA_BACKEND=cuda_on_cpu"), 1, "'make profile' needs a GPU"),
            (("profile", *page, *gpu), 1, "(ncu) is not installed"),
            (("profile", "LAB=01_only", "VARIANT=none"), 2, "has no CUDA variant 'none'"),
            (("sanitize", "CUDA_BACKEND=cuda_on_cpu"), 1, "compute-sanitizer needs a GPU"),
            (("sanitize", *gpu), 1, "compute-sanitizer is not installed"),
            (("sass", *page, "NVCC=/none/nvcc", "CUDA_BACKEND=cuda_on_cpu"), 1, "cuobjdump is not installed"),
            (("sass", *page, "NVCC="), 1, "There is no nvcc here"),
            (("nvcc", "NVCC="), 1, "There is no nvcc here"),
        ):
            tool = re.match(r"\(?([\w-]+)\)? is not installed", words)
            if tool and shutil.which(tool[1], path=f"{os.environ['PATH']}:/usr/local/cuda/bin"):
                continue  # it can do it
            with self.subTest(arguments):
                done, said = make(self.root, *arguments)
                self.assertEqual((done, said.count("error: "), said.count("built")), (2, 1, 0), said)
                self.assertIn(words, said)
                self.assertRegex(said, rf"Error {code}\n$")

    def test_each_verb_says_how_far_the_build_is(self):
        (self.root / "tools/demo.sh").write_text("#!/bin/sh\necho measures\n")
        (self.root / "tools/build.mk").write_text(
            "Q = @echo '  $@'; \nprograms: $(foreach n,0 1 2 3 4 5 6 7 8 9,a$n b$n)\na%:\n\t$(Q)test -c x || test ! -e fails\nb%:\n\t$(Q)test -c x || test ! -e fails\n"
        )
        tenths = [f"file {files} of 20" for files in range(2, 21, 2)]
        first, *words = self.said("demo", "-j1").splitlines()
        self.assertEqual(first, "building 20 files")
        self.assertEqual(words, [*tenths, "measures"])
        self.assertEqual(self.said("all", "-j1").splitlines()[2:], tenths)
        self.assertIn("\necho '  a0'; test -c x ", self.said("-n", "all"))
        (self.root / "fails").touch()
        code, words = make(self.root, "demo")
        self.assertEqual((code, "measures" in words), (2, False), words)
        self.assertIn("make[1]: ***", words)

    def test_one_variant(self):
        (self.root / "build" / LAB / "lab").write_text('#!/bin/bash\nprintf "<%s>" "$@" >>calls\necho 1\n')
        for verb in ("run", "bench", "verify", "timeline"):
            backend = ("CUDA_BACKEND=cuda", "NVCC=/n") if verb == "timeline" else ()
            make(self.lab, verb, "VARIANT=one,two", "OUT=o.png", "IMAGE=scene:64x48", *backend)
            calls = (self.root / "calls").read_text()
            (self.root / "calls").unlink()
            self.assertIn(f"<{verb}>", calls)
            self.assertIn("<--variant><one,two>", calls)
            make(self.lab, verb, "OUT=o.png", "IMAGE=scene:64x48", *backend)
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
        self.assertEqual(self.said("lint", NETWORK="on", **here), linted)
        self.assertEqual(self.said("lint"), linted)
        (self.root / "ruff.toml").write_text('required-version = "==9.9"\n')
        self.assertEqual(self.said("lint", NETWORK="on", **here), linted)
        self.assertRegex((self.root / "pip").read_text(), r"^ruff==(?!9)[0-9.]+\nruff==9\.9\n$")

    def test_a_variant_that_main_does_not_name_is_said(self):
        (self.lab / "main.cpp").write_text("extern const Variant one, two_more;\n... {&one, &two_more} // mine\n")
        for name in ("01_one", "02_two_more", "03_two", "04_mine"):
            (self.lab / f"{name}.cpp").touch()
        notes = [line for line in self.said("list").splitlines() if line.startswith("note: ")]
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

    def test_the_library_beside_npp(self):
        program = self.root / "build/tools/library/lab"
        program.parent.mkdir(parents=True)
        program.write_text(PRINTS)
        program.chmod(0o755)
        (self.root / "tools/library/sweep.txt").write_text("# mine\n--filter edge --cold\n--channels 1\n")
        words = self.said("bench-library", "NVCC=/n", "CUDA_BACKEND=cuda", "ITERATIONS=7")
        for options in ("<--filter><edge><--cold>", "<--channels><1>"):
            how = "<lab><bench><--iterations><7><--warmup><1><--data><data/generated><--only-timed>"
            self.assertIn(f"{how}<--csv><results/library_sweep.csv>{options}\n", words)
        self.assertIn("takes none", make(self.root, "bench-library", "VARIANT=npp")[1])

    def test_frames_per_second_of_clips(self):
        for lab in ("01_sequential", "08_heat_map", "09_noise_map", "10_noise_filter"):
            program = self.root / f"build/labs/{lab}/lab"
            program.parent.mkdir(parents=True)
            program.write_text('#!/bin/bash\necho "${0%/lab}" "$@"\necho row >>"${!#}"\n')
            program.chmod(0o755)
        words = self.said("clips", VIDEO="my clip.mp4")
        for lab in ("08_heat_map", "09_noise_map", "10_noise_filter"):
            self.assertIn(
                f"build/labs/{lab} run --video my clip.mp4 --out build/clips/{lab}_my clip.mp4 --csv build/clips/clips.csv",
                words,
            )
        self.assertEqual((self.root / "results/clips.csv").read_text(), "row\nrow\nrow\n")
        self.assertIn(f"--video {LAB}/my clip.mp4 ", self.said("clips", VIDEO="my clip.mp4", folder=self.lab))
        self.assertIn("--video moving:480p ", self.said("clips", VIDEO="moving:480p", folder=self.lab))
        self.assertEqual(self.said("clips").count("build/clips/panning.mp4"), 3)

    def test_results_that_cannot_be_written(self):
        """Also for root, because the system lets no user create a file in /proc."""
        for verb in ("bench", "sweep", "verify", "clips", "peers"):
            for folder in ("/proc", "/proc/none"):
                with self.subTest(verb=verb, folder=folder):
                    code, words = make(self.root, verb, f"RESULTS={folder}")
                    said = [line for line in words.splitlines() if not line.startswith(("make", "labs: ", "<make_"))]
                    error = (
                        f"error: The folder '{folder}' cannot be written; choose another, such as RESULTS=/tmp/results."
                    )
                    self.assertEqual((code, said), (2, [error]))

    def test_a_new_lab_of_a_bad_name(self):
        for arguments, words in (
            (["LAB=12_it's", "FROM=01_only"], "'12_it's' is not a lab's name"),
            (["LAB=12_its", "FROM=01_it's"], "There is no lab '01_it's'"),
        ):
            for folder in (self.root, self.lab):
                code, said = make(folder, "new", *arguments)
                self.assertEqual((code, said.count("error: ")), (2, 1), said)
                self.assertIn(words, said)


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
    def test_figures_are_drawn_also_from_a_notebook(self):
        shown = make(ROOT, "--eval", "shown:;@echo $$MPLBACKEND", "shown", MPLBACKEND="module://of_a_notebook")
        self.assertEqual(shown, (0, "Agg\n"))

    def test_a_clone_has_the_same_bytes_on_every_system(self):
        done = subprocess.run(["git", "ls-files", "--eol"], cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            self.skipTest("no git repository")
        for line in done.stdout.splitlines():
            self.assertRegex(line, r"attr/(text=auto eol=lf|-text)\b.*\t")

    def test_a_program_of_ones_own_runs_or_is_checked(self):
        options = ("-n", "cu", "FILE=it's a.cu", "ARGS=1 2", "BUILD=build")
        call = "FILE='it'\\''s a.cu' tools/cu.sh 1 2\n"
        self.assertIn(f"BUILD='build' CHECK='' {call}", make(ROOT, *options)[1])
        self.assertIn(f"CHECK='1' {call}", make(ROOT, *options, "CHECK=1")[1])

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
            ):
                environment = {**os.environ, "FILE": files, "CHECK": check, "BUILD": "build"}
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

    def test_the_machine_code_of_no_variant(self):
        code, words = make(ROOT, "sass", "LAB=05_cuda_shared", "VARIANT=none")
        self.assertEqual(code, 2)
        self.assertIn("Lab '05_cuda_shared' has no CUDA variant 'none'", words)
        self.assertEqual(make(ROOT, "-n", "sass")[0], 0)

    def test_a_missing_compiler_and_a_folder_that_cannot_be_written(self):
        for setting, words in (
            ("CXX=no-such-g++", "There is no compiler 'no-such-g++' here"),
            ("BUILD=/proc/none", "The folder '/proc/none' cannot be written"),
        ):
            code, said = make(ROOT, "all", setting)
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
        commands = make(ROOT, "-f", "tools/build.mk", "-nB", "programs", "test-programs", "CUDA_BACKEND=cuda_on_cpu")[1]
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run(
                [sys.executable, ROOT / "tools/compile_commands.py"],
                input=commands,
                text=True,
                check=True,
                cwd=folder,
                stdout=subprocess.DEVNULL,
            )
            entries = json.loads((Path(folder) / "compile_commands.json").read_text())
        files = [entry["file"] for entry in entries]
        sources = [
            str(path.relative_to(ROOT))
            for where in ("common/*", "cuda_on_cpu/*", "cuda_on_cpu/device/*", "labs/*", "tests")
            for kind in ("*.cpp", "*.cu")
            for path in ROOT.glob(f"{where}/{kind}")
            if path.parent.name != "build"
        ]
        alone = {"cuda_on_cpu/tests/main.cpp"}  # of a copied cuda_on_cpu folder
        self.assertEqual(set(sources) - set(files), alone)
        self.assertEqual(len(files), len(set(files)))
        for entry in entries:
            if entry["file"] in ("common/convolution/border.cpp", "cuda_on_cpu/device/base/settings.cpp"):
                dependencies = ["-MF", os.devnull]  # else the compiler writes border.d into the repository
                subprocess.run(entry["arguments"][:-2] + dependencies + ["-fsyntax-only"], cwd=ROOT, check=True)


if __name__ == "__main__":
    unittest.main()
