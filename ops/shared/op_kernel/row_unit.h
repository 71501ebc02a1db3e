// Arithmetic between the rows of a tile and one number for each of them: sums and maxima along
// rows, and a row's number subtracted from, multiplied with, divided into its elements.
#ifndef OPS_SHARED_ROW_UNIT_H_
#define OPS_SHARED_ROW_UNIT_H_

#include "elementwise_input.h"
#include "repeats.h"

namespace rows {

using namespace AscendC;
using elementwise::Tile;

enum class Reduction { kSum, kMax };

// Numbers of rows live in UB: one after the other for arithmetic among themselves, and eight times
// each, a block a row, for arithmetic with rows. All in float.
class Unit {
 public:
  // reduces: whether Reduce is called, which takes a block more for each row.
  __aicore__ inline void Init(TPipe& pipe, uint32_t tile_rows, uint32_t tile_columns,
                              uint32_t numbers, bool reduces = true) {
    InitNumbers(pipe, tile_rows, numbers, reduces);
    pipe.InitBuffer(folded_, FoldedRoom(tile_rows, tile_columns) * sizeof(float));
    folds_ = true;
  }
  // Makes room for numbers of so many rows alone: nothing is reduced.
  __aicore__ inline void InitNumbers(TPipe& pipe, uint32_t rows, uint32_t numbers,
                                     bool reduces = false) {
    height_ = UpTo(rows, kBlock);
    const uint32_t halfway = (numbers + 1) * height_;
    const uint32_t blocks = halfway + (reduces ? height_ * kBlock : 0);
    const uint32_t all = blocks + numbers * height_ * kBlock;
    pipe.InitBuffer(numbers_, all * sizeof(float));
    Duplicate(numbers_.Get<float>(), 0.0f, all);  // those behind the last row, too
    halfway_ = numbers_.Get<float>()[halfway];
    blocks_ = numbers_.Get<float>()[blocks];
  }

  // first: the row whose numbers the tile's first row has.
  __aicore__ inline void SetTile(const Tile& tile, uint32_t first = 0) {
    tile_ = tile;
    first_ = first;
  }
  __aicore__ inline const Tile& tile() const { return tile_; }
  // Elements of the tile, the gaps between rows included.
  __aicore__ inline uint32_t count() const { return tile_.elements(); }

  // Returns a number of every row. Number kPart of the kernel is a spare one.
  __aicore__ inline LocalTensor<float> Number(uint32_t index) {
    return numbers_.Get<float>()[index * height_];
  }
  __aicore__ inline uint32_t Height() const { return height_; }

  // The number `into` of every row becomes the reduction of its elements.
  __aicore__ inline void Reduce(Reduction how, const LocalTensor<float>& into,
                                const LocalTensor<float>& x) {
    if (IsLong() && tile_.rows == 1) {
      ReduceLong(how, into, x);
    } else if (tile_.columns <= kBlock && tile_.pitch <= kMostStride) {
      BlockOfEach(how, into, x);
    } else if (tile_.columns <= kRepeat && !IsLong()) {
      Whole(how, into, x, tile_.columns, tile_.pitch / kBlock);
    } else if (IsDense() || RunsAlong() || IsLong()) {
      FoldBlocks(how, x);
      Whole(how, into, folded_.Get<float>(), FoldOver(how), Strips());
    } else {
      Fold(how, x);
      Whole(how, into, folded_.Get<float>(), kRepeat, kRepeat / kBlock);
    }
  }

  // Makes number `index` ready for the calls below: eight numbers, sixteen times each, are the
  // columns of a square. (Brcb would do it; not every chip has it.)
  __aicore__ inline void Spread(uint32_t index) {
    constexpr uint32_t kLines = 16;  // counts the lines of a call: page "TransDataTo5HD"
    const uint32_t squares = height_ / kBlock;
    TransDataTo5HDParams params;
    params.repeatTimes = static_cast<uint8_t>(squares);
    params.srcRepStride = squares > 1 ? 1 : 0;
    params.dstRepStride = squares > 1 ? kBlock : 0;
    LocalTensor<float> to[kLines], from[kLines];
    for (uint32_t i = 0; i < kLines; ++i) {
      from[i] = Number(index);
      to[i] = Blocks(index)[i / 2 * kBlock];  // both blocks of a row hold the same
    }
    TransDataTo5HD<float>(to, from, params);
  }

