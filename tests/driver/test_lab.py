# SPDX-License-Identifier: MIT
"""The lab programs as a user calls them: options, files, errors, interrupts."""

import csv
import fcntl
import os
import pathlib
import shutil
import signal
import struct
import subprocess
import tempfile
import time
import unittest
import zlib

from report.make.plots.sessions import read_timings

BUILD = pathlib.Path(os.environ.get("CONVOLAB_BUILD", "build"))
LAB1 = BUILD / "labs/01_sequential/lab"
LAB2 = BUILD / "labs/02_pthread/lab"
LAB5 = BUILD / "labs/05_cuda_shared/lab"
LAB6 = BUILD / "labs/06_async_streams/lab"
LAB7 = BUILD / "labs/07_separable/lab"
QUICK = ["--size", "64x48", "--iterations", "2", "--warmup", "1"]


def call(*arguments, env=None, **options):
    """Runs a program; stdout and stderr as text."""
    return subprocess.run(
        [str(a) for a in arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **(env or {})},
        **options,
    )


def rows(path):
    """The rows of a file; those of bench with their sessions and settings."""
    with open(path, newline="") as file:
        found = list(csv.DictReader(file))
    return [row for _, row in read_timings(pathlib.Path(path))] if found and "session" in found[0] else found


class LabTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.picture = self.folder / "scene_32x20.png"
        made = call(BUILD / "data/make_data", "--out", self.folder, "--size", "32x20")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertTrue(self.picture.exists(), list(self.folder.iterdir()))

    def refused(self, result, code, *words):
        """One sentence on stderr, no traceback, the exit code."""
        self.assertEqual(result.returncode, code, result.stderr + result.stdout)
        errors = [line for line in result.stderr.splitlines() if line.startswith("error: ")]
        self.assertEqual(len(errors), 1, result.stderr)
        for word in words:
            self.assertIn(word, errors[0])


