// Rows of a table added up or averaged by bags.
#ifndef EMBEDDING_BAG_MLP_POOL_H_
#define EMBEDDING_BAG_MLP_POOL_H_

#include "embedding_bag_mlp_tiling.h"
#include "layout.h"
#include "narrowed.h"
#include "widened.h"

template <typename T, typename Index>
class Pool {
 public:
  __aicore__ inline void Init(AscendC::TPipe& pipe, const EmbeddingBagMlpTiling& t, GM_ADDR table,
                              GM_ADDR ids, GM_ADDR offsets) {
    t_ = &t;
    table_.SetGlobalBuffer((__gm__ T*)table);
    ids_.SetGlobalBuffer((__gm__ Index*)ids);
    offsets_.SetGlobalBuffer((__gm__ Index*)offsets);
    pitch_ = layout::UpTo(t.tile_columns, LayoutBlock(sizeof(T)));
    pipe.InitBuffer(in_, layout::kBuffers, t.tile_rows * pitch_ * sizeof(T));
    pipe.InitBuffer(out_, 1, pitch_ * sizeof(T));
    pipe.InitBuffer(sum_, pitch_ * sizeof(float));
    pipe.InitBuffer(size_, pitch_ * sizeof(float));
    wide_.Init(pipe, t.tile_rows * pitch_);
  }

  // Leaves a row for each of the bags.
  __aicore__ inline void Run(const AscendC::GlobalTensor<T>& to, uint64_t first, uint32_t bags) {
    uint64_t begin = Begin(first);
    for (uint32_t i = 0; i < bags; ++i) {
      const uint64_t end = Begin(first + i + 1);
      for (uint32_t column = 0; column < t_->size[0]; column += t_->tile_columns)
        OneBag(to[static_cast<uint64_t>(i) * t_->size[0] + column], begin, end, column);
      begin = end;
    }
  }

 private:
  __aicore__ inline uint64_t Begin(uint64_t bag) {
    if (bag >= t_->bags) return t_->ids;
    return layout::Least(static_cast<uint64_t>(offsets_.GetValue(bag)), t_->ids);
  }

  __aicore__ inline void OneBag(const AscendC::GlobalTensor<T>& to, uint64_t begin, uint64_t end,
                                uint32_t column) {
    using namespace AscendC;
    const auto width = static_cast<uint32_t>(layout::Least(t_->tile_columns, t_->size[0] - column));
    const LocalTensor<float> sum = sum_.Get<float>();
    Duplicate(sum, 0.0f, pitch_);
    for (uint64_t id = begin; id < end; id += t_->tile_rows)
      AddRows(sum, id, static_cast<uint32_t>(layout::Least(t_->tile_rows, end - id)), column,
              width);
    if (t_->mean != 0 && end > begin + 1) {
      const LocalTensor<float> size = size_.Get<float>();
      Duplicate(size, static_cast<float>(end - begin), width);
      Div(sum, sum, size, width);
    }
    LocalTensor<T> out = out_.template AllocTensor<T>();
    Narrow(out, sum, width);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    layout::Rows<T>(1, width, width, pitch_).Store(to, out);
    out_.FreeTensor(out);
  }

  __aicore__ inline void AddRows(const AscendC::LocalTensor<float>& sum, uint64_t id, uint32_t rows,
                                 uint32_t column, uint32_t width) {
    using namespace AscendC;
    LocalTensor<T> in = in_.template AllocTensor<T>();
    for (uint32_t i = 0; i < rows; ++i) {
      const auto row = static_cast<uint64_t>(ids_.GetValue(id + i));
      ascendc_assert(row < t_->rows, "ids[%lu] is %ld: the table has %lu rows", id + i,
                     static_cast<int64_t>(row), t_->rows);
      layout::Rows<T>(1, width, width, pitch_)
          .Load(in[i * pitch_], table_[row * t_->size[0] + column]);
    }
    in_.EnQue(in);
    in = in_.template DeQue<T>();
    const LocalTensor<float> values = wide_(in, rows * pitch_);
    if (layout::UpTo(width, LayoutBlock(sizeof(T))) == pitch_) {
      AddInHalves(values, rows);
      Add(sum, sum, values, width);
    } else {
      for (uint32_t i = 0; i < rows; ++i) Add(sum, sum, values[i * pitch_], width);
    }
    in_.FreeTensor(in);
  }

  // The first row becomes the sum of all: the last ones are added to as many first ones at once.
  __aicore__ inline void AddInHalves(const AscendC::LocalTensor<float>& values, uint32_t rows) {
    for (uint32_t added; rows > 1; rows -= added) {
      added = rows / 2;
      AscendC::Add(values, values, values[(rows - added) * pitch_], added * pitch_);
    }
  }

  const EmbeddingBagMlpTiling* t_ = nullptr;
  uint32_t pitch_ = 0;
  AscendC::GlobalTensor<T> table_;
  AscendC::GlobalTensor<Index> ids_, offsets_;
  AscendC::TQue<AscendC::QuePosition::VECIN, layout::kBuffers> in_;
  AscendC::TQue<AscendC::QuePosition::VECOUT, 1> out_;
  AscendC::TBuf<AscendC::TPosition::VECCALC> sum_, size_;
  Widened<T> wide_;
};

#endif  // EMBEDDING_BAG_MLP_POOL_H_
