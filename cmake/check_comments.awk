# awk -f check_comments.awk FILE...: fails on a comment that begins with "Of" or "The same". Such a comment has no verb and
# cannot be understood without its neighbours (CONTRIBUTING.md). A line that continues a comment may begin with any word.
FNR == 1 { inside = 0 }
{
  text = $0
  begins = !inside && match(text, /(^|[^:"'])(\/\/|\/\*)[ \t]*/)
  inside = text ~ /^[ \t]*\/\// || (text ~ /\/\*/ && text !~ /\*\//) || (inside && text ~ /^[ \t]*\*/ && text !~ /\*\//)
  if (!begins) next
  words = substr(text, RSTART + RLENGTH)
  if (words ~ /^(Of|The same)([^A-Za-z]|$)/) {
    printf "%s:%d: a comment begins with \"%s\"; begin with a verb and name its subject\n", FILENAME, FNR, (words ~ /^Of/ ? "Of" : "The same")
    found = 1
  }
}
END { exit found }
