#include <fmt/format.h>

#include "opkit/base/json.h"
#include "opkit/fusion/generate/generate.h"

namespace opkit::generate {
namespace {

std::string times(size_t count) { return count == 1 ? "once" : fmt::format("{} times", count); }

std::string line_of(const ChainReport& chain) {
  std::string text =
      fmt::format("  {}: {}, {} kernels, {:.0f} % less traffic ({} of {} bytes)", chain.operators,
                  times(chain.nodes.size()), chain.gain.kernels, 100 * chain.gain.saved_traffic(),
                  chain.gain.now_bytes - chain.gain.then_bytes, chain.gain.now_bytes);
  if (!chain.refused.empty()) return text + "; not made: " + chain.refused + "\n";
  if (chain.op.empty()) return text + fmt::format("; from {}\n", chain.nodes[0]);
  return text + fmt::format("; {}, {}, the cover uses it {}\n", chain.op,
                            chain.built ? "built and proved" : "kept", times(chain.chosen));
}

}  // namespace

std::string chains_text(const std::vector<ChainReport>& chains) {
  if (chains.empty()) return {};
  bool asked = false;
  for (const ChainReport& chain : chains)
    asked = asked || !chain.op.empty() || !chain.refused.empty();
  std::string text = asked ? "element-wise chains:\n"
                           : "element-wise chains that --generate_chains would make one kernel "
                             "each:\n";
  for (const ChainReport& chain : chains) text += line_of(chain);
  return text;
}

Json chains_json(const std::vector<ChainReport>& chains) {
  Json list = Json::array();
  for (const ChainReport& chain : chains) {
    list.push_back({{"operators", chain.operators},
                    {"nodes", chain.nodes},
                    {"kernels", chain.gain.kernels},
                    {"now_bytes", chain.gain.now_bytes},
                    {"then_bytes", chain.gain.then_bytes},
                    {"saved_ns", chain.gain.saved_ns()},
                    {"op", chain.op.empty() ? Json() : Json(chain.op)},
                    {"built", chain.built},
                    {"chosen", chain.chosen},
                    {"refused", chain.refused.empty() ? Json() : Json(chain.refused)}});
  }
  return list;
}

}  // namespace opkit::generate
