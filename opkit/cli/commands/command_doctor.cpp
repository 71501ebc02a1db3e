#include <fmt/format.h>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/commands/checkup.h"
#include "opkit/cli/commands/foreign_process.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/table.h"

namespace opkit::cli {
namespace {

const char* word_of(Health health) {
  switch (health) {
    case Health::kGood: return "ok";
    case Health::kWarning: return "warning";
    case Health::kBad: return "bad";
  }
  return "";
}

std::string told(const std::vector<CheckupItem>& checks, const Palette& palette) {
  Table table({"check", "state", "finding"});
  std::string advice;
  for (const CheckupItem& check : checks) {
    const Style style = check.health == Health::kGood      ? Style::kGreen
                        : check.health == Health::kWarning ? Style::kYellow
                                                           : Style::kRed;
    table.add({check.name, palette.paint(style, word_of(check.health)), check.finding});
    if (!check.advice.empty()) advice += fmt::format("  {}: {}\n", check.name, check.advice);
  }
  return table.to_string(palette) + (advice.empty() ? "\nnothing to do\n" : "\nadvice\n" + advice);
}

std::vector<CheckupItem> check_here(const Arguments& arguments) {
  const std::vector<CheckupItem> temporary = check_temporary();
  std::vector<CheckupItem> checks = check_tools();
  for (const std::vector<CheckupItem>& more :
       {temporary, check_sdk(), check_opp(open_registry(arguments)), check_machine(),
        check_limits()}) {
    checks.insert(checks.end(), more.begin(), more.end());
  }
  return checks;
}

Result<std::vector<CheckupItem>> all_checks(const Arguments& arguments) {
  if (!arguments.has("--pid")) return check_here(arguments);
  if (arguments.has("--opp"))
    return Error("OPK-CLI-003", "--pid and --opp exclude one another",
                 "leave out --opp: the process has its own");
  OPKIT_TRY(const ForeignProcess process, ForeignProcess::look(arguments.integer("--pid")));
  return check_process(process);
}

Outcome run_doctor(const Arguments& arguments, Console& console) {
  OPKIT_TRY(const std::vector<CheckupItem> checks, all_checks(arguments));
  bool good = true;
  Json list = Json::array();
  for (const CheckupItem& check : checks) {
    good = good && check.health != Health::kBad;
    list.push_back({{"name", check.name},
                    {"state", word_of(check.health)},
                    {"finding", check.finding},
                    {"advice", check.advice}});
  }
  console.show({{"checks", list}, {"ok", good}}, told(checks, console.out()));
  return good ? kOk : kEnvironment;
}

}  // namespace

Command doctor_command() {
  return {
      .name = "doctor",
      .summary = "check compiler, SDK, OPP folder, variables and machine, and give advice",
      .details =
          "Exit code 3 when something that opkit needs is not there. With --pid it explains "
          "another\n"
          "process in place of this machine: the variables that it began with, the OPP that it\n"
          "searches, the runtime and the plugins that it has loaded, and which of them are stale.",
      .positionals = {},
      .flags = {opp_flag(),
                {.name = "--pid",
                 .value = "NUMBER",
                 .help = "explain a process that runs",
                 .integer = true,
                 .least = 1,
                 .most = INT32_MAX}},
      .examples = {{"opkit doctor", "why does something not build, install or load?"},
                   {"opkit doctor --pid 4711", "why does that program not meet the new version?"}},
      .run = run_doctor,
  };
}

}  // namespace opkit::cli
