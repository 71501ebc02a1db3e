// y = data, but its slices y[indices[i]] are updates[i], or increased by it: every core has tiles
// of y, looks through all indices for each of them and takes its updates in their order.
#include "chosen.h"
#include "elementwise_input.h"

using namespace AscendC;

// Elements in the type that they are added in.
template <typename C, typename T>
__aicore__ inline void Convert(const LocalTensor<C>& to, const LocalTensor<T>& from,
                               uint32_t count) {
  if constexpr (IsSameType<T, C>::value) {
    Muls(to, from, static_cast<C>(1), count);
  } else {
    Cast(to, from, sizeof(C) < sizeof(T) ? RoundMode::CAST_RINT : RoundMode::CAST_NONE, count);
  }
}

template <typename T>
class Scatterer {
 public:
  __aicore__ inline explicit Scatterer(const ScatterNdTilingData& t) : t_(t) {}

  __aicore__ inline void Run(GM_ADDR data, GM_ADDR indices, GM_ADDR updates, GM_ADDR y) {
    if (t_.columns == 0) return;
    data_.SetGlobalBuffer((__gm__ T*)data);
    updates_.SetGlobalBuffer((__gm__ T*)updates);
    y_.SetGlobalBuffer((__gm__ T*)y);
    const uint32_t room = t_.tile_rows * t_.pitch;
    pipe_.InitBuffer(in_, layout::kBuffers, room * sizeof(T));
    pipe_.InitBuffer(out_, layout::kBuffers, room * sizeof(T));
    pipe_.InitBuffer(tile_, room * sizeof(C));
    pipe_.InitBuffer(update_, kAhead, t_.pitch * sizeof(T));
    pipe_.InitBuffer(wide_, t_.pitch * sizeof(C));
    chosen_.Init(pipe_, t_, indices);
    const uint64_t down = (t_.slices + t_.tile_rows - 1) / t_.tile_rows;
    const uint64_t across = (t_.columns + t_.tile_columns - 1) / t_.tile_columns;
    const uint64_t first = GetBlockIdx() * t_.core_tiles;
    const uint64_t end = layout::Least(down * across, first + t_.core_tiles);
    for (uint64_t at = first; at < end; ++at)
      OneTile(at / across * t_.tile_rows, at % across * t_.tile_columns);
  }

 private:
  using C = typename Std::conditional<IsSameType<T, int32_t>::value, int32_t, float>::type;
  static constexpr int32_t kAhead = 4;  // updates

  __aicore__ inline void OneTile(uint64_t slice, uint64_t column) {
    const auto rows = static_cast<uint32_t>(layout::Least(t_.tile_rows, t_.slices - slice));
    const auto width = static_cast<uint32_t>(layout::Least(t_.tile_columns, t_.columns - column));
    const LocalTensor<C> tile = tile_.template Get<C>();
    const uint32_t count = rows * t_.pitch;
    LocalTensor<T> in = in_.template AllocTensor<T>();
    const layout::Rows<T> all(rows, width, t_.columns, t_.pitch);
    all.Load(in, data_[slice * t_.columns + column]);
    in_.EnQue(in);
    in = in_.template DeQue<T>();
    Convert(tile, in, count);
    in_.FreeTensor(in);
    chosen_.Every(slice, slice + rows, [&](uint64_t update, uint64_t to) {
      OneUpdate(tile[static_cast<uint32_t>(to - slice) * t_.pitch], update * t_.columns + column,
                width);
    });
    LocalTensor<T> out = out_.template AllocTensor<T>();
    Convert(out, tile, count);
    out_.EnQue(out);
    out = out_.template DeQue<T>();
    all.Store(y_[slice * t_.columns + column], out);
    out_.FreeTensor(out);
  }

  __aicore__ inline void OneUpdate(const LocalTensor<C>& row, uint64_t at, uint32_t width) {
    LocalTensor<T> update = update_.template AllocTensor<T>();
    layout::Rows<T>(1, width, t_.columns, t_.pitch).Load(update, updates_[at]);
    update_.EnQue(update);
    update = update_.template DeQue<T>();
    if (t_.adds != 0) {
      const LocalTensor<C> wide = wide_.template Get<C>();
      Convert(wide, update, width);
      Add(row, row, wide, width);
    } else {
      Convert(row, update, width);
    }
    update_.FreeTensor(update);
  }

  const ScatterNdTilingData& t_;
  TPipe pipe_;
  GlobalTensor<T> data_, updates_, y_;
  TQue<QuePosition::VECIN, layout::kBuffers> in_;
  TQue<QuePosition::VECIN, kAhead> update_;
  TQue<QuePosition::VECOUT, layout::kBuffers> out_;
  TBuf<TPosition::VECCALC> tile_, wide_;
  Chosen chosen_;
};

extern "C" __global__ __aicore__ void scatter_nd(GM_ADDR data, GM_ADDR indices, GM_ADDR updates,
                                                 GM_ADDR y, GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(ScatterNdTilingData);
  GET_TILING_DATA(tiling_data, tiling);
  Scatterer<DTYPE_DATA> op(tiling_data);
  op.Run(data, indices, updates, y);
}
