#!/bin/sh
# changes.sh --check | --show | VERSION DATE: the fragments of changes/ (changes/README.md) checked, printed, or collected
# into CHANGELOG.md as a release, after which they are removed. OPKIT_CHANGES names another folder than the checkout.
set -eu
cd "${OPKIT_CHANGES:-$(dirname "$0")/..}"

fragments() { find changes -mindepth 1 ! -path changes/README.md | LC_ALL=C sort; }

# Prints a line for every fault of a fragment.
faults_of() {
  case ${1#changes/} in
    */*) echo "$1: fragments lie in changes/ itself"; return ;;
    -*|.*|*[!a-z0-9.-]*|*.*.*.*) echo "$1: name it <slug>.<added|changed|fixed>.md, the slug of a-z, 0-9 and -"; return ;;
    ?*.added.md|?*.changed.md|?*.fixed.md) ;;
    *) echo "$1: name it <slug>.<added|changed|fixed>.md"; return ;;
  esac
  [ -f "$1" ] && [ ! -L "$1" ] || { echo "$1: is no plain file"; return; }
  awk -v file="$1" '
    length > 120 { printf "%s:%d: %d characters; write at most 120\n", file, FNR, length }
    /^(#|- |\* )/ { printf "%s:%d: begins with \"%s\"; write plain sentences\n", file, FNR, $1 }
    /[^ \t]/ { words = 1 }
    END { if (!words) printf "%s: is empty; say what a user sees\n", file }' "$1"
}

check() {
  faults=$(fragments | while IFS= read -r file; do faults_of "$file"; done)
  [ -z "$faults" ] && return
  echo "$faults" >&2
  exit 1
}

# Prints the fragments of a kind under its heading.
part() {
  set -- "$1" "$2" $(fragments | grep "\.$2\.md\$" || true)
  [ $# -gt 2 ] || return 0
  printf '\n### %s\n\n' "$1"
  shift 2
  awk 'FNR == 1 { first = 1 }
       /[^ \t]/ { sub(/^[ \t]+/, ""); sub(/[ \t]+$/, ""); print (first ? "- " : "  ") $0; first = 0 }' "$@"
}

parts() { part Added added; part Changed changed; part Fixed fixed; }

# Puts the release in front of the last one, or at the end of a page that has none.
release() {
  [ -n "$(fragments)" ] || { echo "changes.sh: changes/ holds no fragment, so there is nothing to release" >&2; exit 1; }
  if grep -q "^## $1 " CHANGELOG.md; then echo "changes.sh: CHANGELOG.md has a release $1 already" >&2; exit 1; fi
  { printf '## %s (%s)\n' "$1" "$2"; parts; echo; } > CHANGELOG.md.part
  awk 'NR == FNR { made = made $0 "\n"; next }
       /^## / && !done { printf "%s", made; done = 1 }
       { print }
       END { if (!done) printf "\n%s", made }' CHANGELOG.md.part CHANGELOG.md > CHANGELOG.md.new
  mv CHANGELOG.md.new CHANGELOG.md
  rm CHANGELOG.md.part
  fragments | while IFS= read -r file; do rm "$file"; done
}

usage() { echo "usage: changes.sh --check | --show | VERSION YYYY-MM-DD" >&2; exit 2; }

case "$#:${1-}:${2-}" in
  1:--check:) check; echo "changes: $(fragments | wc -l) fragments clean" ;;
  1:--show:) check; parts ;;
  2:[0-9]*.[0-9]*.[0-9]*:[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]) check; release "$1" "$2" ;;
  *) usage ;;
esac
