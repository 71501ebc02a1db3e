#include "opkit/call/tiling/tile.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace opkit {
namespace {

constexpr uint32_t kMaxBlocks = 65535;
constexpr const char* kFunction = "the tiling function";

// Returns the kernel for a column and key, or nullptr.
const opk_kernel_v1* pick_kernel(const opk_op_v1& op, uint32_t column, uint64_t key) {
  if (key == OPK_ANY_TILING_KEY) return nullptr;
  for (uint32_t i = 0; i < op.kernel_count; ++i) {
    const opk_kernel_v1& kernel = *op.kernels[i];
    const bool of_column =
        column == OPK_ANY_COLUMN || kernel.column == OPK_ANY_COLUMN || kernel.column == column;
    if (of_column && (kernel.tiling_key == OPK_ANY_TILING_KEY || kernel.tiling_key == key)) {
      return &kernel;
    }
  }
  return nullptr;
}

// The package was built for other columns alone.
Error no_column(const opk_op_v1& op, uint32_t column, const std::set<uint32_t>& built) {
  return Error("OPK-TILE-009",
               fmt::format("no kernel of column {} was built; columns built: {}", column,
                           fmt::join(built, ", ")),
               fmt::format("call with the dtypes of a column that was built, or build this one: "
                           "opkit build --column {}",
                           column))
      .of(op.type);
}

Error no_kernel(const opk_op_v1& op, uint32_t column, uint64_t key) {
  if (key == OPK_ANY_TILING_KEY) {
    return Error("OPK-TILE-009", "the tiling function set a key that stands for no kernel",
                 "choose a combination that ASCENDC_TPL_SEL lists")
        .of(op.type);
  }
  std::set<uint64_t> keys;
  std::set<uint32_t> columns;
  for (uint32_t i = 0; i < op.kernel_count; ++i) {
    keys.insert(op.kernels[i]->tiling_key);
    columns.insert(op.kernels[i]->column);
  }
  if (column != OPK_ANY_COLUMN && columns.count(OPK_ANY_COLUMN) == 0 && columns.count(column) == 0)
    return no_column(op, column, columns);
  const bool keyless = keys.size() == 1 && *keys.begin() == 0;
  const std::string where = column == OPK_ANY_COLUMN ? "" : fmt::format(" in column {}", column);
  return Error("OPK-TILE-009",
               fmt::format("tiling chose key {}, for which no kernel was built{}; keys built: {}",
                           key, where, fmt::join(keys, ", ")),
               keyless
                   ? "leave SetTilingKey out, or add branches TILING_KEY_IS: a kernel that names "
                     "no key is built for key 0"
                   : "add a branch TILING_KEY_IS for the key, or choose another one")
      .of(op.type);
}

// Bytes that were written beyond the declared size are a forgotten SetDataSize.
Status check_data(const opk_tiling_v1& answer, const std::vector<std::byte>& buffer,
                  size_t capacity, const char* type) {
  if (answer.data_size > capacity) {
    return Error("OPK-TILE-005",
                 fmt::format("tiling data of {} bytes exceeds the limit of {} bytes",
                             answer.data_size, capacity),
                 "pass large tables as an input or through the workspace")
        .of(type);
  }
  const auto last =
      std::find_if(buffer.rbegin(), buffer.rend(), [](std::byte b) { return b != std::byte{0}; });
  const size_t written = static_cast<size_t>(buffer.rend() - last);
  if (written <= answer.data_size) return {};
  return Error(
             "OPK-TILE-006",
             fmt::format("the tiling function wrote {} bytes of tiling data but set the data size "
                         "to {}",
                         written, answer.data_size),
             "call GetRawTilingData()->SetDataSize(tiling.GetDataSize())")
      .of(type);
}

Status check_workspaces(const opk_tiling_v1& answer, const char* type) {
  if (answer.workspace_count > OPK_MAX_WORKSPACES) {
    return Error("OPK-TILE-007",
                 fmt::format("{} workspaces, at most {} exist", answer.workspace_count,
                             OPK_MAX_WORKSPACES),
                 "put the parts into one workspace")
        .of(type);
  }
  for (uint32_t i = 0; i < answer.workspace_count; ++i) {
    if (answer.workspaces[i] <= kMaxWorkspaceBytes / OPK_MAX_WORKSPACES) continue;
    return Error("OPK-TILE-007",
                 fmt::format("workspace {} of {} bytes is larger than any device memory", i,
                             answer.workspaces[i]),
                 "look for an overflow or an unset size in the tiling function")
        .of(type);
  }
  return {};
}

// Blocks that wait for each other must all be resident.
Status check_schedule(const TilingPlan& plan, const opk_soc_v1& soc, const char* type) {
  if (plan.schedule_mode == 0 || plan.kernel == nullptr) return {};
  const uint32_t resident = resident_blocks(soc, plan.kernel->task_type);
  if (plan.block_dim <= resident) return {};
  return Error("OPK-TILE-010",
               fmt::format("schedule mode {} needs all {} blocks at once, {} runs {}",
                           plan.schedule_mode, plan.block_dim, soc.name, resident),
               "choose a block dim of at most the number of cores")
      .of(type);
}

TilingPlan plan_of(const opk_tiling_v1& answer, std::vector<std::byte> data,
                   const opk_kernel_v1* kernel, const AuthorLog& log) {
  TilingPlan plan;
  plan.block_dim = answer.block_dim;
  plan.key = answer.tiling_key;
  data.resize(answer.data_size);
  plan.data = std::move(data);
  plan.workspaces.assign(answer.workspaces, answer.workspaces + answer.workspace_count);
  plan.schedule_mode = answer.schedule_mode;
  plan.local_memory_size = answer.local_memory_size;
  plan.need_atomic = answer.need_atomic != 0;
  plan.kernel = kernel;
  plan.log = log.lines();
  return plan;
}

}  // namespace

