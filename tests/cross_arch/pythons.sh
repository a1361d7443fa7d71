#!/usr/bin/env bash
# Walks the golden runs under other Pythons, each in an environment of its own, and compares them with the stored hashes:
#
#   tests/cross_arch/pythons.sh FOLDER [PYTHON ...]
#
# FOLDER keeps the environments and the kernels compiled; delete it to begin anew. PYTHON is a command or a version that
# pyenv has; 3.12 and 3.13 unless given.
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,7s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
readonly folder checkout=$(cd "$(dirname "$0")/../.." && pwd)
shift
[ $# -gt 0 ] || set -- 3.12 3.13

interpreter() {
  if [[ $1 != [0-9]* ]]; then
    command -v "$1"
  elif command -v pyenv >/dev/null && release=$(pyenv latest "$1" 2>/dev/null); then
    echo "$(pyenv prefix "$release")/bin/python3"
  else
    command -v "python$1"
  fi
}

status=0
for name in "$@"; do
  python=$(interpreter "$name") || { echo "there is no Python $name here: give a command, or 'pyenv install $name'" >&2; exit 2; }
  place=$folder/python$("$python" -c 'import platform; print(platform.python_version())')
  [ -x "$place/bin/python" ] || "$python" -m venv "$place"
  "$place/bin/pip" install -qq --disable-pip-version-check -e "$checkout"
  (cd "$checkout" && PYTHONPYCACHEPREFIX=$place/bytecode POSED_CACHE_DIR=$place/kernels "$place/bin/python" -m tests.golden_runs) || status=1
done
exit $status
