# check_layers.awk layers.map files.txt: reads every include of the files, which are named relative to the current
# folder, and fails on one that the layer map does not allow, and on a knot: modules (a header and its source are one)
# that include one another in a circle. The map's lines are written by OpkitLayers.cmake; a layer has no knot but where
# the map names the size of its largest one, which may only shrink.
#
# Seen as includes: "x" and <x>, with any white space, behind block comments, spelled with %:, split by a backslash, and
# #include_next, #include of a macro. A name is looked up beside the file, from the repository's root and from the
# folder of author headers, as the compilers do.

function parent_of(folder) { return substr(folder, 1, match(folder, /\/[^\/]*$/) - 1) }

function fail(text) { print "layer map: " text > "/dev/stderr"; bad = 1 }

# The longest folder of the map that holds the path; "" = none.
function layer_of(path, folder) {
  folder = path
  while (match(folder, /\/[^\/]*$/)) {
    folder = substr(folder, 1, RSTART - 1)
    if (folder in holds) return folder
  }
  return ""
}

function reach(from, to, next_uses, count, i) {
  if ((from, to) in allowed) return
  allowed[from, to] = 1
  count = split(uses[to], next_uses, " ")
  for (i = 1; i <= count; ++i) reach(from, next_uses[i])
}

# Depth first; a layer that is met again while it is open uses itself in the end.
function find_cycle(layer, path, next_uses, count, i) {
  if (state[layer] == 2) return
  if (state[layer] == 1) { fail("a cycle: " path " > " layer); return }
  state[layer] = 1
  count = split(uses[layer], next_uses, " ")
  for (i = 1; i <= count; ++i) find_cycle(next_uses[i], path " > " layer)
  state[layer] = 2
}

function finish_map(layer, count, i, all, owner) {
  for (layer in is_sublayer) {
    owner = parent_of(layer)
    while (owner != "" && !(owner in holds)) owner = parent_of(owner)
    if (owner == "") { fail("sublayer " layer " has no layer above it"); continue }
    uses[layer] = uses[layer] " " uses_of_layer[owner]
    uses[owner] = uses[owner] " " layer
    above[layer] = owner
  }
  for (layer in holds) {
    if (holds[layer] == "") fail(layer " does not say what it HOLDS")
    count = split(uses[layer], all, " ")
    for (i = 1; i <= count; ++i)
      if (!(all[i] in holds)) fail(layer " uses " all[i] ", which is no layer")
  }
  for (layer in holds) find_cycle(layer, "")
  for (layer in holds) reach(layer, layer)
}

# The file of the repository that an include names; "" = none of them.
function resolve(name, file, beside) {
  beside = parent_of(file) "/" name
  if (beside in known) return beside
  if (name in known) return name
  if (("opkit/include/" name) in known) return "opkit/include/" name
  return ""
}

function top_of(layer) { while (layer in above) layer = above[layer]; return layer }

function may_include_library(layer, library, used, count, i) {
  layer = top_of(layer)
  if ((layer, library) in links) return 1
  for (used in holds)
    if (((layer, used) in allowed) && ((used, library) in links) && links[used, library] == "public") return 1
  return 0
}

function judge_library(file, line, name, layer, prefix) {
  for (prefix in library_of)
    if (index(name, prefix) == 1 && !may_include_library(layer, library_of[prefix]))
      fail(file ":" line ": " layer " includes <" name "> of " library_of[prefix] ", which it does not link")
}

