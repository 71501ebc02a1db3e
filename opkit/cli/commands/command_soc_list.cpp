#include <fmt/format.h>

#include "opkit/cli/commands/all_commands.h"
#include "opkit/cli/terminal/console.h"
#include "opkit/cli/terminal/exit_code.h"
#include "opkit/cli/terminal/table.h"
#include "opkit/cli/text/soc_text.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::cli {
namespace {

Outcome run_soc_list(const Arguments&, Console& console) {
  Table table({"name", "family", ">AI cores", ">vector cores", ">UB KiB", ">L1 KiB", ">L0C KiB",
               ">L2 MiB", ">MHz"});
  Json list = Json::array();
  for (const std::string& name : soc_names()) {
    OPKIT_TRY(const SocMatch match, find_soc(name));
    const SocSpec& spec = *match.spec;
    const auto kib = [](uint64_t bytes) { return std::to_string(bytes >> 10); };
    table.add({spec.name, spec.short_name, std::to_string(spec.cores.ai_core),
               std::to_string(spec.cores.vector_core), kib(spec.memory.ub), kib(spec.memory.l1),
               kib(spec.memory.l0c), std::to_string(spec.memory.l2 >> 20),
               std::to_string(spec.cube_freq_mhz)});
    list.push_back(soc_json(spec));
  }
  console.show({{"socs", list}}, table.to_string(console.out()));
  return kOk;
}

}  // namespace

Command soc_list_command() {
  return {.name = "soc list",
          .summary = "the chips that opkit knows",
          .details = "",
          .positionals = {},
          .flags = {},
          .examples = {{"opkit soc list", "names, cores and memory sizes"}},
          .run = run_soc_list};
}

}  // namespace opkit::cli
