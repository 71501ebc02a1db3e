// Copies of any number of elements between GM and UB, and flags that order two pipes at once.
#ifndef WRONG_KERNELS_KINDS_COPIES_H_
#define WRONG_KERNELS_KINDS_COPIES_H_

#include "kernel_operator.h"
#include "kind_tiling.h"
#include "side.h"

using namespace AscendC;

template <typename T>
__aicore__ inline void Load(const LocalTensor<T>& to, const GlobalTensor<T>& from, uint32_t count) {
  DataCopyPad(to, from, DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0},
              DataCopyPadExtParams<T>{false, 0, 0, 0});
}

template <typename T>
__aicore__ inline void Store(const GlobalTensor<T>& to, const LocalTensor<T>& from,
                             uint32_t count) {
  DataCopyPad(to, from, DataCopyExtParams{1, static_cast<uint32_t>(count * sizeof(T)), 0, 0, 0});
}

template <HardEvent kEvent>
__aicore__ inline void Order(event_t id = EVENT_ID0) {
  SetFlag<kEvent>(id);
  WaitFlag<kEvent>(id);
}

#endif  // WRONG_KERNELS_KINDS_COPIES_H_
