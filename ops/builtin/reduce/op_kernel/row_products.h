// Products of the elements of rows: no call multiplies the elements of a vector with each other.
#ifndef REDUCE_ROW_PRODUCTS_H_
#define REDUCE_ROW_PRODUCTS_H_

#include "reduce.h"

// Columns are folded until there are eight, those become rows, and these are folded. In place of
// rows::Reducer; the host reserves kLanes numbers more for each row.
template <typename Formula, typename Output, typename JoinedPorts>
class RowProducts {
 public:
  __aicore__ inline explicit RowProducts(const RowsTiling& tiling) : tiling_(tiling.view) {}

  template <typename Inputs>
  __aicore__ inline void Run(const Formula& formula, GM_ADDR output, const Inputs& inputs) {
    height_ = layout::UpTo(tiling_.tile_rows, kLines);
    finder_.Init(pipe_, tiling_, inputs);
    store_.Init(pipe_, output, tiling_.tile_rows);
    pipe_.InitBuffer(folded_, height_ * kRepeat * sizeof(float));
    pipe_.InitBuffer(turned_, height_ * kLanes * sizeof(float));
    finder_.EveryTile([&](uint64_t row, uint32_t rows) { OneTile(formula, row, rows); });
  }

 private:
  static constexpr uint32_t kRepeat = 64;  // floats of one repeat
  static constexpr uint32_t kLanes = 8;    // floats of a block
  static constexpr uint32_t kLines = 16;   // rows that TransDataTo5HD turns at once

  __aicore__ inline void OneTile(const Formula& formula, uint64_t row, uint32_t rows) {
    Duplicate(folded_.Get<float>(), 1.0f, height_ * kRepeat);
    for (uint64_t column = 0; column < tiling_.columns; column += tiling_.tile_columns) {
      const elementwise::Tile part = finder_.Part(row, rows, column);
      finder_.Enter(formula, part, [&] {
        if (rows == 1) {
          FoldRow(part.columns);
        } else {
          FoldColumns(part);
        }
      });
    }
    FoldLanes();
    store_.Out(turned_.Get<float>(), row, rows);
  }

  // 64 by 64 onto the first ones of every row.
  __aicore__ inline void FoldColumns(const elementwise::Tile& part) {
    const LocalTensor<float> folded = folded_.Get<float>(), x = finder_.X();
    const BinaryRepeatParams strides(1, 1, 1, kRepeat / kLanes, kRepeat / kLanes,
                                     static_cast<uint8_t>(part.pitch / kLanes));
    for (uint32_t column = 0; column < part.columns; column += kRepeat) {
      const uint64_t mask = layout::Least(kRepeat, part.columns - column);
      Mul(folded, folded, x[column], mask, static_cast<uint8_t>(part.rows), strides);
    }
  }

  // A row that is alone, and may be longer than a repeat can step.
  __aicore__ inline void FoldRow(uint32_t columns) {
    const LocalTensor<float> folded = folded_.Get<float>(), x = finder_.X();
    const uint32_t whole = columns / kRepeat, rest = columns % kRepeat;
    if (rest > 0) Mul(folded, folded, x[whole * kRepeat], rest);
    FoldRows<Formula>(x, whole, kRepeat);
    if (whole > 0) Mul(folded, folded, x, kRepeat);
  }

  __aicore__ inline void FoldLanes() {
    const LocalTensor<float> folded = folded_.Get<float>(), turned = turned_.Get<float>();
    const BinaryRepeatParams strides(1, 1, 1, kRepeat / kLanes, kRepeat / kLanes, kRepeat / kLanes);
    for (uint64_t left = kRepeat / 2; left >= kLanes; left /= 2)
      Mul(folded, folded, folded[left], left, static_cast<uint8_t>(height_), strides);
    Turn();
    FoldRows<Formula>(turned, kLanes, height_);
  }

  // Lane i of every row becomes row i.
  __aicore__ inline void Turn() {
    const uint32_t squares = height_ / kLines;
    TransDataTo5HDParams params;
    params.repeatTimes = static_cast<uint8_t>(squares);
    params.srcRepStride = squares > 1 ? kLines * kRepeat / kLanes : 0;
    params.dstRepStride = squares > 1 ? kLines / kLanes : 0;
    LocalTensor<float> to[kLines], from[kLines];
    for (uint32_t i = 0; i < kLines; ++i) {
      from[i] = folded_.Get<float>()[i * kRepeat];
      to[i] = turned_.Get<float>()[i / 2 * height_ + i % 2 * kLanes];
    }
    TransDataTo5HD<float>(to, from, params);
  }

  TPipe pipe_;
  const ElementwiseTiling& tiling_;
  uint32_t height_ = 0;
  rows::NumberFinder<Formula, JoinedPorts, JoinedPorts::kPitch> finder_;
  rows::NumberStore<Output> store_;
  TBuf<TPosition::VECCALC> folded_, turned_;
};

#endif  // REDUCE_ROW_PRODUCTS_H_
