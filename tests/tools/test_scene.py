# SPDX-License-Identifier: MIT
"""What lab 10 saves (tools/drawings/scene.py): rows and a figure, and without ffmpeg neither."""

import sys
from pathlib import Path
from typing import Any

import pytest

from tools.drawings import scene

LAB = """#!{python}
import sys; from pathlib import Path
clip = sys.argv[sys.argv.index('--video') + 1]
rows = 'video,filter,ksize,threshold,stream_share,ffv1_share', clip + ',none,,5,0.25,{ffv1}', clip + ',median,3,20,0.05,{ffv1}'
Path(sys.argv[-1]).write_text('\\n'.join(rows) + '\\n')
"""


@pytest.mark.parametrize("ffv1", ["0.5", ""])
def test_rows_and_figure_and_without_ffmpeg_neither(tmp_path: Path, capsys: Any, ffv1: str) -> None:
    folder, lab = tmp_path / "10_noise_filter", tmp_path / "labs/10_noise_filter/lab"
    folder.mkdir()
    lab.parent.mkdir(parents=True)
    lab.write_text(LAB.format(python=sys.executable, ffv1=ffv1), encoding="utf-8")
    lab.chmod(0o755)
    scene.savings(tmp_path, tmp_path)
    found = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert bool(found) == bool(ffv1)
    assert ffv1 or "left as they are: install an ffmpeg" in capsys.readouterr().out
    if found:
        lines = found["savings.csv"].splitlines()
        assert len(lines) == 1 + 2 * len(scene.CLIPS)
        assert lines[:2] == ["video,filter,ksize,threshold,stream_share,ffv1_share", "black:853x480,none,,5,0.25,0.5"]
        for words in ("static: a still scene", "stream, threshold 20", "median 3"):
            assert words in found["savings.svg"]
