#include "opkit/cli/soc_text.h"

#include <fmt/format.h>

#include "opkit/cli/table.h"

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

std::vector<std::string> type_names(const std::vector<DType>& types) {
  std::vector<std::string> names;
  for (const DType type : types) names.emplace_back(name_of(type));
  return names;
}

std::string feature_text(const SocSpec& spec) {
  std::vector<std::string> yes;
  for (const auto& [name, has] : spec.features) {
    if (has) yes.push_back(name);
  }
  return yes.empty() ? "none" : fmt::format("{}", fmt::join(yes, ", "));
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
  table.add({"features", feature_text(spec)});
  std::string text =
      fmt::format("{}\n{}", palette.paint(Style::kBold, spec.name), table.to_string(palette));
  Table types({"instruction", "dtypes"});
  for (const auto& [name, supported] : spec.instructions) {
    types.add({name, fmt::format("{}", fmt::join(type_names(supported), " "))});
  }
  if (!types.empty()) text.append("\n").append(types.to_string(palette));
  return text + "\nsource: " + spec.source + "\n";
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
  json["features"] = spec.features;
  Json instructions = Json::object();
  for (const auto& [name, types] : spec.instructions) instructions[name] = type_names(types);
  json["instructions"] = std::move(instructions);
  json["source"] = spec.source;
  return json;
}

}  // namespace opkit::cli