  // y and x may be the same tensor.
  __aicore__ inline void Subtract(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                  uint32_t index) {
    WithNumber(y, x, index, [](const auto&... operands) { Sub(operands...); });
  }
  __aicore__ inline void Increase(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                  uint32_t index) {
    WithNumber(y, x, index, [](const auto&... operands) { Add(operands...); });
  }
  __aicore__ inline void Multiply(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                  uint32_t index) {
    WithNumber(y, x, index, [](const auto&... operands) { Mul(operands...); });
  }
  __aicore__ inline void Divide(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                uint32_t index) {
    WithNumber(y, x, index, [](const auto&... operands) { Div(operands...); });
  }
  // y = y * number `factor` + number `addend`.
  __aicore__ inline void MultiplyAdd(const LocalTensor<float>& y, uint32_t factor,
                                     uint32_t addend) {
    EveryStrip(
        [&](uint32_t at, uint32_t row, uint64_t mask, uint8_t repeats, uint8_t far, uint8_t next) {
          FusedMulAdd(y[at], Blocks(factor)[row * kBlock], Blocks(addend)[row * kBlock], mask,
                      repeats, BinaryRepeatParams(1, 0, 0, far, next, next));
        });
  }
  // Calls call(y, column, mask, repeats, strides) so that y meets tensors of one row, from their
  // `column` on, in every row.
  template <typename Call>
  __aicore__ inline void WithRow(const LocalTensor<float>& y, const Call& call) {
    if (IsLong() || RunsAlong()) {
      for (uint32_t i = 0; i < tile_.rows; ++i) {
        EveryRun(tile_.pitch, [&](uint32_t column, uint64_t mask, uint8_t repeats) {
          call(y[i * tile_.pitch + column], column, mask, repeats,
               BinaryRepeatParams(1, 1, 1, 8, 8, 8));
        });
      }
      return;
    }
    const auto row = static_cast<uint8_t>(tile_.pitch / kBlock);
    for (uint32_t column = 0; column < tile_.pitch; column += kRepeat)
      call(y[column], column, static_cast<uint64_t>(Least(kRepeat, tile_.pitch - column)),
           static_cast<uint8_t>(tile_.rows), BinaryRepeatParams(1, 1, 1, row, 0, 0));
  }

 private:
  static constexpr uint32_t kRepeat = 64;       // floats of one repeat
  static constexpr uint32_t kBlock = 8;         // floats of a block
  static constexpr uint32_t kMostStride = 255;  // blocks from repeat to repeat

  __aicore__ static inline uint32_t UpTo(uint32_t n, uint32_t step) {
    return (n + step - 1) / step * step;
  }
  __aicore__ static inline uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }
  __aicore__ static inline uint32_t Most(uint32_t a, uint32_t b) { return a > b ? a : b; }
  // Floats: eight for every 64 of a row, and for a long row what they come to, eight by eight.
  __aicore__ static inline uint32_t FoldedRoom(uint32_t rows, uint32_t columns) {
    const uint32_t row = UpTo(columns, kRepeat) / kBlock;
    return Most(rows * Most(kRepeat, row), row + row / 4 + kRepeat);
  }
  __aicore__ inline LocalTensor<float> Blocks(uint32_t index) {
    return blocks_[index * height_ * kBlock];
  }
  // A repeat cannot step from row to row of x; it can from row to row of blocks' numbers, as no two
  // rows of 64 times 255 floats fit into UB.
  __aicore__ inline bool IsLong() const { return tile_.pitch / kBlock > kMostStride; }
  // Repeats of a row, and calls for them: those for whole repeats, and one for the rest.
  __aicore__ inline uint32_t Strips() const { return UpTo(tile_.columns, kRepeat) / kRepeat; }
  __aicore__ inline uint32_t Calls() const { return tile_.pitch % kRepeat == 0 ? 1 : 2; }
  // Row by row takes fewer calls than 64 columns of all rows at a time.
  __aicore__ inline bool RunsAlong() const { return tile_.rows * Calls() < Strips(); }
  // One repeat follows the other from row to row.
  __aicore__ inline bool IsDense() const {
    return tile_.pitch == tile_.columns && tile_.columns % kRepeat == 0;
  }

