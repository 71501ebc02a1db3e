// The verdict on an op from the verdicts on its problems.
#ifndef OPKIT_VERIFY_CONCLUDE_H_
#define OPKIT_VERIFY_CONCLUDE_H_

#include <cstdint>
#include <set>

#include "opkit/contract/op_contract.h"
#include "opkit/verify/test_report.h"

namespace opkit::verify {

// Says what `report.results` holds: the problems of a tier, of one shard of it, or one problem that
// the user wrote as a line. Only a whole tier can lack a coverage label, and one line alone is no
// ground to mistrust an op.
enum class Extent { kTier, kShard, kLine };

// Fills counts, coverage, notes, verdict and reason from `report.results`. A key of `tiling_keys`
// that no problem reached is a failure.
void conclude(const OpContract& contract, const std::set<uint64_t>& tiling_keys, Extent extent,
              TestReport& report);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_CONCLUDE_H_
