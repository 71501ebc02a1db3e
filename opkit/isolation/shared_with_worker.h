// SharedWithWorker: the memory that a session's host and its workers see.
#ifndef OPKIT_ISOLATION_SHARED_WITH_WORKER_H_
#define OPKIT_ISOLATION_SHARED_WITH_WORKER_H_

#include "opkit/isolation/placement.h"
#include "opkit/isolation/shared_memory.h"

namespace opkit::isolation {

// It outlives workers, so that what was there can be looked at afterwards.
struct SharedWithWorker {
  SharedMemory inputs, outputs, incident;

  // Makes arenas as large as `arenas` says; 0: as large as any call needs, or, where
  // ulimit restricts this process, as small ones do. Error: OPK-WORKER-012, which names the limit.
  static Result<SharedWithWorker> make(Ends arenas = {});
  // Arenas for a call that needs so much of them, with some room where the limits leave it.
  static Ends roomy(Ends needed);

  bool holds(Ends needed) const {
    return needed.inputs <= inputs.bytes() && needed.outputs <= outputs.bytes();
  }
  // What an earlier worker wrote of its end.
  void forget_incident() const;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_SHARED_WITH_WORKER_H_
