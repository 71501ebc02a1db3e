// Four steps, each of which all cores share: the projections to the low ranks, with the keys'
// turned part; the rows that are normalised; the projections of every head, with the queries'
// turned part; the queries in the space of the compressed cache. What lies between two steps stays
// in L2.
#include "block_product.h"
#include "mla_prolog_tiling.h"
#include "normal_rows.h"
#include "slot_product.h"
#include "turned.h"

using namespace AscendC;

struct MlaPrologAddresses {
  GM_ADDR x;
  GM_ADDR weight_dq;
  GM_ADDR weight_uq_qr;
  GM_ADDR weight_uk;
  GM_ADDR weight_dkv_kr;
  GM_ADDR gamma_cq;
  GM_ADDR gamma_ckv;
  GM_ADDR cos;
  GM_ADDR sin;
  GM_ADDR index;
  GM_ADDR query;
  GM_ADDR query_rope;
  GM_ADDR kv_cache;
  GM_ADDR kr_cache;
  GM_ADDR workspace;
};

// Products: BlockProduct or SlotProduct.
template <typename T, typename Products>
class MlaProlog {
 public:
  __aicore__ inline MlaProlog(TPipe& pipe, const MlaPrologTiling& t, const MlaPrologAddresses& at)
      : pipe_(pipe), t_(t), at_(at) {
    index_.SetGlobalBuffer((__gm__ int64_t*)at.index);
    const uint64_t tokens = t.tokens;
    __gm__ uint8_t* between = GetUserWorkspace(at.workspace) + t.slot_bytes;
    query_down_.SetGlobalBuffer((__gm__ float*)between);
    between += tokens * t.query_rank * sizeof(float);
    key_down_.SetGlobalBuffer((__gm__ float*)between);
    between += tokens * t.cache_rank * sizeof(float);
    compressed_ = Elements(between);
    between += tokens * t.query_rank * sizeof(T);
    of_heads_ = Elements(between);
  }

  __aicore__ inline void Run() {
    blocks.Begin(pipe_, t_.cube, at_.workspace);
    InitProducts();
    Down();
    blocks.NextStep(pipe_);
    if ASCEND_IS_AIV {
      Normalise();
    }
    blocks.NextStep(pipe_);
    InitProducts();
    Up();
    blocks.NextStep(pipe_);
    InitProducts();
    Absorb();
    blocks.End();
  }

  Products blocks;

 private:
  __aicore__ static inline GlobalTensor<T> Elements(GM_ADDR address) {
    GlobalTensor<T> elements;
    elements.SetGlobalBuffer((__gm__ T*)address);
    return elements;
  }

  __aicore__ inline void InitProducts() {
    if ASCEND_IS_AIV {
      const uint32_t elements = t_.finished_rows * t_.block_columns;
      blocks.InitUb(pipe_);
      store_.Init(pipe_, elements);
      floats_.Init(pipe_, elements);
      turned_.Init(pipe_, at_.cos, at_.sin, t_.half, elements);
    }
  }

  // Calls `call(task)` for those of `tasks` of products that are this core's.
  template <typename Call>
  __aicore__ inline void EveryTask(uint64_t tasks, const Call& call) {
    for (uint64_t task = blocks.Worker(); task < tasks; task += blocks.Workers()) call(task);
  }
  __aicore__ inline uint32_t High() const {
    return (t_.tokens + t_.block_rows - 1) / t_.block_rows;
  }
  __aicore__ inline uint32_t Across(uint32_t columns) const {
    return (columns + wide_ - 1) / wide_;
  }
  // Block `part` of those across `columns`.
  __aicore__ inline product::Block BlockAt(uint64_t high, uint32_t part, uint32_t columns) const {
    const auto row = static_cast<uint32_t>(high) * t_.block_rows;
    const uint32_t column = part * wide_;
    return {row, column, static_cast<uint32_t>(layout::Least(t_.block_rows, t_.tokens - row)),
            static_cast<uint32_t>(layout::Least(wide_, columns - column)), t_.block_columns};
  }

