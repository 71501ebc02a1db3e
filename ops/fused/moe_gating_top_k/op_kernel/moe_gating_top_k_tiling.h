// What the host tells a MoeGatingTopK. Plain data, shared by both sides.
#ifndef MOE_GATING_TOP_K_MOE_GATING_TOP_K_TILING_H_
#define MOE_GATING_TOP_K_MOE_GATING_TOP_K_TILING_H_

#include "sort_tiling.h"

struct MoeGatingTopKTiling {
  uint64_t tokens;
  uint64_t core_tokens;  // counts the tokens of every core but the last ones
  uint32_t experts, k;
  uint32_t pitch;            // separates tokens' logits in UB: 32, 128, 512 or 2048
  uint32_t chosen_pitch;     // separates the chosen ones of tokens
  uint32_t tile_tokens;      // counts the tokens that lie in UB at once
  uint32_t sigmoid, renorm;  // 0 or 1
  float scale;
};

#endif  // MOE_GATING_TOP_K_MOE_GATING_TOP_K_TILING_H_
