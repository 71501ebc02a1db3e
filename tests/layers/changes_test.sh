#!/bin/sh
# changes_test.sh SCRIPT: scripts/changes.sh on a small folder: bad fragments are named, good ones become a release.
set -eu
script=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
export OPKIT_CHANGES="$tree"
mkdir "$tree/changes"
echo "# Changes" > "$tree/changes/README.md"
printf '# Changelog\n\n## 0.1.0 (2026-01-01)\n\n- First.\n' > "$tree/CHANGELOG.md"

fail() { echo "$1" >&2; exit 1; }

# Expects that the check fails and says $2 when changes/$1 holds $3.
refused() {
  printf '%s' "$3" > "$tree/changes/$1"
  if said=$(sh "$script" --check 2>&1); then fail "taken: $1"; fi
  case $said in *"changes/$1"*"$2"*) ;; *) fail "for $1: $said" ;; esac
  if sh "$script" 0.2.0 2026-02-02 >/dev/null 2>&1; then fail "released in spite of $1"; fi
  rm "$tree/changes/$1"
}

refused "Capital.added.md" "name it" "Words."
refused "two_words.added.md" "name it" "Words."
refused "clip.mended.md" "name it" "Words."
refused "clip.fixed.txt" "name it" "Words."
refused ".fixed.md" "name it" "Words."
refused "clip.a.fixed.md" "name it" "Words."
refused "clip.fixed.md" "is empty" ""
refused "clip.fixed.md" "is empty" "  
"
refused "clip.fixed.md" "plain sentences" "- Words."
refused "clip.fixed.md" "at most 120" "$(printf '%0121d' 0)"

sh "$script" --check | grep -q "0 fragments clean" || fail "an empty folder is clean"
if sh "$script" 0.2.0 2026-02-02 2>/dev/null; then fail "released nothing"; fi

printf 'Clip was dropped.\n' > "$tree/changes/clip.fixed.md"
printf 'A command: `opkit tune`.\nIt searches.\n' > "$tree/changes/tune.added.md"
printf 'Another.' > "$tree/changes/another.added.md"
sh "$script" --check | grep -q "3 fragments clean" || fail "good fragments are refused"
if sh "$script" 0.1.0 2026-02-02 2>/dev/null; then fail "released twice"; fi
if sh "$script" next 2026-02-02 2>/dev/null; then fail "released without a number"; fi
sh "$script" 0.2.0 2026-02-02
diff - "$tree/CHANGELOG.md" <<'END' || fail "the page is another one"
# Changelog

## 0.2.0 (2026-02-02)

### Added

- Another.
- A command: `opkit tune`.
  It searches.

### Fixed

- Clip was dropped.

## 0.1.0 (2026-01-01)

- First.
END
[ "$(ls "$tree/changes")" = README.md ] || fail "fragments are left"
[ "$(ls "$tree")" = "$(printf 'CHANGELOG.md\nchanges')" ] || fail "other files are left"
