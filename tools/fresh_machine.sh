#!/bin/bash
# SPDX-License-Identifier: MIT
# tools/fresh_machine.sh trixie: the README's two commands on a bare Debian, in a folder made by debootstrap.
# Needs root. The package source, proxy and keyrings are those of this machine's apt. Tests the last commit.
#   CXX=clang++    another compiler than g++
#   FRESH=DIR      where the systems are made (default /var/tmp/convolab_fresh); needs 5 GB each
set -eu
suite=${1:-}
cxx=${CXX:-g++}
fresh=${FRESH:-/var/tmp/convolab_fresh}
project=$(realpath "$(dirname "$0")/..")

if [ -z "$suite" ]; then
    echo "error: Say which system: tools/fresh_machine.sh bookworm (or trixie)." >&2
    exit 2
fi
skip() { echo "skipped: $*"; exit 0; }
[ "$(id -u)" -eq 0 ] || skip "a system in a folder needs root."
command -v debootstrap >/dev/null || skip "debootstrap is not installed."
unshare --mount true 2>/dev/null || skip "this machine does not let root mount."
mirror=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' | head -1)
[ -n "$mirror" ] || skip "apt knows no package source here."

base="$fresh/$suite"
system="$fresh/${suite}_$cxx"
mkdir -p "$fresh"
if [ ! -f "$base/complete" ]; then
    rm -rf "$base"
    debootstrap --variant=minbase --include=ca-certificates "$suite" "$base" "$mirror" >"$fresh/$suite.log" 2>&1 || {
        tail -5 "$fresh/$suite.log" >&2
        echo "error: debootstrap could not make $suite (its whole output is in $fresh/$suite.log)." >&2
        exit 1
    }
    apt-config dump | grep -E '^Acquire::(http|https|Check|Retries)' >"$base/etc/apt/apt.conf.d/00host" || true
    touch "$base/complete"
fi
rm -rf "$system"
cp -a "$base" "$system"
cp /etc/resolv.conf /etc/hosts "$system/etc/"

inside() {  # runs the words of $1 in the system; its mounts end with it
    unshare --mount bash -c 'mount -t proc proc "$1/proc" && mount --rbind /dev "$1/dev" && mount --rbind /sys "$1/sys" &&
        exec chroot "$1" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin LANG=C.UTF-8 \
            ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} bash -c "$2"' \
        inside "$system" "$1"
}
TIMEFORMAT='%R s, of which on the CPUs %U s user and %S s system'
step() {  # $1: what is done; $2: its words
    echo "== $suite, $cxx: $1"
    time inside "$2" || { echo "error: '$1' failed on $suite with $cxx; its system is $system." >&2; exit 1; }
}
step "apt-get install git make" "apt-get update -qq && apt-get install -qq -y --no-install-recommends git make >/dev/null 2>&1"
git clone -q --no-hardlinks "file://$project" "$system/root/convolab"
step "make demo" "cd /root/convolab && make CXX=$cxx demo"
step "make test" "cd /root/convolab && make CXX=$cxx test"
step "nothing tracked has changed" "cd /root/convolab && git status --porcelain && test -z \"\$(git status --porcelain)\""
rm -rf "$system"
echo "$suite with $cxx: both commands pass."
