"""docs/papers.md: every figure and table of the five papers has its row, and what a row names is there."""
import os
import re

from command_case import SOURCE, CommandCase


def numbers(text):
    """'1-3 A.1-2' is 1, 2, 3, A.1, A.2."""
    out = []
    for part in text.split():
        first, _, last = part.partition("-")
        chapter, _, number = first.rpartition(".")
        for i in range(int(number), int(last or number) + 1):
            out.append(f"{chapter}.{i}" if chapter else str(i))
    return out


# As the papers number them, counted in their texts.
FIGURES = {"000": "1-17", "001": "1-12", "002": "1-6", "003": "1",
           "004": "2.1 3.1-19 4.1-4 5.1-7 6.1-4 A.1-9 B.1-8 D.1"}
TABLES = {"000": "", "001": "1", "002": "1", "003": "", "004": "3.1-2 4.1 B.1"}

# What tables, captions and the text about them print, as it is printed (1e-3 for powers): results, and sizes that tell
# which experiment it is.
PRINTED = {
    "000 fig. 12": "1e-3 1 0.21 5e-4 2 0.39 6.6e-5 15 2.86 6.75e-6 148 28.23",
    "000 fig. 16": "0.8K 0.9K 1.1K 6.6 62.3 0.3 1.2K 1.5K 3K 14.5 224 10.6",
    "001 fig. 7": "9.29 1.345 0.789 27 0.3 0.919",
    "001 fig. 8": "50",
    "001 table 1": "60 4.0 0.026 0.05 0.021 0.21 0.31 49 1.0 0.025 0.018 0.12 0.18 200 2.0 0.072 0.09 0.064 0.81 1.4 "
                   "275 0.13 0.19 0.17 0.42 0.92 75 0.043 0.1 0.2 0.34 67 50.0 0.039 0.096 0.28 31 0.016 "
                   "20 0.0036 0.0043 0.019 0.027 2158 0.87 0.64 21.0 22.0",
    "002 fig. 1": "50 1000 7",
    "002 table 1": "0.14 10 0.03 2 1.65 2.16 18 9.18 80 0.16 0.26 1.32 12 60-70",
    "002 fig. 6": "100",
    "003 fig. 1": "14 135 100 1/30 25 180 30 0.1 6 1e-5 1.86",
    "004 table 3.1": "50 0.051 0.018 100 0.096 0.035 1000 0.91 0.33",
    "004 table 3.2": "10 0.01 1300 0.5 20 100 1 4 1000 0.1 0.001 7860 200 300 1e-5 0.02 0.05",
    "004 fig. 3.17": "26 2 20",
    "004 table 4.1": "252 116 63 70 69 22 13.3 7.3 2.6 2K 1.9K 0.5K 10K 9.7K 2.6K 710 694 77 1.35 5 0.41",
    "004 fig. 5.1": "200 80K 2500 470 41",
    "004 fig. 5.5": "375 400 20 0.35 0.95 2.1 17.2 2.5 0.4 22.2",
    "004 fig. 5.6": "500 50.4K 88.2K 10",
    "004 fig. 6.2": "1e-3 2",
    "004 fig. 6.4": "2K 10K 0.1 355 255 100 1.5 34 1.8e-3 1e-3",
    "004 fig. A.6": "139 8K",
    "004 fig. A.7": "2K 16K",
    "004 fig. A.8": "50 1158 2.8K 0.1 1.1 28",
    "004 fig. A.9": "3K 20 125 58K 0.3",
    "004 fig. B.5": "8k 160k 5.2k 93k",
    "004 fig. B.6": "5.4k 96k",
    "004 fig. B.7": "19k 21 4.39 10.66 24.33 7.8 47.19",
    "004 table B.1": "1031 18.41 24.11 42.52 1650 22.19 27.01 49.20 7511 30.24 32.03 62.27 27195 58.61 45.35 103.96 "
                     "42635 93.97 52.88 146.85 131k 300",
}
# Rows that the audits of the papers have: parts of 000 and 004, then of 001, 002, 003.
AUDITED = {"1": 38, "2": 12, "3": 13, "4": 5, "5": 33, "6": 28, "7": 11, "8": 20, "A": 43, "B": 38, "C": 33}
NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?:e-?\d+)?(?:[-/]\d+)?[kK]?(?![\w.]*\d)")


