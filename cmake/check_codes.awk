# check_codes.awk files.txt: holds the error codes that the sources name against the rows of opkit/base/codes/*.def. Fails on a
# code without a row, on a second row of a code, on a row whose name is not its code, on a row that no source names, and
# on a cause of a code without a row.
# Names of files are relative to the current folder. Codes stay plain text in the sources, so that grep finds them and a
# new row compiles one file (docs/decisions/0016).

function fail(text) { print "error codes: " text > "/dev/stderr"; bad = 1 }

# OPKIT_CODE(OPK_CLI_014, "OPK-CLI-014",
function read_row(file, line, text, words, name) {
  if (text !~ /^OPKIT_CODE\(/) return
  if (split(text, words, /[(,"][(," ]*/) < 3) { fail(file ":" line ": a row begins with OPKIT_CODE(NAME, \"CODE\","); return }
  name = words[3]
  gsub(/-/, "_", name)
  if (words[2] != name) fail(file ":" line ": the row of " words[3] " is named " words[2])
  if (words[3] in row) fail(file ":" line ": " words[3] " has a row already, " row[words[3]])
  row[words[3]] = file ":" line
}

# OPKIT_CAUSE(kHostLacks, "OPK-WORKER-001")
function read_cause(file, line, text, words) {
  if (text ~ /^OPKIT_CAUSE\(/ && split(text, words, "\"") == 3) caused[words[2]] = file ":" line
}

function read_use(file, line, text, code) {
  while (match(text, /(OPK-[A-Z]+-[0-9][0-9][0-9]|EK1[0-9][0-9][0-9]|"E1[0-9][0-9][0-9][0-9]"|"EZ[0-9][0-9][0-9][0-9]")/)) {
    code = substr(text, RSTART, RLENGTH)
    gsub(/"/, "", code)
    text = substr(text, RSTART + RLENGTH)
    if (text ~ /^[0-9]/) { fail(file ":" line ": " code "... has too many digits for a code"); continue }
    if (!(code in use)) use[code] = file ":" line
  }
}

function read_file(file, line, text, is_table) {
  is_table = file ~ /^opkit\/base\/codes\/.*\.def$/
  line = 0
  while ((getline text < file) > 0) {
    ++line
    if (is_table) { read_row(file, line, text); read_cause(file, line, text) }
    else if (index(text, "OPK-") || index(text, "EK1") || index(text, "\"E")) read_use(file, line, text)
  }
  close(file)
}

NF { read_file($0) }

END {
  for (code in caused) if (!(code in row)) fail(caused[code] ": " code " has no row")
  for (code in use) if (!(code in row)) fail(use[code] ": " code " has no row in opkit/base/codes; what does it mean, and what cures it?")
  for (code in row) if (!(code in use)) fail(row[code] ": no source names " code)
  exit bad
}
