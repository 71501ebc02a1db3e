// What the host tells a FlashAttention. Plain data, shared by both sides.
#ifndef FLASH_ATTENTION_FLASH_ATTENTION_TILING_H_
#define FLASH_ATTENTION_FLASH_ATTENTION_TILING_H_

#include "kernel_tiling/kernel_tiling.h"

// The queries of all heads that share one head of keys are rows of one matrix. A part is
// part_rows of them at most; its keys pass by in blocks of block_keys.
struct FlashAttentionTiling {
  AscendC::tiling::TCubeTiling scores;  // cuts a part's scores: queries times keys
  AscendC::tiling::TCubeTiling sums;    // weights times values
  uint64_t heads;                       // counts the heads of keys, in all batches
  uint64_t rows;     // counts the rows of a head: queries of the heads that share it
  uint64_t queries;  // counts the queries of one of them
  uint64_t keys;
  uint64_t heads_of_batch;                     // counts the heads of keys
  uint64_t mask_batch, mask_head, mask_query;  // elements from one to the next; 0: one serves all
  uint32_t depth;                              // measures q and k
  uint32_t value_depth;
  uint32_t part_rows, block_keys;
  float scale;
  uint32_t causal, has_mask;  // 0 or 1
  uint32_t reserved;
};

#endif  // FLASH_ATTENTION_FLASH_ATTENTION_TILING_H_
