#include "opkit/core/modes/checked/state.h"

#include <algorithm>

namespace opkit::core::checked {

std::string on_pipe(const char* name, uint8_t slot) {
  return std::string(name) + " on " + slot_name(slot);
}

uint32_t State::site(const Site& site) {
  const auto [found, fresh] = site_of.try_emplace(site, static_cast<uint32_t>(sites.size()));
  if (fresh) sites.push_back(site);
  return found->second;
}

Party State::party(CoreState& core, const void* pc, const char* name, uint8_t slot) {
  Party party;
  party.site = site({pc, name, core.core->library ? core.core->call_name : nullptr});
  if (core.occurrences.size() <= party.site) core.occurrences.resize(party.site + 1);
  party.occurrence = ++core.occurrences[party.site];
  party.epoch = core.clocks.epoch(slot);
  party.core = core.index;
  party.pipe = slot;
  party.kind = PartyKind::kPlain;
  return party;
}

FindingPlace State::place(const Party& party) const {
  const Site& site = sites[party.site];
  FindingPlace place;
  place.pc = site.pc;
  place.instruction = on_pipe(site.name, party.pipe);
  if (site.call) place.instruction += std::string(" in ") + site.call;
  place.block = party.core / 3;
  place.sub_block = static_cast<int>(party.core % 3) - 1;
  place.occurrence = party.occurrence;
  return place;
}

FindingPlace State::place(const CoreState& core, const void* pc, std::string instruction) const {
  FindingPlace place;
  place.pc = pc;
  place.instruction = std::move(instruction);
  place.block = core.index / 3;
  place.sub_block = static_cast<int>(core.index % 3) - 1;
  return place;
}

GmShadow* State::gm_of(const uint8_t* address) {
  auto next = std::upper_bound(
      gm.begin(), gm.end(), address,
      [](const uint8_t* value, const GmShadow& shadow) { return value < shadow.range->base; });
  if (next == gm.begin()) return nullptr;
  GmShadow& shadow = *--next;
  return address < shadow.range->base + shadow.range->bytes ? &shadow : nullptr;
}

Spot spot_of(State& state, CoreState& core, const uint8_t* address) {
  if (GmShadow* gm = state.gm_of(address))
    return {&gm->map, static_cast<uint64_t>(address - gm->range->base), gm};
  for (size_t m = OPK_MEM_UB; m < OPK_MEM_COUNT; ++m) {
    const uint8_t* base = core.core->memory[m];
    if (base && address >= base && address < base + core.local[m].bytes())
      return {&core.local[m], static_cast<uint64_t>(address - base), nullptr};
  }
  return {};
}

}  // namespace opkit::core::checked
