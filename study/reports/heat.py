# SPDX-License-Identifier: MIT
"""The shape `heat`: a heat map each of the variants, of the original and of the published numbers, which the cells hold; and a
table of the best of each column."""

from typing import Any, Dict, List, Sequence, Tuple

import matplotlib
import pandas

from ..figures import drawing
from ..figures.content import DASH, NOISY, RATIOS, Figure, Table, joined, number
from ..figures.series import described, ours
from ..measurements.published import ariano_size
from .gather import GROWING, ORIGINAL, OURS, PUBLISHED, Gathered, best_each, text_of, with_value

UNITS = {"ns": "ns per pixel", "x": "speed-up (x)", "ms": "ms"}
PANELS = {OURS: "variant", ORIGINAL: "original, H200", PUBLISHED: "published, {}"}
EMPTY = (0.93, 0.93, 0.93, 1.0)
Cells = Dict[Tuple[Any, Any], Any]  # by line and column


def short(hardware: str) -> str:
    """ "RTX 3070Ti"."""
    return hardware.replace("GeForce ", "")


class _Heat:
    """The maps: across and down are two columns of the rows. Lines without a number are left out, and columns without one in
    their panel."""

    def __init__(self, gathered: Gathered):
        self.gathered, self.specification = gathered, gathered.specification
        self.quantity = self.specification["value"] or "ms"
        (self.down, self.down_words), (self.across, self.across_words) = map(self.specification.axis, ("y", "x"))
        names = [name for _, name in gathered.sizes]
        shown, unsupported = with_value(gathered.seen, self.quantity), gathered.unsupported
        if self.across == "size":
            shown = shown[shown["size"].isin(names)]
        every = pandas.concat([gathered.seen if self.across != "size" else shown, unsupported])
        self.columns = names if self.across == "size" else sorted(every[self.across].unique())
        self.cells: Dict[str, Cells] = {
            who: dict(zip(zip(mine[self.down], mine[self.across]), mine.itertuples()))
            for who, mine in shown.groupby("who", sort=False)
        }
        self.unsupported = set(zip(unsupported[self.down], unsupported[self.across]))
        lines = sorted(every[self.down].unique())
        self.lines = [line for line in lines if (shown[self.down] == line).any()]
        self.empty = [str(line) for line in lines if line not in self.lines]

    def columns_of(self, who: str) -> List[Any]:
        """The columns of a panel."""
        return [column for column in self.columns if any(column == at[1] for at in self.cells[who])]

    def word(self, who: str, at: Tuple[Any, Any]) -> str:
        """What is written in a cell."""
        one = self.cells[who].get(at)
        if one is None:
            return "n/a" if who == OURS and at in self.unsupported else DASH
        return number(one.value) + NOISY * one.is_noisy

    def title(self, who: str) -> str:
        """The title of a panel; of one size, which differs from the published one, with that size."""
        words = PANELS[who].format(next(map(short, self.gathered.of(PUBLISHED)["name"]), ""))
        if self.across == "size" or self.quantity != "ns" or who == ORIGINAL:
            return words
        row = self.gathered.rows.iloc[0]
        if who == OURS:
            return f"{words}, {row['width']}x{row['height']}"
        return words.replace(", ", f", {ariano_size(row['size'])}, ", 1)

    def column_text(self, who: str, column: Any) -> str:
        """The name of a column; of the published sizes of ariano2023 what they must have been."""
        published = who == PUBLISHED and self.quantity == "ns" and self.across == "size"
        return ariano_size(column) if published else str(column)

    def about(self) -> str:
        """The caption."""
        note = " ".join([RATIOS] * (self.quantity == "x") + [self.gathered.note])
        more = [described(self.gathered.rows, note.strip(), self.gathered.bases), "Dark: slow."]
        places = [(who, (line, column)) for who in self.cells for line in self.lines for column in self.columns_of(who)]
        if any(at not in self.cells[who] for who, at in places):
            more.append("–: not measured; n/a: unsupported." if self.unsupported else "–: not measured.")
        if self.empty:
            more.append(f"{self.down_words.partition(' (')[0]} {joined(self.empty)}: unsupported or not measured.")
        return " ".join(more)

    def draw(self) -> Any:
        """The maps beside each other with one scale of colours: light is fast and dark is slow in all."""
        sources, caption = [who for who in PANELS if who in self.cells], self.about()
        few = len(sources) < 3
        height = 1.75 + 0.34 * max(4, len(self.lines)) + 0.16 * caption.count("\n")
        ratios = {"width_ratios": [max(1.6, len(self.columns_of(who))) for who in sources]}
        figure, axes = drawing.canvas(height, columns=len(sources), sharey=True, gridspec_kw=ratios)
        values = [one.value for mine in self.cells.values() for one in mine.values()]
        scale = matplotlib.colors.LogNorm(min(values), max(max(values), min(values) * 1.01))
        map_of = "cividis" if self.quantity in GROWING else "cividis_r"
        colours = matplotlib.cm.ScalarMappable(scale, map_of)
        for panel, who in zip(axes[0], sources):
            self._draw_panel(panel, who, colours)
            words = [self.column_text(who, column) for column in self.columns_of(who)]
            panel.set_xticklabels(words)
            panel.tick_params(axis="x", labelsize=drawing.SMALL, rotation=30 if max(map(len, words)) > 6 else 0)
            title = self.title(who)
            panel.set_title(title if few else title.replace(", ", ",\n"), loc="left", fontsize=9.5)
            panel.set_xlabel(self.across_words)
        axes[0, 0].set_ylabel(self.down_words)
        finished = drawing.finish(figure, self.specification["title"], caption)
        _colour_bar(figure, axes[0], colours, UNITS[self.quantity])
        return finished

    def _draw_panel(self, axes: Any, who: str, colours: Any) -> None:
        """The numbers of a panel in coloured cells; a blank cell where there is none."""
        columns = self.columns_of(who)
        for y, line in enumerate(self.lines):
            for x, column in enumerate(columns):
                one = self.cells[who].get((line, column))
                face = colours.to_rgba(one.value) if one else EMPTY
                look = {"facecolor": face, "edgecolor": "white", "linewidth": 0.8}
                axes.add_patch(matplotlib.patches.Rectangle((x - 0.5, y - 0.5), 1, 1, **look))
                bright = 0.299 * face[0] + 0.587 * face[1] + 0.114 * face[2]
                look = {"ha": "center", "va": "center", "color": "black" if bright > 0.5 else "white"}
                axes.text(x, y, self.word(who, (line, column)), fontsize=drawing.SMALL, **look)
        axes.set(xlim=(-0.5, len(columns) - 0.5), xticks=range(len(columns)))
        drawing.name_axis(axes, list(map(str, self.lines)))
        axes.grid(visible=False)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)

    def table(self) -> Table:
        """Of each column of the maps the best of each source, and in which line it is."""
        gathered, quantity = self.gathered, "x" if self.quantity == "x" else "ms"
        sources = [who for who in (OURS, ORIGINAL, PUBLISHED) if len(gathered.of(who))]
        best = best_each(gathered.seen, quantity, ["who", self.across])
        there = {
            (one.who, getattr(one, self.across)): f"{text_of(one, quantity)} ({getattr(one, self.down)})"
            for one in best.itertuples()
        }
        lines = [[str(column), *(there.get((who, column), DASH) for who in sources)] for column in self.columns]
        what, unit = ("speed-ups", "") if quantity == "x" else ("times", " ms")
        protocol = ours(gathered.rows, gathered.bases)
        words = self.down_words.partition(" (")[0]
        caption = f"The best {what} of the figure, with {words} in brackets. {protocol}"
        columns = [self.across_words.partition(" (")[0], *(f"{who}{unit}" for who in sources)]
        return Table(self.specification.figure, caption, columns, lines)


def _colour_bar(figure: Any, panels: Sequence[Any], colours: Any, unit: str) -> None:
    """On the right, where the panels make room for it."""
    for panel in panels:
        place = panel.get_position()
        panel.set_position((place.x0 * 0.9 + 0.005, place.y0, place.width * 0.9, place.height))
    place = panels[-1].get_position()
    bar = figure.colorbar(colours, cax=figure.add_axes((place.x1 + 0.01, place.y0, 0.012, place.height)))
    bar.ax.yaxis.set_major_locator(drawing.ticker.LogLocator(subs=(1, 2, 5)))
    drawing.plain(bar.ax.yaxis)
    bar.ax.tick_params(labelsize=drawing.SMALL)
    bar.ax.set_ylabel(f"{unit}, logarithmic", fontsize=drawing.SMALL, labelpad=4)


def heat(gathered: Gathered) -> List[Any]:
    """The figure and its table."""
    maps, specification = _Heat(gathered), gathered.specification
    if OURS not in maps.cells:
        return []
    return [Figure(specification.figure, specification["caption"], maps.draw), maps.table()]
