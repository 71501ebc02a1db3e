// Sums of lines of float or int32, up to each line: with it or without it.
#ifndef CUM_SUM_RUNNING_H_
#define CUM_SUM_RUNNING_H_

#include "cum_sum_tiling.h"
#include "kernel_operator.h"

// Lines are cut into groups of neighbours: an instruction adds line i - 1 to line i of all groups,
// then the sums of whole groups go from one to the next, then to the lines of the next group.
template <typename T>
class Running {
 public:
  using Tensor = AscendC::LocalTensor<T>;

  __aicore__ inline void Init(AscendC::TPipe& pipe, const CumSumTiling& t, uint32_t width) {
    exclusive_ = t.exclusive != 0;
    reverse_ = t.reverse != 0;
    for (auto& sums : sums_) pipe.InitBuffer(sums, width * sizeof(T));
  }

  __aicore__ inline void Begin(uint32_t width) {
    AscendC::Duplicate(sums_[now_].template Get<T>(), T(0), width);
  }

  // Takes `lines` lines of `pitch` numbers, and leaves the sums in them, each with its own line.
  __aicore__ inline void Take(const Tensor& x, uint32_t lines, uint32_t pitch) {
    x_ = x;
    lines_ = lines;
    pitch_ = pitch;
    const Tensor first = Line(0);
    AscendC::Add(first, first, Sums(), pitch);
    for (uint32_t i = AddInGroups(); i < lines; ++i)
      AscendC::Add(Line(i), Line(i), Line(i - 1), pitch);
    now_ = 1 - now_;
    AscendC::Muls(Sums(), Line(lines - 1), T(1), pitch);
  }

  // Calls call(first line of the result, sums, lines): what Take left, or, without each line's own
  // number, the sums of the lines before.
  template <typename Call>
  __aicore__ inline void Leave(const Call& call) {
    if (!exclusive_) return call(0, x_, lines_);
    call(reverse_ ? lines_ - 1 : 0, sums_[1 - now_].template Get<T>(), 1);
    if (lines_ > 1) call(reverse_ ? 0 : 1, reverse_ ? x_[pitch_] : x_, lines_ - 1);
  }

  // Returns the sums of all lines since Begin.
  __aicore__ inline Tensor Sums() { return sums_[now_].template Get<T>(); }

 private:
  static constexpr uint32_t kRepeat = 64, kBlock = 8;  // numbers
  static constexpr uint32_t kMostRepeats = 255;
  static constexpr uint32_t kMostPitch = 256;   // wider lines fill instructions by themselves
  static constexpr uint32_t kMostGroup = 16;    // is about the root of what UB holds
  static constexpr uint32_t kMostStride = 255;  // blocks from repeat to repeat

  __aicore__ static inline uint32_t Least(uint32_t a, uint32_t b) { return a < b ? a : b; }

  // Returns a line in the order of the sums.
  __aicore__ inline Tensor Line(uint32_t i) const {
    return x_[(reverse_ ? lines_ - 1 - i : i) * pitch_];
  }

  // Returns how many lines are done.
  __aicore__ inline uint32_t AddInGroups() {
    if (pitch_ > kMostPitch) return 1;
    const uint32_t high = Least(kMostGroup, kMostStride * kBlock / pitch_);
    const uint32_t groups = Least(lines_ / high, kMostRepeats);
    if (groups < 2) return 1;
    for (uint32_t i = 1; i < high; ++i) AddLines(i, i - 1, high, groups);
    for (uint32_t last = 2 * high - 1; last < groups * high; last += high)
      AscendC::Add(Line(last), Line(last), Line(last - high), pitch_);
    // Line i of the second group, and so on, and the last line of the group before it.
    for (uint32_t i = high; i + 1 < 2 * high; ++i) AddLines(i, high - 1, high, groups - 1);
    return groups * high;
  }

  // Adds line `from` to line `to`, and so on every `high` lines, `count` times.
  __aicore__ inline void AddLines(uint32_t to, uint32_t from, uint32_t high, uint32_t count) {
    const uint32_t ahead = reverse_ ? (count - 1) * high : 0;  // what lies first in UB
    const Tensor y = Line(to + ahead), x = Line(from + ahead);
    const auto stride = static_cast<uint8_t>(high * pitch_ / kBlock);
    for (uint32_t lane = 0; lane < pitch_; lane += kRepeat)
      AscendC::Add(y[lane], y[lane], x[lane], static_cast<uint64_t>(Least(kRepeat, pitch_ - lane)),
                   static_cast<uint8_t>(count),
                   AscendC::BinaryRepeatParams(1, 1, 1, stride, stride, stride));
  }

  AscendC::TBuf<AscendC::TPosition::VECCALC> sums_[2];
  Tensor x_;
  uint32_t lines_ = 0, pitch_ = 0, now_ = 0;
  bool exclusive_ = false, reverse_ = false;
};

#endif  // CUM_SUM_RUNNING_H_
