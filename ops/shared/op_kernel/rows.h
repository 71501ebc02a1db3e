// Kernels over rows: numbers that each row's elements give together (its largest, its sum ...),
// then the row's elements with these numbers. An op brings a formula; it gets loops, tails, several
// rows at once, and rows longer than UB.
//
//   struct SoftmaxFormula {
//     static constexpr uint32_t kNumbers = 2;  // are per row: its largest, the sum of exp
//     __aicore__ static constexpr Reduction How(uint32_t n) {
//       return n == 0 ? Reduction::kMax : Reduction::kSum;
//     }
//     // returns the inputs together, in place of one of them
//     template <typename... In>
//     LocalTensor<float> Join(Unit&, const In&... inputs);
//     // what number n is reduced from
//     LocalTensor<float> Prepare(Unit&, uint32_t n, work, x);
//     // number n of all rows is complete
//     void Finish(Unit&, uint32_t n, number, columns);
//     template <typename... In>
//     void Apply(Unit&, y, x, work, bool kept, const In&... finals);
//   };
//
// All tensors are tiles of floats; x, which Join returned, and work are two of them, y may be x.
// Numbers are found in their order: Prepare(n) may use those below n, and may change x. kept: x and
// work still hold what Prepare left for the last number, because the row lies in UB as a whole.
// Kernel gives rows; Reducer gives the last number of every row and needs no Apply. A formula for
// Kernel may say which number is a result beside the rows, `static constexpr uint32_t kReported`
// (kNumbers: the spare one, as the last Finish left it); Run takes its address last, and the host
// is told that the op `reports`.
#ifndef OPS_SHARED_ROWS_H_
#define OPS_SHARED_ROWS_H_

#include "number_finder.h"
#include "quantized.h"
#include "row_numbers.h"
#include "rows_tiling.h"

namespace rows {

using elementwise::In;
using elementwise::kBuffers;
using elementwise::Out;

// Inputs that only the last pass reads, behind the joined ones in the kernel's list.
template <typename... Ports>
struct Finals {
  static constexpr bool kOneRow = false;
  static constexpr uint32_t kGiven = 0;
  using Chain = InputChain<Ports...>;
  static constexpr uint32_t kCount = sizeof...(Ports);
  static constexpr uint32_t kPitch = elementwise::PitchOf<Ports...>::kElements;
};
// Finals that have one row for all: Apply gets it once, for Unit::WithRow.
template <typename... Ports>
struct OneRow : Finals<Ports...> {
  static constexpr bool kOneRow = true;
};

// Tensors of T with a number for every row of a run (RowNumbers), given before the formula finds
// numbers: those from Formula::kNumbers + 1 on. Formula::Given(Unit&) spreads them, and Apply gets
// none.
template <typename T, uint32_t kTensors>
struct PerRow : Finals<> {
  static constexpr uint32_t kGiven = kTensors;
  using Numbers = RowNumbers<T, kTensors>;
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

template <typename FinalPorts, typename = void>
struct GivenOf {
  struct Type {};
};
template <typename FinalPorts>
struct GivenOf<FinalPorts, typename FinalPorts::Numbers::IsThere> {
  using Type = typename FinalPorts::Numbers;
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
    finder_.Init(pipe_, tiling_, inputs, kGiven > 0 ? kFirstGiven + kGiven : Formula::kNumbers);
    finals([&](auto... addresses) { InitFinals(addresses...); });
    pipe_.InitBuffer(queue_, kBuffers, tiling_.tile * sizeof(T));
    if constexpr (kReports) number_.Init(pipe_, number, tiling_.tile_rows);
    const auto tiles = [&](const auto&... row_for_all) {
      finder_.EveryTile(
          [&](uint64_t row, uint32_t rows) { OneTile(formula, row, rows, row_for_all...); });
    };
    if constexpr (FinalPorts::kOneRow) {
      if (finder_.Resident()) {  // stays in UB for all tiles
        const Tile one = finder_.Part(0, 1, 0);
        finals_.CopyIn(one);
        return finals_.Compute(tiles, one);
      }
    }
    tiles();
  }

