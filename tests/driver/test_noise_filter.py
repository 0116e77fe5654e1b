# SPDX-License-Identifier: MIT
"""Lab 10's commands: writing and playing difference streams, the table of savings; and a lab's own filters."""

import csv
import filecmp
import pathlib
import shutil
import signal
import subprocess
import time
import unittest

from tests.driver.test_lab import BUILD, LAB1, LabTest, call, rows

LAB = BUILD / "labs/10_noise_filter/lab"
ROOT = pathlib.Path(__file__).resolve().parents[2]
HAS_FFMPEG = shutil.which("ffmpeg") and shutil.which("ffprobe")


class Streams(LabTest):
    def setUp(self):
        super().setUp()
        self.stream = self.folder / "clip.dif"

    def write(self, *options):
        result = call(LAB, "stream", "--video", "moving:64x36", "--length", "8", "--out", self.stream, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def frames_of(self, command, *options):
        """The PNG files that a command writes into a new folder."""
        folder = self.folder / f"frames{len(list(self.folder.iterdir()))}"
        result = call(LAB, command, *options, "--out", f"{folder}/")
        self.assertEqual(result.returncode, 0, result.stderr)
        return sorted(folder.glob("*.png"))

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_with_threshold_0_the_frames_come_back_identical(self):
        said = self.write()
        self.assertIn("8 frames", said)
        self.assertIn(f"{self.stream.stat().st_size} bytes", said)
        back = self.frames_of("play", "--video", self.stream)
        clip = self.folder / "clip"
        made = call(
            LAB1, "run", "--video", "moving:64x36", "--length", "8", "--filter", "identity", "--out", f"{clip}/"
        )
        self.assertEqual(made.returncode, 0, made.stderr)
        right = sorted(clip.glob("*.png"))
        self.assertEqual(len(back), 8)
        self.assertEqual(len(right), 8)
        for ours, theirs in zip(back, right):
            self.assertTrue(filecmp.cmp(ours, theirs, shallow=False), ours.name)

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_through_a_pipe(self):
        self.write("--filter", "median", "--threshold", "20")
        options = "stream --video moving:64x36 --length 8 --filter median --threshold 20 --out -".split()
        writer = subprocess.Popen([LAB, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        play = [LAB, "play", "--video", "-", "--out", self.folder / "piped.y4m"]
        player = subprocess.run(play, stdin=writer.stdout, stderr=subprocess.PIPE, timeout=60)
        writer.stdout.close()
        self.assertIn(b"8 frames", writer.stderr.read())
        writer.stderr.close()
        self.assertEqual(writer.wait(), 0)
        self.assertEqual(player.returncode, 0, player.stderr)
        played = call(LAB, "play", "--video", self.stream, "--out", self.folder / "file.y4m")
        self.assertEqual(played.returncode, 0, played.stderr)
        self.assertTrue(filecmp.cmp(self.folder / "piped.y4m", self.folder / "file.y4m", shallow=False))

    def test_a_filter_makes_the_stream_smaller(self):
        self.write("--threshold", "20")
        as_it_is = self.stream.stat().st_size
        self.write("--threshold", "20", "--filter", "gaussian", "--ksize", "5")
        self.assertLess(self.stream.stat().st_size, as_it_is)

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_a_cut_stream_is_played_to_its_last_whole_frame(self):
        self.write()
        whole = self.stream.read_bytes()
        frame = (len(whole) - 44) // 8
        self.stream.write_bytes(whole[: 32 + 3 * frame])
        folder = self.folder / "cut"
        result = call(LAB, "play", "--video", self.stream, "--out", f"{folder}/")
        frames = len(list(folder.glob("*.png")))
        self.assertGreater(frames, 0)
        self.refused(result, 1, str(self.stream), "is cut", f"the {frames} frames before are whole")

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_an_interrupted_stream_is_complete(self):
        process = subprocess.Popen(
            [LAB, "stream", "--video", "moving:640x360", "--length", "1000000", "--out", self.stream],
            stderr=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        while not self.stream.exists() or self.stream.stat().st_size < 2000000:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        said, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        frames = int(said.split(": ")[1].split()[0])
        self.assertEqual(len(self.frames_of("play", "--video", self.stream)), frames)

    def test_refusals(self):
        out = self.folder / "x.dif"
        self.write()
        for arguments, code, words in (
            (["stream", "--video", "moving:8x8"], 2, ["--out is required"]),
            (["stream", "--video", "moving:8x8", "--out", out, "--threshold", "256"], 2, ["--threshold"]),
            (["stream", "--video", "moving:8x8", "--out", out, "--filter", "sharpen"], 2, ["--filter", "sharpen"]),
            (["stream", "--video", "moving:8x8", "--out", out, "--filter", "box", "--ksize", "4"], 2, ["--ksize"]),
            (["stream", "--video", "missing.y4m", "--out", out], 1, ["missing.y4m", "check the name"]),
            (["stream", "--video", "moving:8x8", "--out", self.folder / "no/x.dif"], 1, ["No such file"]),
            (["play", "--video", self.stream, "--out", self.stream], 2, ["is the input"]),
            (["play", "--video", self.picture, "--out", f"{self.folder}/frames/"], 1, ["not a difference stream"]),
            (["play", "--video", self.stream, "--out", "clip"], 2, ["not the name of a video"]),
            (["savings", "--csv", "-"], 2, ["--csv: rows go to a file"]),
        ):
            with self.subTest(arguments=arguments):
                self.refused(call(LAB, *arguments), code, *words)
                self.assertFalse(out.exists())

    def test_help_and_list_of_commands(self):
        for arguments, word in (
            (["--help"], "savings"),
            (["stream", "--help"], "--threshold"),
            (["play", "--help"], "--video"),
            (["savings", "--help"], "--csv"),
        ):
            result = call(LAB, *arguments)
            self.assertEqual(result.returncode, 0)
            self.assertIn(word, result.stdout)
        self.refused(call(LAB, "dance"), 2, "stream, play, savings")
        self.refused(call(LAB1, "stream"), 2, "There is no command 'stream'")


class Savings(LabTest):
    def savings(self, *options, env=None):
        table = self.folder / "savings.csv"
        result = call(LAB, "savings", "--video", "static:64x36", "--length", "5", "--csv", table, *options, env=env)
        self.assertEqual(result.returncode, 0, result.stderr)
        return rows(table), result.stdout

    def test_the_rows(self):
        found, said = self.savings("--ksize", "3,5", "--threshold", "0,20", env={"PATH": str(self.folder)})
        self.assertEqual(
            [(r["filter"], r["ksize"], r["threshold"]) for r in found[:4]],
            [("none", "", "0"), ("none", "", "20"), ("box", "3", "0"), ("box", "3", "20")],
        )
        self.assertEqual(len(found), 2 * (1 + 3 * 2))
        self.assertIn("FFV1 was skipped: FFV1 needs the program ffmpeg", said)
        by = {(r["filter"], r["ksize"], r["threshold"]): r for r in found}
        raw = 5 * 64 * 36 * 3
        for row in found:
            self.assertEqual(row["ffv1_bytes"], "")
            self.assertAlmostEqual(int(row["stream_bytes"]) / raw, float(row["stream_share"]))
            self.assertEqual(row["filtered_psnr_db"] == "", row["filter"] == "none")
            if row["threshold"] == "0":
                self.assertEqual(row["received_psnr_db"], row["filtered_psnr_db"])
        self.assertLess(
            float(by["gaussian", "5", "20"]["changed_pixels"]), float(by["none", "", "20"]["changed_pixels"])
        )
        self.assertLess(float(by["none", "", "20"]["changed_samples"]), float(by["none", "", "20"]["changed_pixels"]))
        self.assertGreater(
            float(by["gaussian", "3", "0"]["filtered_psnr_db"]), float(by["gaussian", "5", "0"]["filtered_psnr_db"])
        )

    def test_the_bytes_are_those_of_the_stream(self):
        found, _ = self.savings("--filter", "median", "--ksize", "3", "--threshold", "20")
        stream = self.folder / "s.dif"
        options = "--video static:64x36 --length 5 --filter median --ksize 3 --threshold 20".split()
        made = call(LAB, "stream", *options, "--out", stream)
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(int(found[0]["stream_bytes"]), stream.stat().st_size)

    @unittest.skipUnless(shutil.which("ffmpeg"), "ffmpeg is not installed (tools/setup.sh ffmpeg)")
    def test_with_ffmpeg(self):
        found, said = self.savings("--filter", "none,box", "--ksize", "9", "--threshold", "0")
        self.assertNotIn("skipped", said)
        sizes = [int(r["ffv1_bytes"]) for r in found]
        self.assertGreater(sizes[0], sizes[1])
        self.assertGreater(sizes[1], 0)


class WorkedExample(LabTest):
    @unittest.skipUnless((ROOT / "report/make").is_dir(), "report/make/, which has the report's numbers, is not here")
    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_the_report_s_nine_pixels(self):
        """Section 3.2: how many of nine pixels differ by more than the threshold, before and after a 3 x 3 mean."""
        with open(ROOT / "report/make/paper/data/published.csv", newline="") as file:
            facts = {
                (r["variant"], r["metric"]): int(float(r["value"]))
                for r in csv.DictReader(file)
                if r["report"] == "videostream2021" and r["table"].startswith("Section 3.2")
            }
        clip = self.folder / "nine.y4m"
        clip.write_bytes(
            b"YUV4MPEG2 W3 H3 F25:1 Cmono XCOLORRANGE=FULL\n"
            + b"".join(
                b"FRAME\n" + bytes(facts[f"{frame}_input", f"value_row{y}_col{x}"] for y in range(3) for x in range(3))
                for frame in "AB"
            )
        )
        for lab, options, expected in (
            (BUILD / "labs/09_noise_map/lab", [], "mean_filter_example_unfiltered"),
            (LAB, ["--filter", "box", "--ksize", "3"], "mean_filter_example_filtered"),
        ):
            out = self.folder / "marks.y4m"
            result = call(lab, "run", "--video", clip, "--out", out, *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            luma = out.read_bytes().split(b"FRAME\n")[1][:9]
            self.assertEqual(sum(value > 16 for value in luma), facts[expected, "pixels_over_threshold"])


class Filters(LabTest):
    def test_what_a_lab_does_not_offer_is_refused(self):
        run = ["run", "--video", "moving:16x9", "--out", self.folder / "x.y4m"]
        self.refused(call(LAB, *run, "--filter", "sharpen"), 2, "has no 'sharpen'", "box, gaussian, median")
        self.refused(call(LAB, *run, "--border", "wrap"), 2, "--border", "repeats the edge")
        self.refused(
            call(LAB1, "run", "--image", "scene:16x9", "--out", "x.png", "--filter", "median"), 2, "has no 'median'"
        )

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_a_clip_is_filtered_and_checked(self):
        both = ("box", "median")
        for variant, names in (
            *((variant, both) for variant in ("cpu", "cpu_simd", "cpu_threads", "tile", "columns", "fused")),
            ("pair", both[:1]),
            ("median", both[1:]),
        ):
            for name in names:
                out = self.folder / f"{variant}_{name}.y4m"
                options = f"--video moving:64x36 --length 4 --variant {variant} --filter {name} --ksize 3 --check"
                result = call(LAB, "run", *options.split(), "--out", out)
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertIn("identical to the reference", result.stdout)


if __name__ == "__main__":
    unittest.main()
