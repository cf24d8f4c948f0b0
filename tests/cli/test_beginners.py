"""Mistakes of beginners: each is answered with its place, its cause and a cure, in the very words of the table."""
import re

import beginner_mistakes
import beginner_slips
from beginner_mistakes import SCENE
from command_case import CommandCase

CASES = beginner_mistakes.CASES + beginner_slips.CASES
SENTENCE = re.compile(r": (error|warning): |^  [A-Z]|^cordage: ")
PLACE = re.compile(r"^:\d+:\d+: (error|warning): ")
# What a cure looks like: something to write, to choose from, or a bound to keep.
CURE = re.compile(r"; |\?|: expected|must|such as|only|takes|needs|is written|before it begins|but the simulation ends|"
                  r"not used by any rod|longer than the duration|finite number|too few|steps will be made")


def changed(edits):
    if isinstance(edits, str):
        return edits
    text = SCENE
    for old, new in edits:
        assert old in text, old
        text = text.replace(old, new)
    return text


class Beginners(CommandCase):
    def answer(self, edits, arguments, status):
        self.write("scene.yaml", changed(edits))
        words = [word.replace("S", "scene.yaml") if word == "S" else word for word in arguments]
        result = self.run_command(*(words or ["check", "scene.yaml"]), status=status)
        lines = (result.stdout if arguments[:2] == ["run", "--resume"] and status == 0 else result.stderr).splitlines()
        told = [line for line in lines if " | " not in line and (SENTENCE.search(line) or status == 0)]
        told = [re.sub("(keys here: |needs one of position).*", r"\1...", line) for line in told]
        return [line[len("scene.yaml"):] if line.startswith("scene.yaml:") else line for line in told
                if not re.match(r" +\| +\^", line)]

    def test_sentences(self):
        self.write("open.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n")
        self.run_command("run", "scene.yaml", "-o", "R", "--quiet")
        self.run_command("run", "scene.yaml", "-o", "elastica", "--quiet")
        for name, edits, arguments, status, sentences in CASES:
            with self.subTest(name):
                self.assertEqual(self.answer(edits, arguments, status), sentences)

    def test_table_is_whole(self):
        """A row that tells nothing, or not where, would pass as long as the program did the same."""
        self.assertEqual(len({case[0] for case in CASES}), len(CASES))
        self.assertGreaterEqual(sum(bool(case[4]) for case in CASES), 520)
        for name, _, arguments, _, sentences in CASES:
            for sentence in sentences:
                with self.subTest(name):
                    if not arguments:
                        self.assertRegex(sentence, PLACE)
                    self.assertTrue(CURE.search(sentence) or not PLACE.match(sentence), sentence)
