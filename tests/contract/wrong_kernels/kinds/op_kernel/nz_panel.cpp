// Takes the panels of FRACTAL_NZ to lie as many rows apart as the matrix has, not as are stored.
#include "copies.h"

// z = x + 1, in rows. x lies in panels of 16 columns; a panel's rows are filled up to a multiple
// of 16.
class KernelNzPanel {
 public:
  __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, const KindTiling& tiling) {
    rows_ = static_cast<uint32_t>(tiling.total);
    columns_ = tiling.columns;
    const uint32_t stored = (rows_ + kFractal - 1) / kFractal * kFractal;
    const uint32_t panels = (columns_ + kFractal - 1) / kFractal;
    pitch_ = kRight ? stored : rows_;
    x_.SetGlobalBuffer((__gm__ half*)x, uint64_t{panels} * stored * kFractal);
    z_.SetGlobalBuffer((__gm__ half*)z, uint64_t{rows_} * columns_);
    pipe_.InitBuffer(in_, 1, kRows * kFractal * sizeof(half));
    pipe_.InitBuffer(out_, 1, kRows * kFractal * sizeof(half));
  }

  __aicore__ inline void Process() {
    for (uint32_t column = 0; column < columns_; column += kFractal) {
      for (uint32_t row = 0; row < rows_; row += kRows)
        Move(row, rows_ - row < kRows ? rows_ - row : kRows, column);
    }
  }

 private:
  static constexpr uint32_t kFractal = 16, kRows = 512;

  __aicore__ inline void Move(uint32_t row, uint32_t rows, uint32_t column) {
    const uint32_t width = columns_ - column < kFractal ? columns_ - column : kFractal;
    LocalTensor<half> stored = in_.AllocTensor<half>();
    Load(stored, x_[uint64_t{column} * pitch_ + row * kFractal], rows * kFractal);
    in_.EnQue(stored);
    stored = in_.DeQue<half>();
    LocalTensor<half> panel = out_.AllocTensor<half>();
    Adds(panel, stored, static_cast<half>(1), static_cast<int32_t>(rows * kFractal));
    in_.FreeTensor(stored);
    out_.EnQue(panel);
    panel = out_.DeQue<half>();
    DataCopyPad(
        z_[uint64_t{row} * columns_ + column], panel,
        DataCopyExtParams{static_cast<uint16_t>(rows), static_cast<uint32_t>(width * sizeof(half)),
                          0, static_cast<uint32_t>((columns_ - width) * sizeof(half)), 0});
    out_.FreeTensor(panel);
  }

  TPipe pipe_;
  TQue<QuePosition::VECIN, 1> in_;
  TQue<QuePosition::VECOUT, 1> out_;
  GlobalTensor<half> x_, z_;
  uint32_t rows_ = 0, columns_ = 0, pitch_ = 0;
};

extern "C" __global__ __aicore__ void nz_panel_op(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                                  GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(KindTiling);
  GET_TILING_DATA(data, tiling);
  KernelNzPanel op;
  op.Init(x, z, data);
  op.Process();
}
