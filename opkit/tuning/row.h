// TuningRow: one candidate of a search, and all that is known of it.
#ifndef OPKIT_TUNING_ROW_H_
#define OPKIT_TUNING_ROW_H_

#include <cstdint>
#include <string>
#include <vector>

#include "opkit/contract/attr.h"

namespace opkit::tuning {

enum class RowVerdict : uint8_t {
  kNew,       // not looked at
  kRefused,   // fails the contract or the op's own checks: `code` and `reason` say why
  kTwin,      // its tiling is that of an earlier candidate
  kPruned,    // its bound is no less than the best
  kMeasured,  // its time is modelled
  kWrong,     // fails on data: a fault, a race, or results that the reference does not allow
  kRight,     // passes on data under Checked, and beside the oracle
};
const char* name_of(RowVerdict verdict);

struct TuningRow {
  AttrValues knobs;  // "tuning.tile"; empty: the tiling function's own choice
  RowVerdict verdict = RowVerdict::kNew;
  std::string code, reason;
  std::string tiling;     // digest of what the tiling function answered
  uint64_t bound_ns = 0;  // no launch of this tiling takes less
  uint64_t ns = 0, cycles = 0, instructions = 0, gm_bytes = 0, workspace_bytes = 0;
  uint32_t block_dim = 0;
  bool exact = false;  // the whole launch was watched
  double score = 0;    // less is better
  bool kept = false;   // the store knew it

  bool is_measured() const { return verdict >= RowVerdict::kMeasured; }
};

// "default", or "tile=4096, cores=8".
std::string told(const TuningRow& row);

}  // namespace opkit::tuning

#endif  // OPKIT_TUNING_ROW_H_
