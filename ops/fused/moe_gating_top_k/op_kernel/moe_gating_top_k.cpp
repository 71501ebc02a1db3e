// y = the scores of the k experts with the largest logits: logits are sorted, and scores are made
// of the chosen ones alone, with the largest logit and the sum of all powers of their token.
#include "layout.h"
#include "moe_gating_top_k_tiling.h"
#include "narrowed.h"
#include "row_unit.h"
#include "sigmoid_tanh.h"
#include "sorter.h"
#include "wait_for.h"
#include "widened.h"

using namespace AscendC;

template <typename T>
class Gating {
 public:
  __aicore__ inline explicit Gating(const MoeGatingTopKTiling& t) : t_(t) {}

  __aicore__ inline void Run(GM_ADDR x, GM_ADDR y, GM_ADDR experts) {
    x_.SetGlobalBuffer((__gm__ Bits*)x);
    y_.SetGlobalBuffer((__gm__ T*)y);
    experts_.SetGlobalBuffer((__gm__ int32_t*)experts);
    const uint32_t logits = t_.tile_tokens * t_.pitch;
    pipe_.InitBuffer(in_, layout::kBuffers, logits * sizeof(T));
    wide_.Init(pipe_, logits);
    sorter_.Init(pipe_, SideBySide() ? logits : t_.pitch);
    unit_.Init(pipe_, t_.tile_tokens, t_.pitch, kNumbers);
    pipe_.InitBuffer(out_y_, 1, Chosen() * sizeof(T));
    pipe_.InitBuffer(out_experts_, 1, Chosen() * sizeof(int32_t));
    pipe_.InitBuffer(scores_, 3 * Chosen() * sizeof(float));
    const uint64_t first = GetBlockIdx() * t_.core_tokens;
    const uint64_t end = layout::Least(t_.tokens, first + t_.core_tokens);
    for (uint64_t token = first; token < end; token += t_.tile_tokens)
      OneTile(token, static_cast<uint32_t>(layout::Least(t_.tile_tokens, end - token)));
  }

 private:
  using Bits = typename layout::BitsOf<sizeof(T)>::Type;
  static constexpr uint32_t kLargest = 0, kSum = 1, kChosenSum = 2, kNumbers = 3;

  __aicore__ inline bool SideBySide() const { return t_.pitch == kSortGroup; }
  __aicore__ inline uint32_t Chosen() const { return t_.tile_tokens * t_.chosen_pitch; }

  __aicore__ inline void OneTile(uint64_t token, uint32_t tokens) {
    LocalTensor<T> in = Load(token, tokens);
    const LocalTensor<float> x = wide_(in, t_.tile_tokens * t_.pitch);
    const LocalTensor<float> scores = scores_.Get<float>();
    LocalTensor<int32_t> experts = out_experts_.template AllocTensor<int32_t>();
    Choose(scores, experts, x, tokens);
    if (t_.sigmoid == 0) Measure(x, tokens);
    in_.FreeTensor(in);
    Weigh(scores, tokens);
    LocalTensor<T> y = out_y_.template AllocTensor<T>();
    Narrow(y, scores, tokens * t_.chosen_pitch);
    Store(out_y_, y, y_, token, tokens);
    Store(out_experts_, experts, experts_, token, tokens);
  }

  // Every row of UB is filled, so that nothing that is sorted comes behind a logit.
  __aicore__ inline LocalTensor<T> Load(uint64_t token, uint32_t tokens) {
    const auto last = static_cast<Bits>(SortedLast<T>::kBits);
    LocalTensor<T> in = in_.template AllocTensor<T>();
    const LocalTensor<Bits> bits = in.template ReinterpretCast<Bits>();
    Duplicate(bits, last, t_.tile_tokens * t_.pitch);
    WaitFor<HardEvent::V_MTE2>();
    layout::Rows<Bits>(tokens, t_.experts, t_.experts, t_.pitch)
        .LoadFilled(bits, x_[token * t_.experts], last);
    in_.EnQue(in);
    return in_.template DeQue<T>();
  }

  __aicore__ inline void Choose(const LocalTensor<float>& best, const LocalTensor<int32_t>& places,
                                const LocalTensor<float>& x, uint32_t tokens) {
    if (SideBySide()) {
      Sorter::Part(best, places, sorter_.Groups(x, t_.tile_tokens), tokens * t_.pitch);
      return;
    }
    for (uint32_t i = 0; i < tokens; ++i)
      Sorter::Part(best[i * t_.chosen_pitch], places[i * t_.chosen_pitch],
                   sorter_.All(x[i * t_.pitch], t_.pitch, 0), t_.chosen_pitch);
  }

  // The largest logit and the sum of exp(logit - largest) of every token; x is used up.
  __aicore__ inline void Measure(const LocalTensor<float>& x, uint32_t tokens) {
    unit_.SetTile({0, 0, tokens, t_.experts, t_.pitch});
    unit_.Reduce(rows::Reduction::kMax, unit_.Number(kLargest), x);
    unit_.Spread(kLargest);
    unit_.Subtract(x, x, kLargest);
    Exp(x, x, unit_.count());
    unit_.Reduce(rows::Reduction::kSum, unit_.Number(kSum), x);
    unit_.Spread(kSum);
  }

  // Logits become weights.
  __aicore__ inline void Weigh(const LocalTensor<float>& chosen, uint32_t tokens) {
    unit_.SetTile({0, 0, tokens, t_.k, t_.chosen_pitch});
    const uint32_t count = unit_.count();
    if (t_.sigmoid != 0) {
      bend::Sigmoid(chosen, chosen[Chosen()], chosen[2 * Chosen()], false, count);
    } else {
      unit_.Subtract(chosen, chosen, kLargest);
      Exp(chosen, chosen, count);
      unit_.Divide(chosen, chosen, kSum);
    }
    if (t_.renorm != 0) {
      unit_.Reduce(rows::Reduction::kSum, unit_.Number(kChosenSum), chosen);
      unit_.Spread(kChosenSum);
      unit_.Divide(chosen, chosen, kChosenSum);
    }
    Muls(chosen, chosen, t_.scale, count);
  }

  template <typename Queue, typename R>
  __aicore__ inline void Store(Queue& queue, LocalTensor<R> results, const GlobalTensor<R>& to,
                               uint64_t token, uint32_t tokens) {
    queue.EnQue(results);
    results = queue.template DeQue<R>();
    layout::Rows<R>(tokens, t_.k, t_.k, t_.chosen_pitch).Store(to[token * t_.k], results);
    queue.FreeTensor(results);
  }

  const MoeGatingTopKTiling& t_;
  TPipe pipe_;
  GlobalTensor<Bits> x_;
  GlobalTensor<T> y_;
  GlobalTensor<int32_t> experts_;
  TQue<QuePosition::VECIN, layout::kBuffers> in_;
  TQue<QuePosition::VECOUT, 1> out_y_, out_experts_;
  TBuf<TPosition::VECCALC> scores_;
  Widened<T> wide_;
  Sorter sorter_;
  rows::Unit unit_;
};

extern "C" __global__ __aicore__ void moe_gating_top_k(GM_ADDR x, GM_ADDR y, GM_ADDR expert_idx,
                                                       GM_ADDR workspace, GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_AIV_ONLY);
  REGISTER_TILING_DEFAULT(MoeGatingTopKTiling);
  GET_TILING_DATA(data, tiling);
  Gating<DTYPE_X> op(data);
  op.Run(x, y, expert_idx);
}
