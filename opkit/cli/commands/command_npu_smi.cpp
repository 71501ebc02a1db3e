// opkit npu-smi, and the program npu-smi: the emulated chip as scripts ask for it.
#include <fmt/format.h>

#include <cstdlib>

#include "opkit/build/project/sdk.h"
#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/options/arguments.h"
#include "opkit/cli/options/opp_option.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/text/npu_smi_text.h"
#include "opkit/soc/soc_names.h"

namespace opkit::cli {
namespace {

// Returns the chip of --soc, else of OPKIT_SOC, else the default one, as for programs.
Result<const SocSpec*> emulated_chip(const Arguments& arguments, Console& console) {
  const char* const set = std::getenv("OPKIT_SOC");
  const std::string word = arguments.find("--soc").value_or(set && *set ? set : default_soc());
  OPKIT_TRY(const std::string name, checked_soc(word, console));
  OPKIT_TRY(const SocMatch match, find_soc(name));
  return match.spec;
}

Json facts_json(const NpuFacts& facts) {
  Json json = Json::object();
  for (const auto& [name, value] : facts) json[name] = value;
  return json;
}

// -l, -m and -t ask for different things.
Status check_one_question(const Arguments& arguments) {
  const int questions = arguments.has("-l") + arguments.has("-m") + arguments.has("-t");
  if (questions > 1)
    return Error("OPK-CLI-004", "-l, -m and -t are given together", "npu-smi info -l");
  if (arguments.has("-t") && !arguments.has("-i"))
    return Error("OPK-CLI-003", "-t needs the number of the NPU",
                 fmt::format("npu-smi info -t {} -i 0", arguments.get("-t")));
  if (!arguments.has("-t") && arguments.has("-i"))
    return Error("OPK-CLI-003", "-i needs -t", "npu-smi info -t common -i 0");
  return {};
}

Outcome show_facts(const NpuFacts& facts, Console& console) {
  console.show(facts_json(facts), npu_facts_text(facts));
  return kOk;
}

Outcome run_npu_smi(const Arguments& arguments, Console& console) {
  if (arguments.has("-v")) {
    const std::string version = project::kit_version();
    console.show({{"version", version}}, fmt::format("npu-smi version: {}\n", version));
    return kOk;
  }
  if (arguments.get("what").empty())
    return Error("OPK-CLI-003", "npu-smi needs a command", "npu-smi info");
  OPKIT_CHECK(check_one_question(arguments));
  OPKIT_TRY(const SocSpec* const chip, emulated_chip(arguments, console));
  if (arguments.has("-l")) return show_facts(npu_list(), console);
  if (arguments.has("-t"))
    return show_facts(npu_facts(*chip, arguments.get("-t"), arguments.has("-c")), console);
  const bool mapping = arguments.has("-m");
  console.show({{"npu", 0}, {"chip", 0}, {"logic_id", 0}, {"name", chip->name}},
               mapping ? npu_mapping(*chip) : npu_table(*chip));
  return kOk;
}

}  // namespace

Command npu_smi_command() {
  return {
      .name = "npu-smi",
      .summary = "the emulated chip, as scripts ask the vendor's npu-smi for it",
      .details = "One NPU with one chip, $OPKIT_SOC or the " + default_soc() +
                 ". Figures are those of its "
                 "file; what an\n"
                 "emulator cannot know (temperature, power, serial numbers, the bus) is NA. Every "
                 "program has\n"
                 "a chip of its own, so that this one is always idle. The program `npu-smi` is the "
                 "same command.",
      .positionals = {{.name = "what", .help = "info", .required = false, .choices = {"info"}}},
      .flags = {{.name = "-l", .value = "", .help = "the NPUs"},
                {.name = "-m", .value = "", .help = "their chips' numbers and names"},
                {.name = "-t",
                 .value = "TYPE",
                 .help = "facts of one kind; with -i",
                 .choices = npu_fact_types()},
                {.name = "-i",
                 .value = "N",
                 .help = "the NPU: 0",
                 .integer = true,
                 .least = 0,
                 .most = 0},
                {.name = "-c",
                 .value = "N",
                 .help = "its chip: 0",
                 .integer = true,
                 .least = 0,
                 .most = 0},
                {.name = "-v", .value = "", .help = "the version, which is opkit's"},
                soc_flag("the chip [$OPKIT_SOC, else " + default_soc() + "]")},
      .examples = {{"npu-smi info", "the table"},
                   {"npu-smi info -t common -i 0", "cores, frequency, usage"},
                   {"OPKIT_SOC=Ascend310P3 npu-smi info -m", "another chip's name"}},
      .run = run_npu_smi};
}

}  // namespace opkit::cli
