"""Every command in the documentation is run, a page at a time, in order, in one directory, with the scenes that stand there.
Runs of the long examples are shortened; nothing else is changed."""
import os
import re
import subprocess

from command_case import COMMAND, SOURCE, TIMEOUT, CommandCase

# What a page's commands need from elsewhere: a line that is run first.
DATA = f"cp '{SOURCE}'/examples/fit_*.csv ."
BEFORE = {"docs/pictures.md": "cordage run twisted_cable -o demo-run", "docs/cli.md": DATA, "docs/fit.md": DATA}
# Not ours to run here: `make` is what runs these tests, the compiler's lines are run by tests/consumer/check_install.
ELSEWHERE = re.compile(r"^(make|cc|export|npm|python3|scripts/\S+|source venv)\b")
SHORT = " --set simulation.duration=20ms --set output.every=10ms"


def pages():
    found = ["README.md", "CONTRIBUTING.md"]
    for folder in ("docs", "docs/models"):
        found += sorted(f"{folder}/{name}" for name in os.listdir(os.path.join(SOURCE, folder)) if name.endswith(".md"))
    return found


def text_of(page):
    with open(os.path.join(SOURCE, page), encoding="utf-8") as file:
        return file.read()


def commands(page):
    lines = "".join(re.findall(r"```sh\n(.*?)```", text_of(page), re.DOTALL)).replace("\\\n", " ").splitlines()
    return [line for line in lines if line and not line.startswith("#") and not ELSEWHERE.match(line)]


class Documentation(CommandCase):
    def run_page(self, page):
        directory = self.path(page.replace("/", "-"))
        os.mkdir(directory)
        for name, scene in re.findall(r"```yaml\n# (\S+\.yaml)\n(.*?)```", text_of(page), re.DOTALL):
            with open(os.path.join(directory, name), "w", encoding="utf-8") as file:
                file.write(scene)
        environment = dict(os.environ, PATH=os.path.dirname(COMMAND) + ":" + os.environ["PATH"])
        for line in ([BEFORE[page]] if page in BEFORE else []) + commands(page):
            expected = re.search(r"# exit status (\d)", line)
            shortened = re.sub(rf"^(cordage (?:run|compare) (?:{'|'.join(self.examples)}))\b", rf"\1{SHORT}", line)
            # a server ends when it is told to; in the foreground it is told once (twice means at once)
            shortened = re.sub(r"^(cordage view [^#]*)", r"timeout --foreground --preserve-status --signal=INT 2 \1 --no-browser ", shortened)
            result = subprocess.run(["bash", "-c", shortened], cwd=directory, env=environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT, check=False)
            self.assertEqual(result.returncode, int(expected[1]) if expected else 0,
                             f"{page}: {line}\n{result.stderr}")

    def test_documented_commands(self):
        self.examples = self.run_command("examples", "--names").stdout.split()
        self.assertGreater(len(commands("docs/cli.md")), 40)
        for page in pages():
            with self.subTest(page=page):
                self.run_page(page)

    def test_every_key_leads_to_a_folder(self):
        """docs/architecture.md: where the value of a key is used, for every struct that a key may fill."""
        page = text_of("docs/architecture.md")
        rows = page[page.index("| struct |"):page.index("### Words")]
        for folder in ("src/scene", *(f"src/rods/{model}" for model in ("pobd", "der", "corde", "galpha", "reference"))):
            for name in sorted(os.listdir(os.path.join(SOURCE, folder))):
                if not re.match(r"(schema\w*|options)\.c", name):
                    continue
                for struct in sorted(set(re.findall(r"\bIN\((\w+),", text_of(f"{folder}/{name}"))) - {"struct"}):
                    general = re.sub(r"^cdg_(pobd|der|corde|galpha|reference)_options$", "cdg_MODEL_options", struct)
                    self.assertIn(f"`{general}`", rows, f"{folder}/{name}")
        for line in rows.splitlines()[2:]:
            folder = ""
            for name in re.findall(r"`([\w/.]+)`", line.split("|")[2] if line.count("|") > 2 else ""):
                if "/" not in name and not name.endswith(".c") or "MODEL" in name:
                    continue
                folder = os.path.dirname(name) + "/" if "/" in name else folder
                path = name if "/" in name else folder + name
                self.assertTrue(os.path.exists(os.path.join(SOURCE, path)), f"{path}: {line}")

    def test_every_command_is_documented(self):
        text = "\n".join(commands("docs/cli.md"))
        for command in self.run_json("help")["commands"]:
            self.assertRegex(text, rf"\bcordage {command['name']}\b")

    def test_links_lead_somewhere(self):
        for page in pages():
            for link in re.findall(r"\]\(([^)#\s]+)[^)]*\)", text_of(page)):
                if not re.match(r"[a-z]+:", link):
                    path = os.path.join(SOURCE, os.path.dirname(page), link)
                    self.assertTrue(os.path.exists(path), f"{page}: {link} is not there")

    def test_gallery_shows_every_example(self):
        shown = re.findall(r"`cordage run (\w+)`", text_of("docs/gallery.md").split("|", 1)[1])
        self.assertEqual(shown, self.run_command("examples", "--names").stdout.split())
