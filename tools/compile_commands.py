# SPDX-License-Identifier: MIT
"""make editor: compile_commands.json, which tells clangd and editors how each source is compiled.

Reads from stdin the commands that make would run. A CUDA source that is translated for the CPU stands there under its
own name, with the headers of cuda_on_cpu: an editor then knows all of it but the line of a launch, <<<...>>>.
"""

import json
import os
import re
import shlex
import sys

# Of a room whose files are compiled as one: tools/build.mk, cuda_on_cpu/rules.mk.
ROOM = re.compile(r""".*printf '#include "%s"\\n' (.*?) >(\S+)\.new""")
COMPILATION = re.compile(r"(?:.*;)?\s*(\S+ .* -c (\S+) -o (\S+\.o))\s*$")


def entries(lines):
    """One entry per source that is compiled; the first command counts."""
    found, rooms = {}, {}
    for line in lines:
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
    commands = entries(sys.stdin.read().replace("\\\n", " ").splitlines())
    if not commands:
        sys.exit("error: make names no compilation; 'make -n all' says why.")
    with open("compile_commands.json.new", "w", encoding="utf-8") as out:
        json.dump(commands, out, indent=1)
    os.replace("compile_commands.json.new", "compile_commands.json")
    print(f"compile_commands.json: {len(commands)} sources")
