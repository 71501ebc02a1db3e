#include "opkit/cli/text/soc_text.h"

#include <fmt/format.h>

#include "opkit/cli/terminal/table.h"

namespace opkit::cli {
namespace {

std::string bytes_text(uint64_t bytes) {
  if (bytes == 0) return "none";
  if (bytes % (1u << 30) == 0) return fmt::format("{} GiB", bytes >> 30);
  if (bytes % (1u << 20) == 0) return fmt::format("{} MiB", bytes >> 20);
  if (bytes % (1u << 10) == 0) return fmt::format("{} KiB", bytes >> 10);
  return fmt::format("{} B", bytes);
}

Json memory_json(const SocSpec::Memory& m) {
  return {{"device", m.device}, {"l2", m.l2},   {"ub", m.ub},   {"l1", m.l1},
          {"l0a", m.l0a},       {"l0b", m.l0b}, {"l0c", m.l0c}, {"bt", m.bt}};
}

Json rates_json(const SocSpec::Rates& r) {
  return {{"ddr_read", r.ddr_read}, {"ddr_write", r.ddr_write}, {"l2_read", r.l2_read},
          {"l2_write", r.l2_write}, {"l1_to_l0a", r.l1_to_l0a}, {"l1_to_l0b", r.l1_to_l0b},
          {"l1_to_ub", r.l1_to_ub}, {"ub_to_l1", r.ub_to_l1},   {"l0c_to_ub", r.l0c_to_ub},
          {"ub_to_l2", r.ub_to_l2}, {"ub_to_ddr", r.ub_to_ddr}};
}

std::vector<std::string> type_names(opk_types types) {
  if (types == ~opk_types{0}) return {"all"};
  std::vector<std::string> names;
  for (const DType type : all_dtypes()) {
    if (types >> static_cast<uint32_t>(type) & 1) names.emplace_back(name_of(type));
  }
  return names;
}

std::string missing_text(const ArchSpec& arch) {
  std::vector<std::string> missing;
  for (uint32_t op = 0; op < OPK_V_COUNT_; ++op) {
    if (arch.vector_types(op) == 0) missing.push_back(vector_instruction_name(op));
  }
  for (uint32_t call = 0; call < OPK_A_COUNT_; ++call) {
    const auto which = static_cast<opk_arch_call>(call);
    if (!arch.has(which)) missing.push_back(arch_call_name(which));
  }
  return missing.empty() ? "nothing" : fmt::format("{}", fmt::join(missing, " "));
}

Json calls_json(const ArchSpec& arch) {
  Json calls = Json::object();
  for (uint32_t call = 0; call < OPK_A_COUNT_; ++call) {
    const auto which = static_cast<opk_arch_call>(call);
    calls[arch_call_name(which)] = arch.has(which);
  }
  return calls;
}

Json instructions_json(const ArchSpec& arch) {
  Json instructions = Json::object();
  for (uint32_t op = 0; op < OPK_V_COUNT_; ++op) {
    if (const opk_types types = arch.vector_types(op))
      instructions[vector_instruction_name(op)] = type_names(types);
  }
  instructions["Mmad"] = type_names(arch.table().mmad);
  return instructions;
}

}  // namespace

std::string soc_text(const SocSpec& spec, const Palette& palette) {
  Table table({"fact", "value"});
  const SocSpec::Memory& m = spec.memory;
  table.add({"family", spec.short_name});
  table.add({"architecture", fmt::format("{} (npu arch {})", spec.aic_version, spec.npu_arch)});
  table.add({"AI cores", std::to_string(spec.cores.ai_core)});
  table.add({"cube / vector cores",
             spec.split() ? fmt::format("{} / {}", spec.cores.cube_core, spec.cores.vector_core)
                          : "in one core"});
  table.add({"frequency",
             fmt::format("cube {} MHz, vector {} MHz", spec.cube_freq_mhz, spec.vector_freq_mhz)});
  table.add({"device memory", bytes_text(m.device)});
  table.add({"L2", bytes_text(m.l2)});
  table.add({"UB", fmt::format("{} ({} B reserved)", bytes_text(m.ub), spec.reserved_ub)});
  table.add({"L1", bytes_text(m.l1)});
  table.add({"L0A / L0B / L0C",
             fmt::format("{} / {} / {}", bytes_text(m.l0a), bytes_text(m.l0b), bytes_text(m.l0c))});
  table.add({"GM read / write", fmt::format("{} / {} B per cycle and core", spec.rates.ddr_read,
                                            spec.rates.ddr_write)});
  table.add({"cube per cycle",
             fmt::format("{} x {} x {} fp16", spec.cube[0], spec.cube[1], spec.cube[2])});
  table.add({"vector per cycle", fmt::format("{} fp16", spec.vector.calc)});
  table.add({"Mmad", fmt::format("{}", fmt::join(type_names(spec.arch->table().mmad), " "))});
  const std::string text =
      fmt::format("{}\n{}", palette.paint(Style::kBold, spec.name), table.to_string(palette));
  return fmt::format("{}\nmissing of what opkit has: {}\nsource: {}\n", text,
                     missing_text(*spec.arch), spec.source);
}

Json soc_json(const SocSpec& spec) {
  Json json{{"name", spec.name},
            {"family", spec.short_name},
            {"aic_version", spec.aic_version},
            {"npu_arch", spec.npu_arch},
            {"split", spec.split()}};
  json["cores"] = {{"ai_core", spec.cores.ai_core},
                   {"cube_core", spec.cores.cube_core},
                   {"vector_core", spec.cores.vector_core},
                   {"ai_cpu", spec.cores.ai_cpu}};
  json["memory"] = memory_json(spec.memory);
  json["reserved_ub"] = spec.reserved_ub;
  json["cube_freq_mhz"] = spec.cube_freq_mhz;
  json["vector_freq_mhz"] = spec.vector_freq_mhz;
  json["cube"] = spec.cube;
  json["vector_fp16_per_cycle"] = spec.vector.calc;
  json["rates"] = rates_json(spec.rates);
  json["calls"] = calls_json(*spec.arch);
  json["instructions"] = instructions_json(*spec.arch);
  json["source"] = spec.source;
  return json;
}

}  // namespace opkit::cli
