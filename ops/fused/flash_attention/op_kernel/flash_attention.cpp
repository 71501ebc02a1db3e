// y = softmax(q * k' * scale + mask) * v. Each vector core owns rows of queries and keeps three
// numbers of each: the largest score so far, the sum of exp(score - largest), and what a larger
// score makes of all that was summed before. The cube core multiplies the queries by the next block
// of keys while a block of scores becomes weights, and weights by values while the next one does.
#include "lib/matmul_intf.h"
#include "row_unit.h"
#include "scores.h"

using namespace AscendC;
using product::Block;

template <typename T>
class FlashAttention {
 public:
  __aicore__ inline explicit FlashAttention(const FlashAttentionTiling& t) : t_(t) {}

  __aicore__ inline void Run(TPipe& pipe, GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR mask, GM_ADDR y,
                             GM_ADDR workspace) {
    q_.SetGlobalBuffer((__gm__ T*)q);
    k_.SetGlobalBuffer((__gm__ T*)k);
    v_.SetGlobalBuffer((__gm__ T*)v);
    y_.SetGlobalBuffer((__gm__ T*)y);
    const auto core = static_cast<uint64_t>(GetBlockIdx());
    const uint32_t block = t_.part_rows * t_.block_keys, sums = t_.part_rows * SumsPitch();
    SetWorkspace(GetUserWorkspace(workspace), core, block, sums);
    scores_.Init(pipe, t_, mask);
    unit_.Init(pipe, t_.part_rows, block > sums ? t_.block_keys : SumsPitch(), kNumbers);
    pipe.InitBuffer(products_, 1, (block > sums ? block : sums) * sizeof(float));
    pipe.InitBuffer(total_, sums * sizeof(float));
    store_.Init(pipe, block > sums ? block : sums);
    const uint64_t high = (t_.rows + t_.part_rows - 1) / t_.part_rows;
    const auto cores = static_cast<uint64_t>(GetBlockNum() * GetTaskRation());
    for (uint64_t part = core; part < t_.heads * high; part += cores)
      OnePart(part / high, static_cast<uint32_t>(part % high) * t_.part_rows);
    queries_by_keys.End();
    weights_by_values.End();
  }

  using Gm = MatmulType<TPosition::GM, CubeFormat::ND, T>;
  using Ub = MatmulType<TPosition::VECIN, CubeFormat::ND, float>;
  Matmul<Gm, MatmulType<TPosition::GM, CubeFormat::ND, T, true>, Ub> queries_by_keys;
  Matmul<Gm, Gm, Ub> weights_by_values;

 private:
  static constexpr uint32_t kLargest = 0, kSum = 1, kFactors = 2, kNumbers = 4;

  __aicore__ inline uint32_t SumsPitch() const { return static_cast<uint32_t>(t_.sums.baseN); }

  __aicore__ inline void OnePart(uint64_t head, uint32_t row) {
    const auto rows = static_cast<uint32_t>(layout::Least(t_.part_rows, t_.rows - row));
    scores_.Aim(head);
    const LocalTensor<float> total = total_.Get<float>();
    Duplicate(total, 0.0f, rows * SumsPitch());
    // No score is less than the lowest number but -inf, of which the power is 0 then.
    Duplicate(unit_.Number(kLargest), kLowest, unit_.Height());
    Duplicate(unit_.Number(kSum), 0.0f, unit_.Height());
    const auto blocks =
        static_cast<uint32_t>((scores_.SeenByAny(row, rows) + t_.block_keys - 1) / t_.block_keys);
    if (blocks > 0) AskForScores(head, BlockAt(row, rows, 0));
    for (uint32_t i = 0; i < blocks; ++i) {
      const LocalTensor<float> scores = Take(queries_by_keys);
      if (i + 1 < blocks) AskForScores(head, BlockAt(row, rows, i + 1));
      Weigh(scores, BlockAt(row, rows, i), i);
      if (i > 0) AddSums(SumsOf(row, rows), i - 1);
      AskForSums(head, BlockAt(row, rows, i), i);
    }
    if (blocks > 0) AddSums(SumsOf(row, rows), blocks - 1);
    Aim(SumsOf(row, rows));
    unit_.Spread(kSum);
    unit_.Divide(total, total, kSum);
    store_.Out(y_[(head * t_.rows + row) * t_.value_depth], t_.value_depth, total,
               SumsOf(row, rows));
  }

  __aicore__ inline Block SumsOf(uint32_t row, uint32_t rows) const {
    return {row, 0, rows, t_.value_depth, SumsPitch()};
  }
  __aicore__ inline void Aim(const Block& block) {
    unit_.SetTile({0, 0, block.rows, block.columns, block.pitch});
  }

  __aicore__ inline Block BlockAt(uint32_t row, uint32_t rows, uint32_t index) const {
    const uint64_t key = uint64_t{index} * t_.block_keys;
    return {row, static_cast<uint32_t>(key), rows,
            static_cast<uint32_t>(layout::Least(t_.block_keys, t_.keys - key)), t_.block_keys};
  }