class Usage(LabTest):
    def test_list_names_every_variant_once(self):
        result = call(LAB1, "list")
        self.assertEqual(result.returncode, 0)
        names = [line.split()[0] for line in result.stdout.splitlines()]
        self.assertEqual(names, ["nested", "flat", "bounds", "aos", "soa", "separable", "simd", "fft"])

    def test_help_is_not_an_error(self):
        for arguments in (["--help"], ["bench", "--help"], ["bench", "--size", "nope", "--help"]):
            result = call(LAB1, *arguments)
            self.assertEqual(result.returncode, 0)
            self.assertIn("bench", result.stdout)

    def test_bad_options_are_usage_errors(self):
        out = self.folder / "out.png"
        run = ["run", "--image", self.picture, "--out", out]
        for arguments, word in (
            ([], "command is missing"),
            (["dance"], "dance"),
            (["bench", "--variant", "nope"], "nope"),
            (["bench", "--size", "huge"], "huge"),
            (["bench", "--size", "0x5"], "0x5"),
            (["bench", "--iterations", "0"], "--iterations"),
            (["bench", "--iterations", "many"], "--iterations"),
            (["bench", "--threads", "0"], "--threads"),
            (["bench", "--threads", "8-2"], "8-2"),
            (["bench", "--block", "x"], "--block"),
            (["bench", "--iterations", "abc"], "takes whole numbers from 1 to 1000000, not 'abc'"),
            (["bench", "--warmup", "-1"], "from 0 to 1000000, not '-1'"),
            (["bench", "--threads", "-1"], "--threads takes whole numbers from 1 to 65536, not '-1'"),
            (["bench", "--block", "-16"], "--block takes whole numbers from 1 to 65536, not '-16'"),
            (["bench", "--channels", "2"], "--channels"),
            (["bench", "--channels", "0"], "--channels takes 1, 3 or 4, not '0'"),
            (["bench", "--type", ""], "--type needs a value, not ''"),
            (["bench", "--csv", ""], "--csv needs a value, not ''"),
            (["bench", "--csv="], "--csv needs one value"),
            (["bench", "--csv", "-"], "--csv: rows go to a file, not to standard output"),
            (["verify", "--csv", "-"], "--csv: rows go to a file, not to standard output"),
            (["run", "--image", self.picture, "--out", "-"], "--out: a picture goes to a file, not to standard output"),
            (["bench", "--type", "uint8", "--type", "int32"], "--type needs one value"),
            (["bench", "--filter", ""], "--filter needs a value, not ''"),
            (["bench", "--data", "nowhere"], "there is no folder 'nowhere'"),
            (["verify", "--data", "nowhere", "1"], "Not expected here: --data nowhere 1; see --help"),
            (["bench", "--sigma", "wide"], "--sigma takes a number such as 1.5, not 'wide'"),
            (["verify", "--csv", ""], "--csv needs a value, not ''"),
            (["bench", "--type", "double"], "double"),
            (["run", "--image", self.picture], "--out"),
            (run + ["--filter", "blur"], "blur"),
            (run + ["--filter", "3x3: 1 2"], "3x3: 1 2"),
            (["verify", "--image", "scene:64x48"], "verify draws 'scene' itself; name a PNG"),
            (run + ["--filter", "Sharpen"], "did you mean 'sharpen'?"),
            (run + ["--filter", "sobel-x"], "did you mean 'sobel_x'?"),
            (run + ["--filter", "[[1,2,1],[2,4,2],[1,2,1]]"], "has brackets; leave them out"),
            (run + ["--border", "Wrap"], "did you mean 'wrap'?"),
            (run + ["--variant", "SIMD"], "did you mean 'simd'?"),
            (["Bench"], "did you mean 'bench'?"),
            (run + ["--video", "moving:64x48"], "--image and --video: name one"),
            (run + ["--ksize", "4"], "4"),
            (run + ["--filter", "sharpen", "--ksize", "5"], "sharpen"),
            (run + ["--border", "mirror"], "mirror"),
            (run + ["--border", "constant:256"], "256"),
            (run + ["--sigma", "-1"], "--sigma"),
            (run + ["--ksize", "3,5"], "--ksize: this command takes one value"),
            (run + ["--variant", "flat,aos"], "run takes one variant, not 'flat,aos'"),
            (run + ["--variant", "flat", "--threads", "4"], "variant flat does not use it"),
            (run + ["--layout", "rows"], "--layout takes interleaved or planar, not 'rows'"),
            (["run", "--image", "scene:huge", "--out", out], "huge"),
            (["run", "--image", "scene", "--out", out], "scene:480p"),
            (["run", "--image", "random:3x3:x", "--out", out], "--image"),
        ):
            with self.subTest(arguments=arguments):
                self.refused(call(LAB1, *arguments), 2, word)
        self.refused(call(LAB2, *run, "--threads", "1,2"), 2, "--threads: this command takes one value")
        self.assertFalse(out.exists())
        self.assertFalse(pathlib.Path("-").exists())

    def test_a_folder_for_the_data_that_cannot_be(self):
        self.refused(
            call(BUILD / "data/make_data", "--out", "/proc/none", "--size", "32x20"),
            1,
            "Folder '/proc/none' cannot be made",
            "name another with --out",
        )

    def test_version(self):
        result = call(LAB1, "--version")
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stdout, r"^Convolab, lab 01_sequential, revision \w+.*-O")

    def test_settings_of_the_environment_are_checked(self):
        for value in ("-5", "much"):
            result = call(LAB1, "bench", *QUICK, env={"CONVOLAB_MEMORY_FREE": value})
            self.refused(result, 2, "CONVOLAB_MEMORY_FREE")

    def test_an_option_that_changes_nothing_is_said(self):
        result = call(LAB1, "bench", *QUICK, "--variant", "flat", "--threads", "2")
        self.assertEqual(result.returncode, 0)
        self.assertIn("note: option --threads changes nothing", result.stderr)

    def test_columns_are_those_of_the_files(self):
        path = self.folder / "x.csv"
        self.assertEqual(call(LAB1, "bench", *QUICK, "--variant", "flat", "--csv", path).returncode, 0)
        verified = self.folder / "v.csv"
        call(LAB1, "verify", "--quick", "--variant", "flat", "--csv", verified)
        listed = list(csv.DictReader(call(LAB1, "columns").stdout.splitlines()))
        for name, file in (("timing", path), ("sessions", self.folder / "sessions.csv"), ("verify", verified)):
            with open(file, newline="") as lines:
                header = next(csv.reader(lines))
            self.assertEqual(header, [line["column"] for line in listed if line["file"] == name])
            self.assertLessEqual(len(header), 45, name)
        self.assertTrue(all(line["unit"] or line["meaning"] for line in listed))
        self.assertEqual({line["key"] for line in listed if line["column"] == "block"}, {"1"})


