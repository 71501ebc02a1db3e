#include <fmt/format.h>

#include <optional>
#include <vector>

#include "opkit/base/codes/codes.h"
#include "opkit/base/codes/runtime_code.h"
#include "opkit/base/codes/verdicts.h"
#include "opkit/base/suggest.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/table.h"

namespace opkit::cli {
namespace {

Json json_of(const Code& code) {
  return {{"code", code.id},
          {"cause", code.cause},
          {"example", code.example},
          {"cure", code.cure},
          {"page", code.page}};
}

Json json_of(const RuntimeCode& code) {
  return {{"code", code.id},
          {"name", code.name},
          {"cause", code.cause},
          {"usual", code.usual},
          {"cure", code.cure},
          {"page", code.page},
          {"returned", code.returned_here}};
}

Outcome list_codes(Console& console) {
  Json list = Json::array();
  std::string text;
  for (const Code& code : all_codes()) {
    list.push_back(json_of(code));
    text += fmt::format("{:<18}{}\n", code.id, code.cause);
  }
  for (const RuntimeCode& code : runtime_codes()) {
    list.push_back(json_of(code));
    text += fmt::format("{:<18}{}: {}\n", code.id, code.name, code.cause);
  }
  console.show({{"codes", list}}, text);
  return kOk;
}

// No name is near a number.
Error unknown_number(const std::string& word, int64_t number) {
  const std::string about = class_of(number);
  return Error("OPK-CLI-040",
               fmt::format("no call of the runtime returns {}{}", word,
                           about.empty() ? "" : "; " + about.substr(0, about.size() - 1)),
               "aclGetRecentErrMsg has the text of the last failure; opkit explain --list shows "
               "all codes");
}

Error unknown_name(const std::string& word) {
  std::vector<std::string> ids;
  for (const Code& code : all_codes()) ids.emplace_back(code.id);
  for (const RuntimeCode& code : runtime_codes()) ids.push_back(code.name);
  const auto near = nearest(word, ids);
  return Error("OPK-CLI-040", fmt::format("'{}' is no error code of opkit", word),
               near ? fmt::format("opkit explain {}", *near) : "opkit explain --list shows all");
}

std::optional<RuntimeCode> runtime_code_of(const std::string& word) {
  const std::optional<int64_t> number = code_number(word);
  return number ? find_runtime_code(*number) : find_runtime_code(word);
}

Outcome run_explain(const Arguments& arguments, Console& console) {
  if (arguments.has("--list")) return list_codes(console);
  if (!arguments.has("code")) {
    return Error("OPK-CLI-003", "opkit explain needs a code", "opkit explain EK1103");
  }
  const std::string word = arguments.get("code");
  if (const auto code = runtime_code_of(word)) {
    console.show(json_of(*code), explain(*code));
    return kOk;
  }
  const Code* code = find_code(word);
  if (!code) code = find_verdict(word);
  if (code) {
    console.show(json_of(*code), explain(*code));
    return kOk;
  }
  if (const auto number = code_number(word)) return unknown_number(word, *number);
  return unknown_name(word);
}

}  // namespace

Command explain_command() {
  return {.name = "explain",
          .summary = "what an error code or a verdict means, an example, and its cure",
          .details =
              "Codes of opkit, verdicts of opkit test, and the numbers that calls of acl and\n"
              "aclnn return.",
          .positionals = {{.name = "code",
                           .help = "EK1103, OPK-RUN-004, MISTRUSTED, 507015, "
                                   "ACL_ERROR_RT_CONTEXT_NULL, ...",
                           .required = false}},
          .flags = {{.name = "--list", .value = "", .help = "every code, a line each"}},
          .examples = {{"opkit explain EK1103", "cause, example and cure"},
                       {"opkit explain 507015", "what a call of the runtime has returned"},
                       {"opkit explain --list --json", "the whole table, for editors"}},
          .run = run_explain};
}

}  // namespace opkit::cli
