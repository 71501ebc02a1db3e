// What a profile says of each type of operator, and the tables that msProf's users read.
#ifndef OPKIT_MODEL_PROFILE_STATISTICS_H_
#define OPKIT_MODEL_PROFILE_STATISTICS_H_

#include <string>
#include <vector>

#include "opkit/model/profile/model_profile.h"

namespace opkit::model_profile {

// Sums the steps of one operator type on one kind of core.
struct TypeTotal {
  std::string op;         // "Conv", "host Softmax"
  std::string core_type;  // is what core_type_of() gives
  size_t count = 0;
  uint64_t total_ns = 0, least_ns = 0, most_ns = 0;  // include launches
  uint64_t hbm_bytes = 0;
};

// Names who did a step in msProf's words: "AI_CORE" (cube), "AI_VECTOR_CORE", "MIX_AIC" (both),
// "AI_CPU" for a CpuKernel, "HOST" for an operator on the host or a change of layout.
std::string core_type_of(const Piece& piece);

// Sums every step, copies left out, the longest type first.
std::vector<TypeTotal> totals_by_type(const ModelProfile& profile);

// Writes msProf's op_summary: a row per step in the order of the frame; N/A where opkit has no
// such number. Columns of the page "op_summary".
std::string op_summary_csv(const ModelProfile& profile);
// Writes msProf's op_statistic: a row per type of operator. Columns of the page "op_statistic".
std::string op_statistic_csv(const ModelProfile& profile);

}  // namespace opkit::model_profile

#endif  // OPKIT_MODEL_PROFILE_STATISTICS_H_
