// Kernels over rows: numbers that each row's elements give together (its largest, its sum ...),
// then the row's elements with these numbers. An op brings a formula; it gets loops, tails, several
// rows at once, and rows longer than UB.
//
//   struct SoftmaxFormula {
//     static constexpr uint32_t kNumbers = 2;  // are per row: its largest, the sum of exp
//     __aicore__ static constexpr Reduction How(uint32_t n) {
//       return n == 0 ? Reduction::kMax : Reduction::kSum;
//     }
//     // x: the inputs together
//     template <typename... In>
//     void Join(Unit&, x, const In&... inputs);
//     // what number n is reduced from
//     LocalTensor<float> Prepare(Unit&, uint32_t n, work, x);
//     // number n of all rows is complete
//     void Finish(Unit&, uint32_t n, number, columns);
//     template <typename... In>
//     void Apply(Unit&, y, x, work, bool kept, const In&... finals);
//   };
//
// All tensors are tiles of floats; x, work and y are three of them. Numbers are found in their
// order: Prepare(n) may use those below n, and may change x. kept: x and work still hold what
// Prepare left for the last number, because the row lies in UB as a whole. Kernel gives rows;
// Reducer gives the last number of every row and needs no Apply. A formula for Kernel may say which
// number is a result beside the rows, `static constexpr uint32_t kReported` (kNumbers: the spare
// one, as the last Finish left it); Run takes its address last, and the host is told that the op
// `reports`.
#ifndef OPS_SHARED_ROWS_H_
#define OPS_SHARED_ROWS_H_

#include "elementwise.h"
#include "quantized.h"
#include "row_unit.h"
#include "rows_tiling.h"

namespace rows {

using elementwise::In;
using elementwise::InputChain;
using elementwise::kBuffers;
using elementwise::Out;

// Inputs that every pass reads; behind them, in the kernel's list, those that only the last pass
// reads.
template <typename... Ports>
struct Joined {
  using Chain = InputChain<Ports...>;
  static constexpr uint32_t kCount = sizeof...(Ports);
  static constexpr uint32_t kPitch = elementwise::PitchOf<Ports...>::kElements;
};
template <typename... Ports>
struct Finals {
  static constexpr bool kOneRow = false;
  using Chain = InputChain<Ports...>;
  static constexpr uint32_t kCount = sizeof...(Ports);
  static constexpr uint32_t kPitch = elementwise::PitchOf<Ports...>::kElements;
};
// Finals that have one row for all: Apply gets it once, for Unit::WithRow.
template <typename... Ports>
struct OneRow : Finals<Ports...> {
  static constexpr bool kOneRow = true;
};

// Brings rows into UB and finds their numbers.
// kPitch: elements of a block of the narrowest type in GM.
template <typename Formula, typename JoinedPorts, uint32_t kPitch>
class NumberFinder {
 public:
  template <typename Inputs>
  __aicore__ inline void Init(TPipe& pipe, const ElementwiseTiling& tiling, const Inputs& inputs) {
    tiling_ = &tiling;
    inputs([&](auto... addresses) { joined_.Init(pipe, tiling, 0, tiling.tile, addresses...); });
    pipe.InitBuffer(x_, tiling.tile * sizeof(float));
    pipe.InitBuffer(work_, tiling.tile * sizeof(float));
    unit_.Init(pipe, tiling.tile_rows, tiling.tile_columns, Formula::kNumbers);
  }

  // Calls `call(row, rows)` for every tile of this core's rows. A tile ends with the innermost of
  // the outer dims.
  template <typename Call>
  __aicore__ inline void EveryTile(const Call& call) const {
    const uint64_t first = GetBlockIdx() * tiling_->core_rows;
    const uint64_t end = Least(tiling_->rows, first + tiling_->core_rows);
    const uint64_t run = tiling_->outer_size[tiling_->outer_dims - 1];
    for (uint64_t row = first, rows = 0; row < end; row += rows) {
      rows = Least(Least(tiling_->tile_rows, end - row), run - row % run);
      call(row, static_cast<uint32_t>(rows));
    }
  }

  // The rows fit into UB as a whole: after Find, X and Work hold them.
  __aicore__ inline bool Resident() const { return tiling_->tile_columns >= tiling_->columns; }

  __aicore__ inline void Find(const Formula& formula, uint64_t row, uint32_t rows) {
    if (Resident()) Enter(formula, Part(row, rows, 0));
    for (uint32_t n = 0; n < Formula::kNumbers; ++n) {
      if (Resident()) {
        unit_.Reduce(Formula::How(n), unit_.Number(n), formula.Prepare(unit_, n, Work(), X()));
      } else {
        FindInParts(formula, row, rows, n);
      }
      formula.Finish(unit_, n, unit_.Number(n), tiling_->columns);
      unit_.Spread(n);
    }
  }

