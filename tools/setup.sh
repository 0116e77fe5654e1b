#!/bin/bash
# SPDX-License-Identifier: MIT
# Installs what Convolab needs and this machine lacks: with apt as root or through sudo; elsewhere it
# names the packages for dnf, pacman and brew and stops. Silent if nothing is missing.
#   tools/setup.sh           what the labs need
#   tools/setup.sh ffmpeg    and ffmpeg, which reads and writes video files (large; the demo does not need it)
#   tools/setup.sh chromium  and Chromium, which prints report.pdf (large; nothing else needs it)
#   tools/setup.sh mpi       and Open MPI, for lab 11 (the demo leaves that lab out if it is missing)
#   tools/setup.sh clang     and clang++, for `make test ALL=1`
#   tools/setup.sh notebook  and what runs convolab.ipynb there
#   tools/setup.sh ruff      and ruff, which formats Python, from PyPI into .venv, in the version of pyproject.toml
#   tools/setup.sh tests     and what the tests need beside that: pytest, OpenCV, poppler's tools, pkg-config, a locale with a decimal comma
set -u
read -ra cxx <<<"${CXX:-g++}"

compiler=g++  # its package on Debian
for word in "${cxx[@]##*/}"; do
    case $word in
        clang++*) compiler=clang${word#clang++} ;;
        g++-*) compiler=$word ;;
    esac
done

# Only the preprocessor: to compile CLI11 takes a second.
has() { printf '#if !__has_include(<%s>)\n#error\n#endif\n' "$1" | "${cxx[@]}" -std=c++20 -x c++ -E - >/dev/null 2>&1; }

get_ruff() {  # where it was asked for; a .venv that was there stays as it is
    [ -n "$ruff" ] || return 0
    local made log
    made=$([ -e .venv ] || echo .venv)
    log=$(mktemp)
    if { [ -z "$made" ] || "$(find_python)" -m venv .venv; } >"$log" 2>&1 &&
        env -u PIP_TARGET -u PIP_PREFIX PIP_USER=0 .venv/bin/python -m pip install --retries 1 "$ruff" >>"$log" 2>&1; then
        rm -f "$log"
    else
        rm -rf $made
        echo "error: $ruff could not be installed from PyPI into .venv; run again with a network (pip's words are in $log)." >&2
        return 1
    fi
}

ruff=
missing=()
lacks() { missing+=("$1"); }
command -v "${cxx[0]}" >/dev/null && has bit || lacks compiler
command -v make >/dev/null || lacks make
has png.h || lacks libpng
has CLI/CLI.hpp || lacks cli11
has fftw3.h || lacks fftw
has catch2/catch_all.hpp || has catch2/catch.hpp || lacks catch2
has_comma() { locale -a 2>/dev/null | grep -qiE '^(de_DE|fr_FR|it_IT)\.utf-?8'; }
find_python() { PYTHON=${PYTHON:-} tools/find_python.sh "$@" 2>/dev/null; }
if ! words=$(PYTHON=${PYTHON:-} tools/find_python.sh 2>&1); then
    [[ $words == *"No Python here"* ]] || { echo "$words" >&2; exit 1; }
    lacks python
fi
for also in "$@"; do
    case $also in
        ffmpeg) command -v ffmpeg >/dev/null && command -v ffprobe >/dev/null || lacks ffmpeg ;;
        chromium) command -v chromium >/dev/null || command -v chromium-browser >/dev/null || command -v google-chrome >/dev/null || lacks chromium ;;
        mpi) command -v mpicxx >/dev/null && command -v mpirun >/dev/null || lacks mpi ;;
        clang) command -v clang++ >/dev/null || lacks clang ;;
        notebook) find_python nbclient ipykernel >/dev/null || lacks notebook ;;
        ruff)
            ruff=ruff$(sed -n 's/^required-version = "\(.*\)".*/\1/p' pyproject.toml)
            [ -e .venv ] || "$(find_python)" -c 'import ensurepip' 2>/dev/null || lacks venv
            ;;
        tests)
            find_python pytest xdist >/dev/null || lacks pytest
            for python in "$(find_python || echo false)" /usr/bin/python3 false; do
                "$python" -c 'import cv2, numpy' 2>/dev/null && break
            done
            [ "$python" != false ] || lacks opencv
            command -v pdftotext >/dev/null || lacks poppler
            command -v pkg-config >/dev/null || lacks pkg-config
            has_comma || lacks locale
            ;;
    esac
