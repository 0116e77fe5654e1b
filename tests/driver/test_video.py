# SPDX-License-Identifier: MIT
"""lab run --video: clips through the labs. Only the tests that name ffmpeg need it."""

import csv
import hashlib
import os
import shutil
import signal
import struct
import subprocess
import time
import unittest

from tests.driver.test_lab import BUILD, LAB1, LAB7, LabTest, call

HEAT = BUILD / "labs/08_heat_map/lab"
NOISE = BUILD / "labs/09_noise_map/lab"
FILTER = BUILD / "labs/10_noise_filter/lab"
HAS_FFMPEG = shutil.which("ffmpeg") and shutil.which("ffprobe")


def variants(lab):
    return [line.split()[0] for line in call(lab, "list").stdout.splitlines()]


def frames_in(path):
    """The frames that ffmpeg can decode."""
    entries = "-count_frames -show_entries stream=nb_read_frames -of csv=p=0".split()
    return int(call("ffprobe", "-loglevel", "error", *entries, path).stdout.strip() or 0)


def samples_of(pictures):
    options = "-f rawvideo -pix_fmt rgb24 -".split()
    return subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-i", pictures, *options], capture_output=True, check=True
    ).stdout


def y4m_frames(path):
    return path.read_bytes().count(b"FRAME\n")


class VideoTest(LabTest):
    def run_clip(self, lab, *arguments, env=None, clip="moving:64x48", length=6):
        result = call(lab, "run", "--video", clip, "--length", length, *arguments, env=env)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout


class Clips(VideoTest):
    def test_every_variant_gives_the_frames_of_the_reference(self):
        """Also with frames in flight, in whatever order the device runs copies and kernels."""
        for lab in (HEAT, NOISE):
            for variant in variants(lab):
                for order in ("forward", "reverse", "random:1"):
                    with self.subTest(lab=lab.parent.name, variant=variant, order=order):
                        words = self.run_clip(
                            lab, "--variant", variant, "--check", clip="panning:64x48", env={"CUDA_ON_CPU_ORDER": order}
                        )
                        self.assertIn("identical to the reference", words)

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_a_drawn_clip_gives_the_expected_bytes(self):
        """Drawn, and from a folder of PNG files; into a folder of PNG files."""
        clip = self.folder / "clip"
        self.run_clip(LAB1, "--filter", "identity", "--out", f"{clip}/")
        for lab, options, digest in (
            (HEAT, "", "ba2880636d65e9b4c8a8098956851658c7d20540ec8e5a5a7b4c0d6972ddca9b"),
            (NOISE, "", "ab233ef04448a503f1218c15eb3205e0c73d42d9436ec8f811eb75389a01d9b1"),
            (FILTER, "--filter median --ksize 5", "6d06cc04f89cde2db06c4c32e33b375e2bede1264dbed0d7b444a9d9fe67118a"),
        ):
            for name in ("moving:64x48", clip):
                with self.subTest(lab=lab.parent.name, clip=name):
                    out = self.folder / f"{lab.parent.name}_{name == clip}"
                    self.run_clip(lab, *options.split(), "--variant", "cpu", "--out", f"{out}/", clip=name)
                    self.assertEqual(len(list(out.iterdir())), 5)  # of 6 frames, 5 pairs
                    self.assertEqual(hashlib.sha256(samples_of(f"{out}/frame_%06d.png")).hexdigest(), digest)

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_labs_of_one_picture_filter_every_frame(self):
        out = self.folder / "out.y4m"
        words = self.run_clip(LAB1, "--filter", "sobel_x", "--check", "--out", out)
        self.assertIn("identical to the reference", words)
        self.assertEqual(y4m_frames(out), 6)
        self.run_clip(LAB1, "--ksize", "5", "--border", "valid", "--out", out)
        self.assertIn(b"W60 H44 ", out.read_bytes()[:60])

    def test_the_summary_names_the_slowest_stage(self):
        self.assertRegex(
            self.run_clip(HEAT, "--check"),
            r"6 frames of 64x48 in [\d.e-]+ s, [\d.e+]+ per second \(the clip has 30\)\. Per frame: reading "
            r"[\d.e-]+ ms, computing [\d.e-]+ ms, (reading|computing) sets the speed\.",
        )

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_a_row_of_the_stages(self):
        rows = self.folder / "clips.csv"
        for out in ([], ["--out", self.folder / "out.y4m"]):
            self.run_clip(HEAT, "--check", *out, "--variant", "cpu", "--csv", rows)
        with rows.open(newline="") as file:
            first, second = csv.DictReader(file)
        self.assertEqual(
            (first["video"], first["width"], first["frames"], first["rate"], first["writing_ms"]),
            ("moving:64x48", "64", "6", "30", ""),
        )
        self.assertEqual(second["out"], str(self.folder / "out.y4m"))
        for name in ("seconds", "reading_ms", "computing_ms", "writing_ms"):
            self.assertGreater(float(second[name]), 0, name)

    def test_the_emulator_has_no_times(self):
        if shutil.which("nvidia-smi"):
            self.skipTest("this machine has a GPU, which has times")
        words = self.run_clip(HEAT, "--variant", "v1", "--check")
        self.assertIn("6 frames of 64x48; CUDA on the CPU has no times.", words)
        self.assertNotIn("per second", words)
        result = call(
            HEAT, "run", "--video", "moving:64x48", "--variant", "v1", "--check", "--csv", self.folder / "no.csv"
        )
        self.refused(result, 2, "has no times; leave --csv out, or name a CPU variant.")
        result = call(LAB7, "run", "--video", "moving:64x48", "--check", "--csv", self.folder / "no.csv")
        self.refused(result, 2, "has no times; leave --csv out.")  # it has no CPU variant
        self.assertFalse((self.folder / "no.csv").exists())

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_mp4_in_and_out(self):
        clip, out = self.folder / "clip.mp4", self.folder / "heat.mp4"
        self.run_clip(LAB1, "--filter", "identity", "--out", clip)
        words = self.run_clip(HEAT, "--check", "--out", out, clip=clip)
        self.assertIn("6 frames of 64x48", words)
        self.assertEqual(frames_in(out), 5)

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_what_was_written_is_readable_when_all_is_killed(self):
        for ending in ("mp4", "mkv", "webm", "avi"):
            out = self.folder / f"cut.{ending}"
            with (
                self.subTest(ending),
                subprocess.Popen(
                    [HEAT, *"run --video panning:320x240 --length 100000 --variant cpu_simd --out".split(), out],
                    start_new_session=True,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                ) as running,
            ):
                until = time.monotonic() + 8  # the test does not wait longer for an encoder that keeps frames
                while (not out.exists() or out.stat().st_size < 200_000) and time.monotonic() < until:
                    time.sleep(0.05)
                os.killpg(running.pid, signal.SIGKILL)
                running.wait()
                self.assertGreater(frames_in(out), 0)


