#include "opkit/core/modes/checked/outputs.h"

#include <algorithm>
#include <string>

namespace opkit::core::checked {
namespace {

// The bytes of an output that nothing has written.
struct Gaps {
  uint64_t bytes = 0, count = 0;
  uint64_t first = 0, first_end = 0;
  Party beside;  // who wrote the bytes in front of the first gap, else those behind it
};

Gaps gaps_of(const ShadowMap& map) {
  Gaps gaps;
  bool open = false;
  Party last;
  for (uint64_t at = 0; at < map.bytes();) {
    const ShadowMap::Known known = map.at(at);
    const bool written = known.written != Written::kNever;
    if (!written && !open && gaps.count++ == 0) {
      gaps.first = at;
      gaps.beside = last;
    }
    open = !written;
    at += known.bytes;
    if (!written) {
      gaps.bytes += known.bytes;
      if (gaps.count == 1) gaps.first_end = at;
      continue;
    }
    last = known.writer;
    if (gaps.count == 1 && gaps.beside.kind == PartyKind::kNone) gaps.beside = last;
  }
  return gaps;
}

std::string range_text(uint64_t begin, uint64_t end) {
  return std::to_string(begin) + " to " + std::to_string(end);
}

void report(State& state, const GmRange& range, const Gaps& gaps) {
  Finding finding;
  finding.code = "EK1315";
  finding.warning = true;
  finding.message = std::to_string(gaps.bytes) + " of " + std::to_string(range.bytes) +
                    " bytes of output '" + range.name + "' are never written: bytes " +
                    range_text(gaps.first, gaps.first_end);
  if (gaps.count > 1) finding.message += " and " + std::to_string(gaps.count - 1) + " more ranges";
  finding.action =
      "write every byte of the output; when some are meant to keep a value, fill it first "
      "(InitOutput) or give it an InitValue, which takes effect with SetNeedAtomic(true)";
  if (gaps.beside.kind != PartyKind::kNone)
    finding.at = state.place(gaps.beside);
  else
    finding.at.instruction = "end of the launch";
  state.log.add(std::move(finding));
}

}  // namespace

void judge_outputs(State& state) {
  for (const GmShadow& gm : state.gm) {
    if (!gm.range->output || gm.range->defined || gm.accumulated) continue;
    const Gaps gaps = gaps_of(gm.map);
    if (gaps.count > 0) report(state, *gm.range, gaps);
  }
}

}  // namespace opkit::core::checked
