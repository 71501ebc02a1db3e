// An op y = -x in memory, with a tiling and a kernel that can be wrong in chosen ways: tests of
// what the verifier says about tilings need no plugin.
#ifndef OPKIT_TESTS_CONTRACT_NEGATE_OP_H_
#define OPKIT_TESTS_CONTRACT_NEGATE_OP_H_

#include "opkit/abi/plugin.h"
#include "opkit/contract/op_contract.h"

namespace negate_op {

enum class Mistake {
  kNone,
  kOverlap,       // each block writes 8 elements of the next one's share, with the right values
  kHole,          // the last share is rounded down to 16 elements
  kLargeTile,     // 200,000 bytes of buffers, however small UB is
  kNarrowOffset,  // byte offsets in 32 bits
  kRoundsDown,    // a core's share is total / cores, rounded up to 16 elements only then
  kReadsData,     // right, but the first element decides which block writes what, and how often
  kReadsScale,    // right; the scalar unit reads the first element, which decides nothing
  kOwnRepeat,     // right, but every tile is written twice
  kSumFirst,      // right; every block adds to zeros that block 0 wrote before SyncAll
  kThirdTile,  // lets a core read what it copies in without waiting for it, from its third tile on
  kLastOfKey   // the largest shape of key 0 is not written
};

// The op makes this mistake from now on. Not for several threads.
const opk_op_v1& with(Mistake mistake);

// Two columns, float16 and float32; every chip of the families Ascend910B and Ascend310B.
const char* contract_text();

// Tiling keys: 0; 7 for more than 300,000 elements.
inline constexpr int64_t kKeyOfLarge = 7, kLarge = 300000;

}  // namespace negate_op

#endif  // OPKIT_TESTS_CONTRACT_NEGATE_OP_H_
