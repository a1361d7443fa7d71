#!/usr/bin/env bash
# Walks the golden runs on aarch64 with the compiler on, emulated, and compares them with the stored hashes:
#
#   tests/cross_arch/aarch64.sh FOLDER [OPTION | RUN ...]
exec "$(dirname "$0")/debian_python.sh" "${1:?a folder for downloads}" arm64 bookworm 3.11 "${@:2}"