class Papers(CommandCase):
    def setUp(self):
        super().setUp()
        with open(os.path.join(SOURCE, "docs", "papers.md"), encoding="utf-8") as file:
            parts = file.read().split("\n## ")[1:]
        sections = [part for part in parts if part[:3].isdigit()]
        printed, = [part for part in parts if part.startswith("Every printed number\n")]
        self.printed = [[cell.strip() for cell in line.split("|")[1:-1]] for line in printed.splitlines()
                        if re.match(r"\| \d", line)]
        self.rows = {section[:3]: [[cell.strip() for cell in line.split("|")[1:-1]] for line in section.splitlines()
                                   if line.startswith(("| fig.", "| table"))] for section in sections}

    def test_every_figure_and_table_has_one_row(self):
        self.assertEqual(sorted(self.rows), sorted(FIGURES))
        for paper, rows in self.rows.items():
            wanted = [f"fig. {n}" for n in numbers(FIGURES[paper])] + [f"table {n}" for n in numbers(TABLES[paper])]
            self.assertEqual(sorted(row[0] for row in rows), sorted(wanted), paper)

    def test_rows_show_something_or_say_why_not(self):
        for paper, rows in self.rows.items():
            for row in rows:
                self.assertEqual(len(row), 6, (paper, row))
                self.assertTrue(row[1], (paper, row))
                self.assertTrue("`cordage " in row[2] or row[5], (paper, row[0]))

    def known(self):
        """What can be run, viewed, validated and measured."""
        return {"run": set(self.run_command("examples", "--names").stdout.split()),
                 "view": set(self.run_command("examples", "--names").stdout.split()),
                 "validate": {line for line in self.run_command("validate", "--list").stdout.splitlines()
                              if re.fullmatch(r"\w+", line)},
                 "bench": {line.split()[0] for line in self.run_command("bench", "--list").stdout.splitlines()
                           if line.strip()}}

    def test_what_is_named_is_there(self):
        known = self.known()
        for rows in self.rows.values():
            for row in rows:
                for command, name in re.findall(r"`cordage (run|view|validate|bench) (\w+)`", row[2]):
                    self.assertIn(name, known[command], row[0])

    def test_every_printed_number_stands_beside_ours(self):
        found = {}
        for row in self.printed:
            self.assertEqual(len(row), 6, row)
            self.assertTrue(row[3] and row[4], row)
            self.assertIn(row[1], [line[0] for line in self.rows[row[0]]], row)
            found.setdefault(f"{row[0]} {row[1]}", set()).update(NUMBER.findall(f"{row[2]} {row[3]}"))
        self.assertEqual(sorted(found), sorted(PRINTED))
        for place, text in PRINTED.items():
            self.assertFalse(set(text.split()) - found[place], place)

    def test_ratios_are_theirs_over_ours(self):
        """Where each side is one time in milliseconds."""
        checked = 0
        for row in self.printed:
            theirs, ours = (re.findall(r"(\d[\d.]*) ms", row[k]) for k in (3, 4))
            if len(theirs) != 1 or len(ours) != 1 or "+" in row[3] and "=" not in row[3]:
                continue
            if not re.fullmatch(r"[\d.]+", row[5]):
                continue
            checked += 1
            self.assertAlmostEqual(float(theirs[0]) / float(ours[0]) / float(row[5]), 1, delta=0.1, msg=row)
        self.assertGreater(checked, 15)


class Claims(CommandCase):
    """docs/papers-rows.md: every row of the audits works, or says why it differs, and names what shows it."""
    known = Papers.known

    def setUp(self):
        super().setUp()
        with open(os.path.join(SOURCE, "docs", "papers-rows.md"), encoding="utf-8") as file:
            self.text = file.read()
        self.claims = [[cell.strip() for cell in line.split("|")[1:-1]] for line in self.text.splitlines()
                       if re.match(r"\| [\dABC]", line)]

    def test_no_row_is_missing(self):
        wanted = [f"{part}.{i}" if part.isdigit() else f"{part}{i}" for part, count in AUDITED.items()
                  for i in range(1, count + 1)]
        self.assertEqual([row[0] for row in self.claims], wanted)
        works = sum(row[2] == "works" for row in self.claims)
        self.assertIn(f"Of {len(wanted)} rows {works} work and {len(wanted) - works} differ.", self.text)

    def test_rows_work_or_say_why_they_differ(self):
        for row in self.claims:
            self.assertEqual(len(row), 5, row)
            self.assertIn(row[2], ("works", "differs"), row)
            self.assertTrue(row[1] and row[3], row)
            self.assertTrue(row[2] == "works" or len(row[4]) > 20, row)

    def test_what_shows_them_is_there(self):
        known = self.known()
        for row in self.claims:
            names = re.findall(r"`([^`]*)`", row[3])
            self.assertEqual(" ".join(f"`{name}`" for name in names), row[3], row)
            for name in names:
                command, _, what = name.rpartition(" ")
                if command:
                    self.assertIn(what, known[command], row)
                else:
                    self.assertTrue(os.path.exists(os.path.join(SOURCE, "tests", f"{name}.c")), row)
