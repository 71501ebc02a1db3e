// SocSpec: one chip as data. The specs are the YAML files of opkit/soc/specs, embedded into the
// library; their fields are explained there, with the source of every value.
#ifndef OPKIT_SOC_SOC_SPEC_H_
#define OPKIT_SOC_SOC_SPEC_H_

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/abi/soc.h"
#include "opkit/base/dtype.h"
#include "opkit/base/status.h"
#include "opkit/soc/arch.h"

namespace opkit {

// Sizes in bytes, frequencies in MHz, rates in bytes per cycle and core. 0 = the chip has none.
struct SocSpec {
  struct Cores {
    uint32_t ai_core = 0;
    uint32_t cube_core = 0;        // counts the cores of a chip with separate cube and vector cores
    uint32_t vector_core = 0;      // is what the vendor's file counts
    uint32_t mix_vector_core = 0;  // AI cores and vector cores that run vector code side by side
    uint32_t ai_cpu = 0;
    std::vector<std::string> types;    // AICore, CubeCore, VectorCore
    std::vector<std::string> combine;  // fuse, split
    std::vector<uint32_t> virtual_cores;
  };
  struct Memory {
    uint64_t device = 0, l2 = 0;
    uint32_t ub = 0, ub_vector_core = 0, l1 = 0, l0a = 0, l0b = 0, l0c = 0, bt = 0, smask = 0;
    std::vector<uint32_t> fb;  // fixpipe buffer slices
  };
  struct Banks {
    uint32_t block = 0, bank = 0, banks = 0, groups = 0;
  };
  struct Vector {
    uint32_t calc = 0;  // fp16 elements per cycle
    uint32_t register_width = 0, predicate = 0, wide_register = 0;
  };
  struct Rates {
    uint32_t ddr_read = 0, ddr_write = 0, l2_read = 0, l2_write = 0;
    uint32_t l1_to_l0a = 0, l1_to_l0b = 0, l1_to_ub = 0, ub_to_l1 = 0;
    uint32_t l0c_to_ub = 0, ub_to_l2 = 0, ub_to_ddr = 0;
  };
  // measured: set or confirmed by measurements of this chip that were published.
  struct Figure {
    double value = 0;
    bool measured = false;
    std::string source;
  };
  // Eighths of a cycle of one repeat whose widest elements have 1, 2, 4, 8 bytes.
  struct RepeatFigure {
    std::array<uint32_t, 4> eighths{};
    bool measured = false;
    std::string source;
  };
  using Triple = std::array<uint32_t, 3>;

  std::string name;        // "Ascend910B1"
  std::string short_name;  // "Ascend910B"
  std::string source;
  std::string aic_version;
  std::vector<std::string> compiler_arch;
  uint32_t npu_arch = 0;
  const ArchSpec* arch = nullptr;  // lives as long as the program; never nullptr when parsed
  uint32_t arch_type = 0;
  Cores cores;
  Memory memory;
  uint32_t reserved_ub = 0, reserved_l1 = 0;  // end the memory; queries do not offer them
  uint64_t lib_api_workspace = 0;
  bool input_ranges = true;  // atc's --input_shape takes ranges
  Banks ub_banks;
  uint32_t cube_freq_mhz = 0, vector_freq_mhz = 0;
  Triple cube{};  // m, n, k of one cycle in fp16
  Vector vector;
  std::map<std::string, Triple> fractal;  // dtype name or "default" -> {M, K, N}
  Rates rates;
  std::map<std::string, uint32_t> cube_k;  // dtype name or "hf32" -> k of one cycle
  std::map<std::string, Figure> timing;
  std::map<std::string, RepeatFigure> vector_timing;  // is keyed by class of instructions

  // Separate cube and vector cores (AIC and AIV).
  bool split() const { return cores.cube_core != 0; }
  // Tells whether the chip has bfloat16 as an input of the cube unit and in casts.
  bool has_bfloat16() const;
  // Tells whether any of its timing figures was measured.
  bool timing_is_measured() const;
  // Returns the k of the m x n x k multiply-adds of one cycle.
  uint32_t cube_k_of(std::string_view type) const;
  // {M, K, N} of the cube fractal, in elements.
  Triple fractal_of(DType dtype) const;
};

// `name` is what error positions carry.
Result<SocSpec> parse_soc(std::string_view yaml, std::string name);

// Full names of the embedded specs, sorted.
const std::vector<std::string>& soc_names();

// Returns the text of an embedded spec. REQUIRES: name is one of soc_names().
std::string_view soc_text(std::string_view name);

struct SocMatch {
  const SocSpec* spec = nullptr;  // lives as long as the program
  std::string note;               // a sentence when a short name was widened, else empty
};

// Finds a chip by full name (Ascend910B1) or short name (Ascend910B, the vendor's default chip is
// taken); case and a missing "Ascend" do not matter.
Result<SocMatch> find_soc(std::string_view name);

// Returns the waist's form. Its strings belong to `spec`, which must outlive it.
opk_soc_v1 to_abi(const SocSpec& spec);

}  // namespace opkit

#endif  // OPKIT_SOC_SOC_SPEC_H_
