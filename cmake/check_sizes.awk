# awk [-v list=FILE] [-v written=1] -f check_sizes.awk SOURCE...: fails on C++ files over 350 lines and on functions over 40.
# `list` names those that exist and may only shrink: "<path> <lines>" for a file, "<path> <function> <lines>" for a function.
# A number in it that is not what the source has fails, too: above, it would let the source grow again. With written=1 such
# a list is printed and nothing is judged.
#
# A function counts from the first line of its head to the line of its last brace. Its head is what stands since the last
# ';' or brace of a namespace or class; lambdas and classes inside a function belong to it. Text, comments and
# preprocessor lines hold no braces.
BEGIN {
  if (!file_limit) file_limit = 350
  if (!function_limit) function_limit = 40
  while (list != "" && (getline line < list) > 0) {
    if (line ~ /^#/ || line ~ /^[ \t]*$/) continue
    count = split(line, word, " ")
    key = word[1] (count == 3 ? " " word[2] : "")
    allowed[key] = word[count] + 0
  }
}
FNR == 1 { end_file(); begin_file() }
{ lines = FNR; read_line($0) }
END { end_file(); finish() }

function begin_file() {
  file = FILENAME
  depth = 0; parens = 0; head = ""; head_line = 0
  comment = 0; raw = ""; directive = 0; body = 0; data = 0
}

function end_file() {
  if (file == "") return
  if (lines > file_limit) measured(file, lines)
  for (name in longest) measured(file " " name, longest[name])
  split("", longest)
}

function measured(key, size) {
  size_of[key] = size
  order[++keys] = key
}

# Strips what holds no braces, then walks from one brace, parenthesis or semicolon to the next.
function read_line(text,   continues, place, mark) {
  if (raw != "") {
    if (!(place = index(text, raw))) return
    text = substr(text, place + length(raw))
    raw = ""
  }
  continues = text ~ /\\$/
  if (directive || (!comment && text ~ /^[ \t]*#/)) { directive = continues; return }
  text = without_text(text)
  while (match(text, /[{}();]/)) {
    mark = substr(text, RSTART, 1)
    before(substr(text, 1, RSTART - 1))
    text = substr(text, RSTART + 1)
    meet(mark)
  }
  before(text)
}

# Drops comments, literals and raw strings of a line, and notes a comment or raw string that goes on.
function without_text(text,   kept, mark, rest, delimiter) {
  kept = ""
  if (comment) {
    if (!match(text, /\*\//)) return ""
    text = substr(text, RSTART + 2)
    comment = 0
  }
  while (match(text, /R"[^( ]*\(|"|'|\/\/|\/\*/)) {
    mark = substr(text, RSTART, RLENGTH)
    rest = substr(text, RSTART + RLENGTH)
    kept = kept substr(text, 1, RSTART - 1)
    if (mark == "//") return kept
    if (mark == "/*") {
      if (!match(rest, /\*\//)) { comment = 1; return kept }
      text = " " substr(rest, RSTART + 2)
    } else if (mark ~ /^R/) {
      delimiter = ")" substr(mark, 3, length(mark) - 3) "\""
      if (!index(rest, delimiter)) { raw = delimiter; return kept "0" }
      text = "0" substr(rest, index(rest, delimiter) + length(delimiter))
    } else if (mark == "'" && kept ~ /[0-9a-fA-F]$/) {
      text = rest  # it parts the digits of a number
    } else {
      text = "0" behind_literal(rest, mark)
    }
  }
  return kept text
}

# Returns what stands behind the mark that closes a literal; nothing when none does.
function behind_literal(text, mark,   closing) {
  closing = mark == "'" ? "['\\\\]" : "[\"\\\\]"
  while (match(text, closing)) {
    if (substr(text, RSTART, 1) == mark) return substr(text, RSTART + 1)
    text = substr(text, RSTART + 2)
  }
  return ""
}

function before(text) {
  if (body || data) return
  gsub(/(^|[ \t])(public|private|protected):/, " ", text)
  if (text !~ /[^ \t]/) { if (head != "") head = head " "; return }
  # A macro that needs no semicolon is no part of what follows.
  if (parens == 0 && head ~ /^[ \t]*[A-Z][A-Z0-9_]*\(.*\)[ \t]*$/ && text ~ /^[ \t]*[A-Za-z_]/) head = ""
  if (head !~ /[^ \t]/) head_line = FNR
  head = head text
}

function meet(mark) {
  if (body || data) return inside(mark)
  if (mark == "{") return open_brace()
  if (mark == "(") parens++
  if (mark == ")") parens--
  if (mark == "}" && depth > 0) depth--
  if (mark == "}" || (mark == ";" && parens == 0)) { head = ""; parens = 0; return }
  head = head mark
}

# Counts the braces of a function or of data up to the last one.
function inside(mark) {
  if (mark == "{") nested++
  if (mark != "}" || --nested > 0) return
  if (body) {
    if (FNR - head_line + 1 > function_limit && FNR - head_line + 1 > longest[name_of(head)])
      longest[name_of(head)] = FNR - head_line + 1
    head = ""
  } else {
    head = head "}"
  }
  body = 0
  data = 0
}

function open_brace() {
  if (parens == 0 && is_scope(head)) { depth++; head = ""; return }
  nested = 1
  if (parens == 0 && is_function(head)) body = 1
  else data = 1
}

function is_scope(text) {
  sub(/^[ \t]*/, "", text)
  if (text ~ /^(inline[ \t]+)?namespace/ || text ~ /^extern[ \t]+0[ \t]*$/) return 1
  while (sub(/^template[ \t]*<[^;{]*>[ \t]*(class|struct|union)/, "class", text)) continue
  return text ~ /^(typedef[ \t]+|static[ \t]+|const[ \t]+)*(class|struct|union|enum)([ \t]|$)/ && text !~ /\)[ \t]*(const|noexcept|override)?[ \t]*$/
}

function is_function(text) {
  if (text !~ /\(/ || text ~ /[=,(]0?[ \t]*$/ || text ~ /[^=!<>]=[^=][^()]*$/) return 0
  return text !~ /\)[ \t]*(noexcept[ \t]*)?:[^:].*[A-Za-z0-9_>][ \t]*$/ # a member initialised in braces follows
}

# Returns the word before the head's first parenthesis; of a test, its suite and its name.
function name_of(text,   words) {
  if (text ~ /TEST(_[FP])?\(/) {
    sub(/.*TEST(_[FP])?\(/, "", text)
    sub(/\).*/, "", text)
    gsub(/[ \t]/, "", text)
    sub(/,/, ".", text)
    return text
  }
  sub(/^.*operator[ \t]*\(\)/, "operator", text)
  sub(/\(.*/, "", text)
  sub(/[ \t]*$/, "", text)
  sub(/.*[ \t*&]/, "", text)
  return text == "" ? "unnamed" : text
}

function finish(   number, key) {
  for (number = 1; number <= keys; number++) {
    key = order[number]
    if (written) { printf "%s %d\n", key, size_of[key]; continue }
    if (!(key in allowed)) complain(key, size_of[key] " lines, more than " (key ~ / / ? function_limit : file_limit))
    else if (size_of[key] > allowed[key]) complain(key, size_of[key] " lines; it had " allowed[key] " and may only shrink")
    else if (size_of[key] < allowed[key]) complain(key, size_of[key] " lines; lower its " allowed[key] " in " list)
  }
  if (!written) for (key in allowed) if (!(key in size_of)) complain(key, "no longer too long; take it out of " list)
  exit found
}

function complain(key, text) {
  sub(/ /, ": ", key)
  print key ": " text
  found = 1
}