function judge(file, line, name, layer, path, target) {
  layer = layer_of(file)
  if (layer == "") { fail(file ": its folder is no layer"); return }
  if (name ~ /(^|\/)\.\.?\//) { fail(file ":" line ": the relative include " name "; name it from the root"); return }
  path = resolve(name, file)
  if (path == "" && name ~ /^(opkit|registry|tests|ops|templates)\//) path = name
  if (path == "") { judge_library(file, line, name, layer); return }
  if (path in known) note_edge(module_of(file), module_of(path), file ":" line)
  target = layer_of(path)
  if (!((layer, target) in allowed)) fail(file ":" line ": " layer " includes " path)
}

function module_of(path) { sub(/\.[^.\/]*$/, "", path); return path }

function note_edge(from, to, place) {
  if (from == to || (from, to) in edge_place) return
  if (!(from in edge_count)) modules[++module_count] = from
  edge[from, ++edge_count[from]] = to
  edge_place[from, to] = place
}

function enter(module) {
  number[module] = lowest[module] = ++visited
  open_modules[++open_count] = module
  is_open[module] = 1
  way[++depth] = module
}

# Finds knots as Tarjan does: a module closes one when nothing that it reaches reaches further back. The way to a module
# is kept by hand: awk's own stack is small.
function find_knots(first, module, other) {
  enter(first)
  while (depth > 0) {
    module = way[depth]
    if (looked_at[module] < edge_count[module]) {
      other = edge[module, ++looked_at[module]]
      if (!(other in number)) enter(other)
      else if (is_open[other] && number[other] < lowest[module]) lowest[module] = number[other]
      continue
    }
    --depth
    if (depth > 0 && lowest[module] < lowest[way[depth]]) lowest[way[depth]] = lowest[module]
    if (lowest[module] == number[module]) close_knot(module)
  }
}

function close_knot(first, module, members, size) {
  do {
    module = open_modules[open_count--]
    is_open[module] = 0
    members = " " module members
    ++size
  } while (module != first)
  if (size > 1) judge_knot(layer_of(first), members, size)
}

function judge_knot(layer, members, size, all, i) {
  if (size > largest_knot[layer]) largest_knot[layer] = size
  if (size <= knot_size[layer] + 0) return
  fail("a knot of " size " modules in " layer (knot_size[layer] ? ", whose largest one has " knot_size[layer] : "") ":")
  split(members, all, " ")
  for (i = 1; i <= size; ++i) print "  " all[i] " includes" within(all[i], members) > "/dev/stderr"
}

# Tells what a module includes of a knot, and where: " opkit/a/b (b.h:3), ...".
function within(module, members, other, i, text, place) {
  for (i = 1; i <= edge_count[module]; ++i) {
    other = edge[module, i]
    if (!index(members " ", " " other " ")) continue
    place = edge_place[module, other]
    sub(/.*\//, "", place)
    text = text (text == "" ? " " : ", ") other " (" place ")"
  }
  return text
}

function judge_knots(layer, n) {
  for (n = 1; n <= module_count; ++n) if (!(modules[n] in number)) find_knots(modules[n])
  for (layer in knot_size) {
    if (!(layer in holds)) fail("opkit_knot names " layer ", which is no layer")
    else if (!(layer in largest_knot)) fail(layer " has no knot: take its opkit_knot out of the map")
    else if (largest_knot[layer] < knot_size[layer])
      fail("the largest knot of " layer " has " largest_knot[layer] " modules, the map says " knot_size[layer] ": lower the number")
  }
}

function judge_line(file, line, text, name) {
  gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, " ", text)
  if (text !~ /^[ \t]*(#|%:)[ \t]*include/) return
  sub(/^[ \t]*(#|%:)[ \t]*include(_next)?[ \t]*/, "", text)
  if (text ~ /^["<]/) {
    name = substr(text, 2)
    sub(/[">].*$/, "", name)
    judge(file, line, name)
  } else {
    fail(file ":" line ": an include through a macro: " text)
  }
}

function read_file(file, text, more, line, start) {
  line = 0
  while ((getline text < file) > 0) {
    start = ++line
    while (text ~ /\\$/ && (getline more < file) > 0) {
      text = substr(text, 1, length(text) - 1) more
      ++line
    }
    if (index(text, "include")) judge_line(file, start, text)
  }
  close(file)
}

function words_from(first, text, i) {
  text = ""
  for (i = first; i <= NF; ++i) text = text (i > first ? " " : "") $i
  return text
}

FILENAME == ARGV[1] && $1 == "layer" { holds[$2] = words_from(3) }
FILENAME == ARGV[1] && $1 == "sublayer" { holds[$2] = words_from(3); is_sublayer[$2] = 1 }
FILENAME == ARGV[1] && $1 == "use" { uses[$2] = uses[$2] " " $3; uses_of_layer[$2] = uses_of_layer[$2] " " $3 }
FILENAME == ARGV[1] && $1 == "knot" { knot_size[$2] = $3 }
FILENAME == ARGV[1] && $1 == "links" { links[$2, $3] = $4 }
FILENAME == ARGV[1] && $1 == "library" { library_of[$3] = $2 }
FILENAME == ARGV[2] && NF { known[$0] = 1; order[++file_count] = $0 }

END {
  finish_map()
  for (n = 1; n <= file_count; ++n) read_file(order[n])
  judge_knots()
  if (bad) print "layer map: the map is in opkit/CMakeLists.txt and its neighbours; move the code, or change the map with a reason" > "/dev/stderr"
  exit bad
}
