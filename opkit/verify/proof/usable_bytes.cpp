#include "opkit/verify/proof/usable_bytes.h"

#include "opkit/soc/soc_spec.h"

namespace opkit::verify {

uint64_t usable_bytes(const std::string& soc, opk_memory memory) {
  const auto match = find_soc(soc);
  if (!match.ok()) return 0;
  const opk_soc_v1 chip = to_abi(*match->spec);
  const uint64_t kept = memory == OPK_MEM_UB   ? chip.reserved_ub
                        : memory == OPK_MEM_L1 ? chip.reserved_l1
                                               : 0;
  return chip.memory_size[memory] - kept;
}

}  // namespace opkit::verify