  // The number `into` of every row becomes the reduction of its first `columns` floats, at most 64;
  // rows are `stride` blocks apart. Twice by blocks is faster than once by repeats: a repeat takes
  // a cycle then, not seven.
  __aicore__ inline void Whole(Reduction how, const LocalTensor<float>& into,
                               const LocalTensor<float>& x, uint32_t columns, uint32_t stride) {
    ByBlocks(how, halfway_, x, tile_.rows, static_cast<int32_t>(columns), stride);
    // A row's block holds as many numbers as the row had blocks.
    const uint64_t lanes = (1u << (columns + kBlock - 1) / kBlock) - 1;
    uint64_t mask[2] = {lanes * 0x0101010101010101, 0};
    ByBlocks(how, into, halfway_, height_ / kBlock, mask, kBlock);
  }
  template <typename Mask>
  __aicore__ static inline void ByBlocks(Reduction how, const LocalTensor<float>& to,
                                         const LocalTensor<float>& x, uint32_t repeats,
                                         const Mask& mask, uint32_t stride) {
    const auto times = static_cast<int32_t>(repeats), step = static_cast<int32_t>(stride);
    if (how == Reduction::kSum) {
      BlockReduceSum(to, x, times, mask, 1, 1, step);
    } else {
      BlockReduceMax(to, x, times, mask, 1, 1, step);
    }
  }

  // Rows of one block each, eight at a time.
  __aicore__ inline void BlockOfEach(Reduction how, const LocalTensor<float>& into,
                                     const LocalTensor<float>& x) {
    const uint32_t repeats = tile_.rows / kBlock, rest = tile_.rows % kBlock;
    if (repeats > 0) BlocksOfRows(how, into, x, repeats, kBlock);
    const uint32_t done = repeats * kBlock;
    if (rest > 0) BlocksOfRows(how, into[done], x[done * tile_.pitch], 1, rest);
  }
  __aicore__ inline void BlocksOfRows(Reduction how, const LocalTensor<float>& into,
                                      const LocalTensor<float>& x, uint32_t repeats,
                                      uint32_t rows) {
    uint64_t mask[2] = {0, 0};  // the first lanes of the blocks of `rows` rows
    for (uint32_t i = 0; i < rows; ++i)
      mask[0] |= ((uint64_t{1} << tile_.columns) - 1) << (i * kBlock);
    const auto times = static_cast<int32_t>(repeats);
    const auto block = static_cast<int32_t>(tile_.pitch / kBlock),
               repeat = static_cast<int32_t>(tile_.pitch);
    if (how == Reduction::kSum) {
      BlockReduceSum(into, x, times, mask, 1, block, repeat);
    } else {
      BlockReduceMax(into, x, times, mask, 1, block, repeat);
    }
  }

  // Every row's columns 64 by 64 onto its first 64.
  __aicore__ inline void Fold(Reduction how, const LocalTensor<float>& x) {
    const LocalTensor<float> folded = folded_.Get<float>();
    const auto row = static_cast<uint8_t>(tile_.pitch / kBlock);
    const auto repeats = static_cast<uint8_t>(tile_.rows);
    Adds(folded, x, 0.0f, static_cast<uint64_t>(kRepeat), repeats, UnaryRepeatParams(1, 1, 8, row));
    for (uint32_t column = kRepeat; column < tile_.columns; column += kRepeat)
      Onto(how, folded, x[column], Least(kRepeat, tile_.columns - column),
           BinaryRepeatParams(1, 1, 1, 8, 8, row));
  }

  // Every block of a row becomes a number; the rows' numbers are Strips() blocks apart.
  __aicore__ inline void FoldBlocks(Reduction how, const LocalTensor<float>& x) {
    const LocalTensor<float> folded = folded_.Get<float>();
    if (IsDense()) return BlocksOf(how, folded, x, tile_.rows * tile_.columns);
    for (uint32_t row = 0; row < tile_.rows; ++row)
      BlocksOf(how, folded[row * Strips() * kBlock], x[row * tile_.pitch], tile_.columns);
  }
  __aicore__ inline void BlocksOf(Reduction how, const LocalTensor<float>& to,
                                  const LocalTensor<float>& x, uint32_t count) {
    EveryRun(count, [&](uint32_t at, uint64_t mask, uint8_t repeats) {
      ByBlocks(how, to[at / kBlock], x[at], repeats, static_cast<int32_t>(mask), kBlock);
    });
  }
  // Brings the numbers of a row's blocks to one repeat; tells how many they are.
  __aicore__ inline uint32_t FoldOver(Reduction how) {
    const LocalTensor<float> folded = folded_.Get<float>();
    const uint32_t numbers = (tile_.columns + kBlock - 1) / kBlock;
    const auto row = static_cast<uint8_t>(Strips());
    for (uint32_t at = kRepeat; at < numbers; at += kRepeat)
      Onto(how, folded, folded[at], Least(kRepeat, numbers - at),
           BinaryRepeatParams(1, 1, 1, row, row, row));
    return Least(kRepeat, numbers);
  }

