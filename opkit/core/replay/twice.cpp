#include "opkit/core/replay/twice.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace opkit::core {
namespace {

std::string text_of(const Faults& faults) {
  return faults.front().code + ": " + faults.front().message;
}

Fault other(std::string message) {
  Fault fault;
  fault.code = "EK1610";
  fault.message = std::move(message);
  fault.action = "run it without OPKIT_REPLAY, and report the kernel";
  return fault;
}

}  // namespace

WrittenTensors::WrittenTensors(const LaunchRequest& request) {
  for (uint32_t i = 0; i < request.gm_count; ++i) {
    const GmRange& range = request.gm[i];
    if ((range.writable || range.input) && range.bytes != 0)
      kept_.push_back({&range, {range.base, range.base + range.bytes}});
  }
}

// What may not be written in a worker has not changed.
void WrittenTensors::put_back() const {
  for (const Kept& kept : kept_) {
    if (std::memcmp(kept.range->base, kept.bytes.data(), kept.bytes.size()) == 0) continue;
    std::memcpy(const_cast<uint8_t*>(kept.range->base), kept.bytes.data(), kept.bytes.size());
  }
}

Fault WrittenTensors::difference(const LaunchReport& program) const {
  if (!program.faults.empty()) return other("its program is refused: " + text_of(program.faults));
  if (!program.warnings.empty())
    return other("its program is warned of what the kernel is not: " + text_of(program.warnings));
  for (const Kept& kept : kept_) {
    if (kept.range->scratch) continue;
    const auto [was, is] = std::mismatch(kept.bytes.begin(), kept.bytes.end(), kept.range->base);
    if (was == kept.bytes.end()) continue;
    return other("byte " + std::to_string(was - kept.bytes.begin()) + " of '" + kept.range->name +
                 "' is " + std::to_string(*was) + " after the kernel and " + std::to_string(*is) +
                 " after its program");
  }
  return {};
}

}  // namespace opkit::core
