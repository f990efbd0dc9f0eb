"""Draws docs/overview.svg, the picture of the README, from what the program computes.

    python3 docs/overview.py target/release/manycore > docs/overview.svg

Three panels: the linear approximation table of the S-box of PRESENT, the schedule of docs/data/house.csv, and the matrix of
docs/data/karate.mtx in its own order and in that of reverse Cuthill-McKee.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).parent / "data"
PRESENT = "c 5 6 b 9 0 a d 3 e f 8 4 7 1 2"
INK, RED, BLUE, GREY = "#24292f", "#c2410c", "#1d5fa8", "#d0d7de"


def program(*arguments, text=None):
    """The result of a command of the program, from its JSON object."""
    command = [sys.argv[1], *map(str, arguments), "--device", "host", "--json"]
    return json.loads(subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout)["result"]


def words(x, y, text, size=13, anchor="start"):
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{INK}">{text}</text>'


def box(x, y, width, height, colour):
    return f'<rect x="{x:.2f}" y="{y:.2f}" width="{width:.2f}" height="{height:.2f}" fill="{colour}"/>'


def linear_table(left, top, side):
    """Heat map: sums of signs, blue below zero and red above."""
    table = program("sbox", "lat", "-", "--hex", text=PRESENT)
    step, shapes = side / len(table), []
    largest = max(abs(v) for row in table[1:] for v in row)
    for i, row in enumerate(table):
        for j, value in enumerate(row):
            share, full = min(1, abs(value) / largest), RED if value > 0 else BLUE
            parts = (round(255 + share * (int(full[k : k + 2], 16) - 255)) for k in (1, 3, 5))
            colour = "#" + "".join(f"{part:02x}" for part in parts)
            shapes.append(box(left + j * step, top + i * step, step - 0.6, step - 0.6, colour))
    return shapes


def schedule(left, top, width, height):
    """Gantt chart, critical tasks in red."""
    found = program("maxplus", "schedule", DATA / "house.csv")
    tasks = [line.split(",")[:2] for line in open(DATA / "house.csv")]
    unit, line, shapes = width / found["length"], height / len(tasks), []
    for place, (name, days) in enumerate(tasks):
        begin, length = found["earliest"][place] * unit, int(days) * unit
        y = top + place * line
        shapes.append(box(left + begin, y, length, line - 7, BLUE if found["slack"][place] else RED))
        late = begin > width / 2
        x = left + (begin - 6 if late else begin + length + 6)
        shapes.append(words(f"{x:.1f}", f"{y + line / 2 + 1:.1f}", name, 12, "end" if late else "start"))
    return shapes


def entries(path):
    lines = [line.split() for line in open(path) if line[0] != "%"]
    pairs = {(int(a) - 1, int(b) - 1) for a, b, *_ in lines[1:]}
    return int(lines[0][0]), pairs | {(b, a) for a, b in pairs}


def spy(left, top, side, path):
    n, pairs = entries(path)
    step = side / n
    frame = f'<rect x="{left}" y="{top}" width="{side}" height="{side}" fill="none" stroke="{GREY}"/>'
    return [frame] + [box(left + j * step, top + i * step, step, step, BLUE) for i, j in sorted(pairs)]


with tempfile.TemporaryDirectory() as folder:
    ordered = pathlib.Path(folder) / "ordered.mtx"
    method = ["sparse", "reorder", str(DATA / "karate.mtx"), "--method", "rcm", "-o", str(ordered)]
    subprocess.run([sys.argv[1], *method], check=True)
    shapes = [
        words(20, 26, "S-box: linear approximations"),
        f'<rect x="20" y="40" width="208" height="208" fill="{GREY}"/>',
        *linear_table(20, 40, 208),
        words(266, 26, "Schedule: critical path in red"),
        *schedule(266, 44, 250, 204),
        words(556, 26, "Sparse matrix: two orders"),
        *spy(556, 40, 160, DATA / "karate.mtx"),
        *spy(728, 40, 160, ordered),
        words(556, 220, "as given", 12),
        words(728, 220, "reverse Cuthill-McKee", 12),
    ]
print('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 908 262" font-family="sans-serif">')
print('<rect width="908" height="262" fill="#ffffff"/>')
print("\n".join(shapes))
print("</svg>")
