# op_lines.awk: what op_lines.sh hands over, as two tables.
function base(path) { sub(/.*\//, "", path); return path }

$1 == "@ops" { ops[$2] = $3; order[++folders] = $2; next }
$1 == "@contract" { contract[$2] = $3; next }
$1 == "@file" { folder = $2; next }
{
  gsub(/^[ \t]+|[ \t]+$/, "")
  if ($0 == "" || $0 ~ /^(\/\/|#[^a-z]|# )/) next
  ++lines[folder]
  if ($0 ~ /^[][{}();,. ]*$/ || $0 ~ /^#(include|ifndef|define|endif)/ || $0 ~ /^}? ?(\/\/ )?(using )?namespace/ ||
      $0 ~ /^(public|private):$/ || $0 ~ /^(cmake_minimum_required|project|find_package|return)/) next
  if (!(($0, folder) in times)) having[$0] = having[$0] folder "\n"
  ++times[$0, folder]
}

function pair(a, b) { return a < b ? a SUBSEP b : b SUBSEP a }

END {
  for (line in having) {
    n = split(having[line], who, "\n") - 1
    for (i = 1; i < n; ++i)
      for (k = i + 1; k <= n; ++k) {
        x = times[line, who[i]]; y = times[line, who[k]]
        common[pair(who[i], who[k])] += x < y ? x : y
      }
  }
  print "| Project | Ops | Lines of contracts | Lines of code | per op | Most in common with | Lines |"
  print "|---|--:|--:|--:|--:|---|--:|"
  for (i = 1; i <= folders; ++i) {
    most = 0; with = "-"
    for (k = 1; k <= folders; ++k) {
      if (k == i) continue
      both = common[pair(order[i], order[k])]
      if (both > most) { most = both; with = base(order[k]) }
    }
    all_ops += ops[order[i]]; all_lines += lines[order[i]]; all_contracts += contract[order[i]]
    printf "| %s | %d | %d | %d | %.0f | %s | %d |\n", base(order[i]), ops[order[i]], contract[order[i]], lines[order[i]],
           lines[order[i]] / ops[order[i]], with, most
    pairs += folders - i
  }
  printf "| all | %d | %d | %d | %.0f | | |\n", all_ops, all_contracts, all_lines, all_lines / all_ops
  for (p in common) { sum += common[p]; if (common[p] >= 10) ++many }
  printf "\nTwo projects have %.1f lines in common on average; %d of %d pairs have ten or more.\n", sum / pairs, many, pairs
}
