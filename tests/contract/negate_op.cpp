#include "negate_op.h"

#include <algorithm>
#include <cstring>

#include "kernel_operator.h"

namespace negate_op {
namespace {

struct Tiling {
  uint64_t total, per_core;
  uint32_t tile, mistake;
};

Mistake chosen = Mistake::kNone;

template <typename T>
class NegateKernel {
 public:
  void Init(GM_ADDR x, GM_ADDR y, const Tiling& tiling) {
    tiling_ = tiling;
    x_.SetGlobalBuffer((__gm__ T*)x, tiling.total);
    y_.SetGlobalBuffer((__gm__ T*)y, tiling.total);
    pipe_.InitBuffer(in_, 1, tiling.tile * sizeof(T));
    pipe_.InitBuffer(out_, 1, tiling.tile * sizeof(T));
    if (static_cast<Mistake>(tiling.mistake) == Mistake::kThirdTile)
      pipe_.InitBuffer(raw_, tiling.tile * sizeof(T));
  }

  void Process() {
    const auto mistake = static_cast<Mistake>(tiling_.mistake);
    uint64_t index = AscendC::GetBlockIdx();
    const bool reads = mistake == Mistake::kReadsData || mistake == Mistake::kReadsScale;
    const bool positive = reads && static_cast<float>(x_.GetValue(0)) > 0.0f;
    const bool steered = mistake == Mistake::kReadsData && positive;
    if (steered) index = AscendC::GetBlockNum() - 1 - index;
    const uint64_t begin = tiling_.per_core * index;
    uint64_t end = std::min(tiling_.total, begin + tiling_.per_core);
    if (mistake == Mistake::kOverlap) end = std::min(tiling_.total, end + 8);
    if (mistake == Mistake::kHole && end == tiling_.total) end = begin + (end - begin) / 16 * 16;
    if (mistake == Mistake::kSumFirst) return Sum(begin, end);
    if (mistake == Mistake::kLastOfKey && tiling_.total == static_cast<uint64_t>(kLarge)) return;
    for (uint64_t offset = begin; offset < end; offset += tiling_.tile) {
      const auto count = static_cast<uint32_t>(std::min<uint64_t>(tiling_.tile, end - offset));
      if (mistake == Mistake::kThirdTile && offset >= begin + 2 * tiling_.tile) {
        CopyWithoutWaiting(offset, count);
        continue;
      }
      Copy(offset, count);
      if (mistake == Mistake::kOwnRepeat || steered) Copy(offset, count);
    }
  }

 private:
  void Sum(uint64_t begin, uint64_t end) {
    if (AscendC::GetBlockIdx() == 0) {
      for (uint64_t offset = 0; offset < tiling_.total; offset += tiling_.tile)
        Zero(offset,
             static_cast<uint32_t>(std::min<uint64_t>(tiling_.tile, tiling_.total - offset)));
    }
    AscendC::SyncAll();
    AscendC::SetAtomicAdd<T>();
    for (uint64_t offset = begin; offset < end; offset += tiling_.tile)
      Copy(offset, static_cast<uint32_t>(std::min<uint64_t>(tiling_.tile, end - offset)));
    AscendC::SetAtomicNone();
  }

  void Zero(uint64_t offset, uint32_t count) {
    auto tile = out_.template AllocTensor<T>();
    AscendC::Duplicate(tile, static_cast<T>(0.0f), static_cast<int32_t>(count));
    out_.template EnQue<T>(tile);
    Out(offset, count);
  }

  void Copy(uint64_t offset, uint32_t count) {
    uint64_t from = offset;
    if (static_cast<Mistake>(tiling_.mistake) == Mistake::kNarrowOffset)
      from = static_cast<uint32_t>(offset * sizeof(T)) / sizeof(T);
    auto tile = in_.template AllocTensor<T>();
    const auto bytes = static_cast<uint32_t>(count * sizeof(T));
    AscendC::DataCopyPad(tile, x_[from], AscendC::DataCopyExtParams{1, bytes, 0, 0, 0},
                         AscendC::DataCopyPadExtParams<T>{false, 0, 0, 0});
    in_.template EnQue<T>(tile);
    Negate(count);
    Out(from, count);
  }

  void CopyWithoutWaiting(uint64_t offset, uint32_t count) {
    auto x = raw_.template Get<T>();
    const auto bytes = static_cast<uint32_t>(count * sizeof(T));
    AscendC::DataCopyPad(x, x_[offset], AscendC::DataCopyExtParams{1, bytes, 0, 0, 0},
                         AscendC::DataCopyPadExtParams<T>{false, 0, 0, 0});
    auto y = out_.template AllocTensor<T>();
    AscendC::Muls(y, x, static_cast<T>(-1.0f), static_cast<int32_t>(count));
    out_.template EnQue<T>(y);
    Out(offset, count);
  }

