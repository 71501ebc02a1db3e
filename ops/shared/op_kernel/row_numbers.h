// Tensors that hold a number for every row, over and over for a run of rows (channels): brought
// among the numbers of the rows.
#ifndef OPS_SHARED_ROW_NUMBERS_H_
#define OPS_SHARED_ROW_NUMBERS_H_

#include "row_unit.h"

namespace rows {

// T: in GM.
template <typename T, uint32_t kCount>
class RowNumbers {
 public:
  using IsThere = void;

  // run: rows after which the tensors begin anew.
  template <typename... Addresses>
  __aicore__ inline void Init(TPipe& pipe, uint64_t run, uint32_t tile_rows,
                              Addresses... addresses) {
    static_assert(sizeof...(Addresses) == kCount, "every tensor has an address");
    GM_ADDR list[] = {addresses...};
    for (uint32_t i = 0; i < kCount; ++i) tensors_[i].SetGlobalBuffer((__gm__ T*)list[i]);
    run_ = run;
    pitch_ = (tile_rows + kBlock - 1) / kBlock * kBlock;
    pipe.InitBuffer(queue_, 1, kCount * pitch_ * sizeof(T));
  }

  // Fills the unit's numbers from `index` on; the formula spreads those that it meets rows with.
  __aicore__ inline void Bring(Unit& unit, uint32_t index, uint64_t row, uint32_t rows) {
    LocalTensor<T> in = queue_.template AllocTensor<T>();
    for (uint32_t i = 0; i < kCount; ++i)
      DataCopyPad(in[i * pitch_], tensors_[i][row % run_],
                  DataCopyExtParams{1, static_cast<uint32_t>(rows * sizeof(T)), 0, 0, 0},
                  DataCopyPadExtParams<T>{false, 0, 0, 0});
    queue_.EnQue(in);
    in = queue_.template DeQue<T>();
    for (uint32_t i = 0; i < kCount; ++i) {
      if constexpr (IsSameType<T, float>::value) {
        Adds(unit.Number(index + i), in[i * pitch_], 0.0f, rows);
      } else {
        Cast(unit.Number(index + i), in[i * pitch_], RoundMode::CAST_NONE, rows);
      }
    }
    queue_.FreeTensor(in);
  }

 private:
  static constexpr uint32_t kBlock = 32;  // elements that make whole blocks of any type

  GlobalTensor<T> tensors_[kCount];
  uint64_t run_ = 1;
  uint32_t pitch_ = 0;
  TQue<QuePosition::VECIN, 1> queue_;
};

}  // namespace rows

#endif  // OPS_SHARED_ROW_NUMBERS_H_
