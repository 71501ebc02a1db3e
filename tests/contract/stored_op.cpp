#include "stored_op.h"

#include <algorithm>
#include <cstring>

#include "kernel_operator.h"

namespace stored_op {
namespace {

// Storage is [outer][c1][rows][C0]; a panel is one c1 of one outer.
struct Tiling {
  uint64_t panels, panels_per_core;
  uint64_t c1, columns;  // panels of one outer; elements of b
  // Count the rows of a panel, those that hold elements, and those up to the next panel.
  uint64_t rows, valid_rows, pitch;
  uint32_t mistake;
};

Mistake chosen = Mistake::kNone;
constexpr uint64_t kRowsAtOnce = 1024;

template <typename T>
class StoredKernel {
 public:
  void Init(GM_ADDR x, GM_ADDR b, GM_ADDR y, const Tiling& tiling) {
    tiling_ = tiling;
    x_.SetGlobalBuffer((__gm__ T*)x, tiling.panels * tiling.rows * kC0);
    b_.SetGlobalBuffer((__gm__ T*)b, tiling.columns);
    y_.SetGlobalBuffer((__gm__ T*)y, tiling.panels * tiling.rows * kC0);
    pipe_.InitBuffer(in_, 1, kRowsAtOnce * 32);
    pipe_.InitBuffer(row_, 1, 32);
    pipe_.InitBuffer(out_, 1, kRowsAtOnce * 32);
  }

  void Process() {
    const uint64_t begin = tiling_.panels_per_core * AscendC::GetBlockIdx();
    uint64_t end = std::min(tiling_.panels, begin + tiling_.panels_per_core);
    if (Is(Mistake::kLastPanel) && end == tiling_.panels) --end;
    for (uint64_t panel = begin; panel < end; ++panel) Panel(panel, tiling_.rows);
    if (Is(Mistake::kOverlap) && end < tiling_.panels) Panel(end, 4);
  }

 private:
  static constexpr uint64_t kC0 = 32 / sizeof(T);
  bool Is(Mistake mistake) const { return static_cast<Mistake>(tiling_.mistake) == mistake; }

  void Panel(uint64_t panel, uint64_t rows) {
    if (Is(Mistake::kNoPaddingRows)) rows = std::min(rows, tiling_.valid_rows);
    const uint64_t column = panel % tiling_.c1 * kC0;
    LoadRow(column, std::min(kC0, tiling_.columns - column));
    auto row = row_.template DeQue<T>();
    for (uint64_t done = 0; done < rows; done += kRowsAtOnce)
      Rows(panel * tiling_.pitch * kC0 + done * kC0, std::min(kRowsAtOnce, rows - done), row);
    row_.FreeTensor(row);
  }

  void LoadRow(uint64_t column, uint64_t count) {
    auto row = row_.template AllocTensor<T>();
    const auto missing = static_cast<uint8_t>(kC0 - count);
    AscendC::DataCopyPad(
        row, b_[column],
        AscendC::DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0},
        AscendC::DataCopyPadExtParams<T>{missing > 0, 0, missing, static_cast<T>(0.0f)});
    row_.template EnQue<T>(row);
  }

  void Rows(uint64_t at, uint64_t count, const AscendC::LocalTensor<T>& row) {
    const auto elements = static_cast<uint32_t>(count * kC0);
    auto x = in_.template AllocTensor<T>();
    AscendC::DataCopy(x, x_[at], elements);
    in_.template EnQue<T>(x);
    x = in_.template DeQue<T>();
    auto y = out_.template AllocTensor<T>();
    // Eight rows of 32 bytes a repeat, the same row for all of them.
    const AscendC::BinaryRepeatParams same_row(1, 1, 0, 8, 8, 0);
    for (uint64_t r = 0; r < count / 8; r += 128)
      AscendC::Add(y[r * 8 * kC0], x[r * 8 * kC0], row, 8 * kC0,
                   static_cast<uint8_t>(std::min<uint64_t>(128, count / 8 - r)), same_row);
    if (count % 8 != 0) {
      const uint64_t done = count / 8 * 8 * kC0;
      AscendC::Add(y[done], x[done], row, count % 8 * kC0, 1, same_row);
    }
    out_.template EnQue<T>(y);
    in_.FreeTensor(x);
    y = out_.template DeQue<T>();
    AscendC::DataCopy(y_[at], y, elements);
    out_.FreeTensor(y);
  }