done
[ ${#missing[@]} -gt 0 ] || { get_ruff; exit; }

packages() {  # the names of this system's packages for what is missing
    local -n names=$1
    for m in "${missing[@]}"; do echo -n "${names[$m]} "; done
}
declare -A apt=([clang]=clang [notebook]="python3-nbclient python3-ipykernel" [compiler]=$compiler [make]=make [libpng]=libpng-dev [cli11]=libcli11-dev [fftw]=libfftw3-dev [catch2]=catch2 [python]="python3-matplotlib python3-pandas python3-jinja2 python3-markdown" [ffmpeg]=ffmpeg [chromium]=chromium [mpi]="openmpi-bin libopenmpi-dev" [pytest]="python3-pytest python3-pytest-xdist" [opencv]="python3-opencv python3-numpy" [poppler]=poppler-utils [pkg-config]=pkg-config [locale]=locales [venv]=python3-venv)
declare -A dnf=([clang]=clang [notebook]="python3-nbclient python3-ipykernel" [compiler]=gcc-c++ [make]=make [libpng]=libpng-devel [cli11]=cli11-devel [fftw]=fftw-devel [catch2]=catch-devel [python]="python3-matplotlib python3-pandas python3-jinja2 python3-markdown" [ffmpeg]=ffmpeg-free [chromium]=chromium [mpi]=openmpi-devel [pytest]="python3-pytest python3-pytest-xdist" [opencv]=python3-opencv [poppler]=poppler-utils [pkg-config]=pkgconf-pkg-config [locale]=glibc-langpack-de [venv]=python3)
declare -A pacman=([clang]=clang [notebook]="python-nbclient python-ipykernel" [compiler]=gcc [make]=make [libpng]=libpng [cli11]=cli11 [fftw]=fftw [catch2]=catch2 [python]="python-matplotlib python-pandas python-jinja python-markdown" [ffmpeg]=ffmpeg [chromium]=chromium [mpi]=openmpi [pytest]="python-pytest python-pytest-xdist" [opencv]="python-opencv" [poppler]=poppler [pkg-config]=pkgconf [locale]=glibc [venv]=python)
declare -A brew=([clang]=llvm [notebook]=jupyterlab [compiler]=gcc [make]=make [libpng]=libpng [cli11]=cli11 [fftw]=fftw [catch2]=catch2 [python]=python-matplotlib [ffmpeg]=ffmpeg [chromium]=chromium [mpi]=open-mpi [pytest]=pytest [opencv]=opencv [poppler]=poppler [pkg-config]=pkgconf [locale]= [venv]=python)

if ! command -v apt-get >/dev/null; then
    echo "error: Missing: ${missing[*]}. Install them and run again:" >&2
    echo "  Fedora:      sudo dnf install $(packages dnf)" >&2
    echo "  Arch:        sudo pacman -S $(packages pacman)" >&2
    echo "  Homebrew:    brew install $(packages brew)" >&2
    exit 1
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "error: Missing: ${missing[*]}. Run as root: apt-get install $(packages apt)" >&2
        exit 1
    fi
    as_root=(sudo)
fi
echo "installing: $(packages apt)"
log=$(mktemp)
if ! { "${as_root[@]}" apt-get update && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends $(packages apt); } >"$log" 2>&1; then
    tail -5 "$log" >&2
    echo "error: apt-get could not install $(packages apt)(its whole output is in $log)." >&2
    exit 1
fi
rm -f "$log"
case " ${missing[*]} " in *" locale "*) "${as_root[@]}" localedef -i de_DE -f UTF-8 de_DE.UTF-8 || exit 1 ;; esac
get_ruff