uint64_t TilingPlan::workspace_bytes() const {
  uint64_t sum = 0;
  for (uint64_t bytes : workspaces) sum += bytes;
  return sum;
}

std::set<uint64_t> built_keys(const opk_op_v1& op, std::optional<size_t> column) {
  std::set<uint64_t> keys;
  for (uint32_t i = 0; i < op.kernel_count; ++i) {
    const opk_kernel_v1& kernel = *op.kernels[i];
    const bool of_column = !column || kernel.column == OPK_ANY_COLUMN || kernel.column == *column;
    if (of_column && kernel.tiling_key != OPK_ANY_TILING_KEY) keys.insert(kernel.tiling_key);
  }
  return keys;
}

uint32_t resident_blocks(const opk_soc_v1& soc, int32_t task_type) {
  if (!soc.split) return soc.core_num;
  switch (task_type) {
    case OPK_TASK_AIV_ONLY:
    case OPK_TASK_MIX_AIV_1_0: return soc.vector_core_num;
    default: return soc.cube_core_num;
  }
}

Result<TilingPlan> tile(const opk_op_v1& op, const OpCall& call, const SocSpec& soc,
                        uint32_t column) {
  if (op.tile == nullptr) {
    return Error("OPK-TILE-002", "the plugin has no tiling function for this op",
                 "register one: IMPL_OP_OPTILING(Op).Tiling(f), or SetTiling in the OpDef")
        .of(op.type);
  }
  OPKIT_CHECK(check_call(call, true));
  const opk_soc_v1 chip = to_abi(soc);
  AuthorLog log;
  const AbiCall abi(call, &chip, log.report());
  std::vector<std::byte> buffer(kTilingCapacity);
  opk_tiling_v1 answer{};
  answer.struct_size = sizeof answer;
  answer.data = buffer.data();
  answer.data_capacity = buffer.size();
  const int32_t code = op.tile(abi.get(), &answer);
  if (code != OPK_OK) return author_error(code, op.type, kFunction, log);
  if (answer.block_dim == 0) {
    return log.attach_to(Error("OPK-TILE-008", "the tiling function left the block dim at 0",
                               "call SetBlockDim with at least 1")
                             .of(op.type));
  }
  if (answer.block_dim > kMaxBlocks) {
    return log.attach_to(Error("OPK-TILE-011",
                               fmt::format("the tiling function set a block dim of {}, at most {} "
                                           "blocks can be launched",
                                           answer.block_dim, kMaxBlocks),
                               "look for an overflow in the tiling function")
                             .of(op.type));
  }
  OPKIT_CHECK(check_data(answer, buffer, kTilingCapacity, op.type));
  OPKIT_CHECK(check_workspaces(answer, op.type));
  const opk_kernel_v1* kernel = pick_kernel(op, column, answer.tiling_key);
  if (kernel == nullptr && (op.kernel_count != 0 || answer.tiling_key == OPK_ANY_TILING_KEY)) {
    return log.attach_to(no_kernel(op, column, answer.tiling_key));
  }
  TilingPlan plan = plan_of(answer, std::move(buffer), kernel, log);
  OPKIT_CHECK(check_schedule(plan, chip, op.type));
  return plan;
}

}  // namespace opkit