class Run(LabTest):
    def test_every_variant_equals_the_reference(self):
        for lab in (LAB1, LAB2):
            for line in call(lab, "list").stdout.splitlines():
                variant = line.split()[0]
                out = self.folder / f"{variant}.png"
                filter_ = "gaussian" if variant == "separable" else "sharpen"
                settings = [] if lab == LAB1 else ["--threads", 3]
                settings += ["--block", 8] if variant in ("blocks", "queue") else []
                result = call(
                    lab,
                    "run",
                    "--image",
                    self.picture,
                    "--out",
                    out,
                    "--filter",
                    filter_,
                    "--variant",
                    variant,
                    "--check",
                    *settings,
                )
                with self.subTest(variant):
                    if "built without" in result.stderr:
                        self.skipTest(result.stderr)
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertIn("identical to the reference", result.stdout)
                    self.assertTrue(out.exists())

    def test_what_cannot_be_read_or_written_is_one_sentence(self):
        broken = self.folder / "broken.png"
        broken.write_bytes(self.picture.read_bytes()[:200])
        out = self.folder / "out.png"
        for image, target in (
            (self.folder / "none.png", out),
            (broken, out),
            (self.picture, self.folder / "none" / "out.png"),
            (self.picture, self.folder),
        ):
            with self.subTest(image=image, target=target):
                self.refused(call(LAB1, "run", "--image", image, "--out", target), 1)
        self.assertFalse(out.exists())

    def test_without_a_variant_it_takes_the_best_and_says_so(self):
        out = self.folder / "out.png"
        for lab, best in ((LAB1, "simd"), (LAB2, "simd_rows"), (LAB6, "streams")):
            result = call(lab, "run", "--image", self.picture, "--out", out)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(f"by {best} (the lab's best", result.stdout)

    def test_where_the_best_variant_cannot_the_others_are_named(self):
        result = call(LAB7, "run", "--image", self.picture, "--ksize", 31, "--check")
        self.refused(result, 1, "the lab's best variant, packed", "--variant: two_pass")

    def test_no_advice_that_cannot_help(self):
        """The advised variant can do the job: the test tries it."""
        job = ["run", "--image", self.picture, "--check", "--ksize", 31]
        result = call(LAB6, *job)  # the kernels are compiled for sides up to 9
        self.refused(result, 1, "side 1 to 9, not 31", "name another with --variant: chain_cpu.")
        self.assertNotIn("--kernel", result.stderr)
        self.assertEqual(call(LAB6, *job, "--variant", "chain_cpu").returncode, 0)
        result = call(LAB1, *job, "--border", "valid")
        self.refused(result, 1, "a larger image, a smaller filter or another border.")
        self.assertNotIn("--variant", result.stderr)
        result = call(LAB7, "run", "--image", self.picture, "--filter", "sharpen", "--check")
        self.assertTrue(result.stderr.endswith(" is not the outer product of a column and a row.\n"), result.stderr)
        for variant, block, ksize, advice in (
            ("two_batch", 8, 5, "; use a larger block, a smaller filter, or n_batch."),
            ("two_batch", 16, 31, "; use a smaller filter, or n_batch."),
            ("input_tile", 4, 7, "; the block must be larger than 6."),
            ("input_tile", 8, 35, "; use a smaller filter."),
            ("filter_in_shared", 32, 5, "; use a smaller block."),
            ("filter_in_shared", 1, 35, "; use a smaller filter."),
        ):
            self.refused(
                call(
                    LAB5,
                    "run",
                    "--image",
                    self.picture,
                    "--check",
                    "--filter",
                    "box",
                    "--ksize",
                    ksize,
                    "--variant",
                    variant,
                    "--block",
                    block,
                ),
                1,
                advice,
            )
        blocks = ["run", "--image", "random:1x1:1", "--check", "--variant", "blocks"]
        self.refused(call(LAB2, *blocks, "--threads", 4), 1, "; use fewer threads.")
        self.assertEqual(call(LAB2, *blocks, "--threads", 1).returncode, 0)

    def test_it_takes_the_pictures_of_verify(self):
        for picture in ("scene:24x13", "random:17x31:8", self.picture):
            for channels in (1, 3, 4):
                for kind, variant in (("uint8", "soa"), ("float32", "bounds"), ("int32", "bounds")):
                    result = call(
                        LAB1,
                        "run",
                        "--image",
                        picture,
                        "--channels",
                        channels,
                        "--type",
                        kind,
                        "--layout",
                        "planar",
                        "--variant",
                        variant,
                        "--check",
                    )
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertRegex(result.stdout, f"{channels} channels?, {kind}")
        result = call(LAB1, "run", "--image", "random:17x31:8")
        self.refused(result, 2, "--out")

    def test_the_input_is_not_written_over(self):
        before = self.picture.read_bytes()
        link = self.folder / "link.png"
        link.symlink_to(self.picture)
        for out in (self.picture, link, self.folder / "." / self.picture.name):
            self.refused(call(LAB1, "run", "--image", self.picture, "--out", out), 2, "input picture")
        self.assertEqual(self.picture.read_bytes(), before)

    def test_a_png_has_a_name_of_a_png(self):
        for name in ("out.jpg", "out.JPEG", "out.tif"):
            out = self.folder / name
            self.refused(call(LAB1, "run", "--image", self.picture, "--out", out), 2, name, ".png")
            self.assertFalse(out.exists())
        for name in ("out", "OUT.PNG"):
            self.assertEqual(call(LAB1, "run", "--image", self.picture, "--out", self.folder / name).returncode, 0)

    def test_what_was_passed_over_in_a_picture_is_said(self):
        whole = self.picture.read_bytes()
        surplus = b"acTL" + bytes(8)  # of a PNG that is animated
        self.picture.write_bytes(
            whole[:33] + struct.pack(">I", 8) + surplus + struct.pack(">I", zlib.crc32(surplus)) + whole[33:]
        )
        result = call(LAB1, "run", "--image", self.picture, "--check")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(result.stderr, f"{self.picture}: It is animated (APNG): only its first picture was read.\n")

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not installed")
    def test_a_folder_of_pictures_with_a_jpeg_that_lies_on_its_side(self):
        photos, out = self.folder / "photos", self.folder / "out"
        photos.mkdir()
        run = ["run", "--image", photos, "--filter", "identity", "--out"]
        self.refused(call(LAB1, *run, f"{out}/"), 1, "photos' has no PNG or JPEG files")
        shutil.copy(self.picture, photos / "a.png")
        exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06" + bytes(6)
        self.assertEqual(call("ffmpeg", "-i", self.picture, photos / "b.jpg").returncode, 0)
        plain = (photos / "b.jpg").read_bytes()
        (photos / "b.jpg").write_bytes(plain[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + plain[2:])
        self.assertEqual(call(LAB1, *run, f"{out}/").returncode, 0)
        sizes = {path.name: struct.unpack(">II", path.read_bytes()[16:24]) for path in out.iterdir()}
        self.assertEqual(sizes, {"a.png": (32, 20), "b.png": (20, 32)})
        (photos / "b.jpg").write_bytes(plain[:-200])
        self.refused(call(LAB1, *run, out), 1, "b.jpg' is damaged, cut")
        for name in (photos, out / "a.png"):
            self.refused(call(LAB1, *run, name), 2, "name another folder/")
        shutil.copy(self.picture, photos / "b.png")
        self.refused(call(LAB1, *run, out), 1, "two pictures called 'b'")

    def test_too_little_memory_is_said_before_it_is_taken(self):
        out = self.folder / "out.png"
        result = call(
            LAB1,
            "run",
            "--image",
            self.picture,
            "--out",
            out,
            "--variant",
            "nested",
            env={"CONVOLAB_MEMORY_FREE": str(10 << 10)},
        )
        self.refused(result, 1, "nested needs", "are free")
        self.assertFalse(out.exists())

    def test_a_job_a_variant_cannot_do_is_refused_in_words(self):
        out = self.folder / "out.png"
        self.refused(
            call(LAB1, "run", "--image", self.picture, "--out", out, "--filter", "sharpen", "--variant", "separable"),
            1,
            "outer product",
        )
        self.refused(
            call(
                LAB2, "run", "--image", self.picture, "--out", out, "--variant", "blocks", "--block", 32, "--threads", 4
            ),
            1,
            "fewer blocks",
        )
        self.refused(
            call(LAB1, "run", "--image", self.picture, "--out", out, "--border", "valid", "--ksize", 31),
            1,
            "smaller than the filter",
        )
        self.assertFalse(out.exists())


class Bench(LabTest):
    def bench(self, *arguments, lab=LAB1, **options):
        return call(lab, "bench", *QUICK, *arguments, **options)

    def test_rows_hold_what_is_needed_to_trust_them(self):
        path = self.folder / "x.csv"
        result = self.bench("--csv", path)
        self.assertEqual(result.returncode, 0, result.stderr)
        found = rows(path)
        self.assertEqual(
            [r["variant"] for r in found], ["nested", "flat", "bounds", "aos", "soa", "separable", "simd", "fft"]
        )
        for row in found:
            if "built without" in row["reason"]:
                continue
            self.assertEqual(
                (
                    row["status"],
                    row["width"],
                    row["height"],
                    row["iterations"],
                    row["warmup"],
                    row["filter"],
                    row["ksize"],
                    row["border"],
                ),
                ("ok", "64", "48", "2", "1", "gaussian", "5", "replicate"),
            )
            for column in (
                "machine",
                "device",
                "compiler",
                "flags",
                "build",
                "revision",
                "dirty",
                "date",
                "copy_gb_per_s",
                "copy_how",
            ):
                self.assertTrue(row[column], column)
            ms = float(row["kernel_ms_median"])
            self.assertGreater(ms, 0)
            self.assertLessEqual(float(row["kernel_ms_p05"]), ms)
            self.assertLessEqual(ms, float(row["kernel_ms_p95"]))
            self.assertEqual((row["kernel_ms_median_low"], row["noisy"]), ("", ""))  # 2 runs are too few
            self.assertGreater(int(row["ram_bytes"]), 1 << 28)
            for column in ("boot", "caches", "governor", "turbo"):
                self.assertTrue(row[column], column)
            samples = 64 * 48 * 3 * 2 * (4 if row["type"] == "int32" else 1)
            self.assertEqual(int(row["bytes"]), samples)
            self.assertAlmostEqual(float(row["gb_per_s"]), samples / ms / 1e6, places=6)
            self.assertEqual(int(row["operations"]), 2 * 25 * 64 * 48 * 3)
        layouts = {r["variant"]: r["layout"] for r in found}
        self.assertEqual((layouts["aos"], layouts["soa"]), ("interleaved", "planar"))

    def test_the_copy_of_the_cpu_is_timed_in_turns_with_each_size(self):
        """One copy of another minute was once the ceiling of all sizes."""
        path = self.folder / "x.csv"
        result = call(LAB1, "bench", "--csv", path, "--variant", "flat", "--size", "32x16,40x30", "--iterations", "2")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(len({row["copy_gb_per_s"] for row in rows(path)}), 2)

    def test_a_second_run_continues_and_fresh_starts_over(self):
        path = self.folder / "x.csv"
        result = self.bench("--csv", path, "--variant", "flat")
        self.assertEqual(result.returncode, 0)
        self.assertIn(": 1 configuration, ", result.stderr)
        first = path.read_text()
        result = self.bench("--csv", path)
        self.assertEqual(result.returncode, 0)
        self.assertIn("1 is measured already", result.stderr)
        self.assertTrue(path.read_text().startswith(first))
        self.assertEqual(len(rows(path)), 8)
        self.assertEqual(self.bench("--csv", path, "--variant", "aos", "--fresh").returncode, 0)
        self.assertEqual([r["variant"] for r in rows(path)], ["aos"])

    def test_calls_add_their_sessions_to_one_file(self):
        """Also at the same time. One call's sessions share a line, and another call finds its rows again."""
        sessions = self.folder / "sessions.csv"
        files = [self.folder / f"{name}.csv" for name in "abcd"]
        calls = [
            subprocess.Popen(
                [LAB1, "bench", *QUICK, "--variant", "flat,simd", "--csv", path], stderr=subprocess.DEVNULL
            )
            for path in files
        ]
        self.assertEqual([one.wait() for one in calls], [0] * len(calls))
        lines = sessions.read_text().splitlines()
        self.assertEqual(len(lines), 1 + len(files))
        self.assertEqual(
            {row["session"] for path in files for row in rows(path)}, {line.split(",")[0] for line in lines[1:]}
        )
        self.assertIn("2 are measured already", self.bench("--csv", files[0], "--variant", "flat,simd").stderr)
        self.assertEqual(sessions.read_text().splitlines(), lines)
        self.assertEqual(self.bench("--csv", files[0], "--variant", "aos").returncode, 0)
        self.assertEqual(sessions.read_text().splitlines()[:-1], lines)
        self.assertEqual(len({row["session"] for row in rows(files[0])}), 2)

    def test_a_session_that_is_written_without_its_rows_costs_nothing(self):
        """If it is killed between the two, half a session's line is removed, and the next call measures the row."""
        path, sessions = self.folder / "x.csv", self.folder / "sessions.csv"
        self.assertEqual(self.bench("--csv", path, "--variant", "flat").returncode, 0)
        whole, lines = path.read_text(), sessions.read_text()
        path.write_text(whole.splitlines()[0] + "\n")
        sessions.write_text(lines + "s0123")
        self.assertEqual(self.bench("--csv", path, "--variant", "flat").returncode, 0)
        self.assertTrue(sessions.read_text().startswith(lines + "s"))
        self.assertEqual([row["variant"] for row in rows(path)], ["flat"])

    def test_rows_without_their_sessions_are_refused(self):
        path, sessions = self.folder / "x.csv", self.folder / "sessions.csv"
        self.assertEqual(self.bench("--csv", path, "--variant", "flat").returncode, 0)
        text, key = path.read_text(), rows(path)[0]["session"]
        sessions.unlink()
        self.refused(
            self.bench("--csv", path), 1, "x.csv", key, "sessions.csv", "put the sessions.csv that belongs to it"
        )
        self.assertEqual((path.read_text(), sessions.exists()), (text, False))
        sessions.write_text("notes\n")
        self.refused(self.bench("--csv", path), 1, "sessions.csv", "is not one that this program writes")
        self.refused(self.bench("--csv", sessions), 2, "sessions.csv is the file beside the rows")
        self.assertEqual((path.read_text(), sessions.read_text()), (text, "notes\n"))

    def test_that_no_row_can_be_noisy_is_said(self):
        for runs, said in ((5, True), (6, False)):
            words = call(LAB1, "bench", "--variant", "simd", "--size", "64x48", "--iterations", runs).stderr
            self.assertEqual("in 1 round, 1 warm-up in each, too few to call a row noisy\n" in words, said, words)

    def test_rows_say_how_they_were_measured(self):
        path = self.folder / "x.csv"
        many = ["bench", "--size", "64x48", "--variant", "flat,simd", "--iterations", "20", "--csv", path]
        self.assertEqual(call(LAB1, *many, "--seed", "7").returncode, 0)
        for row in rows(path):
            self.assertIn(row["pinning"], ("cores", "cpus"))
            self.assertEqual((row["rounds"], row["in_round"], row["seed"]), ("4", "2", "7"))
        # Other rounds, and threads that are not pinned, make other measurements.
        for options, column, value in ((["--rounds", "50"], "rounds", "20"), (["--no-pinning"], "pinning", "off")):
            self.assertEqual(call(LAB1, *many, *options).returncode, 0)
            self.assertEqual([row[column] for row in rows(path)[-2:]], [value] * 2)
        self.assertEqual(len(rows(path)), 6)

    def test_a_file_of_an_older_version_is_named_and_kept(self):
        path = self.folder / "old.csv"
        path.write_text("lab,variant,backend,machine,kernel_ms_median\n")
        self.refused(self.bench("--csv", path), 1, "old.csv", "another version", "Move it")
        self.assertEqual(path.read_text(), "lab,variant,backend,machine,kernel_ms_median\n")

    def test_other_settings_are_other_rows(self):
        path = self.folder / "x.csv"
        result = self.bench(
            "--csv", path, "--variant", "blocks,rows", "--threads", "1,2-4:2", "--block", "8,16", lab=LAB2
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        found = [(r["variant"], r["threads"], r["block"]) for r in rows(path)]
        expected = [("blocks", t, b) for t in "124" for b in ("8", "16")]
        expected += [("rows", t, "") for t in "124"]
        self.assertEqual(found, expected)

    def test_what_a_variant_cannot_do_is_a_row_without_times(self):
        path = self.folder / "x.csv"
        result = self.bench("--csv", path, "--filter", "sharpen", "--variant", "separable,simd")
        self.assertEqual(result.returncode, 0, result.stderr)
        separable, simd = rows(path)
        self.assertEqual((separable["status"], separable["kernel_ms_median"]), ("unsupported", ""))
        self.assertIn("outer product", separable["reason"])
        self.assertEqual(simd["status"], "ok")

    def test_no_row_of_more_threads_than_openmp_gives(self):
        csv = self.folder / "omp.csv"
        for env in ({"OMP_THREAD_LIMIT": "1"}, {"OMP_DYNAMIC": "true"}):
            call(LAB2, "bench", *QUICK, "--variant", "openmp", "--threads", 2, "--csv", csv, "--fresh", env=env)
            (row,) = rows(csv)
            self.assertEqual((row["status"], "OMP_THREAD_LIMIT" in row["reason"]), ("skipped", True))

    def test_too_little_memory_is_a_skipped_row_with_both_numbers(self):
        path = self.folder / "x.csv"
        result = self.bench("--csv", path, "--variant", "nested,simd", env={"CONVOLAB_MEMORY_FREE": str(100 << 10)})
        self.assertEqual(result.returncode, 0, result.stderr)
        nested, simd = rows(path)
        self.assertEqual((nested["status"], nested["kernel_ms_median"]), ("skipped", ""))
        self.assertRegex(nested["reason"], r"needs \d+ MiB .* \d+ MiB are free")
        self.assertEqual(simd["status"], "ok")
        # A skipped row is tried again if there is memory.
        self.assertEqual(self.bench("--csv", path, "--variant", "nested").returncode, 0)
        self.assertEqual(rows(path)[-1]["status"], "ok")

    def test_files_that_cannot_be_written(self):
        self.refused(self.bench("--csv", self.folder / "none" / "x.csv"), 1, "x.csv")
        self.refused(self.bench("--csv", "/dev/full"), 1, "/dev/full")
        self.refused(self.bench("--csv", self.folder), 1)

    def test_what_is_refused_leaves_every_file_as_it_was(self):
        written = self.folder / "written.csv"
        self.assertEqual(self.bench("--csv", written, "--variant", "flat").returncode, 0)
        files = {
            written: written.read_bytes(),
            self.picture: self.picture.read_bytes(),
            self.folder / "notes.txt": b"one line",
            self.folder / "other.csv": b"a,b\n1,2\n3,4",
        }
        for path, text in files.items():
            path.write_bytes(text)
        for command in (["bench", *QUICK], ["verify", "--quick"], ["timeline", "--size", "64x48"]):
            for path in files:
                for fresh in ([], ["--fresh"]):
                    if path == written or (command[0] == "timeline" and fresh):
                        continue
                    result = call(LAB1, *command, "--variant", "flat", "--csv", path, *fresh)
                    self.refused(result, 1, "is not one that this program writes", path.name)
        none = self.folder / "none.png"
        new = self.folder / "new.csv"
        for fresh in ([], ["--fresh"]):
            for path in (written, new):
                self.refused(self.bench("--csv", path, "--image", none, *fresh), 1, "none.png")
                self.refused(call(LAB1, "verify", "--csv", path, "--image", none, *fresh), 1, "none.png")
        for path, text in files.items():
            self.assertEqual(path.read_bytes(), text, path)
        self.assertFalse(new.exists())

    def test_a_size_beyond_the_memory_is_a_skipped_row_at_once(self):
        path = self.folder / "x.csv"
        result = call(
            LAB1,
            "bench",
            "--size",
            "100000x100000",
            "--variant",
            "flat",
            "--iterations",
            "1",
            "--csv",
            path,
            env={"CONVOLAB_MEMORY_FREE": str(8 << 30)},
        )
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(rows(path)[0]["status"], "skipped")
        self.assertRegex(rows(path)[0]["reason"], r"100000x100000 .* need \d+ MiB .* are free")

    def test_two_runs_at_once(self):
        path = self.folder / "x.csv"
        first = subprocess.Popen(
            [LAB1, "bench", "--size", "480p", "--variant", "nested", "--csv", path], stderr=subprocess.PIPE
        )
        try:
            first.stderr.readline()  # what it is going to do: the file is locked
            self.refused(self.bench("--csv", path), 1, "another run")
        finally:
            first.kill()
            first.communicate()

    def stop(self, number):
        """Starts a long bench, sends it a signal after its first row; (exit code, the file's text)."""
        path = self.folder / "x.csv"
        process = subprocess.Popen(
            [LAB1, "bench", "--size", "64x48,853x480", "--variant", "flat", "--iterations", "2000", "--csv", path],
            stderr=subprocess.PIPE,
            text=True,
        )
        for line in process.stderr:
            if line.startswith("01_sequential flat 64x48"):
                break
        process.send_signal(number)
        process.communicate()
        return process.returncode, path

    def test_ctrl_c_keeps_what_is_finished(self):
        code, path = self.stop(signal.SIGINT)
        self.assertEqual(code, 130)
        self.assertEqual([r["width"] for r in rows(path)], ["64"])

    def test_stopped_before_the_first_row(self):
        path = self.folder / "x.csv"
        with open(self.folder / "sessions.csv", "w") as sessions:
            fcntl.flock(sessions, fcntl.LOCK_EX)  # the program waits for it
            process = subprocess.Popen(
                [LAB1, "bench", "--size", "64x48", "--csv", path], stderr=subprocess.PIPE, text=True
            )
            while not path.exists() and process.poll() is None:
                time.sleep(0.01)
            process.send_signal(signal.SIGTERM)
        words = process.communicate()[1]
        self.assertEqual(process.returncode, 143, words)
        self.assertIn("interrupted, nothing is timed yet; ", words)
        self.assertFalse(path.exists())

    def test_kill_leaves_whole_rows_and_the_next_run_continues(self):
        code, path = self.stop(signal.SIGKILL)
        self.assertEqual(code, -signal.SIGKILL)
        text = path.read_text()
        self.assertTrue(text.endswith("\n"))
        self.assertEqual([r["width"] for r in rows(path)], ["64"])
        result = call(LAB1, "bench", "--size", "64x48", "--variant", "flat", "--iterations", "2000", "--csv", path)
        self.assertIn("1 is measured already", result.stderr)
        self.assertEqual(path.read_text(), text)

    def test_a_decimal_comma_changes_nothing(self):
        path = self.folder / "x.csv"
        for name in ("de_DE.UTF-8", "C.UTF-8"):
            result = self.bench("--csv", path, "--variant", "flat", "--fresh", env={"LC_ALL": name})
            self.assertEqual(result.returncode, 0)
            self.assertGreater(float(rows(path)[0]["kernel_ms_median"]), 0)

    def test_your_own_picture(self):
        path = self.folder / "x.csv"
        result = self.bench("--csv", path, "--variant", "simd", "--image", self.picture)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(rows(path)[0]["image"], self.picture.name)
        call(LAB1, "bench", "--iterations", 1, "--variant", "flat", "--image", self.picture, "--csv", path)
        self.assertEqual([row["size"] for row in rows(path)], ["64x48", "32x20"])
        self.refused(self.bench("--image", self.folder / "none.png"), 1, "none.png")

    def test_what_cannot_be_timed_is_left_out_of_a_sweep(self):
        path = self.folder / "x.csv"
        lab = BUILD / "labs/03_cuda_global/lab"
        is_emulated = (
            "emulator" in call(lab, "bench", "--variant", "naive", "--size", "16x12", "--iterations", "1").stderr
        )
        done = call(
            lab,
            "bench",
            "--variant",
            "naive,gray",
            "--size",
            "16x12,9x9",
            "--iterations",
            "1",
            "--only-timed",
            "--csv",
            path,
        )
        self.assertEqual(done.returncode, 0, done.stderr)
        if is_emulated:
            self.assertEqual(
                done.stderr, "03_cuda_global: 4 configurations are left out: they need a GPU to be timed\n"
            )
            self.assertFalse(path.exists())
        else:
            self.assertEqual(len(rows(path)), 4)
        self.assertEqual(self.bench("--csv", path, "--variant", "flat", "--only-timed", "--fresh").returncode, 0)
        self.assertEqual(len(rows(path)), 1)

    def test_a_value_named_twice_is_one_row(self):
        for lab, *options in (
            (LAB1, "--ksize", "3,3", "--size", "9x9"),
            (LAB1, "--size", "9x9,480p,853x480"),
            (LAB1, "--variant", "flat,nested,flat", "--size", "9x9"),
            (LAB2, "--threads", "2,1-2,2", "--size", "9x9"),
        ):
            chosen = [] if "--variant" in options else ["--variant", "flat" if lab == LAB1 else "rows"]
            rows_of = 1 if "--ksize" in options else 2
            self.assertEqual(call(lab, "bench", *options, *chosen, "--count").stdout, f"{rows_of}\n", options)

    def test_count_is_the_number_of_rows(self):
        path = self.folder / "x.csv"
        options = ["--variant", "nested,flat", "--ksize", "3,5", "--size", "9x9,16x12"]
        counted = call(LAB1, "bench", *options, "--csv", path, "--count")
        self.assertEqual((counted.returncode, counted.stdout), (0, "8\n"))
        self.assertFalse(path.exists())
        self.assertEqual(call(LAB1, "bench", *options, "--iterations", "2", "--csv", path).returncode, 0)
        self.assertEqual(len(rows(path)), 8)


class Verify(LabTest):
    def test_quick_verify_compares_and_says_so(self):
        path = self.folder / "verify.csv"
        result = call(LAB1, "verify", "--quick", "--variant", "flat,separable", "--csv", path, "--image", self.picture)
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        found = rows(path)
        self.assertTrue(all(r["status"] in ("ok", "unsupported") for r in found))
        self.assertTrue(all(int(r["samples_compared"]) > 0 for r in found if r["status"] == "ok"))
        self.assertTrue(any(r["status"] == "unsupported" and r["reason"] for r in found))
        self.assertIn("flat", result.stdout)

    def test_sizes_of_the_protocol(self):
        result = call(LAB1, "verify", "--size", "480p,70x40", "--variant", "flat,simd")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        for variant in ("flat", "simd"):
            self.assertRegex(result.stdout, variant + r" +2 +0 +0 +\d+ +853x480")
        for other in (["--quick"], ["--image", self.picture]):
            self.refused(call(LAB1, "verify", "--size", "480p", *other), 2, "--size")

    def test_a_file_that_cannot_be_written_is_said_before_the_work(self):
        for path in (self.folder, "/dev/full", self.folder / "none" / "x.csv"):
            refused = call(LAB1, "verify", "--csv", path)
            self.refused(refused, 1, str(path))
            self.assertEqual(refused.stdout, "")


class CopiesThatOverlap(unittest.TestCase):
    """Lab 06: its settings, columns and timeline. It also runs with CUDA on the CPU."""

    def test_settings_are_lists_and_stand_in_the_rows(self):
        with tempfile.TemporaryDirectory() as folder:
            csv_path = pathlib.Path(folder) / "rows.csv"
            done = call(
                LAB6,
                "bench",
                *QUICK,
                "--variant",
                "streams,frames",
                "--streams",
                "1,2",
                "--bands",
                "5",
                "--in-flight",
                "2,3",
                "--frames",
                "4",
                "--csv",
                str(csv_path),
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            found = [(row["variant"], row["settings"]) for row in rows(csv_path)]
        self.assertEqual(
            found,
            [
                ("streams", "streams=1 bands=5 kernel=2"),
                ("streams", "streams=2 bands=5 kernel=2"),
                ("frames", "in_flight=2 frames=4 kernel=2"),
                ("frames", "in_flight=3 frames=4 kernel=2"),
            ],
        )

    def test_a_kernel_that_cannot_is_refused_and_the_other_named(self):
        run = ["run", "--image", "random:64x48:1", "--variant", "streams", "--check"]
        for job in (["--filter", "sharpen"], ["--border", "renormalise"], ["--filter", "box", "--ksize", "1"]):
            done = call(LAB6, *run, *job)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("Use --kernel 1", done.stderr)
            done = call(LAB6, *run, *job, "--kernel", "1")
            self.assertEqual(done.returncode, 0, done.stderr)
        done = call(LAB6, *run, "--kernel", "3")
        self.assertEqual((done.returncode, "There is no kernel 3" in done.stderr), (2, True), done.stderr)

    def test_a_chain_is_compared_with_as_many_filters(self):
        with tempfile.TemporaryDirectory() as folder:
            csv_path = pathlib.Path(folder) / "rows.csv"
            done = call(
                LAB6, "bench", *QUICK, "--variant", "chain,chain_cpu", "--filters", "1,2,5", "--csv", str(csv_path)
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            found = rows(csv_path)
        self.assertEqual(
            [(row["variant"], row["filters"], row["status"]) for row in found],
            [(variant, filters, "ok") for variant in ("chain", "chain_cpu") for filters in ("1", "2", "5")],
        )
        self.assertEqual({row["backend"] for row in found if row["variant"] == "chain_cpu"}, {"cpu"})
        once = 2 * 25 * 64 * 48 * 3
        self.assertEqual([int(row["operations"]) for row in found[:3]], [once, 2 * once, 5 * once])
        done = call(LAB6, "run", "--image", "random:64x48:1", "--variant", "chain", "--border", "valid", "--check")
        self.assertEqual(done.returncode, 1)
        self.assertIn("a chain needs them of one size", " ".join(done.stderr.split()))

    def test_bands_follow_the_streams(self):
        with tempfile.TemporaryDirectory() as folder:
            csv_path = pathlib.Path(folder) / "rows.csv"
            call(LAB6, "bench", *QUICK, "--variant", "graph", "--streams", "4", "--csv", str(csv_path))
            self.assertEqual([row["bands"] for row in rows(csv_path)], ["4"])

    def test_timeline_without_times_is_refused_and_keeps_the_old_file(self):
        with tempfile.TemporaryDirectory() as folder:
            csv_path = pathlib.Path(folder) / "timeline.csv"
            listed = csv.DictReader(call(LAB1, "columns").stdout.splitlines())
            header = ",".join(line["column"] for line in listed if line["file"] == "timeline") + "\n"
            csv_path.write_text(header)
            done = call(LAB1, "timeline", "--size", "64x48", "--csv", str(csv_path))
            self.assertEqual(done.returncode, 2)
            self.assertIn("has no timeline", done.stderr)
            self.assertEqual(csv_path.read_text(), header)
            done = call(LAB6, "timeline", "--size", "64x48", "--csv", str(csv_path))
            if done.returncode != 0:  # CUDA on the CPU
                self.assertIn("has none; run it on a GPU", done.stderr)
                self.assertEqual(csv_path.read_text(), header)
            else:
                with csv_path.open(newline="") as file:
                    self.assertEqual({row["what"] for row in csv.DictReader(file)}, {"copy in", "filter", "copy out"})

    def test_timeline_takes_one_size_and_one_value(self):
        for options, words in (
            (["--size", "480p,4k"], "takes one size"),
            (["--streams", "1,2"], "this command takes one value"),
        ):
            done = call(LAB6, "timeline", *options, "--csv", "never.csv")
            self.assertEqual(done.returncode, 2)
            self.assertIn(words, done.stderr)


if __name__ == "__main__":
    unittest.main()
