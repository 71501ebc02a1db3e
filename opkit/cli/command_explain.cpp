#include <fmt/format.h>

#include <vector>

#include "opkit/base/suggest.h"
#include "opkit/cli/all_commands.h"
#include "opkit/cli/arguments.h"
#include "opkit/cli/console.h"
#include "opkit/cli/exit_code.h"
#include "opkit/cli/table.h"
#include "opkit/codes/codes.h"
#include "opkit/codes/verdicts.h"

namespace opkit::cli {
namespace {

Json json_of(const Code& code) {
  return {{"code", code.id},
          {"cause", code.cause},
          {"example", code.example},
          {"cure", code.cure},
          {"page", code.page}};
}

Outcome list_codes(Console& console) {
  Json list = Json::array();
  std::string text;
  for (const Code& code : all_codes()) {
    list.push_back(json_of(code));
    text += fmt::format("{:<18}{}\n", code.id, code.cause);
  }
  console.show({{"codes", list}}, text);
  return kOk;
}

Error unknown_code(const std::string& word) {
  std::vector<std::string> ids;
  for (const Code& code : all_codes()) ids.emplace_back(code.id);
  const auto near = nearest(word, ids);
  return Error("OPK-CLI-040", fmt::format("'{}' is no error code of opkit", word),
               near ? fmt::format("opkit explain {}", *near) : "opkit explain --list shows all");
}

Outcome run_explain(const Arguments& arguments, Console& console) {
  if (arguments.has("--list")) return list_codes(console);
  if (!arguments.has("code")) {
    return Error("OPK-CLI-003", "opkit explain needs a code", "opkit explain EK1103");
  }
  const Code* code = find_code(arguments.get("code"));
  if (!code) code = find_verdict(arguments.get("code"));
  if (!code) return unknown_code(arguments.get("code"));
  console.show(json_of(*code), explain(*code));
  return kOk;
}

}  // namespace

Command explain_command() {
  return {.name = "explain",
          .summary = "what an error code or a verdict means, an example, and its cure",
          .details = "",
          .positionals = {{.name = "code",
                           .help = "EK1103, OPK-RUN-004, MISTRUSTED, ...",
                           .required = false}},
          .flags = {{.name = "--list", .value = "", .help = "every code, a line each"}},
          .examples = {{"opkit explain EK1103", "cause, example and cure"},
                       {"opkit explain --list --json", "the whole table, for editors"}},
          .run = run_explain};
}

}  // namespace opkit::cli
