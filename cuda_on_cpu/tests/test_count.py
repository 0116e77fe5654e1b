# SPDX-License-Identifier: MIT
"""cuda-on-cpu count."""

import os
import re
from pathlib import Path

import pytest

TESTS = Path(__file__).parent
pytestmark = pytest.mark.skipif("clang" in os.environ.get("CXX", ""), reason="left out: with g++ only")

# Of the kernels of count/patterns.cu, whose requests are known: kernel, line, figure, value, how.
FIGURES = """stride_1_byte,,sectors per request,1,exact
stride_4_bytes,,sectors per request,4,exact
stride_4_bytes,,bytes asked,256,exact
stride_4_bytes,,bytes moved,256,exact
stride_4_bytes,patterns.cu:8,global load requests,1,exact
stride_32_bytes,,sectors per request,32,exact
stride_32_bytes,,bytes moved,2048,exact
misaligned,,sectors per request,5,exact
struct_of_16_bytes,,sectors per request,16,exact
struct_of_16_bytes,,global requests,2,exact
broadcast,,global load sectors,1,exact
shared_1,,bank conflicts,0,exact
shared_2,,bank conflicts,2,exact
shared_32,,bank conflicts per request,31,exact
shared_33,,bank conflicts,0,exact
shared_broadcast,,bank conflicts,0,exact
shared_1,,barriers,1,exact
half_warp,,active lanes per request,16,exact
half_warp,,divergent requests,2,exact
half_warp,,global load sectors,2,exact
rounds,,global load requests,4,model
rounds,,global store requests,1,exact
test_in_loop,,global load requests,4,model
half_shuffle,,global load requests,1,exact
half_shuffle,,global store requests,1,exact
structs_of_12_bytes,,global load requests,12,model
structs_of_12_bytes,,sectors per request,6,model
counters,,atomics,264,exact
counters,,global atomics,8,exact
counters,,barriers,8,exact
constants,,constant requests,2,exact
constants,,words per constant request,16.5,exact
many_rounds,,global load requests,4000,exact
"""


def test_count_knows_what_kernels_ask_of_memory_and_draws_the_same_page_in_each_run(folder):
    folder.write("// patterns.cu\n" + (TESTS / "count/patterns.cu").read_text())
    code, said = folder.run("cuda-on-cpu count --csv figures.csv --picture page.html patterns.cu")
    assert code == 0, said
    assert "\nexact: a GPU does the same. model: " in said
    rows = folder.read("figures.csv").splitlines()
    assert rows[0] == "kernel,line,figure,value,how"
    assert set(FIGURES.splitlines()) <= set(rows)
    assert folder.run("cuda-on-cpu count --picture again.html patterns.cu")[0] == 0
    page = folder.read("page.html")
    assert folder.read("again.html") == page
    assert "<svg" in page
    assert ">1 global load: 4.00 sectors; 1 global store: 4.00 sectors<" in page
    assert "A cell is 4 bytes, with the first thread that touches them" in page
    # A line and a colour for each sector, and every thread in it.
    (svg,) = re.findall(r"<svg(?:(?!</svg>).)*>stride_32_bytes,[^<]*: one global load(?:(?!</svg>).)*", page, re.S)
    colours = set(re.findall(r'fill="(#[^"]*)"', svg)) - {"#ffffff", "#eeeeee"}
    assert len(colours) == 32 and ">sector 32<" in svg
    assert all(svg.count(f">{lane}<") == 2 for lane in range(32))
    assert "Sectors of a request are best as few as" in page
    assert "src=" not in page and "href=" not in page  # no request to anywhere


@pytest.mark.parametrize(
    "arguments, code, words",
    [
        ("twice.cu -o program", 2, ""),
        ("--csv", 2, ""),
        ("--picture count.png twice.cu", 2, ""),
        ("none.cu", 0, "\nNo kernel that touches memory has run.\n"),
        ("--csv /nowhere/count.csv twice.cu", 1, "cannot write /nowhere/count.csv"),
    ],
)
def test_count_says_what_it_cannot_do(folder, arguments, code, words):
    folder.write("// none.cu\nint main() {}\n// twice.cu\n" + (TESTS / "correct/twice.cu").read_text())
    done, said = folder.run(f"cuda-on-cpu count {arguments}")
    assert done == code
    assert words in said
