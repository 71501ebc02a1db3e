// A block of scores in UB: scaled, with the mask added, -inf where a query does not see a key.
#ifndef FLASH_ATTENTION_SCORES_H_
#define FLASH_ATTENTION_SCORES_H_

#include "flash_attention_tiling.h"
#include "layout.h"
#include "product_store.h"
#include "widened.h"

template <typename T>
class Scores {
 public:
  using Floats = AscendC::LocalTensor<float>;

  __aicore__ inline void Init(AscendC::TPipe& pipe, const FlashAttentionTiling& t, GM_ADDR mask) {
    t_ = &t;
    mask_.SetGlobalBuffer((__gm__ T*)mask);
    if (t.has_mask == 0) return;
    pipe.InitBuffer(in_, 1, t.part_rows * t.block_keys * sizeof(T));
    wide_.Init(pipe, t.part_rows * t.block_keys);
  }

  // Names the head of keys, of those in all batches, that blocks are of.
  __aicore__ inline void Aim(uint64_t head) { head_ = head; }

  // block: rows of the head, keys.
  __aicore__ inline void Finish(const Floats& scores, const product::Block& block) {
    AscendC::Muls(scores, scores, t_->scale, block.elements());
    if (t_->has_mask != 0) AddMask(scores, block);
    if (t_->causal == 0) return;
    for (uint32_t i = 0; i < block.rows; ++i) {
      const uint64_t seen = Seen(block.row + i);
      if (seen < block.column + block.columns)
        Hide(scores[i * block.pitch],
             static_cast<uint32_t>(seen > block.column ? seen - block.column : 0), block.pitch);
    }
  }

  // Keys that any of the rows sees.
  __aicore__ inline uint64_t SeenByAny(uint32_t row, uint32_t rows) const {
    if (t_->causal == 0) return t_->keys;
    const bool wraps = row / t_->queries != (row + rows - 1) / t_->queries;
    return wraps ? t_->keys : Seen(row + rows - 1);
  }

 private:
  static constexpr uint32_t kRepeat = 64, kBlock = 8;  // floats

  // Keys that a row sees: the first ones.
  __aicore__ inline uint64_t Seen(uint64_t row) const {
    return row % t_->queries + t_->keys - t_->queries + 1;
  }

  // Rows of the head are queries again and again, of one head of queries after the other.
  __aicore__ inline void AddMask(const Floats& scores, const product::Block& block) {
    using namespace AscendC;
    LocalTensor<T> in = in_.template AllocTensor<T>();
    for (uint32_t i = 0; i < block.rows; i += Run(block, i)) {
      layout::Rows<T>(t_->mask_query != 0 ? Run(block, i) : 1, block.columns, t_->keys, block.pitch)
          .Load(in[i * block.pitch], mask_[Offset(block.row + i) + block.column]);
    }
    in_.EnQue(in);
    in = in_.template DeQue<T>();
    if (t_->mask_query != 0) {
      Add(scores, scores, wide_(in, block.elements()), block.elements());
    } else {
      for (uint32_t i = 0; i < block.rows; i += Run(block, i))
        AddRow(scores[i * block.pitch], wide_(in[i * block.pitch], block.columns), block,
               Run(block, i));
    }
    in_.FreeTensor(in);
  }

  // Rows of a block from row i on whose masks lie one behind the other, or are one.
  __aicore__ inline uint32_t Run(const product::Block& block, uint32_t i) const {
    const uint64_t left = t_->queries - (block.row + i) % t_->queries;
    return static_cast<uint32_t>(layout::Least(block.rows - i, left));
  }

  // Returns the mask's first element for a row of the head.
  __aicore__ inline uint64_t Offset(uint64_t row) const {
    const uint64_t group = t_->rows / t_->queries;  // heads of queries
    const uint64_t head = head_ % t_->heads_of_batch * group + row / t_->queries;
    return head_ / t_->heads_of_batch * t_->mask_batch + head * t_->mask_head +
           row % t_->queries * t_->mask_query;
  }

  // One row onto several.
  __aicore__ inline void AddRow(const Floats& scores, const Floats& row,
                                const product::Block& block, uint32_t rows) const {
    const auto step = static_cast<uint8_t>(block.pitch / kBlock);
    for (uint32_t c = 0; c < block.columns; c += kRepeat) {
      const uint64_t width = layout::Least(kRepeat, block.columns - c);
      AscendC::Add(scores[c], scores[c], row[c], width, static_cast<uint8_t>(rows),
                   {1, 1, 1, step, step, 0});
    }
  }

  // -inf from element `from` of a row on.
  __aicore__ inline void Hide(const Floats& row, uint32_t from, uint32_t pitch) {
    const float hidden = -1.0f / 0.0f;
    const uint32_t first = from / kRepeat * kRepeat;
    const uint32_t width = pitch - first < kRepeat ? pitch - first : kRepeat;
    uint64_t mask[2] = {~uint64_t{0} << (from - first), 0};
    if (width < kRepeat) mask[0] &= (uint64_t{1} << width) - 1;
    AscendC::Duplicate(row[first], hidden, mask, 1, 1, 8);
    if (first + width < pitch)
      AscendC::Duplicate(row[first + width], hidden, pitch - first - width);
  }

  const FlashAttentionTiling* t_ = nullptr;
  uint64_t head_ = 0;
  AscendC::GlobalTensor<T> mask_;
  AscendC::TQue<AscendC::QuePosition::VECIN, 1> in_;
  Widened<T> wide_;
};

#endif  // FLASH_ATTENTION_SCORES_H_
