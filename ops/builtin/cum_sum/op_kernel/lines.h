// Sums along rows: a row is cut into lines, a tile of lines is turned and added up side by side,
// and what the lines before a line of the same row add up to is added to it.
#ifndef CUM_SUM_LINES_H_
#define CUM_SUM_LINES_H_

#include "layout.h"
#include "narrowed.h"
#include "running.h"
#include "wait_for.h"
#include "widened.h"

template <typename T>
class Lines {
 public:
  __aicore__ inline explicit Lines(const CumSumTiling& t)
      : t_(t), of_row_((t.terms + t.width - 1) / t.width) {}

  __aicore__ inline void Run(GM_ADDR x, GM_ADDR y) {
    x_.SetGlobalBuffer((__gm__ Bits*)x);
    y_.SetGlobalBuffer((__gm__ T*)y);
    const uint32_t tile = t_.chunk * t_.width;
    pipe_.InitBuffer(in_, layout::kBuffers, tile * sizeof(T));
    pipe_.InitBuffer(out_, layout::kBuffers, tile * sizeof(T));
    wide_.Init(pipe_, tile);
    pipe_.InitBuffer(turned_, tile * sizeof(float));
    running_.Init(pipe_, t_, t_.chunk);
    const uint64_t first = AscendC::GetBlockIdx() * t_.core_units;
    const uint64_t end = layout::Least(t_.outer, first + t_.core_units);
    if (first >= end) return;
    const uint64_t lines = (end - first) * of_row_, tiles = (lines + t_.chunk - 1) / t_.chunk;
    for (uint64_t i = 0; i < tiles; ++i) {
      const uint64_t line = (t_.reverse != 0 ? tiles - 1 - i : i) * t_.chunk;
      OneTile(first * of_row_ + line, static_cast<uint32_t>(layout::Least(t_.chunk, lines - line)));
    }
  }

 private:
  using Bits = typename layout::BitsOf<sizeof(T)>::Type;

  __aicore__ inline void OneTile(uint64_t line, uint32_t lines) {
    const uint32_t tile = t_.chunk * t_.width;
    AscendC::LocalTensor<T> in = in_.template AllocTensor<T>();
    Load(in, line, lines);
    in_.EnQue(in);
    in = in_.template DeQue<T>();
    const AscendC::LocalTensor<float> values = wide_(in, tile), turned = turned_.Get<float>();
    layout::Turn(turned, values, t_.chunk, t_.width);
    running_.Begin(t_.chunk);
    running_.Take(turned, t_.width, t_.chunk);
    running_.Leave([&](uint32_t first, const AscendC::LocalTensor<float>& sums, uint32_t count) {
      AscendC::Muls(values[first * t_.chunk], sums, 1.0f, count * t_.chunk);
    });
    layout::Turn(turned, values, t_.width, t_.chunk);
    if (of_row_ > 1) AddBefore(turned, line, lines);
    AscendC::LocalTensor<T> out = out_.template AllocTensor<T>();
    Narrow(out, turned, tile);
    in_.FreeTensor(in);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    EveryRow(line, lines, [&](uint32_t slot, uint64_t at, uint32_t count, uint32_t columns) {
      layout::Rows<T>(count, columns, t_.width, t_.width).Store(y_[at], out[slot * t_.width]);
    });
    out_.FreeTensor(out);
  }

  // What a tile does not have is zero: sums from the end begin there.
  __aicore__ inline void Load(const AscendC::LocalTensor<T>& to, uint64_t line, uint32_t lines) {
    const AscendC::LocalTensor<Bits> in = to.template ReinterpretCast<Bits>();
    if (lines < t_.chunk || t_.terms % t_.width != 0) {
      AscendC::Duplicate(in.template ReinterpretCast<uint16_t>(), static_cast<uint16_t>(0),
                         t_.chunk * t_.width * sizeof(T) / 2);
      WaitFor<AscendC::HardEvent::V_MTE2>();
    }
    EveryRow(line, lines, [&](uint32_t slot, uint64_t at, uint32_t count, uint32_t columns) {
      layout::Rows<Bits>(count, columns, t_.width, t_.width)
          .LoadFilled(in[slot * t_.width], x_[at], 0);
    });
  }

  // Calls call(slot in UB, place in GM, lines, columns) for the lines of each row that are whole,
  // and for the one that is not.
  template <typename Call>
  __aicore__ inline void EveryRow(uint64_t line, uint32_t lines, const Call& call) const {
    const auto last = static_cast<uint32_t>(t_.terms - (of_row_ - 1) * t_.width);
    for (uint32_t slot = 0; slot < lines;) {
      const uint64_t row = (line + slot) / of_row_, part = (line + slot) % of_row_;
      const auto count = static_cast<uint32_t>(layout::Least(lines - slot, of_row_ - part));
      const bool ends = part + count == of_row_;
      const uint64_t at = row * t_.terms + part * t_.width;
      const uint32_t whole = ends ? count - 1 : count;
      if (whole > 0) call(slot, at, whole, t_.width);
      if (ends) call(slot + whole, at + static_cast<uint64_t>(whole) * t_.width, 1, last);
      slot += count;
    }
  }

  // In the order of the sums.
  __aicore__ inline void AddBefore(const AscendC::LocalTensor<float>& values, uint64_t line,
                                   uint32_t lines) {
    const AscendC::LocalTensor<float> sums = running_.Sums();
    WaitFor<AscendC::HardEvent::V_S>();
    const bool reverse = t_.reverse != 0;
    for (uint32_t i = 0; i < lines; ++i) {
      const uint32_t slot = reverse ? lines - 1 - i : i;
      const uint64_t part = (line + slot) % of_row_;
      if (part == (reverse ? of_row_ - 1 : 0)) {
        before_ = 0.0f;
      } else {
        AscendC::Adds(values[slot * t_.width], values[slot * t_.width], before_, t_.width);
      }
      before_ += sums.GetValue(slot);
    }
    WaitFor<AscendC::HardEvent::S_V>();
  }

  const CumSumTiling& t_;
  const uint64_t of_row_;  // lines
  AscendC::TPipe pipe_;
  AscendC::GlobalTensor<Bits> x_;
  AscendC::GlobalTensor<T> y_;
  AscendC::TQue<AscendC::QuePosition::VECIN, layout::kBuffers> in_;
  AscendC::TQue<AscendC::QuePosition::VECOUT, layout::kBuffers> out_;
  AscendC::TBuf<AscendC::TPosition::VECCALC> turned_;
  Widened<T> wide_;
  Running<float> running_;
  float before_ = 0.0f;  // what the lines of this row add up to so far
};

#endif  // CUM_SUM_LINES_H_
