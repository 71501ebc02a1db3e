// In the worker: the two arenas, of which only the buffers of the current call can be touched, and
// a guarded buffer for tiling data.
#ifndef OPKIT_ISOLATION_WORKER_MEMORY_H_
#define OPKIT_ISOLATION_WORKER_MEMORY_H_

#include <cstddef>
#include <vector>

#include "opkit/call/plan/placed_call.h"
#include "opkit/isolation/placement.h"

namespace opkit::isolation {

class WorkerMemory {
 public:
  // Ends the process when the files cannot be mapped.
  WorkerMemory(int inputs_fd, int outputs_fd);

  std::byte* inputs() const { return inputs_; }
  std::byte* outputs() const { return outputs_; }
  // Shuts what was open, opens the slots, and says where they lie. `workspace`: see CallAddresses.
  CallAddresses open(const Placement& placement, void* workspace);

 private:
  void shut();
  void open(const Slot& slot) const;
  void* at(const Slot& slot) const;
  std::vector<std::vector<void*>> addresses(const std::vector<std::vector<Slot>>& ports) const;

  std::byte* inputs_;
  std::byte* outputs_;
  Placement opened_;
};

// Zero-filled bytes between pages that nobody may touch; the end lies on a page.
class GuardedBytes {
 public:
  explicit GuardedBytes(size_t bytes);
  ~GuardedBytes();
  GuardedBytes(const GuardedBytes&) = delete;
  GuardedBytes& operator=(const GuardedBytes&) = delete;

  std::byte* data() const { return data_; }
  size_t size() const { return bytes_; }

 private:
  void* base_ = nullptr;
  size_t mapped_ = 0;
  std::byte* data_ = nullptr;
  size_t bytes_ = 0;
};

}  // namespace opkit::isolation

#endif  // OPKIT_ISOLATION_WORKER_MEMORY_H_
