// Tiles of rows, and the numbers that a formula (rows.h) finds of every row.
#ifndef OPS_SHARED_NUMBER_FINDER_H_
#define OPS_SHARED_NUMBER_FINDER_H_

#include "elementwise.h"
#include "row_unit.h"

namespace rows {

using elementwise::InputChain;

// Inputs that every pass reads.
template <typename... Ports>
struct Joined {
  using Chain = InputChain<Ports...>;
  static constexpr uint32_t kCount = sizeof...(Ports);
  static constexpr uint32_t kPitch = elementwise::PitchOf<Ports...>::kElements;
};
// What a formula has that finds no numbers.
struct NoNumbers {
  static constexpr uint32_t kNumbers = 0;
  __aicore__ static constexpr Reduction How(uint32_t) { return Reduction::kSum; }
  __aicore__ inline LocalTensor<float> Prepare(Unit&, uint32_t, const LocalTensor<float>&,
                                               const LocalTensor<float>& x) const {
    return x;
  }
  __aicore__ inline void Finish(Unit&, uint32_t, const LocalTensor<float>&, uint64_t) const {}
};

// Brings rows into UB and finds their numbers.
// kPitch: elements of a block of the narrowest type in GM.
template <typename Formula, typename JoinedPorts, uint32_t kPitch>
class NumberFinder {
 public:
  // numbers: of a row.
  template <typename Inputs>
  __aicore__ inline void Init(TPipe& pipe, const ElementwiseTiling& tiling, const Inputs& inputs,
                              uint32_t numbers = Formula::kNumbers) {
    tiling_ = &tiling;
    inputs([&](auto... addresses) { joined_.Init(pipe, tiling, 0, tiling.tile, addresses...); });
    pipe.InitBuffer(work_, tiling.tile * sizeof(float));
    unit_.Init(pipe, tiling.tile_rows, tiling.tile_columns, numbers);
  }

  // Calls `call(row, rows)` for every tile of this core's rows. A tile ends with the innermost of
  // the outer dims. The next tile's rows are under way while one is worked on.
  template <typename Call>
  __aicore__ inline void EveryTile(const Call& call) {
    const uint64_t first = GetBlockIdx() * tiling_->core_rows;
    const uint64_t end = Least(tiling_->rows, first + tiling_->core_rows);
    uint32_t rows = BringRows(first, end);
    for (uint64_t row = first, next; row < end; row = next) {
      next = row + rows;
      const uint32_t after = BringRows(next, end);
      call(row, rows);
      rows = after;
    }
  }

  // The rows fit into UB as a whole: after Find, X and Work hold them.
  __aicore__ inline bool Resident() const { return tiling_->tile_columns >= tiling_->columns; }

  // Finds the numbers of rows, then calls `use()`; of resident rows X and Work are still there.
  template <typename Use>
  __aicore__ inline void Find(const Formula& formula, uint64_t row, uint32_t rows, const Use& use) {
    if (Resident()) {
      return Enter(formula, Part(row, rows, 0), [&] {
        EveryNumber(formula, [&](uint32_t n) {
          unit_.Reduce(Formula::How(n), unit_.Number(n), formula.Prepare(unit_, n, Work(), X()));
        });
        use();
      });
    }
    EveryNumber(formula, [&](uint32_t n) { FindInParts(formula, row, rows, n); });
    use();
  }

  __aicore__ inline Tile Part(uint64_t row, uint32_t rows, uint64_t column) const {
    const auto width =
        static_cast<uint32_t>(Least(tiling_->tile_columns, tiling_->columns - column));
    return Tile{row, column, rows, width, (width + kPitch - 1) / kPitch * kPitch};
  }

  // Calls `use()` while X holds the inputs of a part.
  template <typename Use>
  __aicore__ inline void Enter(const Formula& formula, const Tile& tile, const Use& use) {
    unit_.SetTile(tile);
    if (!Resident()) joined_.CopyIn(tile);
    joined_.Compute(
        [&](const auto&... values) {
          x_ = formula.Join(unit_, values...);
          use();
        },
        tile);
  }

  __aicore__ inline Unit& unit() { return unit_; }
  __aicore__ inline LocalTensor<float> X() { return x_; }
  __aicore__ inline LocalTensor<float> Work() { return work_.template Get<float>(); }

 private:
  __aicore__ static inline uint64_t Least(uint64_t a, uint64_t b) { return a < b ? a : b; }

  // Returns the rows of the tile from `row` on; they set out for UB where they fit.
  __aicore__ inline uint32_t BringRows(uint64_t row, uint64_t end) {
    if (row >= end) return 0;
    const uint64_t run = tiling_->outer_size[tiling_->outer_dims - 1];
    const auto rows =
        static_cast<uint32_t>(Least(Least(tiling_->tile_rows, end - row), run - row % run));
    if (Resident()) joined_.CopyIn(Part(row, rows, 0));
    return rows;
  }

  template <typename Call>
  __aicore__ inline void EveryNumber(const Formula& formula, const Call& find) {
    for (uint32_t n = 0; n < Formula::kNumbers; ++n) {
      find(n);
      formula.Finish(unit_, n, unit_.Number(n), tiling_->columns);
      unit_.Spread(n);
    }
  }

  __aicore__ inline void FindInParts(const Formula& formula, uint64_t row, uint32_t rows,
                                     uint32_t n) {
    for (uint64_t column = 0; column < tiling_->columns; column += tiling_->tile_columns) {
      Enter(formula, Part(row, rows, column), [&] {
        const LocalTensor<float> reduced = formula.Prepare(unit_, n, Work(), X());
        const LocalTensor<float> part = unit_.Number(Formula::kNumbers);
        unit_.Reduce(Formula::How(n), column == 0 ? unit_.Number(n) : part, reduced);
        if (column > 0) Bring(Formula::How(n), unit_.Number(n), part, rows);
      });
    }
  }
  __aicore__ static inline void Bring(Reduction how, const LocalTensor<float>& number,
                                      const LocalTensor<float>& part, uint32_t rows) {
    if (how == Reduction::kSum) {
      Add(number, number, part, rows);
    } else {
      Max(number, number, part, rows);
    }
  }

  const ElementwiseTiling* tiling_ = nullptr;
  typename JoinedPorts::Chain joined_;
  Unit unit_;
  LocalTensor<float> x_;
  TBuf<TPosition::VECCALC> work_;
};

}  // namespace rows

#endif  // OPS_SHARED_NUMBER_FINDER_H_
