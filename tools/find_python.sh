#!/bin/bash
# SPDX-License-Identifier: MIT
# find_python.sh [MODULE...]: prints a Python that can import matplotlib, pandas, jinja2, markdown and these modules: $PYTHON, the
# project's own .venv, those on the PATH, the system's. There may be several, and the first on the PATH is often one
# without them.
export HOME=${HOME:-/tmp}  # matplotlib asks for it
modules=$(printf ', %s' matplotlib pandas jinja2 markdown "$@")
modules=${modules#, }
candidates=("$PYTHON")
[ -n "$PYTHON" ] || candidates=(.venv/bin/python $(type -aP python3 python) /usr/bin/python3
    $(compgen -c python3. | grep -E '^python3\.[0-9]+$' | sort -Vru))
failed=
for python in "${candidates[@]}"; do
    "$python" -c '' 2>/dev/null || continue  # not there, or a name of pyenv for a version that is not chosen
    words=$("$python" -c "import $modules" 2>&1 >/dev/null) && echo "$python" && exit 0
    [[ $words =~ "No module named '"[a-z0-9]+"'" ]] || failed=${failed:-$python cannot import $modules: ${words##*$'\n'}}
done
[ -z "$failed" ] || { echo "error: $failed; mend that, or set PYTHON= to another Python." >&2; exit 1; }
echo "error: No Python here can import $modules (tried: ${candidates[*]}); run 'make setup', or set PYTHON=." >&2
exit 1
