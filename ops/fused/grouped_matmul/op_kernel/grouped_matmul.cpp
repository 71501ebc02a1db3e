// y[m] = x[m] * w[g] + bias[g] for every row m of group g. Tiles of y are counted through all
// groups, and every core that multiplies takes each so many-th of them.
#include "block_product.h"
#include "grouped_matmul_tiling.h"
#include "row_adder.h"
#include "slot_product.h"

using namespace AscendC;

// Products: BlockProduct or SlotProduct.
template <typename T, typename Products>
class GroupedMatmul {
 public:
  __aicore__ inline explicit GroupedMatmul(const GroupedMatmulTiling& t) : t_(t) {}

  __aicore__ inline void Run(TPipe& pipe, GM_ADDR x, GM_ADDR w, GM_ADDR bias, GM_ADDR group_list,
                             GM_ADDR y, GM_ADDR workspace) {
    x_.SetGlobalBuffer((__gm__ T*)x);
    w_.SetGlobalBuffer((__gm__ T*)w);
    bias_.SetGlobalBuffer((__gm__ T*)bias);
    ends_.SetGlobalBuffer((__gm__ int64_t*)group_list);
    y_.SetGlobalBuffer((__gm__ T*)y);
    blocks.Begin(pipe, t_.cube, workspace);
    if ASCEND_IS_AIV {
      InitUb(pipe);
    }
    uint64_t begin = 0, turn = blocks.Worker();  // tiles until this core's next one
    for (uint32_t group = 0; group <= t_.groups; ++group) {
      const uint64_t end = End(group);
      if (end > begin) turn = OneGroup(group, begin, end, turn);
      if (end > begin) begin = end;
    }
    blocks.End();
  }

  Products blocks;

 private:
  __aicore__ inline void InitUb(TPipe& pipe) {
    const uint32_t elements = t_.finished_rows * t_.block_columns;
    blocks.InitUb(pipe);
    bias_row_.Init(pipe, t_.block_columns);
    store_.Init(pipe, elements);
    pipe.InitBuffer(zeros_, elements * sizeof(float));
    Duplicate(zeros_.Get<float>(), 0.0f, elements);
  }

  // Rows behind the last group are one more.
  __aicore__ inline uint64_t End(uint32_t group) {
    if (group == t_.groups) return t_.rows;
    return layout::Least(static_cast<uint64_t>(ends_.GetValue(group)), t_.rows);
  }

  // Returns the turn for the next group.
  __aicore__ inline uint64_t OneGroup(uint32_t group, uint64_t begin, uint64_t end, uint64_t turn) {
    const uint64_t cores = blocks.Workers();
    const uint64_t across = (t_.columns + t_.block_columns - 1) / t_.block_columns;
    const uint64_t tiles = (end - begin + t_.block_rows - 1) / t_.block_rows * across;
    for (; turn < tiles; turn += cores) {
      const uint64_t row = begin + turn / across * t_.block_rows;
      const auto column = static_cast<uint32_t>(turn % across) * t_.block_columns;
      OneTile(group, row,
              {static_cast<uint32_t>(row), column,
               static_cast<uint32_t>(layout::Least(t_.block_rows, end - row)),
               static_cast<uint32_t>(layout::Least(t_.block_columns, t_.columns - column)),
               t_.block_columns});
    }
    return turn - tiles;
  }

  __aicore__ inline void OneTile(uint32_t group, uint64_t row, const product::Block& block) {
    const uint64_t width = t_.columns;
    if (group == t_.groups) return ClearTile(blocks.Mine(block));
    blocks.Multiply(x_[row * t_.depth], w_[group * t_.depth * width + block.column], block,
                    t_.depth, width,
                    [&](const LocalTensor<float>& sums, const product::Block& mine) {
                      if (t_.has_bias != 0)
                        bias_row_.Add(sums, bias_[group * width + block.column], mine);
                      store_.Out(y_[uint64_t{mine.row} * width + mine.column], width, sums, mine);
                    });
  }

  // Writes rows behind the last group.
  __aicore__ inline void ClearTile(const product::Block& mine) {
    if ASCEND_IS_AIV {
      if (mine.rows > 0)
        store_.Out(y_[uint64_t{mine.row} * t_.columns + mine.column], t_.columns,
                   zeros_.Get<float>(), mine);
    }
  }

  const GroupedMatmulTiling& t_;
  GlobalTensor<T> x_, w_, bias_, y_;
  GlobalTensor<int64_t> ends_;
  TBuf<TPosition::VECCALC> zeros_;
  RowAdder<T> bias_row_;
  product::Store<T> store_;
};

extern "C" __global__ __aicore__ void grouped_matmul(GM_ADDR x, GM_ADDR w, GM_ADDR bias,
                                                     GM_ADDR group_list, GM_ADDR y,
                                                     GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(GroupedMatmulTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  if (TILING_KEY_IS(0)) {  // the vector cores drive the cube unit
    GroupedMatmul<DTYPE_X, BlockProduct<DTYPE_X>> op(data);
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.blocks.mm, &data.cube);
    op.Run(pipe, x, w, bias, group_list, y, workspace);
  } else if (TILING_KEY_IS(1)) {  // cube cores of their own
    GroupedMatmul<DTYPE_X, SlotProduct<DTYPE_X>> op(data);
    op.Run(pipe, x, w, bias, group_list, y, workspace);
  }
}
