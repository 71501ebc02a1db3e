// values = the k largest or smallest elements of every row, indices = where they lie. Short rows
// are sorted side by side; of a long one the best so far are merged with one sorted chunk after the
// other.
#include "layout.h"
#include "narrowed.h"
#include "sorter.h"
#include "top_k_tiling.h"
#include "wait_for.h"
#include "widened.h"

using namespace AscendC;

template <typename T>
class TopElements {
 public:
  __aicore__ inline explicit TopElements(const TopKTilingData& t) : t_(t) {}

  __aicore__ inline void Run(GM_ADDR x, GM_ADDR values, GM_ADDR indices) {
    x_.SetGlobalBuffer((__gm__ Bits*)x);
    values_.SetGlobalBuffer((__gm__ T*)values);
    indices_.SetGlobalBuffer((__gm__ int64_t*)indices);
    const uint32_t tile = t_.side * t_.chunk, room = Room();
    pipe_.InitBuffer(in_, layout::kBuffers, tile * sizeof(T));
    wide_.Init(pipe_, tile);
    sorter_.Init(pipe_, tile);
    if (t_.side == 1) {
      for (auto& best : best_) pipe_.InitBuffer(best, (t_.k + t_.chunk) * kPair);
    }
    pipe_.InitBuffer(numbers_, room * sizeof(float));
    pipe_.InitBuffer(places_, room * sizeof(int32_t));
    pipe_.InitBuffer(out_values_, 1, room * sizeof(T));
    pipe_.InitBuffer(out_indices_, 1, room * sizeof(int64_t));
    const uint64_t first = GetBlockIdx() * t_.core_rows;
    const uint64_t end = layout::Least(t_.rows, first + t_.core_rows);
    for (uint64_t row = first; row < end; row += t_.side)
      OneTile(row, static_cast<uint32_t>(layout::Least(t_.side, end - row)));
  }

 private:
  using Bits = typename layout::BitsOf<sizeof(T)>::Type;
  static constexpr uint32_t kPair = Sorter::kFloats * sizeof(float);

  // Results of a tile in UB: rows begin blocks.
  __aicore__ inline uint32_t Room() const {
    return t_.side > 1 ? t_.side * kSortGroup : layout::UpTo(t_.k, kSortGroup);
  }

  __aicore__ inline void OneTile(uint64_t row, uint32_t rows) {
    if (t_.side > 1) {
      const LocalTensor<T> in = Load(row, rows, 0);
      Leave(sorter_.Groups(Values(in), t_.side), row, rows, t_.side * kSortGroup);
      Free(in);
    } else {
      Leave(Best(row), row, 1, t_.k);
    }
  }

  // Returns the best of a long row.
  __aicore__ inline LocalTensor<float> Best(uint64_t row) {
    uint32_t now = 0, count = 0;
    for (uint64_t column = 0; column < t_.columns; column += t_.chunk) {
      const LocalTensor<T> in = Load(row, 1, column);
      const LocalTensor<float> sorted =
          sorter_.All(Values(in), t_.chunk, static_cast<int32_t>(column));
      const LocalTensor<float> best = best_[now].Get<float>(), next = best_[1 - now].Get<float>();
      const uint16_t lengths[kSortLists] = {static_cast<uint16_t>(count),
                                            static_cast<uint16_t>(t_.chunk), 0, 0};
      MrgSort(next, MrgSortSrcList<float>(best, sorted, sorted, sorted),
              MrgSort4Info(lengths, false, 0b0011, 1));
      Free(in);
      now = 1 - now;
      count = static_cast<uint32_t>(layout::Least(t_.k, count + t_.chunk));
    }
    return best_[now].Get<float>();
  }

  __aicore__ inline LocalTensor<T> Load(uint64_t row, uint32_t rows, uint64_t column) {
    constexpr uint32_t kSign = 1u << (8 * sizeof(T) - 1);
    const auto last = static_cast<Bits>(SortedLast<T>::kBits ^ (t_.largest != 0 ? 0 : kSign));
    LocalTensor<T> in = in_.template AllocTensor<T>();
    const LocalTensor<Bits> bits = in.template ReinterpretCast<Bits>();
    const auto columns = static_cast<uint32_t>(layout::Least(t_.chunk, t_.columns - column));
    if (columns < t_.chunk || rows < t_.side) {
      Duplicate(bits, last, t_.side * t_.chunk);
      WaitFor<HardEvent::V_MTE2>();
    }
    layout::Rows<Bits>(rows, columns, t_.columns, t_.chunk)
        .LoadFilled(bits, x_[row * t_.columns + column], last);
    in_.EnQue(in);
    return in_.template DeQue<T>();
  }
  __aicore__ inline void Free(LocalTensor<T> in) { in_.FreeTensor(in); }

  // What is sorted: the smallest elements become the largest.
  __aicore__ inline LocalTensor<float> Values(const LocalTensor<T>& in) {
    const uint32_t count = t_.side * t_.chunk;
    const LocalTensor<float> values = wide_(in, count);
    if (t_.largest == 0) Muls(values, values, -1.0f, count);
    return values;
  }

  // pairs: of `count` results of these rows, with gaps where there are several.
  __aicore__ inline void Leave(const LocalTensor<float>& pairs, uint64_t row, uint32_t rows,
                               uint32_t count) {
    const LocalTensor<float> numbers = numbers_.Get<float>();
    const LocalTensor<int32_t> places = places_.Get<int32_t>();
    Sorter::Part(numbers, places, pairs, count);
    if (t_.largest == 0) Muls(numbers, numbers, -1.0f, count);
    LocalTensor<T> values = out_values_.template AllocTensor<T>();
    LocalTensor<int64_t> indices = out_indices_.template AllocTensor<int64_t>();
    Narrow(values, numbers, count);
    Cast(indices, places, RoundMode::CAST_NONE, count);
    Store(out_values_, values, values_, row, rows);
    Store(out_indices_, indices, indices_, row, rows);
  }

  template <typename Queue, typename R>
  __aicore__ inline void Store(Queue& queue, LocalTensor<R> results, const GlobalTensor<R>& to,
                               uint64_t row, uint32_t rows) {
    queue.EnQue(results);
    results = queue.template DeQue<R>();
    layout::Rows<R>(rows, t_.k, t_.k, Room() / t_.side).Store(to[row * t_.k], results);
    queue.FreeTensor(results);
  }

  const TopKTilingData& t_;
  TPipe pipe_;
  GlobalTensor<Bits> x_;
  GlobalTensor<T> values_;
  GlobalTensor<int64_t> indices_;
  TQue<QuePosition::VECIN, layout::kBuffers> in_;
  TQue<QuePosition::VECOUT, 1> out_values_, out_indices_;
  TBuf<TPosition::VECCALC> best_[2], numbers_, places_;
  Widened<T> wide_;
  Sorter sorter_;
};

extern "C" __global__ __aicore__ void top_k(GM_ADDR x, GM_ADDR values, GM_ADDR indices,
                                            GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(TopKTilingData);
  GET_TILING_DATA(data, tiling);
  TopElements<DTYPE_X> op(data);
  op.Run(x, values, indices);
}
