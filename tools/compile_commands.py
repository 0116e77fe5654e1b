# SPDX-License-Identifier: MIT
"""Writes compile_commands.json, which tells clangd and editors how each source is compiled.

It asks make for the commands. A CUDA source that is translated for the CPU stands there under its own name, with the
headers of cuda_on_cpu: an editor then knows all of it but the line of a launch, <<<...>>>.
"""

import json
import os
import re
import shlex
import subprocess
import sys

# Of a room whose files are compiled as one: tools/build.mk, cuda_on_cpu/rules.mk.
ROOM = re.compile(r""".*printf '#include "%s"\\n' (.*?) >(\S+)\.new""")
COMPILATION = re.compile(r"(?:.*;)?\s*(\S+ .* -c (\S+) -o (\S+\.o))\s*$")


def entries(*settings):
    """One entry per source that is compiled with these settings of make; the first command counts."""
    command = ["make", "-nB", "-f", "tools/build.mk", "programs", "test-programs", *settings]
    printed = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    found, rooms = {}, {}
    for line in printed.replace("\\\n", " ").splitlines():
        if match := ROOM.match(line):
            under = "cuda_on_cpu/" if "/cuda_on_cpu/" in match[2] else ""
            rooms[match[2]] = [under + name for name in match[1].split()]
        match = COMPILATION.match(line)
        if not match:
            continue
        command, source, output = match.groups()
        arguments = [word for word in shlex.split(command) if word != "tools/compile.sh"]
        if "-include" in arguments:  # headers that make precompiles; the sources include what they need
            at = arguments.index("-include")
            del arguments[at : at + 2]
        if source.endswith(".cu.cpp"):
            translated = re.match(r".*?translated/", source).group()
            source = source[len(translated) : -len(".cpp")]
            quoted = arguments.index("-iquote")
            arguments = arguments[:quoted] + arguments[quoted + 2 : -4] + ["-x", "c++", "-c", source, "-o", output]
        for file in rooms.get(source, [source]):
            own = [file if word == source else word for word in arguments]
            found.setdefault(file, {"directory": os.getcwd(), "arguments": own, "file": file, "output": output})
    return [found[source] for source in sorted(found)]


if __name__ == "__main__":
    try:
        commands = entries()
    except subprocess.CalledProcessError:
        sys.exit("error: make, which knows the commands, ended with an error.")
    with open("compile_commands.json.new", "w", encoding="utf-8") as out:
        json.dump(commands, out, indent=1)
    os.replace("compile_commands.json.new", "compile_commands.json")
    print(f"compile_commands.json: {len(commands)} sources")
