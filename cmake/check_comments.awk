# awk -f check_comments.awk FILE...: fails on a comment that begins with "of" or "the same", in capitals or not, on a
# line of its own or behind code. Such a comment has no verb and cannot be understood without its neighbours
# (CONTRIBUTING.md). A line that continues a comment may begin with any word: it stands below one that has nothing else,
# below the beginning of one behind code, or within /* */.
FNR == 1 { whole = block = 0; column = 0 }
{
  text = $0
  alone = text ~ /^[ \t]*\/\//
  at = match(text, /(^|[^:"'])(\/\/|\/\*)[ \t]*/) ? RSTART + RLENGTH : 0
  continues = block || (alone && (whole || column == at))
  if (!block) block = at && substr(text, RSTART, RLENGTH) ~ /\/\*/
  if (block && text ~ /\*\//) block = 0
  whole = alone
  column = at
  if (continues || !at) next
  words = substr(text, at)
  if (words ~ /^([Oo]f|[Tt]he same)([^A-Za-z]|$)/) {
    printf "%s:%d: a comment begins with \"%s\"; begin with a verb and name its subject\n", FILENAME, FNR, (words ~ /^[Oo]f/ ? substr(words, 1, 2) : substr(words, 1, 8))
    found = 1
  }
}
END { exit found }
