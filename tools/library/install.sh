#!/bin/bash
# SPDX-License-Identifier: MIT
# make library PREFIX=/usr/local: installs the library, its headers, its file for pkg-config and convolab.py below $DESTDIR$PREFIX.
set -eu
to=${DESTDIR:-}$PREFIX built=${BUILD:-build}/library
install -d "$to/lib/pkgconfig" "$to/include" "$to/share/convolab"
install -m 644 library/convolab.h library/convolab.hpp "$to/include"
install -m 644 library/convolab.py "$to/share/convolab"
install -m 644 "$built/libconvolab.a" "$to/lib"
install -m 755 "$built/libconvolab.so.1" "$to/lib"
ln -sf libconvolab.so.1 "$to/lib/libconvolab.so"
cat >"$to/lib/pkgconfig/convolab.pc" <<PC
prefix=$PREFIX
Name: convolab
Description: Exact convolution of 8-bit pictures
Version: 1
Cflags: -I\${prefix}/include
Libs: -L\${prefix}/lib -lconvolab
Libs.private: -pthread -lstdc++
PC
# Programs find the library in the system's own folders only after this.
case ${DESTDIR:-}$PREFIX in /usr | /usr/local) ldconfig || true ;; esac
echo "installed: $to/lib/libconvolab.so, and for pkg-config convolab.pc"
