"""The commands that make the picture of an example: those of its page below a line "The picture:", else the defaults.

A page that says "The picture is made of several runs." has the commands in its text.
"""

import re
import shlex

SEVERAL = "The picture is made of several runs."


def picture_commands(folder):
    """Command that runs the scene, and command that draws, or the first one alone where it takes several runs."""
    page = folder / "README.md"
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    told = re.search(r"^The picture:\n\n((?:    .+\n)+)", text, re.M)
    lines = [line.strip() for line in told[1].splitlines()] if told else []
    run, draw = f"./scree run examples/{folder.name}/scene.json", f"./scree render out/{folder.name}"
    for line in lines:
        if line.startswith(run):
            run = line
        elif line.startswith(draw):
            draw = line
        else:
            raise ValueError(f"{page}: \"{line}\" below \"The picture:\" begins neither with \"{run}\" nor \"{draw}\"")
    return [run] if SEVERAL in text else [run, draw]


def options_of(command, words=3):
    """What stands behind the first words of a command."""
    return shlex.split(command)[words:]
