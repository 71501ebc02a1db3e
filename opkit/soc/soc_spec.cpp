#include "opkit/soc/soc_spec.h"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <optional>

#include "opkit/base/suggest.h"
#include "opkit/soc/embedded.h"
#include "opkit/soc/soc_names.h"
#include "opkit/soc/top_value.h"

namespace opkit {
namespace {

// Files are parsed when somebody asks for their chip: a program needs one of them.
class Catalog {
 public:
  Catalog() : chips_(embedded_specs().size()) {
    for (const EmbeddedSpec& file : embedded_specs()) {
      names_.emplace_back(soc_files::top_value(file.text, "name"));
      texts_.push_back(file.text);
    }
  }

  const std::vector<std::string>& names() const { return names_; }  // returns them in file order
  std::string_view text(size_t at) const { return texts_[at]; }

  Result<const SocSpec*> spec(size_t at) const {
    Chip& chip = chips_[at];
    std::call_once(chip.parsed, [&] {
      Result<SocSpec> spec = parse_soc(texts_[at], std::string(embedded_specs()[at].file));
      if (spec.ok())
        chip.spec = std::move(spec).value();
      else
        chip.error = std::move(spec).error();
    });
    if (chip.error) return *chip.error;
    return &chip.spec;
  }

 private:
  struct Chip {
    std::once_flag parsed;
    SocSpec spec;
    std::optional<Error> error;  // a broken embedded file
  };

  std::vector<std::string> names_;
  std::vector<std::string_view> texts_;
  mutable std::vector<Chip> chips_;
};

const Catalog& chip_catalog() {
  static const Catalog loaded;
  return loaded;
}

std::optional<size_t> exact(std::string_view name) {
  const std::string wanted = plain_soc_name(name);
  const auto& names = chip_catalog().names();
  for (size_t at = 0; at < names.size(); ++at) {
    if (plain_soc_name(names[at]) == wanted) return at;
  }
  return std::nullopt;
}

Result<SocMatch> match_of(size_t at, std::string note) {
  OPKIT_TRY(const SocSpec* spec, chip_catalog().spec(at));
  return SocMatch{spec, std::move(note)};
}

uint32_t vector_cores(const SocSpec& spec) {
  if (spec.split()) return spec.cores.vector_core;
  return std::max(spec.cores.ai_core, spec.cores.mix_vector_core);
}

}  // namespace

bool SocSpec::has_bfloat16() const { return arch->table().cast[OPK_BFLOAT16] != 0; }

bool SocSpec::timing_is_measured() const {
  return std::any_of(timing.begin(), timing.end(),
                     [](const auto& figure) { return figure.second.measured; });
}

uint32_t SocSpec::cube_k_of(std::string_view type) const {
  const auto found = cube_k.find(std::string(type));
  return found != cube_k.end() ? found->second : cube[2];
}

SocSpec::Triple SocSpec::fractal_of(DType dtype) const {
  const auto found = fractal.find(std::string(name_of(dtype)));
  return found != fractal.end() ? found->second : fractal.at("default");
}

const std::vector<std::string>& soc_names() { return chip_catalog().names(); }

std::string_view soc_text(std::string_view name) {
  const auto& names = chip_catalog().names();
  const auto at = std::find(names.begin(), names.end(), name) - names.begin();
  return chip_catalog().text(static_cast<size_t>(at));
}

// Returns what is known of a chip without a file; nullptr: nothing is.
static const AbsentChip* absent_chip(std::string_view name) {
  for (const AbsentChip& chip : other_chips().absent) {
    for (const std::string& beginning : chip.beginnings) {
      if (plain_soc_name(name).starts_with(plain_soc_name(beginning))) return &chip;
    }
  }
  return nullptr;
}

Result<SocMatch> find_soc(std::string_view name) {
  if (const auto at = exact(name)) return match_of(*at, {});
  if (const std::string chip = chip_of_family(name); !chip.empty())
    return match_of(*exact(chip), fmt::format("'{}' names a family; {} is taken", name, chip));
  std::vector<std::string> known = soc_names();
  for (size_t at = 0; at < soc_names().size(); ++at) {
    OPKIT_TRY(const SocSpec* spec, chip_catalog().spec(at));
    known.push_back(spec->short_name);
  }
  std::sort(known.begin(), known.end());
  known.erase(std::unique(known.begin(), known.end()), known.end());
  if (const AbsentChip* const chip = absent_chip(name))
    return Error("OPK-SOC-002", fmt::format("no chip is called '{}': {}", name, chip->sentence),
                 fmt::format("use {}, {}", chip->instead, chip->reason));
  return Error("OPK-SOC-002", fmt::format("no chip is called '{}'", name),
               suggest(name, known, "opkit soc list names the chips"));
}

opk_soc_v1 to_abi(const SocSpec& spec) {
  opk_soc_v1 soc{};
  soc.struct_size = sizeof soc;
  soc.npu_arch = spec.npu_arch;
  soc.name = spec.name.c_str();
  soc.short_name = spec.short_name.c_str();
  soc.core_num = spec.cores.ai_core;
  soc.cube_core_num = spec.split() ? spec.cores.cube_core : spec.cores.ai_core;
  soc.vector_core_num = vector_cores(spec);
  soc.split = spec.split() ? 1 : 0;
  soc.memory_size[OPK_MEM_GM] = spec.memory.device;
  soc.memory_size[OPK_MEM_UB] = spec.memory.ub;
  soc.memory_size[OPK_MEM_L1] = spec.memory.l1;
  soc.memory_size[OPK_MEM_L0A] = spec.memory.l0a;
  soc.memory_size[OPK_MEM_L0B] = spec.memory.l0b;
  soc.memory_size[OPK_MEM_L0C] = spec.memory.l0c;
  soc.memory_size[OPK_MEM_BT] = spec.memory.bt;
  // The part of the fixpipe buffer that holds quantisation words (slice 0).
  soc.memory_size[OPK_MEM_FB] = spec.memory.fb.empty() ? 0 : spec.memory.fb[0];
  soc.l2_size = spec.memory.l2;
  soc.reserved_ub = spec.reserved_ub;
  soc.reserved_l1 = spec.reserved_l1;
  soc.lib_api_workspace = spec.lib_api_workspace;
  soc.cube_freq_mhz = spec.cube_freq_mhz;
  soc.vector_freq_mhz = spec.vector_freq_mhz;
  soc.l2_read_rate = spec.rates.l2_read;
  soc.l2_write_rate = spec.rates.l2_write;
  soc.ddr_read_rate = spec.rates.ddr_read;
  soc.ddr_write_rate = spec.rates.ddr_write;
  soc.vector_register_bytes = spec.vector.register_width;
  soc.arch = &spec.arch->table();
  return soc;
}

}  // namespace opkit