  __aicore__ inline void Onto(Reduction how, const LocalTensor<float>& folded,
                              const LocalTensor<float>& x, uint64_t mask,
                              const BinaryRepeatParams& strides) const {
    const auto repeats = static_cast<uint8_t>(tile_.rows);
    if (how == Reduction::kSum) {
      Add(folded, folded, x, mask, repeats, strides);
    } else {
      Max(folded, folded, x, mask, repeats, strides);
    }
  }

  __aicore__ inline void ReduceLong(Reduction how, const LocalTensor<float>& into,
                                    const LocalTensor<float>& x) {
    LocalTensor<float> numbers = folded_.Get<float>();
    BlocksOf(how, numbers, x, tile_.columns);
    uint32_t left = (tile_.columns + kBlock - 1) / kBlock;
    while (left > kRepeat) {
      const LocalTensor<float> next = numbers[UpTo(left, kBlock)];
      BlocksOf(how, next, numbers, left);
      numbers = next;
      left = (left + kBlock - 1) / kBlock;
    }
    Whole(how, into, numbers, left, kBlock);
  }

  // On the gaps between rows, too: calls behind these work on whole tiles.
  template <typename Call>
  __aicore__ inline void WithNumber(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                    uint32_t index, const Call& call) {
    const LocalTensor<float> number = Blocks(index);
    if (RepaysCopies()) return WithCopies(y, x, number[first_ * kBlock], call);
    EveryStrip(
        [&](uint32_t at, uint32_t row, uint64_t mask, uint8_t repeats, uint8_t far, uint8_t next) {
          call(y[at], x[at], number[row * kBlock], mask, repeats,
               BinaryRepeatParams(1, 1, 0, far, far, next));
        });
  }

  // Copies of the rows' blocks and one run over all rows take less than a run for every row, of
  // which the start of an instruction is the larger part.
  __aicore__ inline bool RepaysCopies() const {
    constexpr uint32_t kStart = 23;  // cycles that an instruction takes beside its repeats
    const uint32_t copies = (Strips() + kBlock - 1) / kBlock * (kStart + tile_.rows);
    return folds_ && IsDense() && !IsLong() && copies + kStart < tile_.rows * kStart;
  }
  // A block for every repeat of the tile: eight repeats of all rows at a time.
  template <typename Call>
  __aicore__ inline void WithCopies(const LocalTensor<float>& y, const LocalTensor<float>& x,
                                    const LocalTensor<float>& number, const Call& call) {
    const LocalTensor<float> copies = folded_.Get<float>();
    const auto step = static_cast<uint8_t>(Strips());
    for (uint32_t strip = 0; strip < Strips(); strip += kBlock)
      Adds(copies[strip * kBlock], number, 0.0f,
           static_cast<uint64_t>(Least(kBlock, Strips() - strip) * kBlock),
           static_cast<uint8_t>(tile_.rows), UnaryRepeatParams(1, 0, step, 1));
    EveryRun(tile_.elements(), [&](uint32_t at, uint64_t mask, uint8_t repeats) {
      call(y[at], x[at], copies[at / kBlock], mask, repeats, BinaryRepeatParams(1, 1, 0, 8, 8, 1));
    });
  }

  // Calls call(element, row of the first number, mask, repeats, blocks from repeat to repeat of
  // elements, and of numbers) for all elements of the tile.
  template <typename Call>
  __aicore__ inline void EveryStrip(const Call& call) {
    if (IsLong() || RunsAlong()) {
      for (uint32_t i = 0; i < tile_.rows; ++i) {
        EveryRun(tile_.pitch, [&](uint32_t column, uint64_t mask, uint8_t repeats) {
          call(i * tile_.pitch + column, first_ + i, mask, repeats, uint8_t{8}, uint8_t{0});
        });
      }
      return;
    }
    const auto far = static_cast<uint8_t>(tile_.pitch / kBlock);
    for (uint32_t column = 0; column < tile_.pitch; column += kRepeat)
      call(column, first_, static_cast<uint64_t>(Least(kRepeat, tile_.pitch - column)),
           static_cast<uint8_t>(tile_.rows), far, uint8_t{1});
  }

  Tile tile_;
  uint32_t height_ = 0, first_ = 0;
  bool folds_ = false;  // says whether there is room for Reduce, and for copies of blocks
  TBuf<TPosition::VECCALC> numbers_, folded_;
  LocalTensor<float> halfway_;  // eight numbers of every row on the way to one
  LocalTensor<float> blocks_;   // every number eight times
};

}  // namespace rows

#endif  // OPS_SHARED_ROW_UNIT_H_
