// What an observer, or else the launch, is told of an Excess.
#ifndef OPKIT_CORE_STATE_TOLERATE_H_
#define OPKIT_CORE_STATE_TOLERATE_H_

#include <utility>

#include "opkit/core/state/core.h"
#include "opkit/core/state/excess.h"
#include "opkit/core/state/launch.h"

namespace opkit::core {

// Something that the chip does although the kernel did not mean it; say composes the sentence.
// True: it is done. False: an observer forbids it, and has been told. An observer that goes on
// after faults sees local overreaches done: what follows from them is as on the chip, and no fault.
template <typename Say>
bool tolerates(Core& core, Excess kind, Say&& say) {
  if (core.observer && core.observer->forbids_excess()) {
    Fault fault = say();
    fault.resumable |= stays_on_chip(kind);
    return core.refuse(std::move(fault)), stays_on_chip(kind);
  }
  if (core.launch->is_first(kind, core.seat())) core.launch->warn(kind, core.id(), say());
  return true;
}
// Says what is done under every observer. warning: how one that forbids it counts it.
template <typename Say>
void tell(Core& core, Excess kind, bool warning, Say&& say) {
  if (!core.observer || !core.observer->forbids_excess()) {
    tolerates(core, kind, std::forward<Say>(say));
    return;
  }
  Fault fault = say();
  fault.warning = warning;
  fault.block = core.block;
  fault.sub_block = core.lane;
  core.observer->recover(core, fault);
}

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_TOLERATE_H_
