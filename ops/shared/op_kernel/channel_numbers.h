// Tensors with a number for every channel, brought to the rows of blocks whose rows are channels.
#ifndef OPS_SHARED_CHANNEL_NUMBERS_H_
#define OPS_SHARED_CHANNEL_NUMBERS_H_

#include "product_store.h"
#include "row_unit.h"

namespace conv_dense {

using namespace AscendC;

// A null address: the tensor is absent, its numbers stay as they are.
template <typename Finish, typename T>
class ChannelNumbers {
 public:
  // rows: limits the channels that are kept.
  template <typename... Vectors>
  __aicore__ inline void Init(TPipe& pipe, uint32_t rows, Vectors... vectors) {
    GM_ADDR addresses[] = {vectors..., nullptr};
    for (uint32_t i = 0; i < Finish::kVectors; ++i) {
      given_[i] = addresses[i] != nullptr;
      vectors_[i].SetGlobalBuffer((__gm__ T*)addresses[i]);
    }
    unit_.InitNumbers(pipe, rows, Finish::kNumbers);
    pitch_ = (rows * sizeof(T) + 31) / 32 * 32 / sizeof(T);
    pipe.InitBuffer(stored_, 1, kRoom * pitch_ * sizeof(T));
  }

  // Brings the numbers of the block's rows, spread for its elements.
  __aicore__ inline void Bring(const Finish& finish, const product::Block& block) {
    Bring(finish, block, block.row, block.rows);
  }
  // Keeps the numbers of so many rows from `row` on, the block's among them.
  __aicore__ inline void Bring(const Finish& finish, const product::Block& block, uint32_t row,
                               uint32_t rows) {
    unit_.SetTile({0, 0, block.rows, block.columns, block.pitch}, block.row - row);
    if (loaded_ && row_ == row && rows_ == rows) return;
    loaded_ = true;
    row_ = row;
    rows_ = rows;
    Load();
    Widen();
    finish.Prepare(unit_);
    for (uint32_t n = 0; n < Finish::kNumbers; ++n) unit_.Spread(n);
  }

  __aicore__ inline rows::Unit& unit() { return unit_; }

 private:
  // All tensors are under way at once: the vector unit waits for them once.
  __aicore__ inline void Load() {
    LocalTensor<T> in = stored_.template AllocTensor<T>();
    for (uint32_t i = 0; i < Finish::kVectors; ++i) {
      if (!given_[i]) continue;
      DataCopyPad(in[i * pitch_], vectors_[i][row_],
                  DataCopyExtParams{1, static_cast<uint32_t>(rows_ * sizeof(T)), 0, 0, 0},
                  DataCopyPadExtParams<T>{false, 0, 0, 0});
    }
    stored_.EnQue(in);
  }

  __aicore__ inline void Widen() {
    LocalTensor<T> in = stored_.template DeQue<T>();
    for (uint32_t i = 0; i < Finish::kVectors; ++i) {
      if (!given_[i]) continue;
      if constexpr (IsSameType<T, float>::value) {
        Adds(unit_.Number(i), in[i * pitch_], 0.0f, rows_);
      } else {
        Cast(unit_.Number(i), in[i * pitch_], RoundMode::CAST_NONE, rows_);
      }
    }
    stored_.FreeTensor(in);
  }

  static constexpr uint32_t kRoom = Finish::kVectors > 0 ? Finish::kVectors : 1;

  rows::Unit unit_;
  GlobalTensor<T> vectors_[kRoom];
  bool given_[kRoom] = {};
  TQue<QuePosition::VECIN, 1> stored_;
  bool loaded_ = false;
  uint32_t row_ = 0, rows_ = 0;
  uint32_t pitch_ = 0;  // elements from tensor to tensor
};

}  // namespace conv_dense

#endif  // OPS_SHARED_CHANNEL_NUMBERS_H_