  // Multiplies into a block of the matrix `to`, whose rows are `stride` elements apart. Rows of a
  // are `depth` long, those of b `width`.
  template <typename Store, typename Out>
  __aicore__ inline void Multiply(Store& store, const Out& to, uint64_t stride,
                                  const GlobalTensor<T>& a, const GlobalTensor<T>& b,
                                  const product::Block& block, uint64_t depth, uint64_t width) {
    blocks.Multiply(a, b, block, depth, width,
                    [&](const LocalTensor<float>& sums, const product::Block& mine) {
                      store.Out(to[At(mine, stride)], stride, sums, mine);
                    });
  }
  // Columns of both halves, which are t_.half apart in b, turned; then(block) stores them. In one
  // product where a block has room for both.
  template <typename Then>
  __aicore__ inline void Turn(const GlobalTensor<T>& a, const GlobalTensor<T>& b,
                              const product::Block& block, uint64_t depth, uint64_t width,
                              const Then& then) {
    using Sums = LocalTensor<float>;
    if (Turned<T>::IsOneBlock(t_.half, block)) {
      const product::Block both{block.row, block.column, block.rows, 2 * t_.half, block.pitch};
      blocks.Multiply(a, b, both, depth, width, [&](const Sums& sums, const product::Block& mine) {
        const product::Block half{mine.row, mine.column, mine.rows, t_.half, mine.pitch};
        turned_.Split(sums, half);
        turned_.Turn(turned_.Second(), half);
        then(half);
      });
      return;
    }
    blocks.Multiply(a, b, block, depth, width, [&](const Sums& sums, const product::Block& mine) {
      turned_.Keep(sums, mine);
    });
    blocks.Multiply(a, b[t_.half], block, depth, width,
                    [&](const Sums& sums, const product::Block& mine) {
                      turned_.Turn(sums, mine);
                      then(mine);
                    });
  }

  __aicore__ inline void Down() {
    wide_ = t_.down_columns;
    const uint32_t queries = Across(t_.query_rank), keys = Across(t_.cache_rank),
                   across = queries + keys + Across(t_.half);
    const uint64_t width = t_.cache_rank + 2 * t_.half;
    const GlobalTensor<T> x = Elements(at_.x), to_queries = Elements(at_.weight_dq),
                          to_keys = Elements(at_.weight_dkv_kr);
    EveryTask(static_cast<uint64_t>(High()) * across, [&](uint64_t task) {
      const auto part = static_cast<uint32_t>(task % across);
      const uint64_t high = task / across;
      if (part < queries) {
        const product::Block block = BlockAt(high, part, t_.query_rank);
        Multiply(floats_, query_down_, t_.query_rank, x[RowAt(block, t_.hidden)],
                 to_queries[block.column], block, t_.hidden, t_.query_rank);
      } else if (part < queries + keys) {
        const product::Block block = BlockAt(high, part - queries, t_.cache_rank);
        Multiply(floats_, key_down_, t_.cache_rank, x[RowAt(block, t_.hidden)],
                 to_keys[block.column], block, t_.hidden, width);
      } else {
        const product::Block block = BlockAt(high, part - queries - keys, t_.half);
        Turn(x[RowAt(block, t_.hidden)], to_keys[t_.cache_rank + block.column], block, t_.hidden,
             width, [&](const product::Block& mine) { StoreKeys(mine); });
      }
    });
  }

  __aicore__ static inline uint64_t RowAt(const product::Block& block, uint64_t stride) {
    return block.row * stride;
  }
  __aicore__ static inline uint64_t At(const product::Block& block, uint64_t stride) {
    return block.row * stride + block.column;
  }

  // Returns the row of the caches for a token.
  __aicore__ inline uint64_t SlotOf(uint64_t token) {
    const auto slot = static_cast<uint64_t>(index_.GetValue(token));
    ascendc_assert(slot < t_.slots, "cache_index[%lu] is %ld: the caches have %lu rows", token,
                   static_cast<int64_t>(slot), t_.slots);
    return slot;
  }
  __aicore__ inline void StoreKeys(const product::Block& block) {
    const GlobalTensor<T> cache = Elements(at_.kr_cache);
    const product::Block row{0, block.column, 1, block.columns, block.pitch};
    for (uint32_t i = 0; i < block.rows; ++i) {
      const uint64_t to = SlotOf(block.row + i) * 2 * t_.half + block.column;
      store_.Out(cache[to], block.columns, turned_.Left()[i * block.pitch], row);
      store_.Out(cache[to + t_.half], block.columns, turned_.Right()[i * block.pitch], row);
    }
  }

  __aicore__ inline void Normalise() {
    const GlobalTensor<T> of_queries = Elements(at_.gamma_cq), of_keys = Elements(at_.gamma_ckv),
                          cache = Elements(at_.kv_cache);
    rows_.Init(pipe_, t_.query_rank > t_.cache_rank ? t_.query_rank : t_.cache_rank);
    const auto cores = static_cast<uint64_t>(GetBlockNum() * GetTaskRation());
    for (uint64_t task = GetBlockIdx(); task < uint64_t{2} * t_.tokens; task += cores) {
      const uint64_t token = task / 2;
      if (task % 2 == 0) {
        const uint64_t row = token * t_.query_rank;
        rows_.Run(compressed_[row], query_down_[row], of_queries, t_.query_rank, t_.query_epsilon);
      } else {
        rows_.Run(cache[SlotOf(token) * t_.cache_rank], key_down_[token * t_.cache_rank], of_keys,
                  t_.cache_rank, t_.cache_epsilon);
      }
    }
  }

