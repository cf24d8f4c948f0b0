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


class Papers(CommandCase):
    def setUp(self):
        super().setUp()
        with open(os.path.join(SOURCE, "docs", "papers.md"), encoding="utf-8") as file:
            sections = [part for part in file.read().split("\n## ")[1:] if part[:3].isdigit()]
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

    def test_what_is_named_is_there(self):
        known = {"run": set(self.run_command("examples", "--names").stdout.split()),
                 "view": set(self.run_command("examples", "--names").stdout.split()),
                 "validate": {line for line in self.run_command("validate", "--list").stdout.splitlines()
                              if re.fullmatch(r"\w+", line)},
                 "bench": {line.split()[0] for line in self.run_command("bench", "--list").stdout.splitlines()
                           if line.strip()}}
        for rows in self.rows.values():
            for row in rows:
                for command, name in re.findall(r"`cordage (run|view|validate|bench) (\w+)`", row[2]):
                    self.assertIn(name, known[command], row[0])
