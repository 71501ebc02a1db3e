#include "opkit/verify/problem/variants.h"

#include "opkit/verify/problem/equal_dims.h"

namespace opkit::verify {

std::vector<SymbolValues> variants_of(const OpContract& contract) {
  std::vector<SymbolValues> starts;
  SymbolValues all;
  for (const Port& port : contract.inputs) {
    if (port.presence != Presence::kOptional) continue;
    SymbolValues one;
    one.absent.insert(port.name);
    all.absent.insert(port.name);
    starts.push_back(one);
  }
  if (all.absent.size() > 1) starts.push_back(all);
  for (const std::string& name : collapsible_dims(contract)) {
    SymbolValues one;
    one.collapsed.insert(name);
    starts.push_back(one);
  }
  if (!starts.empty()) starts.push_back({});
  return starts;
}

}  // namespace opkit::verify
