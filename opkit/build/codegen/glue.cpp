#include "opkit/build/codegen/glue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <limits>

#include "opkit/abi/types.h"
#include "opkit/base/file.h"
#include "opkit/build/codegen/cpu_kernel_glue.h"
#include "opkit/build/codegen/host_source.h"
#include "opkit/build/codegen/kernel_entry.h"
#include "opkit/build/codegen/kernel_unit.h"
#include "opkit/build/codegen/plain_structs.h"
#include "opkit/build/codegen/read_kernel.h"
#include "opkit/build/codegen/task_type.h"
#include "opkit/build/source_text/source.h"
#include "opkit/contract/column_choice.h"
#include "opkit/contract/kernel_kind.h"
#include "opkit/contract/names.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::codegen {
namespace {

// npu_arch of the first chip of the contract whose core does cube and vector work; 0: there is
// none.
uint32_t fused_arch(const OpContract& contract) {
  for (const std::string& name : contract.soc.empty() ? soc_names() : contract.soc) {
    const auto match = find_soc(name);
    if (match.ok() && !match->spec->split()) return match->spec->npu_arch;
  }
  return 0;
}

// Returns the number of the first architecture with separate cores: larger than any when there is
// none.
uint32_t first_split_arch() {
  uint32_t first = std::numeric_limits<uint32_t>::max();
  for (const std::string& name : soc_names()) {
    const auto match = find_soc(name);
    if (match.ok() && match->spec->split()) first = std::min(first, match->spec->npu_arch);
  }
  return first;
}

// The contract names such a chip of an older architecture itself: kernels choose by __NPU_ARCH__
// what they call there.
bool names_older_chip(const OpContract& contract) {
  const uint32_t split = first_split_arch();
  return std::any_of(contract.soc.begin(), contract.soc.end(), [&](const std::string& name) {
    const auto match = find_soc(name);
    return match.ok() && match->spec->npu_arch < split;
  });
}

bool has_split_chip(const OpContract& contract) {
  if (contract.soc.empty()) return true;
  return std::any_of(contract.soc.begin(), contract.soc.end(), [](const std::string& name) {
    const auto match = find_soc(name);
    return !match.ok() || match->spec->split();
  });
}

// Returns the kinds of cores that some launch of the kernel uses on some chip of the contract.
std::vector<Pass> passes_of(const KernelPlan& plan) {
  bool cube = runs_on_cube(plan.task_type), vector = runs_on_vector(plan.task_type);
  bool mixed = cube && vector;
  const auto admit = [&](bool on_cube, bool on_vector) {
    cube = cube || on_cube;
    vector = vector || on_vector;
    mixed = mixed || (on_cube && on_vector);
  };
  for (const auto& [key, type] : plan.source.key_types) {
    admit(runs_on_cube(type), runs_on_vector(type));
  }
  if (plan.source.parameters) {
    if (plan.source.selects_cube || plan.source.selects_vector) {
      admit(plan.source.selects_cube, plan.source.selects_vector);
    }
  }
  // Adds a unit for the older chips, whose core does the work of both kinds: it holds both parts
  // and is compiled for their architecture. A kernel for one kind of core needs it only where the
  // contract names such a chip.
  const bool fused = plan.fused_arch != 0 && (mixed || names_older_chip(*plan.contract));
  const bool split = !fused || has_split_chip(*plan.contract);
  std::vector<Pass> passes;
  if (cube && split) passes.push_back({OPK_CORE_AIC, "aic"});
  if (vector && split) passes.push_back({OPK_CORE_AIV, "aiv"});
  if (fused) passes.push_back({OPK_CORE_MIX, "mix"});
  return passes;
}

// A raw string literal may not hold its own delimiter; contracts are short texts, so that an
// escaped literal in lines is readable enough and always right.
std::string as_literal(const std::string& text) {
  std::string out = "\n    \"";
  for (const char c : text) {
    switch (c) {
      case '\n': out += "\\n\"\n    \""; break;
      case '"': out += "\\\""; break;
      case '\\': out += "\\\\"; break;
      case '?': out += "\\?"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) {
          out += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
        } else {
          out += c;
        }
    }
  }
  return out + "\"";
}

std::string plugin_unit(const KernelPlan& plan, const std::string& structs) {
  const OpContract& contract = *plan.contract;
  std::string text = "#include \"opkit_host/plugin_table.h\"\n";
  if (!structs.empty())
    text += "#include \"opkit_host/plain_tiling.h\"\n#include \"opkit_host/registry.h\"\n";
  text += "\n" + structs;
  text += "static const char kContract[] =" + as_literal(contract.text) + ";\n\n";
  std::string units;
  for (const UnitPlace& place : places_of(plan)) {
    const std::string symbol = symbol_of(place);
    text += fmt::format("extern \"C\" const opkit_kernel::Unit {};\n", symbol);
    units += fmt::format("    {{{}, static_cast<opk_core_kind>({}), &{}}},\n", place.column,
                         static_cast<int>(place.pass.kind), symbol);
  }
  text += "static const opkit_host::KernelUnit kUnits[] = {\n" + units + "};\n";
  text += fmt::format(
      "static const opkit_host::KernelRows kRows = opkit_host::kernel_rows(kUnits, {}, \"{}\", "
      "{});\n",
      places_of(plan).size(), plan.entry, argument_count(contract));
  text += fmt::format(
      "static const opkit_host::OpEntry kOps[] = {{{{\"{}\", kContract, sizeof kContract - 1, "
      "kRows.kernels, kRows.count}}}};\n",
      contract.op);
  text += fmt::format("OPKIT_PLUGIN(\"{}\", \"{}\", kOps)\n", snake_name(contract.op),
                      contract.version);
  return text;
}