  __aicore__ inline void Up() {
    wide_ = t_.up_columns;
    const uint32_t plain = Across(t_.plain), parts = plain + Across(t_.half), turns = 2 * t_.half;
    const uint64_t width = static_cast<uint64_t>(t_.heads) * (t_.plain + turns);
    const GlobalTensor<T> weights = Elements(at_.weight_uq_qr), rope = Elements(at_.query_rope);
    EveryTask(static_cast<uint64_t>(High()) * t_.heads * parts, [&](uint64_t task) {
      const auto part = static_cast<uint32_t>(task % parts);
      const uint64_t head = task / parts % t_.heads, high = task / parts / t_.heads;
      const uint64_t column = head * (t_.plain + turns);  // where the head begins
      if (part < plain) {
        const product::Block block = BlockAt(high, part, t_.plain);
        Multiply(store_, of_heads_[head * t_.tokens * t_.plain], t_.plain,
                 compressed_[RowAt(block, t_.query_rank)], weights[column + block.column], block,
                 t_.query_rank, width);
      } else {
        const product::Block block = BlockAt(high, part - plain, t_.half);
        Turn(compressed_[RowAt(block, t_.query_rank)], weights[column + t_.plain + block.column],
             block, t_.query_rank, width, [&](const product::Block& mine) {
               const uint64_t stride = static_cast<uint64_t>(t_.heads) * turns;
               const uint64_t to = head * turns + At(mine, stride);
               store_.Out(rope[to], stride, turned_.Left(), mine);
               store_.Out(rope[to + t_.half], stride, turned_.Right(), mine);
             });
      }
    });
  }

  __aicore__ inline void Absorb() {
    wide_ = t_.absorb_columns;
    const uint32_t parts = Across(t_.cache_rank);
    const uint64_t stride = static_cast<uint64_t>(t_.heads) * t_.cache_rank;
    const GlobalTensor<T> weights = Elements(at_.weight_uk), query = Elements(at_.query);
    EveryTask(static_cast<uint64_t>(High()) * t_.heads * parts, [&](uint64_t task) {
      const uint64_t head = task / parts % t_.heads;
      const product::Block block =
          BlockAt(task / parts / t_.heads, static_cast<uint32_t>(task % parts), t_.cache_rank);
      Multiply(store_, query[head * t_.cache_rank], stride,
               of_heads_[head * t_.tokens * t_.plain + RowAt(block, t_.plain)],
               weights[head * t_.plain * t_.cache_rank + block.column], block, t_.plain,
               t_.cache_rank);
    });
  }

  TPipe& pipe_;
  const MlaPrologTiling& t_;
  const MlaPrologAddresses at_;
  uint32_t wide_ = 0;  // columns of this step's blocks
  GlobalTensor<int64_t> index_;
  GlobalTensor<float> query_down_, key_down_;  // tokens x rank
  GlobalTensor<T> compressed_;                 // tokens x query_rank
  GlobalTensor<T> of_heads_;                   // heads x tokens x plain
  product::Store<T> store_;
  product::Store<float> floats_;
  Turned<T> turned_;
  NormalRows<T> rows_;
};

extern "C" __global__ __aicore__ void mla_prolog(
    GM_ADDR token_x, GM_ADDR weight_dq, GM_ADDR weight_uq_qr, GM_ADDR weight_uk,
    GM_ADDR weight_dkv_kr, GM_ADDR rmsnorm_gamma_cq, GM_ADDR rmsnorm_gamma_ckv, GM_ADDR rope_cos,
    GM_ADDR rope_sin, GM_ADDR cache_index, GM_ADDR kv_cache, GM_ADDR kr_cache, GM_ADDR query,
    GM_ADDR query_rope, GM_ADDR kv_cache_out, GM_ADDR kr_cache_out, GM_ADDR workspace,
    GM_ADDR tiling) {
  KERNEL_TASK_TYPE_DEFAULT(KERNEL_TYPE_MIX_AIC_1_2);
  REGISTER_TILING_DEFAULT(MlaPrologTiling);
  GET_TILING_DATA(data, tiling);
  TPipe pipe;
  const MlaPrologAddresses at{
      token_x,           weight_dq,    weight_uq_qr, weight_uk,   weight_dkv_kr, rmsnorm_gamma_cq,
      rmsnorm_gamma_ckv, rope_cos,     rope_sin,     cache_index, query,         query_rope,
      kv_cache_out,      kr_cache_out, workspace};
  if (TILING_KEY_IS(0)) {  // the vector cores drive the cube unit
    MlaProlog<DTYPE_TOKEN_X, BlockProduct<DTYPE_TOKEN_X>> op(pipe, data, at);
    REGIST_MATMUL_OBJ(&pipe, GetSysWorkSpacePtr(), op.blocks.mm, &data.cube);
    op.Run();
  } else if (TILING_KEY_IS(1)) {  // cube cores of their own
    MlaProlog<DTYPE_TOKEN_X, SlotProduct<DTYPE_TOKEN_X>> op(pipe, data, at);
    op.Run();
  }
}
