#!/bin/sh
# package_test.sh FOLDER [ROOT]: tests the Debian packages in a folder (`make package`) by README's five minutes, an
# application with find_package(opkit) and the Python modules.
#   without ROOT  the packages are unpacked and used where they lie: what continuous integration does, in a minute
#   with ROOT     apt installs them in a bare Debian below that folder, which debootstrap makes if it is not there; needs
#                 root, the package debootstrap and a Debian mirror. Afterwards they are removed and nothing may be left.
set -eu
source=$(cd "$(dirname "$0")/.." && pwd)
packages=$(cd "$1" && pwd)
root=${2:-}

say() { printf '\n== %s\n' "$*"; }
fail() { echo "package_test.sh: $*" >&2; exit 1; }

check_contents() {
  say "contents"
  for package in "$packages"/opkit_*.deb; do
    dpkg-deb -c "$package" > "$work/contents.txt"
    if grep -q '\.gch' "$work/contents.txt"; then fail "$package holds precompiled headers"; fi
    case $package in */opkit_mpi_*) grep -q '/libopkit_mpi\.so$' "$work/contents.txt" || fail "$package lacks its library" ;; esac
    echo "$(basename "$package"): $(wc -c < "$package" | awk '{ printf "%.1f MB", $1 / 1e6 }'), needs $(dpkg-deb -f "$package" Depends)"
  done
}

# Writes a script of the commands of README's five minutes and what else a user does, for a folder with application/.
write_steps() {
  {
    echo 'set -eux; export ASCEND_OPP_PATH="$PWD/opp"'
    awk '/^## /{ inside = $0 == "## Five minutes" } inside && /^    opkit /' "$source/README.md"
    echo 'test -s z.npy'
    echo 'cmake -G Ninja -S application -B application/build && cmake --build application/build'
    echo 'application/build/make_net'
    echo 'test "$(application/build/run_net)" = "0 0.5 0 3"'
    echo 'opkit cc --help > help.txt; test -s help.txt'
    echo 'if command -v mpirun > mpirun.txt && [ -n "${MPI_PACKAGE:-}" ]; then mpirun --allow-run-as-root --oversubscribe -n 2 opkit test --all --tier smoke --random 0; fi'
    echo 'if /usr/bin/python3 -c "import numpy" 2> python.txt; then /usr/bin/python3 -c "import acl, opkit; assert acl.init() == 0"; fi'
  } > "$1"
  [ "$(grep -c '^    opkit' "$1")" -ge 6 ] || fail "README's five minutes have fewer than six commands of opkit"
}

use_unpacked() {
  for package in "$packages"/opkit_*.deb; do dpkg-deb -x "$package" "$work/unpacked"; done
  prefix=$work/unpacked/opt/opkit
  if ls "$packages"/opkit_mpi_*.deb > /dev/null 2>&1; then export MPI_PACKAGE=1; fi
  say "README's five minutes and an application, unpacked"
  cd "$work/home"
  PATH="$prefix/bin:$PATH" CMAKE_PREFIX_PATH="$prefix" PYTHONPATH="$prefix/lib/opkit/python" LD_LIBRARY_PATH="$prefix/lib" sh ../steps.sh
}

# Runs a command in the bare root, which sees processes and devices for as long as the command lasts.
inside() {
  unshare --mount sh -c 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && exec chroot "$0" sh -c "$1"' "$root" "$1"
}

use_installed() {
  [ "$(id -u)" = 0 ] || fail "a root of its own needs root"
  if [ ! -e "$root/etc/debian_version" ]; then
    say "a bare Debian in $root"
    debootstrap --variant=minbase bookworm "$root"
  fi
  rm -rf "$root/tmp/test"
  mkdir -p "$root/tmp/test"
  cp -r "$packages"/opkit_*.deb "$work/home" "$work/steps.sh" "$root/tmp/test"
  say "apt install ./opkit_*.deb"
  inside 'cd /tmp/test && apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends ./opkit_*.deb'
  [ -e "$root/opt/opkit/include/opkit/precompiled/digest.txt" ] || fail "the headers were not precompiled"
  say "README's five minutes and an application, installed"
  if ls "$packages"/opkit_mpi_*.deb > /dev/null 2>&1; then mpi=1; else mpi=; fi
  inside "cd /tmp/test/home && MPI_PACKAGE=$mpi sh ../steps.sh"
  say "apt remove"
  inside 'DEBIAN_FRONTEND=noninteractive apt-get remove -q -y opkit opkit-runtime python3-opkit "opkit-mpi*"'
  for left in opt/opkit usr/bin/opkit etc/ld.so.conf.d/opkit.conf usr/lib/python3/dist-packages/opkit.pth; do
    if [ -e "$root/$left" ] || [ -L "$root/$left" ]; then fail "removed packages leave /$left"; fi
  done
}

ls "$packages"/opkit_*.deb > /dev/null || fail "no packages in $packages; make package makes them"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/home"
cp -r "$source/tests/e2e/cmake_projects/find_package" "$work/home/application"
write_steps "$work/steps.sh"
check_contents
if [ -n "$root" ]; then use_installed; else use_unpacked; fi
say "the packages are good"
