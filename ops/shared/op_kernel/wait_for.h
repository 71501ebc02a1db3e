// One pipe waits for another, where no queue says so: WaitFor<HardEvent::MTE2_S>().
#ifndef OPS_SHARED_WAIT_FOR_H_
#define OPS_SHARED_WAIT_FOR_H_

#include "kernel_operator.h"

template <AscendC::HardEvent kEvent>
__aicore__ inline void WaitFor() {
  const auto event = static_cast<int32_t>(GetTPipePtr()->FetchEventID(kEvent));
  AscendC::SetFlag<kEvent>(event);
  AscendC::WaitFlag<kEvent>(event);
}

#endif  // OPS_SHARED_WAIT_FOR_H_
