// Tiling: asks a plugin's tiling function how a call is to be launched, and checks the answer.
#ifndef OPKIT_CALL_TILING_TILE_H_
#define OPKIT_CALL_TILING_TILE_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "opkit/base/status.h"
#include "opkit/call/tiling/author_log.h"
#include "opkit/call/tiling/op_call.h"
#include "opkit/soc/soc_spec.h"

namespace opkit {

struct TilingPlan {
  uint32_t block_dim = 0;  // blocks; may exceed the number of cores
  uint64_t key = 0;
  std::vector<std::byte> data;
  std::vector<uint64_t> workspaces;  // bytes each, the system part included
  uint32_t schedule_mode = 0;        // 1: all blocks must be resident at once
  uint32_t local_memory_size = 0;    // bytes, 0 = unset
  bool need_atomic = false;
  const opk_kernel_v1* kernel = nullptr;  // the instantiation to launch; nullptr: the op has none
  std::vector<AuthorLog::Line> log;

  uint64_t workspace_bytes() const;
};

inline constexpr size_t kTilingCapacity = 64 * 1024;               // bytes of tiling data at most
inline constexpr uint64_t kMaxWorkspaceBytes = uint64_t{1} << 40;  // limits all workspaces together

// Tiles a call. `column` is the contract's column of it, which picks among the kernels;
// OPK_ANY_COLUMN when it is not known. REQUIRES: every shape is known (else OPK-TILE-001).
Result<TilingPlan> tile(const opk_op_v1& op, const OpCall& call, const SocSpec& soc,
                        uint32_t column = OPK_ANY_COLUMN);

// Tiling keys that kernels were built for by name, in that column or in any.
std::set<uint64_t> built_keys(const opk_op_v1& op, std::optional<size_t> column);

// Returns how many blocks run at the same time on the chip for a launch of this type.
uint32_t resident_blocks(const opk_soc_v1& soc, int32_t task_type);

}  // namespace opkit

#endif  // OPKIT_CALL_TILING_TILE_H_
