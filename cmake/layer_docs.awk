# layer_docs.awk layers.map docs/architecture.md: prints the page with the picture and the table of layers made anew
# between its two marks. A layer stands one row above the highest layer that it uses.

function depth(layer, next_uses, count, i, deepest, d) {
  if (layer in depth_of) return depth_of[layer]
  depth_of[layer] = 0  # a cycle ends here; the check reports it
  count = split(uses[layer], next_uses, " ")
  for (i = 1; i <= count; ++i) {
    d = depth(next_uses[i]) + 1
    if (d > deepest) deepest = d
  }
  return depth_of[layer] = deepest + 0
}

function short(layer) { sub(/^opkit\//, "", layer); return layer }

function picture(row, i, line, highest, name) {
  highest = 0
  for (i = 1; i <= layer_count; ++i) if (depth(order[i]) > highest) highest = depth(order[i])
  print "```"
  for (row = highest; row >= 0; --row) {
    line = ""
    for (i = 1; i <= layer_count; ++i) {
      if (is_sublayer[order[i]] || depth(order[i]) != row) continue
      name = short(order[i])
      line = line (line == "" ? "" : " · ") name
    }
    if (line != "") printf "%3d  %s\n", row, line
  }
  print "```"
}

# A row of more than 200 characters says "see below": the list stands behind the table, in lines that people can read.
function table(i, layer, row, long_ones) {
  print ""
  print "| layer | holds | may use |"
  print "|---|---|---|"
  for (i = 1; i <= layer_count; ++i) {
    layer = order[i]
    row = sprintf("| %s`%s` | %s | %s |", is_sublayer[layer] ? "&nbsp;&nbsp;" : "", layer, holds[layer], \
      named[layer] == "" ? (is_sublayer[layer] ? "what its layer uses" : "nothing") : named[layer])
    if (length(row) > 200) {
      row = sprintf("| `%s` | %s | see below |", layer, holds[layer])
      long_ones = long_ones " " layer
    }
    print row
  }
  lists(long_ones)
}

function lists(layers, names, words, count, i, n, k, line) {
  count = split(layers, names, " ")
  for (i = 1; i <= count; ++i) {
    print ""
    line = "`" names[i] "` may use"
    n = split(named[names[i]], words, " ")
    for (k = 1; k <= n; ++k) {
      if (length(line) + length(words[k]) > 118) { print line; line = words[k] } else line = line " " words[k]
    }
    print line "."
  }
}

FILENAME == ARGV[1] && ($1 == "layer" || $1 == "sublayer") {
  layer = $2
  order[++layer_count] = layer
  is_sublayer[layer] = $1 == "sublayer"
  $1 = ""; $2 = ""
  sub(/^ +/, "")
  holds[layer] = $0
  gsub(/<<<>>>/, "`<<<>>>`", holds[layer])
}
FILENAME == ARGV[1] && $1 == "use" {
  uses[$2] = uses[$2] " " $3
  named[$2] = named[$2] (named[$2] == "" ? "" : ", ") short($3)
}
FILENAME == ARGV[2] {
  if ($0 == "<!-- layers: end -->") inside = 0
  if (!inside) print
  if ($0 == "<!-- layers: begin, made by cmake/layer_docs.awk -->") { inside = 1; picture(); table() }
}
