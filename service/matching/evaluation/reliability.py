"""A reliability plot as a small SVG: how often the first asset is right, against how sure matching was of it."""

from collections.abc import Sequence

from service.matching.evaluation.figures import Bin

_SIZE, _EDGE = 320, 44
_COLOURS = ("#2b6cb0", "#c05621", "#2f855a", "#805ad5")


def plot(series: Sequence[tuple[str, Sequence[Bin]]]) -> str:
    whole = _SIZE + 2 * _EDGE
    drawn = "\n".join(_series(number, name, bins) for number, (name, bins) in enumerate(series))
    return f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {whole} {whole}"
 font-family="sans-serif" font-size="11">
<rect width="{whole}" height="{whole}" fill="white"/>
{_axes()}
{drawn}
</svg>
"""


def _axes() -> str:
    low, high = _EDGE, _EDGE + _SIZE
    ticks = "\n".join(
        f'<text x="{_x(value)}" y="{high + 16}" text-anchor="middle">{value:.1f}</text>'
        f'<text x="{low - 6}" y="{_y(value) + 4}" text-anchor="end">{value:.1f}</text>'
        for value in (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    )
    middle = low + _SIZE / 2
    return f"""<rect x="{low}" y="{low}" width="{_SIZE}" height="{_SIZE}" fill="none" stroke="#444"/>
<line x1="{low}" y1="{high}" x2="{high}" y2="{low}" stroke="#999" stroke-dasharray="4 3"/>
{ticks}
<text x="{middle}" y="{high + 34}" text-anchor="middle">confidence</text>
<text x="12" y="{middle}" text-anchor="middle" transform="rotate(-90 12 {middle})">share that is right</text>"""


def _series(number: int, name: str, bins: Sequence[Bin]) -> str:
    colour = _COLOURS[number % len(_COLOURS)]
    points = " ".join(f"{_x(one.confidence)},{_y(one.right)}" for one in bins)
    most = max(one.count for one in bins)
    dots = "".join(
        f'<circle cx="{_x(one.confidence)}" cy="{_y(one.right)}" r="{2 + 5 * (one.count / most) ** 0.5:.1f}" '
        f'fill="{colour}" fill-opacity="0.6"/>'
        for one in bins
    )
    label = f'<text x="{_EDGE + 10}" y="{_EDGE + 18 + 15 * number}" fill="{colour}">{name}</text>'
    return f'<polyline points="{points}" fill="none" stroke="{colour}"/>{dots}{label}'


def _x(value: float) -> float:
    return round(_EDGE + _SIZE * value, 1)


def _y(value: float) -> float:
    return round(_EDGE + _SIZE * (1 - value), 1)
