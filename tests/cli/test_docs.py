"""Every command in docs/cli.md is run, in order, in one directory, with the scene that stands there."""
import os
import re
import subprocess

from command_case import COMMAND, SOURCE, TIMEOUT, CommandCase


class Documentation(CommandCase):
    def test_documented_commands(self):
        with open(os.path.join(SOURCE, "docs", "cli.md"), encoding="utf-8") as file:
            text = file.read()
        scenes = re.findall(r"```yaml\n# (\S+\.yaml)\n(.*?)```", text, re.DOTALL)
        self.assertGreater(len(scenes), 0)
        for name, scene in scenes:
            self.write(name, scene)
        lines = [line for block in re.findall(r"```sh\n(.*?)```", text, re.DOTALL) for line in block.splitlines() if line]
        self.assertGreater(len(lines), 20)
        environment = dict(os.environ, PATH=os.path.dirname(COMMAND) + ":" + os.environ["PATH"])
        for line in lines:
            expected = re.search(r"# exit status (\d)", line)
            result = subprocess.run(["bash", "-c", line], cwd=self.directory, env=environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=TIMEOUT, check=False)
            self.assertEqual(result.returncode, int(expected[1]) if expected else 0, line + "\n" + result.stderr)

    def test_every_command_is_documented(self):
        with open(os.path.join(SOURCE, "docs", "cli.md"), encoding="utf-8") as file:
            text = "\n".join(re.findall(r"```sh\n(.*?)```", file.read(), re.DOTALL))
        for command in self.run_json("help")["commands"]:
            self.assertRegex(text, rf"\bcordage {command['name']}\b")