  // Gives every core two blocks of weights, and room for results that nobody waits for yet.
  __aicore__ inline void SetWorkspace(GM_ADDR workspace, uint64_t core, uint32_t block,
                                      uint32_t sums) {
    const uint64_t weights = uint64_t{kBuffers} * block * sizeof(T),
                   results = (uint64_t{block} + sums) * sizeof(float);
    const GM_ADDR own = workspace + core * (weights + results);
    weights_.SetGlobalBuffer((__gm__ T*)own);
    GlobalTensor<float> of_scores, of_sums;
    of_scores.SetGlobalBuffer((__gm__ float*)(own + weights));
    of_sums.SetGlobalBuffer((__gm__ float*)(own + weights) + block);
    queries_by_keys.SetWorkspace(of_scores);
    weights_by_values.SetWorkspace(of_sums);
  }
  // Blocks and their factors take turns.
  __aicore__ inline GlobalTensor<T> WeightsOf(uint32_t index) const {
    return weights_[uint64_t{index % kBuffers} * t_.part_rows * t_.block_keys];
  }
  __aicore__ static inline uint32_t FactorOf(uint32_t index) { return kFactors + index % kBuffers; }

  __aicore__ inline void AskForScores(uint64_t head, const Block& block) {
    queries_by_keys.SetTail(static_cast<int32_t>(block.rows), static_cast<int32_t>(block.columns),
                            static_cast<int32_t>(t_.depth));
    queries_by_keys.SetTensorA(q_[(head * t_.rows + block.row) * t_.depth]);
    queries_by_keys.SetTensorB(k_[(head * t_.keys + block.column) * t_.depth], true);
    queries_by_keys.template Iterate<false>();
  }

  __aicore__ inline void AskForSums(uint64_t head, const Block& block, uint32_t index) {
    PipeBarrier<PIPE_ALL>();  // the weights are there
    weights_by_values.SetTail(static_cast<int32_t>(block.rows),
                              static_cast<int32_t>(t_.value_depth),
                              static_cast<int32_t>(block.columns));
    weights_by_values.SetTensorA(WeightsOf(index));
    weights_by_values.SetTensorB(v_[(head * t_.keys + block.column) * t_.value_depth]);
    weights_by_values.template Iterate<false>();
  }

  // Adds what a block of values gives to what those before it give.
  __aicore__ inline void AddSums(const Block& all, uint32_t index) {
    LocalTensor<float> sums = Take(weights_by_values);
    const LocalTensor<float> total = total_.Get<float>();
    Aim(all);
    unit_.Multiply(total, total, FactorOf(index));
    Add(total, total, sums, all.elements());
    products_.FreeTensor(sums);
  }

  // Leaves exp(score - largest) of a block in the workspace.
  __aicore__ inline void Weigh(LocalTensor<float> scores, const Block& block, uint32_t index) {
    scores_.Finish(scores, block);
    Aim(block);
    const LocalTensor<float> factor = unit_.Number(FactorOf(index));
    Enlarge(scores, factor);
    unit_.Spread(kLargest);
    unit_.Subtract(scores, scores, kLargest);
    Exp(scores, scores, block.elements());
    const LocalTensor<float> part = unit_.Number(kNumbers), sum = unit_.Number(kSum);
    unit_.Reduce(rows::Reduction::kSum, part, scores);
    Mul(sum, sum, factor, unit_.Height());
    Add(sum, sum, part, unit_.Height());
    unit_.Spread(FactorOf(index));
    store_.Out(WeightsOf(index), t_.block_keys, scores, block);
    products_.FreeTensor(scores);
  }

  // The largest scores and the factors of what was summed with those before.
  __aicore__ inline void Enlarge(const LocalTensor<float>& scores,
                                 const LocalTensor<float>& factor) {
    const LocalTensor<float> largest = unit_.Number(kLargest), part = unit_.Number(kNumbers);
    unit_.Reduce(rows::Reduction::kMax, part, scores);
    Max(part, part, largest, unit_.Height());
    Sub(factor, largest, part, unit_.Height());
    Exp(factor, factor, unit_.Height());
    Muls(largest, part, 1.0f, unit_.Height());
  }

  template <typename Product>
  __aicore__ inline LocalTensor<float> Take(Product& product) {
    LocalTensor<float> sums = products_.AllocTensor<float>();
    product.template GetTensorC<true>(sums, 0, true);
    products_.EnQue(sums);
    return products_.DeQue<float>();
  }

  static constexpr uint32_t kBuffers = 2;
  static constexpr float kLowest = -3.4028235e38f;

  const FlashAttentionTiling& t_;
  GlobalTensor<T> q_, k_, v_, y_, weights_;
  Scores<T> scores_;
  rows::Unit unit_;
  product::Store<T> store_;
  TQue<QuePosition::VECIN, 1> products_;
  TBuf<TPosition::VECCALC> total_;
};

extern "C" __global__ __aicore__ void flash_attention(GM_ADDR q, GM_ADDR k, GM_ADDR v, GM_ADDR mask,
                                                      GM_ADDR y, GM_ADDR workspace,
                                                      GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(FlashAttentionTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  FlashAttention<DTYPE_Q> op(data);
  REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.queries_by_keys, &data.scores,
                    op.weights_by_values, &data.sums);
  op.Run(pipe, q, k, v, mask, y, workspace);
}