  __aicore__ inline Tile Part(uint64_t row, uint32_t rows, uint64_t column) const {
    const auto width =
        static_cast<uint32_t>(Least(tiling_->tile_columns, tiling_->columns - column));
    return Tile{row, column, rows, width, (width + kPitch - 1) / kPitch * kPitch};
  }

  // X holds the inputs of a part.
  __aicore__ inline void Enter(const Formula& formula, const Tile& tile) {
    unit_.SetTile(tile);
    joined_.CopyIn(tile);
    joined_.Compute([&](const auto&... values) { formula.Join(unit_, X(), values...); }, tile);
  }

  __aicore__ inline Unit& unit() { return unit_; }
  __aicore__ inline LocalTensor<float> X() { return x_.template Get<float>(); }
  __aicore__ inline LocalTensor<float> Work() { return work_.template Get<float>(); }

 private:
  __aicore__ static inline uint64_t Least(uint64_t a, uint64_t b) { return a < b ? a : b; }

  __aicore__ inline void FindInParts(const Formula& formula, uint64_t row, uint32_t rows,
                                     uint32_t n) {
    for (uint64_t column = 0; column < tiling_->columns; column += tiling_->tile_columns) {
      Enter(formula, Part(row, rows, column));
      const LocalTensor<float> reduced = formula.Prepare(unit_, n, Work(), X());
      const LocalTensor<float> part = unit_.Number(Formula::kNumbers);
      unit_.Reduce(Formula::How(n), column == 0 ? unit_.Number(n) : part, reduced);
      if (column == 0) continue;
      if (Formula::How(n) == Reduction::kSum) {
        Add(unit_.Number(n), unit_.Number(n), part, rows);
      } else {
        Max(unit_.Number(n), unit_.Number(n), part, rows);
      }
    }
  }

  const ElementwiseTiling* tiling_ = nullptr;
  typename JoinedPorts::Chain joined_;
  Unit unit_;
  TBuf<TPosition::VECCALC> x_, work_;
};

// The way out of one number of every row.
template <typename Output>
class NumberStore {
 public:
  __aicore__ inline void Init(TPipe& pipe, GM_ADDR to, uint32_t tile_rows) {
    to_.SetGlobalBuffer((__gm__ T*)to);
    pipe.InitBuffer(queue_, kBuffers, (tile_rows + kBlockElements) * sizeof(float));
  }

  __aicore__ inline void Out(const LocalTensor<float>& number, uint64_t row, uint32_t rows) {
    LocalTensor<T> out = queue_.template AllocTensor<T>();
    if constexpr (IsSameType<T, float>::value) {
      Adds(out, number, 0.0f, rows);
    } else {
      Cast(out, number, Output::kRounding, rows);
    }
    queue_.EnQue(out);
    out = queue_.template DeQue<T>();
    DataCopyPad(to_[row], out,
                DataCopyExtParams{1, static_cast<uint32_t>(rows * sizeof(T)), 0, 0, 0});
    queue_.FreeTensor(out);
  }

 private:
  using T = typename Output::Stored;
  static constexpr uint32_t kBlockElements = 32;  // make whole blocks of any type

  GlobalTensor<T> to_;
  TQue<QuePosition::VECOUT, kBuffers> queue_;
};

template <typename Formula, typename = void>
struct ReportOf {
  static constexpr bool kThere = false;
};
template <typename Formula>
struct ReportOf<Formula, decltype(static_cast<void>(Formula::kReported))> {
  static constexpr bool kThere = true;
};

// Rows in, rows of the same length out.
template <typename Formula, typename Output, typename JoinedPorts, typename FinalPorts = Finals<>>
class Kernel {
 public:
  __aicore__ inline explicit Kernel(const RowsTiling& tiling) : tiling_(tiling.view) {}

  // Inputs and finals are given as two lists of addresses: Run(formula, y, List(x), List(gamma,
  // beta)).
  template <typename Inputs, typename Last>
  __aicore__ inline void Run(const Formula& formula, GM_ADDR output, const Inputs& inputs,
                             const Last& finals, GM_ADDR number = nullptr) {
    if (tiling_.columns == 0) return;
    output_.SetGlobalBuffer((__gm__ T*)output);
    finder_.Init(pipe_, tiling_, inputs);
    const uint32_t room = FinalPorts::kOneRow ? tiling_.tile / tiling_.tile_rows : tiling_.tile;
    finals([&](auto... addresses) {
      finals_.Init(pipe_, tiling_, JoinedPorts::kCount, room, addresses...);
    });
    pipe_.InitBuffer(queue_, kBuffers, tiling_.tile * sizeof(T));
    if constexpr (kNarrows) pipe_.InitBuffer(result_, tiling_.tile * sizeof(float));
    if constexpr (kReports) number_.Init(pipe_, number, tiling_.tile_rows);
    finder_.EveryTile([&](uint64_t row, uint32_t rows) { OneTile(formula, row, rows); });
  }

