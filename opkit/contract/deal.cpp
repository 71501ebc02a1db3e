#include "opkit/contract/deal.h"

#include <algorithm>

namespace opkit {

Dealing deal(const std::vector<Port>& ports, size_t count) {
  Dealing dealing;
  const auto dynamic = std::ranges::count(ports, Presence::kDynamic, &Port::presence);
  dealing.several_dynamic = dynamic > 1;
  if (dynamic == 0) dealing.most = ports.size();
  for (size_t p = 0; p < ports.size(); ++p)
    if (ports[p].presence == Presence::kRequired) dealing.least = p + 1;
  if (dynamic > 0) dealing.least = ports.size() - 1;
  if (dynamic > 1 || count < dealing.least || count > dealing.most.value_or(count)) return dealing;
  std::vector<size_t>& shares = dealing.shares.emplace();
  for (size_t p = 0, left = count; p < ports.size(); ++p) {
    const bool all = ports[p].presence == Presence::kDynamic;
    shares.push_back(all ? count - dealing.least : std::min<size_t>(left, 1));
    left -= shares.back();
  }
  return dealing;
}

}  // namespace opkit