// Structs of single keys: the kernel's own statements, then what the host registered.
void choose_structs(KernelPlan& plan, const HostSource& host) {
  plan.structs = plan.source.key_structs;
  if (!plan.source.default_struct || plan.source.parameters) return;
  plan.host_structs = !host.key_structs.empty();
  if (!plan.source.keys.empty() || !plan.source.keys_known) return;
  for (const auto& [key, name] : host.key_structs) {
    const auto literal = literal_key(key);
    const auto known = [&literal](const std::string& other) {
      return literal_key(other) == literal;
    };
    if (std::none_of(plan.source.keys.begin(), plan.source.keys.end(), known))
      plan.source.keys.push_back(key);
  }
}

// The preprocessor chooses a key's struct; it knows numbers only.
Status check_numbers(const KernelPlan& plan) {
  for (const std::string& key : plan.keys) {
    if (literal_key(key)) continue;
    return plan.contract->error(
        "OPK-GEN-008",
        fmt::format(
            "the key '{}' of {} is no plain number, which it must be where keys have tiling "
            "structs of their own",
            key, plan.file.string()),
        "write the number, or a macro for it");
  }
  return {};
}

Status choose_keys(KernelPlan& plan) {
  if (plan.source.parameters) return {};
  const bool structs = !plan.structs.empty() || plan.host_structs;
  plan.unit_per_key = plan.source.constant_key || structs;
  const OpContract& contract = *plan.contract;
  if (plan.source.keys_known) plan.keys = plan.source.keys;
  const bool keyed = plan.unit_per_key || !plan.source.keys_known;
  if (plan.keys.empty() && keyed && contract.kernel) {
    for (const int64_t key : contract.kernel->tiling_keys) plan.keys.push_back(std::to_string(key));
  }
  if (structs) OPKIT_CHECK(check_numbers(plan));
  if (!plan.unit_per_key || !plan.keys.empty()) return {};
  return contract.error("OPK-GEN-006",
                        fmt::format("{} needs its tiling key while it is compiled, and the keys "
                                    "cannot be read from the source",
                                    plan.file.string()),
                        "list them: kernel: {tiling_keys: [...]} in the contract");
}

// Returns the kernel's source as units include it when it launches kernels; empty: it launches
// none.
Result<std::string> without_launches(const std::filesystem::path& file) {
  OPKIT_TRY(const std::string text, read_file(file));
  if (text.find("<<<") == std::string::npos) return std::string();
  OPKIT_TRY(const source_text::Source source, source_text::read_source(text, file.string()));
  if (source.first_launch == 0) return std::string();
  return fmt::format("#line 1 \"{}\"\n", std::filesystem::absolute(file).string()) +
         source.rewritten;
}

// Writes the structs of tilings; registered classes know their fields themselves.
std::string structs_of(const KernelPlan& plan, const HostSource& host,
                       const std::vector<std::filesystem::path>& files) {
  if (host.registers_tiling) return {};
  return plain_structs_text(plan.contract->op, read_structs(files), plan.source.key_structs);
}

Status check_template(const KernelPlan& plan) {
  if (!plan.source.parameters || plan.source.declares_template) return {};
  return plan.contract->error(
      "OPK-GEN-003",
      fmt::format("{} is a template, and no ASCENDC_TPL_ARGS_DECL says for which arguments it is "
                  "built",
                  plan.entry),
      "declare them in a header that kernel and tiling include (ASCENDC_TPL_ARGS_DECL, "
      "ASCENDC_TPL_SEL)");
}

}  // namespace

Result<Glue> make_glue(const GlueRequest& request) {
  const OpContract& contract = *request.contract;
  if (is_aicpu(contract))
    return Glue{
        {{"plugin.cpp", cpu_plugin_unit(contract, as_literal(contract.text))}}, false, true, {}};
  KernelPlan plan;
  plan.contract = request.contract;
  plan.file = request.kernel;
  plan.entry = contract.kernel && !contract.kernel->entry.empty() ? contract.kernel->entry
                                                                  : snake_name(contract.op);
  if (!request.column.empty()) {
    OPKIT_TRY(plan.only_column,
              column_called(contract, request.column, "OPK-GEN-012", "opkit build --column 0"));
  }
  OPKIT_TRY(plan.source, read_kernel(request.kernel, plan.entry, request.include_dirs));
  OPKIT_CHECK(check_entry(plan));
  OPKIT_TRY(const std::string rewritten, without_launches(request.kernel));
  plan.launches = !rewritten.empty();
  const HostSource host = read_host(contract.op, request.host, request.include_dirs);
  plan.has_structs = host.registers_tiling;
  plan.task_type = default_task_type(contract, plan.source);
  plan.fused_arch = fused_arch(contract);
  plan.passes = passes_of(plan);
  OPKIT_CHECK(check_template(plan));
  choose_structs(plan, host);
  OPKIT_CHECK(choose_keys(plan));
  Glue glue;
  glue.includes_tiling_structs = plan.has_structs;
  glue.read = plan.source.files;
  glue.read.insert(glue.read.end(), host.files.begin(), host.files.end());
  for (const UnitPlace& place : places_of(plan))
    glue.files.push_back({"kernel_" + place.stem() + ".cpp", unit_text(plan, place)});
  if (plan.launches) glue.files.push_back({"kernel_source.h", rewritten});
  glue.files.push_back({"plugin.cpp", plugin_unit(plan, structs_of(plan, host, glue.read))});
  return glue;
}

}  // namespace opkit::codegen
