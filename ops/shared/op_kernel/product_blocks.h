// The blocks of y that one cube core multiplies and its vector cores finish, in the order in which
// both kinds of cores walk them (product_plan.h cuts them).
#ifndef OPS_SHARED_PRODUCT_BLOCKS_H_
#define OPS_SHARED_PRODUCT_BLOCKS_H_

#include "product_slots.h"
#include "product_store.h"

namespace product {

__aicore__ inline int32_t CeilDiv(int32_t a, int32_t b) { return (a + b - 1) / b; }
__aicore__ inline int32_t Least(int32_t a, int32_t b) { return a < b ? a : b; }

// A rectangle of one matrix y, which a core multiplies with operands that it reads once.
struct Share {
  uint64_t batch;
  int32_t row, column, rows, columns;
};

// Walks the shares of one of `workers`: its own, and every `workers` further on.
template <typename Plan>
class Shares {
 public:
  __aicore__ inline Shares(const Plan& plan, uint64_t worker, uint64_t workers)
      : plan_(plan), index_(worker), workers_(workers) {
    high_ = CeilDiv(plan.cube.M, plan.cube.singleCoreM);
    parts_ = high_ * CeilDiv(plan.cube.N, plan.cube.singleCoreN);
    all_ = plan.batches * static_cast<uint64_t>(parts_);
  }

  __aicore__ inline bool IsDone() const { return index_ >= all_; }
  __aicore__ inline void Next() { index_ += workers_; }
  __aicore__ inline Share Get() const {
    const auto part = static_cast<int32_t>(index_ % static_cast<uint64_t>(parts_));
    const auto& cube = plan_.cube;
    Share share{index_ / static_cast<uint64_t>(parts_), part % high_ * cube.singleCoreM,
                part / high_ * cube.singleCoreN, 0, 0};
    share.rows = Least(cube.singleCoreM, cube.M - share.row);
    share.columns = Least(cube.singleCoreN, cube.N - share.column);
    return share;
  }

 private:
  const Plan& plan_;
  uint64_t index_, workers_, all_ = 0;
  int32_t high_ = 1, parts_ = 1;
};

// Walks the base blocks of a share, down its rows first.
template <typename Plan>
class Blocks {
 public:
  __aicore__ inline Blocks(const Plan& plan, const Share& share)
      : plan_(plan), share_(share), high_(CeilDiv(share.rows, plan.cube.baseM)) {
    all_ = high_ * CeilDiv(share.columns, plan.cube.baseN);
  }

  __aicore__ inline bool IsDone() const { return index_ >= all_; }
  __aicore__ inline void Next() { ++index_; }
  __aicore__ inline Block Get() const {
    const auto& cube = plan_.cube;
    const int32_t down = index_ % high_ * cube.baseM, right = index_ / high_ * cube.baseN;
    return {static_cast<uint32_t>(share_.row + down), static_cast<uint32_t>(share_.column + right),
            static_cast<uint32_t>(Least(cube.baseM, share_.rows - down)),
            static_cast<uint32_t>(Least(cube.baseN, share_.columns - right)),
            static_cast<uint32_t>(cube.baseN)};
  }

 private:
  const Plan& plan_;
  const Share share_;
  const int32_t high_;
  int32_t index_ = 0, all_ = 0;
};

// Counts the elements of y in front of a row and column of a batch.
template <typename Plan>
__aicore__ inline uint64_t PlaceInY(const Plan& plan, uint64_t batch, uint64_t row,
                                    uint64_t column) {
  const auto rows = static_cast<uint64_t>(plan.cube.M),
             columns = static_cast<uint64_t>(plan.cube.N);
  return (batch * rows + row) * columns + column;
}

// Returns the slots of the cores' block with index `block`, a base block of sums in each.
template <typename Sum, typename Plan>
__aicore__ inline GlobalTensor<Sum> SlotsOf(const Plan& plan, GM_ADDR workspace, uint64_t block) {
  const auto sums = static_cast<uint64_t>(plan.cube.baseM) * plan.cube.baseN;
  GlobalTensor<Sum> slots;
  slots.SetGlobalBuffer((__gm__ Sum*)GetUserWorkspace(workspace) + block * kSlots * sums);
  return slots;
}
template <typename Sum, typename Plan>
__aicore__ inline GlobalTensor<Sum> SlotOf(const Plan& plan, const GlobalTensor<Sum>& slots,
                                           uint32_t number) {
  return slots[static_cast<uint64_t>(number % kSlots) * plan.cube.baseM * plan.cube.baseN];
}

}  // namespace product

#endif  // OPS_SHARED_PRODUCT_BLOCKS_H_