 private:
  using T = typename Output::Stored;
  static constexpr bool kNarrows = !IsSameType<T, float>::value;
  static constexpr bool kReports = ReportOf<Formula>::kThere;
  static constexpr uint32_t kGiven = FinalPorts::kGiven, kFirstGiven = Formula::kNumbers + 1;
  static constexpr uint32_t Most(uint32_t a, uint32_t b) { return a > b ? a : b; }
  static constexpr uint32_t kPitch =
      Most(elementwise::PitchOf<Output>::kElements, Most(JoinedPorts::kPitch, FinalPorts::kPitch));

  template <typename... Addresses>
  __aicore__ inline void InitFinals(Addresses... addresses) {
    if constexpr (kGiven > 0) {
      given_.Init(pipe_, tiling_.outer_size[tiling_.outer_dims - 1], tiling_.tile_rows,
                  addresses...);
    } else {
      const uint32_t room = FinalPorts::kOneRow ? SideBySide(tiling_.tile_columns) : tiling_.tile;
      finals_.Init(pipe_, tiling_, JoinedPorts::kCount, room, addresses...);
    }
  }

  // Returns floats, no fewer, by which rows lie in different bank groups, which two of them in the
  // buffers of neighbouring inputs do then as well.
  __aicore__ static inline uint32_t SideBySide(uint32_t columns) {
    return (columns + 63) / 64 * 64 + 32;
  }

  template <typename... Rows>
  __aicore__ inline void OneTile(const Formula& formula, uint64_t row, uint32_t rows,
                                 const Rows&... row_for_all) {
    if constexpr (kGiven > 0) {
      given_.Bring(finder_.unit(), kFirstGiven, row, rows);
      formula.Given(finder_.unit());
    }
    finder_.Find(formula, row, rows, [&] {
      if constexpr (kReports) number_.Out(finder_.unit().Number(Formula::kReported), row, rows);
      if (finder_.Resident()) return Leave(formula, true, row_for_all...);
      for (uint64_t column = 0; column < tiling_.columns; column += tiling_.tile_columns)
        finder_.Enter(formula, finder_.Part(row, rows, column), [&] { Leave(formula, false); });
    });
  }

  template <typename... Rows>
  __aicore__ inline void Leave(const Formula& formula, bool kept, const Rows&... row_for_all) {
    const Tile tile = finder_.unit().tile();
    LocalTensor<T> out = queue_.template AllocTensor<T>();
    LocalTensor<float> y;
    if constexpr (kNarrows) {
      y = finder_.X();
    } else {
      y = out;
    }
    const auto apply = [&](const auto&... finals) {
      formula.Apply(finder_.unit(), y, finder_.X(), finder_.Work(), kept, finals...);
    };
    if constexpr (sizeof...(Rows) > 0) {
      apply(row_for_all...);
    } else {
      Tile final = tile;
      if constexpr (FinalPorts::kOneRow) final.rows = 1;
      finals_.CopyIn(final);
      finals_.Compute(apply, final);
    }
    Narrow(out, y, tile.elements());
    queue_.EnQue(out);
    CopyOut(tile);
  }

  // Whole numbers go to 8 bits by way of half, in the room of work, which is done with.
  __aicore__ inline void Narrow(const LocalTensor<T>& out, const LocalTensor<float>& y,
                                uint32_t count) {
    if constexpr (IsSameType<T, int8_t>::value) {
      const LocalTensor<half> narrow = finder_.Work().template ReinterpretCast<half>();
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
  typename GivenOf<FinalPorts>::Type given_;
  GlobalTensor<T> output_;
  TQue<QuePosition::VECOUT, kBuffers> queue_;
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
      finder_.Find(formula, row, rows,
                   [&] { number_.Out(finder_.unit().Number(Formula::kNumbers - 1), row, rows); });
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