class Refusals(VideoTest):
    def refuse(self, lab, code, arguments, *words):
        out = self.folder / "out.y4m"
        self.refused(call(lab, "run", "--out", out, *arguments), code, *words)
        self.assertFalse(out.exists())

    def test_what_is_no_clip(self):
        (self.folder / "empty").mkdir()
        for name, words in (
            ("nowhere.y4m", "nowhere.y4m"),
            (self.folder / "empty", "no PNG files"),
            ("0", "Camera '/dev/video0'"),
        ):
            if name != "0" or not os.path.exists("/dev/video0"):
                self.refuse(HEAT, 1, ["--video", name], words)
        self.refuse(HEAT, 2, ["--video", "moving:48"], "'48' is not a size")
        self.refuse(HEAT, 2, ["--image", "scene:480p"], "name a clip with --video")
        self.refuse(HEAT, 2, ["--video", "moving", "--image", "scene:480p"], "--image", "--video")
        self.refuse(HEAT, 2, ["--image", "scene:480p", "--length", "3"], "--length")
        self.refuse(LAB1, 2, ["--image", "scene:480p", "--csv", "a.csv"], "use bench")
        self.refuse(HEAT, 2, ["--video", "moving:64x48", "--csv", "-"], "--csv: rows go to a file")

    def test_options_that_mean_nothing_for_clips(self):
        for option, value in (("--channels", "1"), ("--layout", "planar"), ("--filter", "box"), ("--border", "wrap")):
            self.refuse(HEAT, 2, ["--video", "moving:64x48", option, value], option)

    def test_too_few_frames(self):
        self.refuse(HEAT, 1, ["--video", "moving:64x48", "--length", "1"], "has 1 frame, and lab 08_heat_map needs 2")

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_a_lab_of_clips_draws_its_own(self):
        out = self.folder / "drawn.y4m"
        result = call(HEAT, "run", "--out", out, "--length", 3, "--variant", "cpu")
        self.assertEqual((result.returncode, y4m_frames(out)), (0, 2), result.stderr)
        refused = call(LAB1, "run", "--out", self.folder / "x.png")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("needs --image", refused.stderr)

    def test_numbers_are_no_frames(self):
        self.refuse(
            NOISE,
            1,
            ["--video", "moving:64x48", "--variant", "count"],
            "Variant count gives no frames of a clip",
            "--check without --out",
        )

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_a_cut_clip_keeps_the_frames_before(self):
        clip, out = self.folder / "clip.y4m", self.folder / "heat.y4m"
        self.run_clip(LAB1, "--filter", "identity", "--out", clip)
        clip.write_bytes(clip.read_bytes()[:-1000])
        self.refused(call(HEAT, "run", "--video", clip, "--out", out), 1, "cut", "frame 6")
        self.assertEqual(y4m_frames(out), 4)

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_the_input_is_not_written_over(self):
        clip = self.folder / "clip.y4m"
        self.run_clip(LAB1, "--filter", "identity", "--out", clip)
        before = clip.read_bytes()
        self.refused(call(HEAT, "run", "--video", clip, "--out", clip), 2, "is the input clip")
        self.assertEqual(clip.read_bytes(), before)

    def test_outputs_that_cannot_be(self):
        for out, code, words in (
            ("picture.png", 2, ".mp4"),
            ("noending", 2, ".mp4"),
            ("-", 2, ".mp4"),
            (self.folder / "no/where.y4m", 1, "cannot be written"),
        ):
            self.refused(call(HEAT, "run", "--video", "moving:64x48", "--out", out), code, words)

    def stand_in(self, program, script):
        path = self.folder / "bin" / program
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"#!/bin/bash\n{script}\n")
        path.chmod(0o755)
        return {"PATH": f"{path.parent}:{os.environ['PATH']}"}

    @unittest.skipUnless(HAS_FFMPEG, "ffmpeg is not installed")
    def test_an_ffmpeg_before_5_1_and_one_without_x264(self):
        clip = self.folder / "clip.y4m"
        self.run_clip(LAB1, "--filter", "identity", "--out", clip)
        real, option = shutil.which("ffmpeg"), "-vsync"
        if "-fps_mode" in call(real, "-h", "long").stdout:
            option = "-fps_mode"
        self.stand_in(
            "ffprobe",
            f"set -o pipefail; {shutil.which('ffprobe')} \"$@\" | sed '0,/^major=.*/s//major=56/; /^rotation=/d'",
        )
        older = self.stand_in(
            "ffmpeg",
            'case "$*" in *-fps_mode*) echo "Unrecognized option \'fps_mode\'." >&2; exit 1;; esac\n'
            f'exec {real} -loglevel error -noautorotate "${{@/#-vsync/{option}}}"',
        )
        words = self.run_clip(HEAT, "--check", clip=clip, env=older)
        self.assertIn("6 frames of 64x48", words)
        photo, pictures = self.folder / "photo.jpg", []
        self.assertEqual(call("ffmpeg", "-i", clip, "-frames:v", "1", photo).returncode, 0)
        plain = photo.read_bytes()
        for orientation in range(1, 9):
            exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0" + bytes([orientation] + 6 * [0])
            photo.write_bytes(plain[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + plain[2:])
            for env in (older, {}):
                out = self.folder / "photo.png"
                done = call(LAB1, "run", "--image", photo, "--filter", "identity", "--out", out, env=env)
                self.assertEqual(done.returncode, 0, done.stderr)
                pictures.append(out.read_bytes())
            self.assertEqual(pictures[-1], pictures[-2])
        self.assertEqual(len(set(pictures)), 8)
        none = 'case "$*" in *libx264*) echo "Unknown encoder \'libx264\'" >&2; exit 1;; esac'
        self.stand_in("ffprobe", f'exec {shutil.which("ffprobe")} "$@"')
        free = self.stand_in("ffmpeg", f'{none}\nexec {real} "$@"')
        refused = call(HEAT, "run", "--video", clip, "--out", self.folder / "x.mp4", env=free)
        self.refused(refused, 1, "'libx264'", "end in .webm or .y4m")

    def test_without_ffmpeg(self):
        """The message names the program to install; a drawn clip that is only checked works without it."""
        clip = self.folder / "clip.mp4"
        clip.write_bytes(b"not read")
        bare = {"PATH": "/nowhere"}
        for video, out, program in (
            (clip, "x.y4m", "ffprobe"),
            ("moving:64x48", self.folder / "x.mp4", "ffmpeg"),
            ("moving:64x48", f"{self.folder}/pictures/", "ffmpeg"),
        ):
            self.refused(call(HEAT, "run", "--video", video, "--out", out, env=bare), 1, program, "setup.sh ffmpeg")
        self.assertIn("identical to the reference", self.run_clip(HEAT, "--check", env=bare))


if __name__ == "__main__":
    unittest.main()
