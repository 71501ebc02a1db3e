// Knobs: those of an op's tiling function, as the contract's `tuning:` declares them. A knob
// changes how fast a call is, never what it computes.
//
// In calls a knob is an attribute of the reserved name "tuning.<knob>", an int, behind the
// attributes of the contract: whatever hands attributes on hands knobs on.
#ifndef OPKIT_CONTRACT_KNOBS_H_
#define OPKIT_CONTRACT_KNOBS_H_

#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/document.h"
#include "opkit/contract/attr.h"

namespace opkit {

inline constexpr std::string_view kKnobPrefix = "tuning.";

struct Knob {
  std::string name;
  std::vector<int64_t> values;  // ascending, each once
  std::string doc;
  Location where;
};

using Knobs = std::vector<Knob>;

// Returns what a contract's text declares; none: it has no `tuning:`. Errors: OPK-CONTRACT-090 a
// knob that is no list of values, no range, or has too many values. REQUIRES: the text is that of a
// contract.
Result<Knobs> read_knobs(std::string_view text, const std::string& name);
Result<Knobs> read_knobs(const Value& tuning);
// The error of read_knobs alone.
Status check_tuning(const Value& tuning);

// The attributes of a call, and its knobs apart.
struct SplitAttrs {
  AttrValues attrs, knobs;
};
SplitAttrs split_knobs(const AttrValues& all);

// "buffers=1, tile=4096"; empty without knobs.
std::string knobs_text(const AttrValues& knobs);

}  // namespace opkit

#endif  // OPKIT_CONTRACT_KNOBS_H_