 private:
  using T = typename Output::Stored;
  static constexpr bool kNarrows = !IsSameType<T, float>::value;
  static constexpr bool kReports = ReportOf<Formula>::kThere;
  static constexpr uint32_t Most(uint32_t a, uint32_t b) { return a > b ? a : b; }
  static constexpr uint32_t kPitch =
      Most(elementwise::PitchOf<Output>::kElements, Most(JoinedPorts::kPitch, FinalPorts::kPitch));

  __aicore__ inline void OneTile(const Formula& formula, uint64_t row, uint32_t rows) {
    finder_.Find(formula, row, rows);
    if constexpr (kReports) number_.Out(finder_.unit().Number(Formula::kReported), row, rows);
    if (finder_.Resident()) return Leave(formula, true);
    for (uint64_t column = 0; column < tiling_.columns; column += tiling_.tile_columns) {
      finder_.Enter(formula, finder_.Part(row, rows, column));
      Leave(formula, false);
    }
  }

  __aicore__ inline void Leave(const Formula& formula, bool kept) {
    const Tile tile = finder_.unit().tile();
    Tile final = tile;
    if constexpr (FinalPorts::kOneRow) final.rows = 1;
    finals_.CopyIn(final);
    LocalTensor<T> out = queue_.template AllocTensor<T>();
    LocalTensor<float> y;
    if constexpr (kNarrows) {
      y = result_.template Get<float>();
    } else {
      y = out;
    }
    finals_.Compute(
        [&](const auto&... values) {
          formula.Apply(finder_.unit(), y, finder_.X(), finder_.Work(), kept, values...);
        },
        final);
    Narrow(out, y, tile.elements());
    queue_.EnQue(out);
    CopyOut(tile);
  }

  // Whole numbers go to 8 bits by way of half, in the room of x, which is done with.
  __aicore__ inline void Narrow(const LocalTensor<T>& out, const LocalTensor<float>& y,
                                uint32_t count) {
    if constexpr (IsSameType<T, int8_t>::value) {
      const LocalTensor<half> narrow = finder_.X().template ReinterpretCast<half>();
      quantized::Narrow(narrow, y, count);
      Cast(out, narrow, Output::kRounding, count);
    } else if constexpr (kNarrows) {
      Cast(out, y, Output::kRounding, count);
    }
  }

  __aicore__ inline void CopyOut(const Tile& tile) {
    LocalTensor<T> out = queue_.template DeQue<T>();
    const auto bytes = static_cast<uint32_t>(tile.columns * sizeof(T));
    const uint32_t blocks = (bytes + elementwise::kBlockBytes - 1) / elementwise::kBlockBytes;
    DataCopyExtParams copy{
        static_cast<uint16_t>(tile.rows), bytes,
        static_cast<uint32_t>(tile.pitch * sizeof(T) / elementwise::kBlockBytes - blocks),
        static_cast<uint32_t>((tiling_.columns - tile.columns) * sizeof(T)), 0};
    DataCopyPad(output_[tile.row * tiling_.columns + tile.column], out, copy);
    queue_.FreeTensor(out);
  }

  TPipe pipe_;
  const ElementwiseTiling& tiling_;
  NumberFinder<Formula, JoinedPorts, kPitch> finder_;
  typename FinalPorts::Chain finals_;
  GlobalTensor<T> output_;
  TQue<QuePosition::VECOUT, kBuffers> queue_;
  TBuf<TPosition::VECCALC> result_;
  NumberStore<Out<float>> number_;
};

// Rows in, the last number of every row out.
template <typename Formula, typename Output, typename JoinedPorts>
class Reducer {
 public:
  __aicore__ inline explicit Reducer(const RowsTiling& tiling) : tiling_(tiling.view) {}

  template <typename Inputs>
  __aicore__ inline void Run(const Formula& formula, GM_ADDR output, const Inputs& inputs) {
    finder_.Init(pipe_, tiling_, inputs);
    number_.Init(pipe_, output, tiling_.tile_rows);
    finder_.EveryTile([&](uint64_t row, uint32_t rows) {
      finder_.Find(formula, row, rows);
      number_.Out(finder_.unit().Number(Formula::kNumbers - 1), row, rows);
    });
  }

 private:
  TPipe pipe_;
  const ElementwiseTiling& tiling_;
  NumberFinder<Formula, JoinedPorts, JoinedPorts::kPitch> finder_;
  NumberStore<Output> number_;
};

// Addresses for Run.
template <typename... Addresses>
__aicore__ inline auto List(Addresses... addresses) {
  return [addresses...](const auto& call) { call(addresses...); };
}

}  // namespace rows

#endif  // OPS_SHARED_ROWS_H_
