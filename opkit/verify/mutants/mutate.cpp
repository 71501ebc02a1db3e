#include "opkit/verify/mutants/mutate.h"

#include <fmt/format.h>

#include <algorithm>
#include <regex>

namespace opkit::verify {
namespace {

// a < b ? c : d, of operands without parentheses.
constexpr const char* kChoice = R"( (<|>) ([\w.>-]+) \? ([\w.>-]+(?:\([^()]*\))?) : ([\w.>-]+))";
constexpr const char* kTurnedChoice = " $1 $2 ? $4 : $3";

struct Mutation {
  std::string what;
  std::regex pattern;
  std::string replacement;  // is what std::regex_replace reads
  bool adds = false;        // Mutant::adds
};

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  size_t from = 0;
  while (from <= text.size()) {
    const size_t to = std::min(text.find('\n', from), text.size());
    lines.emplace_back(text.substr(from, to - from));
    from = to + 1;
  }
  return lines;
}

std::string trimmed(const std::string& line) {
  const size_t from = line.find_first_not_of(" \t");
  return from == std::string::npos ? std::string() : line.substr(from);
}

void add(std::vector<Mutation>& list, std::string what, const std::string& pattern,
         std::string replacement) {
  list.push_back({std::move(what), std::regex(pattern), std::move(replacement), false});
}

void add_more(std::vector<Mutation>& list, std::string what, const std::string& pattern,
              std::string replacement) {
  add(list, std::move(what), pattern, std::move(replacement));
  list.back().adds = true;
}

void add_swaps(std::vector<Mutation>& list) {
  static const std::pair<const char*, const char*> kSwaps[] = {{"Add", "Sub"},
                                                               {"Sub", "Add"},
                                                               {"Mul", "Add"},
                                                               {"Div", "Mul"},
                                                               {"Adds", "Muls"},
                                                               {"Muls", "Adds"},
                                                               {"Max", "Min"},
                                                               {"Min", "Max"},
                                                               {"Maxs", "Mins"},
                                                               {"Mins", "Maxs"},
                                                               {"Relu", "Abs"},
                                                               {"Exp", "Abs"},
                                                               {"Sqrt", "Rsqrt"},
                                                               {"Rsqrt", "Sqrt"},
                                                               {"ReduceSum", "ReduceMax"},
                                                               {"ReduceMax", "ReduceMin"}};
  for (const auto& [from, to] : kSwaps)
    add(list, fmt::format("{} in place of {}", to, from), fmt::format("^(\\s+){}\\(", from),
        fmt::format("$1{}(", to));
}

std::vector<Mutation> kernel_mutations(const std::vector<std::string>& attrs) {
  std::vector<Mutation> list;
  add_swaps(list);
  const std::string sync =
      "(SetFlag|WaitFlag|PipeBarrier|SyncAll|CrossCore\\w+Flag|DataSyncBarrier)";
  add(list, "synchronisation left out", R"(^(\s+))" + sync + R"((<[^;=]*>)?\(.*\);\s*$)", "$1;");
  add(list, "call left out", R"(^(\s+)(?!)" + sync + R"()[A-Z]\w*(<[^;=]*>)?\([^{]*\);\s*$)",
      "$1;");
  add(list, "copy left out", R"(^(\s+)DataCopy\w*\(.*\{.*\);\s*$)", "$1;");
  add(list, "first operand twice", R"(\((\w+), (\w+), (\w+), (\w+)\);)", "($1, $2, $2, $4);");
  add(list, "second operand twice", R"(\((\w+), (\w+), (\w+), (\w+)\);)", "($1, $3, $3, $4);");
  add(list, "queue operation left out", R"(^(\s+)\w+\.(template )?(EnQue|FreeTensor)\b.*;\s*$)",
      "$1;");
  add(list, "nothing computed: outputs keep what was there", R"(^(\s+)\w+\.Process\(.*\);)", "$1;");
  add(list, "tail one element short", R"(, count\);)", ", count - 1);");
  add_more(list, "one element too far", R"(, count\);)", ", count + 1);");
  add(list, "copy one element short", R"(\(count \* sizeof)", "((count - 1) * sizeof");
  add_more(list, "copy one element too far", R"(\(count \* sizeof)", "((count + 1) * sizeof");
  add_more(list, "loop one round too many", R"((for \(.*) < )", "$1 <= ");
  add(list, "loop one round too few", R"((for \(.*; \w+) < (\w+);)", "$1 + 1 < $2;");
  add(list, "choice turned round", kChoice, kTurnedChoice);
  add(list, "buffer of half the size", R"((InitBuffer\(.*), (\w+) \* sizeof)",
      "$1, $2 / 2 * sizeof");
  add(list, "half in place of float", R"((using \w+ = )float;)", "$1half;");
  add(list, "half in place of float", R"((<DTYPE_\w+, )float>)", "$1half>");
  add(list, "truncated in place of rounded", R"(CAST_RINT)", "CAST_TRUNC");
  add(list, "rounded up in place of to nearest", R"(CAST_RINT)", "CAST_CEIL");
  add(list, "always the first tile", R"(\[offset\])", "[0]");
  add(list, "every tile one element off", R"(\[offset\])", "[offset + 1]");
  add(list, "every block is the first", R"(GetBlockIdx\(\))", "0");
  add(list, "start of the block ignored", R"( \+ start\b)", "");
  add(list, "difference off by one", R"((\w+) - (\w+)(;| :))", "$1 - $2 - 1$3");
  add(list, "half in place of float", R"(::value, float, )", "::value, half, ");
  add(list, "flag turned round", R"((\(|, )true(\)|,))", "$1false$2");
  add(list, "flag turned round", R"((\(|, )false(\)|,))", "$1true$2");
  add(list, "along the other axis", R"(\bPattern::Reduce::AR\b)", "Pattern::Reduce::RA");
  add(list, "along the other axis", R"(\bPattern::Reduce::RA\b)", "Pattern::Reduce::AR");
  for (const std::string& attr : attrs) {
    add(list, fmt::format("attribute {} ignored", attr), fmt::format(R"(\b{}_(,|\)))", attr),
        "1.0f$1");
    add(list, fmt::format("attribute {} off", attr), fmt::format(R"(\b{}_(,|\)))", attr),
        fmt::format("({}_ * 1.01f)$1", attr));
  }
  return list;
}

std::vector<Mutation> host_mutations(const std::vector<std::string>& attrs) {
  std::vector<Mutation> list;
  add(list, "rounded down in place of up", R"(\(a \+ b - 1\) / b)", "a / b");
  add(list, "rounded up by one too much", R"(\(a \+ b - 1\) / b)", "(a + b) / b");
  add(list, "one less", R"((tiling->\w+ = )(.*);)", "$1($2) - 1;");
  add(list, "one more", R"((tiling->\w+ = )(.*);)", "$1($2) + 1;");
  add(list, "not set", R"(^(\s+)tiling->\w+ = .*;)", "$1;");
  add(list, "one block less", R"(SetBlockDim\((.*)\);)", "SetBlockDim(($1) - 1);");
  add(list, "one block only", R"(SetBlockDim\((.*)\);)", "SetBlockDim(1);");
  add(list, kKeyMutation, R"(SetTilingKey\((.*)\);)", "SetTilingKey(($1) + 1);");
  add(list, "choice turned round", kChoice, kTurnedChoice);
  add(list, "alignment forgotten", R"( / (\w+) \* \1;)", ";");
  add(list, "alignment forgotten", R"(= AlignUp\((.*), \w+\);)", "= $1;");
  add(list, "buffer size forgotten", R"( \+ \(widens .*;)", ";");
  add(list, "term forgotten", R"( \+ \d+ \* sizeof\(\w+\))", "");
  add(list, "factor forgotten", R"(\bk[A-Z]\w* \* )", "");
  add(list, "another dim", R"(GetDim\(0\))", "GetDim(1)");
  add(list, "another dim", R"(GetDim\(1\))", "GetDim(0)");
  add(list, "another dim", R"(GetDim\(([^()]*(\(\))?) - 1\))", "GetDim($1 - 2)");
  add(list, "another dim", R"(GetDim\(([^()]*(\(\))?) - 2\))", "GetDim($1 - 1)");
  for (const std::string& attr : attrs)
    add(list, fmt::format("attribute {} ignored", attr), fmt::format(R"(->{} = .*;)", attr),
        fmt::format("->{} = 1;", attr));
  return list;
}

bool untouchable(const std::string& line) {
  const std::string code = trimmed(line);
  return code.empty() || code[0] == '#' || code.rfind("//", 0) == 0 || code.rfind("return", 0) == 0;
}

// Initialisation calls that have no part in a result's value are of no use as mutants.
bool is_setup(const std::string& line) {
  static const std::regex kSetup(R"(^\s+(KERNEL_TASK_TYPE|REGISTER_TILING|GET_TILING_DATA)\w*\()");
  return std::regex_search(line, kSetup);
}

// A line without its trailing comment, which would swallow what is joined to it.
std::string without_comment(const std::string& line) {
  bool quoted = false;
  for (size_t i = 0; i + 1 < line.size(); ++i) {
    if (line[i] == '"' && (i == 0 || line[i - 1] != '\\')) quoted = !quoted;
    if (quoted || line[i] != '/' || line[i + 1] != '/') continue;
    const size_t end = line.find_last_not_of(" \t", i == 0 ? 0 : i - 1);
    return i == 0 || end == std::string::npos ? std::string() : line.substr(0, end + 1);
  }
  return line;
}

// One statement per entry: a line that goes on is joined with what follows, whose own entries are
// empty, so that lines keep their numbers.
void join_statements(std::vector<std::string>& lines) {
  constexpr size_t kMostLines = 4;
  for (size_t i = 0; i + 1 < lines.size(); ++i) {
    if (untouchable(lines[i])) continue;
    const std::string code = without_comment(lines[i]);
    if (code.empty() || std::string("(,=?&|+*").find(code.back()) == std::string::npos) continue;
    lines[i] = code;
    for (size_t next = i + 1; next < std::min(lines.size(), i + kMostLines); ++next) {
      if (untouchable(lines[next])) break;
      if (lines[i].back() != '(') lines[i] += ' ';
      lines[i] += without_comment(trimmed(lines[next]));
      lines[next].clear();
      if (lines[i].back() == ';' || lines[i].back() == '{') break;
    }
  }
}

std::string joined(const std::vector<std::string>& lines, size_t changed, const std::string& with) {
  std::string text;
  for (size_t i = 0; i < lines.size(); ++i) {
    text += i == changed ? with : lines[i];
    if (i + 1 < lines.size()) text += '\n';
  }
  return text;
}

}  // namespace

std::vector<Mutant> make_mutants(std::string_view source, SourceKind kind,
                                 const std::vector<std::string>& attrs) {
  const std::vector<Mutation> mutations =
      kind == SourceKind::kKernel ? kernel_mutations(attrs) : host_mutations(attrs);
  std::vector<std::string> lines = lines_of(source);
  join_statements(lines);
  std::vector<Mutant> mutants;
  for (size_t i = 0; i < lines.size(); ++i) {
    if (untouchable(lines[i]) || is_setup(lines[i])) continue;
    for (const Mutation& mutation : mutations) {
      const std::string changed =
          std::regex_replace(lines[i], mutation.pattern, mutation.replacement,
                             std::regex_constants::format_first_only);
      if (changed == lines[i]) continue;
      mutants.push_back({mutation.what, static_cast<int>(i + 1), trimmed(lines[i]),
                         trimmed(changed), joined(lines, i, changed), mutation.adds});
    }
  }
  return mutants;
}

}  // namespace opkit::verify
