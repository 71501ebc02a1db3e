#!/bin/sh
# check_comments_test.sh CHECKER: comments that begin with "of" or "the same", in capitals or not, are found, and
# nothing else is.
set -eu
checker=$1
file=$(mktemp)
trap 'rm -f "$file"' EXIT
failures=0

# expect VERDICT TEXT: the text is accepted (ok), or refused at the line of VERDICT.
expect() {
  printf '%b\n' "$2" > "$file"
  if awk -f "$checker" "$file" > /dev/null; then found=ok; else found=$(awk -f "$checker" "$file" | sed 's/^[^:]*:\([0-9]*\):.*/\1/' | tr '\n' ' ' | sed 's/ $//'); fi
  [ "$found" = "$1" ] || { echo "expected $1, got $found: $2"; failures=$((failures + 1)); }
}

expect ok '// Returns the size.\nint size();'
expect ok '// Returns the size.\n// Of a list, that is.\nint size();'
expect ok '// Offsets in bytes.\nint x;  // often'
expect ok 'const char* text = "// Of nothing";'
expect ok '/* Returns the size.\n * Of a list, that is. */'
expect 1 '// Of a list.\nint size();'
expect 2 'int a;\nint size;  // The same in bytes'
expect '2 4' 'int a;\n/* Of this thread. */\nint b;\n  // The same, later.'
expect ok 'int size;  // offers room\nint a;  // thesame'
expect ok 'int size;  // counts the bytes\n           // of a list'
expect ok '/* Returns the size\n   of a list. */\nint size();'
expect ok '// See ops/*.h.\n// of lists'
expect 2 'int a;\nint size;  // of a list'
expect 1 'int size;    /* of a list */'
expect 1 '// the same in bytes\nint size();'
expect 2 '// Returns the size.\nint size();  // of a list'
expect 2 'int size;  // counts the bytes\nint a;     // of a list'
expect '2 3' 'int size;  // counts the bytes\n  // of a list\nint a;  // of nothing'
expect 3 '/* Counts\n   bytes. */\nint size;  // of a list'
expect 3 '// Returns the size.\nint size();\n// Of nothing.'
exit $((failures != 0))