  Tiling tiling_{};
  AscendC::TPipe pipe_;
  AscendC::TQue<AscendC::TPosition::VECIN, 1> in_, row_;
  AscendC::TQue<AscendC::TPosition::VECOUT, 1> out_;
  AscendC::GlobalTensor<T> x_, b_, y_;
};

template <typename T>
void entry(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  Tiling tiling;
  std::memcpy(&tiling, args[4], sizeof tiling);
  StoredKernel<T> kernel;
  kernel.Init(static_cast<uint8_t*>(args[0]), static_cast<uint8_t*>(args[1]),
              static_cast<uint8_t*>(args[2]), tiling);
  kernel.Process();
  if (static_cast<Mistake>(tiling.mistake) != Mistake::kWritesInput || AscendC::GetBlockIdx() != 0)
    return;
  // Behind the engine's back; the last element of the storage.
  T* x = static_cast<T*>(args[0]);
  x[tiling.panels * tiling.rows * 32 / sizeof(T) - 1] = static_cast<T>(1.0f);
}

uint64_t product(const int64_t* dims, uint32_t count) {
  uint64_t all = 1;
  for (uint32_t d = 0; d < count; ++d) all *= static_cast<uint64_t>(dims[d]);
  return all;
}

// Reads what the storage's shape, the origin's and the format say; refuses what does not fit
// together.
bool read_shapes(const opk_tensor_v1& x, Tiling& tiling) {
  const int64_t *s = x.dims, *o = x.origin_dims;
  const uint32_t r = x.rank;
  const auto at = [](const int64_t* dims, uint32_t d) { return static_cast<uint64_t>(dims[d]); };
  if (x.format == OPK_FORMAT_FRACTAL_NZ) {
    if (x.origin_format != OPK_FORMAT_ND || r != x.origin_rank + 2) return false;
    tiling.c1 = at(s, r - 4);
    tiling.panels = product(s, r - 3);
    tiling.rows = at(s, r - 3) * at(s, r - 2);
    tiling.columns = at(o, x.origin_rank - 1);
    tiling.valid_rows = at(o, x.origin_rank - 2);
    return true;
  }
  if (x.origin_format != OPK_FORMAT_NCHW || x.origin_rank != 4) return false;
  tiling.columns = at(o, 1);
  if (x.format == OPK_FORMAT_NC1HWC0) {
    tiling.c1 = at(s, 1);
    tiling.panels = at(s, 0) * tiling.c1;
    tiling.rows = tiling.valid_rows = at(s, 2) * at(s, 3);
    return r == 5;
  }
  const uint64_t image = at(o, 2) * at(o, 3);
  tiling.c1 = tiling.panels = at(s, 0) / std::max<uint64_t>(image, 1);
  tiling.rows = tiling.valid_rows = image * at(s, 1) * at(s, 2);
  return x.format == OPK_FORMAT_FRACTAL_Z && r == 4;
}

int32_t tile(const opk_call_v1* call, opk_tiling_v1* answer) {
  const opk_tensor_v1& x = *call->inputs[0]->tensors[0];
  const opk_tensor_v1& y = *call->outputs[0]->tensors[0];
  Tiling tiling{};
  tiling.mistake = static_cast<uint32_t>(chosen);
  if (!read_shapes(x, tiling) || y.format != x.format || y.rank != x.rank ||
      std::memcmp(y.dims, x.dims, x.rank * sizeof *x.dims) != 0 || y.origin_rank != x.origin_rank)
    return OPK_E_FAILED;
  tiling.pitch = chosen == Mistake::kOriginRows ? tiling.valid_rows : tiling.rows;
  if (chosen == Mistake::kDense) {
    tiling.pitch = tiling.rows = 1;
    tiling.panels = product(x.dims, x.rank - 1);
  }
  const uint64_t cores = call->soc->split ? call->soc->vector_core_num : call->soc->core_num;
  tiling.panels_per_core = std::max<uint64_t>(1, (tiling.panels + cores - 1) / cores);
  answer->block_dim = static_cast<uint32_t>(
      std::max<uint64_t>(1, (tiling.panels + tiling.panels_per_core - 1) / tiling.panels_per_core));
  std::memcpy(answer->data, &tiling, sizeof tiling);
  answer->data_size = sizeof tiling;
  return OPK_OK;
}

opk_kernel_v1 kernel_of(uint32_t column, opk_kernel_fn entry) {
  opk_kernel_v1 kernel{};
  kernel.struct_size = sizeof kernel;
  kernel.column = column;
  kernel.tiling_key = OPK_ANY_TILING_KEY;
  kernel.name = "add_row";
  kernel.task_type = OPK_TASK_AIV_ONLY;
  kernel.arg_count = 5;
  kernel.aiv = kernel.mix = entry;
  return kernel;
}

}  // namespace

const opk_op_v1& with(Mistake mistake) {
  static const opk_kernel_v1 rows[] = {kernel_of(0, entry<half>),    kernel_of(1, entry<float>),
                                       kernel_of(2, entry<int32_t>), kernel_of(3, entry<half>),
                                       kernel_of(4, entry<float>),   kernel_of(5, entry<int32_t>)};
  static const opk_kernel_v1* const kernels[] = {&rows[0], &rows[1], &rows[2],
                                                 &rows[3], &rows[4], &rows[5]};
  static const opk_op_v1 op = [] {
    opk_op_v1 made{};
    made.struct_size = sizeof made;
    made.type = "AddRow";
    made.tile = tile;
    made.kernel_count = 6;
    made.kernels = kernels;
    return made;
  }();
  chosen = mistake;
  return op;
}

const char* matrix_contract() {
  return R"(
op: AddRow
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "B.., M, N", format: FRACTAL_NZ}
  b: {dtype: T, shape: "N"}
outputs:
  y: {dtype: T, shape: "B.., M, N", format: FRACTAL_NZ}
types: {T: [float16, float32, int32]}
where: {C1: "1 <= M", C2: "1 <= N", C3: "rank(B) <= 3", C4: "prod(B) >= 1", C5: "M != 5"}
reference:
  - {op: Add, in: [x, b], out: y}
soc: [Ascend910B]
)";
}

const char* image_contract() {
  return R"(
op: AddRow
version: "1.0.0"
inputs:
  x: {dtype: T, shape: "N, C, H, W", format: F}
  b: {dtype: T, shape: "C, 1, 1"}
outputs:
  y: {dtype: T, shape: "N, C, H, W", format: F}
columns:
  - {T: float16, F: NC1HWC0}
  - {T: float32, F: NC1HWC0}
  - {T: int32,   F: NC1HWC0}
  - {T: float16, F: FRACTAL_Z}
  - {T: float32, F: FRACTAL_Z}
  - {T: int32,   F: FRACTAL_Z}
where: {C1: "N >= 1", C2: "C >= 1", C3: "H >= 1", C4: "W >= 1"}
reference:
  - {op: Add, in: [x, b], out: y}
soc: [Ascend910B]
)";
}

}  // namespace stored_op
