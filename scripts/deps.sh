#!/bin/sh
# deps.sh PACKAGE...: installs the Debian packages that are missing. Does nothing when all are there.
set -eu
missing=""
for package in "$@"; do
  dpkg-query -W -f '${Status}' "$package" 2>/dev/null | grep -q "ok installed" || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
echo "installing:$missing"
[ "$(id -u)" = 0 ] || { echo "make deps needs root for apt-get; run it once with sudo" >&2; exit 1; }
apt-get update -q
# shellcheck disable=SC2086
DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
