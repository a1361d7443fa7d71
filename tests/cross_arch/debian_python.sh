#!/usr/bin/env bash
# Walks the golden runs under a Python of another Debian: its packages are unpacked into a folder, nothing is installed.
#
#   tests/cross_arch/debian_python.sh FOLDER ARCHITECTURE SUITE PYTHON [OPTION | RUN ...]
#
# FOLDER keeps what is downloaded and the kernels compiled; delete it to begin anew. ARCHITECTURE is Debian's name of
# one. Where this processor does not speak it, Debian's qemu-user-static does. PYTHON is a version such as 3.11; what
# follows goes to `python -m tests.golden_runs`. It takes apt-get, dpkg and Debian's keyring, and a python3 with venv
# (PYTHON3 chooses which) for pip.
set -euo pipefail
[ $# -ge 4 ] || { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
mkdir -p "$1"
base=$(cd "$1" && pwd) architecture=$2 suite=$3 version=$4
readonly base architecture suite version checkout=$(cd "$(dirname "$0")/../.." && pwd) here=$(dpkg --print-architecture)
readonly folder=$base/$suite-$architecture-python$version
readonly root=$folder/root wheels=$folder/wheels
shift 4

# apt-get with lists, status and cache of its own: the machine's are neither read nor changed.
apt() {
  apt-get -qq -o Dir::State="$folder/apt" -o Dir::State::Lists="$folder/apt/lists" -o Dir::State::status=/dev/null \
    -o Dir::Cache="$folder/apt" -o Dir::Etc::sourcelist="$folder/apt/sources.list" -o Dir::Etc::sourceparts=- \
    -o APT::Architecture="$here" -o APT::Architectures::="$here" -o APT::Architectures::="$architecture" \
    -o APT::Install-Recommends=false -o APT::Sandbox::User="$(id -un)" -o Debug::NoLocking=true "$@"
}

fetch_debian() {
  local keyring=/usr/share/keyrings/debian-archive-keyring.gpg
  local packages=("libpython$version-stdlib:$architecture" "python$version-minimal:$architecture" "libstdc++6:$architecture")
  [ "$architecture" = "$here" ] || packages+=("qemu-user-static:$here")
  mkdir -p "$folder"/apt/{lists,archives}/partial
  echo "deb [signed-by=$keyring] http://deb.debian.org/debian $suite main" > "$folder/apt/sources.list"
  apt update
  # Downloaded with what they need; of that, only what the architecture asked for and the emulator is unpacked.
  apt install --yes --download-only "${packages[@]}"
  mkdir -p "$root.part"
  for package in "$folder"/apt/archives/*.deb; do
    case $package in
      *_"$architecture".deb | *_all.deb | */qemu-user*) dpkg-deb --extract "$package" "$root.part" ;;
    esac
  done
  mv "$root.part" "$root"
}

# What `anim`, the scene file and the stage import. Named one by one: pip cannot weigh the markers of another processor.
fetch_wheels() {
  local -A machines=([amd64]=x86_64 [arm64]=aarch64)
  local platforms=()
  for standard in manylinux_2_28 manylinux_2_27 manylinux_2_17 manylinux2014; do
    platforms+=(--platform "${standard}_${machines[$architecture]}")
  done
  "${PYTHON3:-python3}" -m venv "$folder/tools"
  "$folder/tools/bin/pip" install -qq --disable-pip-version-check --target "$wheels.part" --only-binary=:all: \
    --implementation cp --python-version "$version" "${platforms[@]}" \
    numpy numba pillow pydantic tree-sitter tree-sitter-toml
  mv "$wheels.part" "$wheels"
}

[ -d "$root" ] || fetch_debian
[ -d "$wheels" ] || fetch_wheels

interpreter=$root/usr/bin/python$version
case $architecture in
  "$here") # through the loader of its own C library
    loader=$(find "$root" -name 'ld-linux-*.so.*' -print -quit)
    run=("$loader" --library-path "$(find "$root" -name libc.so.6 -printf '%h:')$(find "$root/usr/lib" -maxdepth 1 -name '*-linux-gnu' -printf '%p')" "$interpreter") ;;
  arm64) run=("$root/usr/bin/qemu-aarch64-static" -L "$root" "$interpreter") ;;
  *) echo "no emulator is named here for $architecture" >&2; exit 2 ;;
esac

cd "$checkout"
# -S: no packages but these. Bytecode and kernels stay in the folder.
export PYTHONPATH=$wheels PYTHONHOME=$root/usr PYTHONPYCACHEPREFIX=$folder/bytecode POSED_CACHE_DIR=$folder/kernels
time "${run[@]}" -S -m tests.golden_runs "$@"
