#!/bin/sh
# merge_tests_test.sh SCRIPT: scripts/merge_tests.py on the files of two small shards.
set -eu
script=$1
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT

fail() { echo "$1" >&2; exit 1; }

cat > "$tree/one.xml" <<'END'
<testsuite name="x" tests="2"><testcase name="A.a" status="run"/><testcase name="A.c" status="run"/></testsuite>
END
cat > "$tree/two.xml" <<'END'
<testsuite name="x" tests="1"><testcase name="A.b" status="run"/></testsuite>
END
cat > "$tree/bad.xml" <<'END'
<testsuite name="x" tests="2"><testcase name="A.b" status="fail"/><testcase name="A.d" status="notrun"/></testsuite>
END

said=$("$script" --of 3 "$tree/one.xml" "$tree/two.xml") || fail "three of three: $said"
case $said in "3 tests of 2 files: 3 passed, 0 failed, 0 did not run") ;; *) fail "$said" ;; esac

# Expects exit code 1 and the words $1 of the files behind.
refused() {
  words=$1
  shift
  if said=$("$script" "$@"); then fail "taken: $said"; fi
  case $said in *"$words"*) ;; *) fail "no '$words' in: $said" ;; esac
}

refused "failed: A.b" "$tree/one.xml" "$tree/bad.xml"
refused "in two files: A.b" "$tree/two.xml" "$tree/bad.xml"
refused "of 3 tests 1 are missing" --of 3 "$tree/one.xml"
