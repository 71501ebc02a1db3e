// Rows of a table pooled by bags, and dense layers on what every bag gives. Each vector core owns
// parts of the bags; what lies between two layers passes through its share of the workspace.
#include "block_product.h"
#include "pool.h"
#include "row_adder.h"

using namespace AscendC;

template <typename T, typename Index>
class EmbeddingBagMlp {
 public:
  __aicore__ inline explicit EmbeddingBagMlp(const EmbeddingBagMlpTiling& t) : t_(t) {}

  __aicore__ inline void SetLayer(uint32_t layer, GM_ADDR weights, GM_ADDR bias) {
    weights_[layer].SetGlobalBuffer((__gm__ T*)weights);
    biases_[layer].SetGlobalBuffer((__gm__ T*)bias);
  }

  __aicore__ inline void Run(TPipe& pipe, GM_ADDR table, GM_ADDR ids, GM_ADDR offsets, GM_ADDR y,
                             GM_ADDR workspace) {
    const auto core = static_cast<uint64_t>(GetBlockIdx());
    const uint64_t share = static_cast<uint64_t>(t_.part_bags) * t_.widest;
    for (uint32_t i = 0; i < 2; ++i)
      between_[i].SetGlobalBuffer((__gm__ T*)GetUserWorkspace(workspace) + (2 * core + i) * share);
    y_.SetGlobalBuffer((__gm__ T*)y);
    pool_.Init(pipe, t_, table, ids, offsets);
    blocks.Begin(pipe, t_.cube, workspace);
    blocks.InitUb(pipe);
    bias_.Init(pipe, blocks.Pitch());
    store_.Init(pipe, t_.part_bags * t_.block_columns);
    const uint64_t parts = (t_.bags + t_.part_bags - 1) / t_.part_bags;
    const auto cores = static_cast<uint64_t>(GetBlockNum() * GetTaskRation());
    for (uint64_t part = core; part < parts; part += cores) OnePart(part * t_.part_bags);
    blocks.End();
  }

  BlockProduct<T> blocks;

 private:
  __aicore__ inline void OnePart(uint64_t first) {
    const auto bags = static_cast<uint32_t>(layout::Least(t_.part_bags, t_.bags - first));
    pool_.Run(between_[0], first, bags);
    for (uint32_t layer = 0; layer < t_.layers; ++layer) {
      PipeBarrier<PIPE_ALL>();  // what this layer reads is there
      const bool is_last = layer + 1 == t_.layers;
      OneLayer(layer, is_last ? y_[first * t_.size[layer + 1]] : between_[(layer + 1) % 2], bags,
               !is_last);
    }
    PipeBarrier<PIPE_ALL>();  // nobody reads what the next part overwrites
  }

  __aicore__ inline void OneLayer(uint32_t layer, const GlobalTensor<T>& to, uint32_t bags,
                                  bool bends) {
    const uint32_t columns = t_.size[layer + 1];
    for (uint32_t column = 0; column < columns; column += t_.block_columns) {
      const product::Block block{
          0, column, bags, static_cast<uint32_t>(layout::Least(t_.block_columns, columns - column)),
          t_.block_columns};
      LocalTensor<float> sums =
          blocks.Of(between_[layer % 2], weights_[layer][column], block, t_.size[layer], columns);
      bias_.Add(sums, biases_[layer][column], block);
      if (bends) Relu(sums, sums, block.elements());
      store_.Out(to[column], columns, sums, block);
      blocks.Free(sums);
    }
  }

  const EmbeddingBagMlpTiling& t_;
  GlobalTensor<T> weights_[kMostLayers], biases_[kMostLayers], between_[2], y_;
  Pool<T, Index> pool_;
  RowAdder<T> bias_;
  product::Store<T> store_;
};

extern "C" __global__ __aicore__ void embedding_bag_mlp(GM_ADDR table, GM_ADDR ids, GM_ADDR offsets,
                                                        GM_ADDR w1, GM_ADDR b1, GM_ADDR w2,
                                                        GM_ADDR b2, GM_ADDR w3, GM_ADDR b3,
                                                        GM_ADDR y, GM_ADDR workspace,
                                                        GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(EmbeddingBagMlpTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  EmbeddingBagMlp<DTYPE_TABLE, DTYPE_IDS> op(data);
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.blocks.mm, &data.cube);
  op.SetLayer(0, w1, b1);
  op.SetLayer(1, w2, b2);
  op.SetLayer(2, w3, b3);
  op.Run(pipe, table, ids, offsets, y, workspace);
}
