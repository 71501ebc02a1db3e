#include "opkit/atc/compile/plugin_failures.h"

#include <fmt/format.h>

namespace opkit::compile {
namespace {

constexpr int kMostFailures = 3;

}  // namespace

void PluginFailures::add(const Error& error, const std::string& asked) {
  if (!error.is(Cause::kWorker) || error.is(Cause::kHostLacks)) return;
  if (++counts_[error.op] > 1) return;
  warnings_.push_back(error);
  warnings_.back().severity = Severity::kWarning;
  warnings_.back().trail.push_back(asked);
}

bool PluginFailures::gave_up(const std::string& op) const {
  const auto found = counts_.find(op);
  return found != counts_.end() && found->second >= kMostFailures;
}

std::string gave_up_text() {
  return fmt::format("the plugin ended its worker {} times and is not asked again", kMostFailures);
}

}  // namespace opkit::compile