  void Negate(uint32_t count) {
    auto x = in_.template DeQue<T>();
    auto y = out_.template AllocTensor<T>();
    AscendC::Muls(y, x, static_cast<T>(-1.0f), static_cast<int32_t>(count));
    out_.template EnQue<T>(y);
    in_.FreeTensor(x);
  }

  void Out(uint64_t offset, uint32_t count) {
    auto tile = out_.template DeQue<T>();
    const auto bytes = static_cast<uint32_t>(count * sizeof(T));
    AscendC::DataCopyPad(y_[offset], tile, AscendC::DataCopyExtParams{1, bytes, 0, 0, 0});
    out_.FreeTensor(tile);
  }

  Tiling tiling_{};
  AscendC::TPipe pipe_;
  AscendC::TQue<AscendC::TPosition::VECIN, 1> in_;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> out_;
  AscendC::TBuf<AscendC::TPosition::VECCALC> raw_;
  AscendC::GlobalTensor<T> x_, y_;
};

template <typename T>
void entry(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  Tiling tiling;
  std::memcpy(&tiling, args[3], sizeof tiling);
  NegateKernel<T> kernel;
  kernel.Init(static_cast<uint8_t*>(args[0]), static_cast<uint8_t*>(args[1]), tiling);
  kernel.Process();
}

uint64_t rounded(uint64_t value, uint64_t step) { return (value + step - 1) / step * step; }

int32_t tile(const opk_call_v1* call, opk_tiling_v1* answer) {
  const opk_tensor_v1& x = *call->inputs[0]->tensors[0];
  const uint64_t size = x.dtype == OPK_FLOAT16 ? 2 : 4;
  Tiling tiling{1, 0, 0, static_cast<uint32_t>(chosen)};
  for (uint32_t d = 0; d < x.rank; ++d) tiling.total *= static_cast<uint64_t>(x.dims[d]);
  const uint64_t cores = call->soc->split ? call->soc->vector_core_num : call->soc->core_num;
  const uint64_t room = chosen == Mistake::kLargeTile
                            ? 200000
                            : (call->soc->memory_size[OPK_MEM_UB] - call->soc->reserved_ub) * 3 / 4;
  const uint64_t more = chosen == Mistake::kRoundsDown ? 0 : cores - 1;
  tiling.per_core = std::max<uint64_t>(rounded((tiling.total + more) / cores, 16), 64);
  tiling.tile = static_cast<uint32_t>(std::min(tiling.per_core, room / 2 / size / 16 * 16));
  if (chosen == Mistake::kThirdTile) tiling.tile = std::min<uint32_t>(tiling.tile, 2048);
  const uint64_t blocks = (tiling.total + tiling.per_core - 1) / tiling.per_core;
  answer->block_dim = static_cast<uint32_t>(std::clamp<uint64_t>(blocks, 1, cores));
  answer->tiling_key = tiling.total > static_cast<uint64_t>(kLarge) ? kKeyOfLarge : 0;
  std::memcpy(answer->data, &tiling, sizeof tiling);
  answer->data_size = sizeof tiling;
  answer->workspace_count = 1;
  answer->workspaces[0] = 0;
  return OPK_OK;
}

opk_kernel_v1 kernel_of(uint32_t column, opk_kernel_fn entry) {
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.column = column;
  kernel.tiling_key = OPK_ANY_TILING_KEY;
  kernel.name = "negate";
  kernel.task_type = OPK_TASK_AIV_ONLY;
  kernel.arg_count = 4;
  kernel.aiv = kernel.mix = entry;
  return kernel;
}

}  // namespace

const opk_op_v1& with(Mistake mistake) {
  static const opk_kernel_v1 half_kernel = kernel_of(0, entry<half>);
  static const opk_kernel_v1 float_kernel = kernel_of(1, entry<float>);
  static const opk_kernel_v1* const kernels[] = {&half_kernel, &float_kernel};
  static const opk_op_v1 op = [] {
    opk_op_v1 made{};
    made.struct_size = sizeof made;
    made.type = "Negate";
    made.tile = tile;
    made.kernel_count = 2;
    made.kernels = kernels;
    return made;
  }();
  chosen = mistake;
  return op;
}

const char* contract_text() {
  return R"(
op: Negate
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "S.."}
outputs:
  y: {dtype: T, shape: "S.."}
types: {T: [float16, float32]}
where: {C1: "1 <= rank(S) <= 3", C2: "1 <= prod(S) < 2**33"}
reference:
  - {op: Neg, in: [x], out: y}
soc: [Ascend910B, Ascend310B]
)";
}

}  // namespace negate_op
