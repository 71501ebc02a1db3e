// The figures of the Timed mode out of a chip's description.
#ifndef OPKIT_CALL_TRACE_RATES_H_
#define OPKIT_CALL_TRACE_RATES_H_

#include <string>

#include "opkit/base/status.h"
#include "opkit/core/modes/timed.h"
#include "opkit/soc/soc_spec.h"

namespace opkit::trace {

// Every figure must be in the spec's section `timing`, and nothing else (OPK-TIMING-001, -002).
Result<core::TimingRates> rates_of(const SocSpec& spec);

// "Ascend910B1": chips of which at least one figure was measured.
std::string measured_chips();

// Returns the rates of a chip whose figures somebody measured; OPK-CLI-015 for another one
// (docs/timing.md).
Result<core::TimingRates> measured_rates(const SocSpec& spec);

// Names the model of time together with the chip's figures: a time that was kept under another name
// is of another model, or of other figures.
// REQUIRES: soc is one of soc_names().
std::string version_of_times(const std::string& soc);

}  // namespace opkit::trace

#endif  // OPKIT_CALL_TRACE_RATES_H_
