# awk [-v list=<double_names.txt>] [-v written=1] -f check_names.awk <list of files>
# Fails on a type name that stands for two things: headers of two namespaces define a struct, class, union, enum or alias
# of it. Types inside of classes do not count, nor do forward declarations, nor what authors include (opkit/include).
# `list` has the names that stand for several things today, "<name> <number of namespaces>"; it may only shrink.
# written=1 prints such a list.

BEGIN {
  while (list != "" && (getline line < list) > 0)
    if (line !~ /^#/ && split(line, word, " ") == 2) allowed[word[1]] = word[2] + 0
}

/\.h$/ && !/^opkit\/include\// { read($0) }

# clang-format begins what stands in a namespace in the first column.
function read(file,    line, words, n, space) {
  space = ""
  while ((getline line < file) > 0) {
    n = split(line, words, " ")
    if (line ~ /^namespace [a-z_:]+ \{/) space = words[2]
    else if (line ~ /^(struct|class|union|enum) / && (line !~ /;$/ || line ~ /\{/)) define(type_in(words, n), space, file)
    else if (line ~ /^using [A-Za-z_0-9]+ = / && line !~ ("= ([a-z_]+::)*" words[2] ";")) define(words[2], space, file)
  }
  close(file)
}

# The name behind "struct", "enum class" and attributes or macros.
function type_in(words, n,    i) {
  for (i = 2; i < n && words[i] ~ /^(class|\[\[.*|OPKIT_.*|alignas.*)$/; i++);
  return words[i]
}

function define(name, space, file) {
  sub(/[^A-Za-z0-9_].*/, "", name)
  if (name == "" || ((name, space) in seen)) return
  seen[name, space] = 1
  count[name]++
  where[name] = where[name] sprintf("%s%s::%s (%s)", where[name] == "" ? "" : ", ", space, name, file)
}

END {
  for (name in count) if (count[name] > 1) {
    if (written) print name, count[name]
    else if (!(name in allowed)) wrong(name " names several things: " where[name] "; rename one")
    else if (count[name] > allowed[name])
      wrong(name " names " count[name] " things, and named " allowed[name] ": " where[name] "; rename the new one")
    else if (count[name] < allowed[name]) wrong(name " names " count[name] " things; lower its number in " list)
  }
  if (!written) for (name in allowed) if (count[name] < 2) wrong(name " names one thing; take it out of " list)
  exit failed
}

function wrong(text) { print text | "sort"; failed = 1 }
