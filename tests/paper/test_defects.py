# SPDX-License-Identifier: MIT
"""The defects: each line has a form that runs or numbers that show it, a test that exists, and an output that was wrong."""

from functools import lru_cache
from pathlib import Path

import numpy
import pytest
from matplotlib.image import imsave

from report.make.paper.measurements.keyed import Sources
from report.make.paper.measurements.machine import Results, read_folder
from report.make.paper.reports import defects as section
from report.make.plots.files import ReportError, read_table
from tests.paper.fabricate import DATA, MAIN, ROOT, published

FILE = DATA / "defects.csv"
SCENE = numpy.random.default_rng(1).integers(0, 256, (96, 133, 3)).astype(numpy.int32)


def defects(sources: Sources, path: Path = FILE, scene: Path = Path("none.png")) -> list[section.Defect]:
    return section.defects(path, scene, published(), sources)


@lru_cache(maxsize=None)
def words() -> dict[str, str]:
    """What the committed rows say of each defect."""
    return {one.form: one.words for one in defects(Sources(ROOT, Results(read_folder(MAIN))))}


def test_each_line_has_a_form_a_test_and_an_output() -> None:
    lines = [fields for _, fields in read_table(FILE, section.COLUMNS)]
    for fields in lines:
        assert (ROOT / fields["shown_by"]).exists(), fields
        assert fields["changes"] == "bytes" or not fields["program"]  # its output is wrong
    run = [fields["form"] for fields in lines if not fields["shown"]]
    assert sorted(run) == sorted(section.FORMS)
    assert len({fields["form"] for fields in lines}) == 37
    tables = section.defects_section(defects(Sources(ROOT))).items[1 : 1 + len(section.CHANGES)]
    shown = [line for table in tables for line in table.rows]
    assert len(shown) == len(lines)
    assert all(table.rows for table in tables)
    assert sum(line[-1] == section.NO_SCENE for line in shown) == len(section.FORMS)


def test_what_was_wrong_in_a_program_s_output() -> None:
    for report, program, said in (
        ("ariano2023", "shared_v2", "599521 of 600000 samples (99.9 %), K 3"),
        ("videostream2021", "heat_map_paper_v3_int 3840", "4566584 of 24883200"),
    ):
        found = section.wrong_samples(published().lines, report, program)
        assert said in (found or "") and bool(said) == bool(found)


@pytest.mark.parametrize(
    "line, words",
    [
        ("a,t,b,bytes,text,3.1,c,no_form,,,", "no form 'no_form'"),
        ("a,t,b,bytes,text,3.1,c,origin_not_moved,text,,", "no form 'origin_not_moved' .* or one and a text"),
        ("a,t,b,bytes,,3.1,c,origin_not_moved,,,", "columns about, where and changes are wrong, expected one of text"),
        ("a,t,b,colour,text,3.1,c,origin_not_moved,,,", "and one of bytes, timing, reporting"),
        ("a,t,b,bytes,program,,c,origin_not_moved,,,", "the place"),
        ("ariano2023,t,b,bytes,text,3.1,c,origin_not_moved,,,global", "no wrong output of global"),
    ],
)
def test_mistakes_in_the_file(tmp_path: Path, line: str, words: str) -> None:
    path = tmp_path / "defects.csv"
    path.write_text(",".join(section.COLUMNS) + f"\n{line}\n", encoding="utf-8")
    imsave(tmp_path / "scene.png", SCENE.astype(numpy.uint8))
    with pytest.raises(ReportError, match=words):
        defects(Sources(ROOT), path, tmp_path / "scene.png")


def test_both_forms_on_the_picture_are_wrong_where_they_say() -> None:
    said = {name: form(SCENE) for name, form in section.FORMS.items()}
    assert "the right one, shifted by (2, 2)" in said["origin_not_moved"].words
    assert [name for name, one in said.items() if " 0 of " in one.words or len(one.panels) != 2] == []


def test_numbers_come_from_rows_or_say_not_measured() -> None:
    assert [name for name, said in words().items() if "not measured" in said] == []
    nothing = {one.form: one.words for one in defects(Sources(ROOT))}
    for name in ("pageable_for_pinned", "two_baselines", "exchanged_mapping", "baseline_anew", "layouts_apart"):
        assert "(not measured)" in nothing[name]
    megabytes = 2 * 3 * 7680 * 4320 / 1e6  # in and out
    assert f"{megabytes / 0.365:.0f} GB/s" in words()["faster_than_the_bus"]
