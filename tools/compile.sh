#!/bin/bash
# SPDX-License-Identifier: MIT
# compile.sh COMPILER ARGUMENT... -o OUT: compiles, and shortens what the compiler says of templates: each warning once,
# with its line, and the first error; V=1 shows all. With WERROR=1 a warning is an error, and so is what nvcc calls a
# potential loss of performance. Without, it leaves OUT.warned, which says that WERROR=1 has to compile the source again.
out=${!#}
words=$(LC_ALL=C "$@" 2>&1)
code=$?
if [ -n "$words" ] && [ -n "${V:-}" ]; then
    echo "$words"
elif [ -n "$words" ]; then
    awk '
        /Potential Performance Loss/ { print; next }
        /^[^ ]+(:[0-9]+:[0-9]+: |\([0-9]+\): )((fatal )?error|warning)/ {
            if (/: (fatal )?error/ && errors++) exit
            is_new = shown = !seen[$1]++
            lines = 0
            # Where a lab asks for what is wrong in a header.
            if (shown && !/^labs\// && from) print from ": required from here"
            asked = /^labs\// || from
            from = ""
        }
        /^[^ ]+: note: / {
            in_lab = /in instantiation/ && /^labs\// && !asked
            shown = is_new && (!/in instantiation/ || in_lab)
            asked = asked || in_lab
        }
        /^labs\/[^ ]+:[0-9]+:[0-9]+: +required from/ && !from { from = $1; sub(/:$/, "", from) }
        /^[^ ]/ && !/^[^ ]+: (fatal error|error|warning|note)/ { shown = /error: / && !/being treated/ }
        /^ +detected during/ { shown = 0 }
        shown && ++lines <= 10
        END { if (errors) print "make V=1 shows all that the compiler says." }' <<<"$words"
fi >&2
case $code:$words in
    0:*warning* | 0:*'Potential Performance Loss'*) touch "$out.warned" ;;
    0:*) rm -f "$out.warned" && exit ;;
    *) exit $code ;;
esac
[ -n "${WERROR:-}" ] || exit 0
echo "error: Here a warning is an error." >&2
rm "$out"
exit 1
