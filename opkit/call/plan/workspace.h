// Workspace: memory of a launch that holds poison until something is written. Pages are taken where
// they are touched, so that the megabytes that a cube op's workspace has cost nothing.
#ifndef OPKIT_CALL_PLAN_WORKSPACE_H_
#define OPKIT_CALL_PLAN_WORKSPACE_H_

#include <cstddef>
#include <cstdint>
#include <memory>

#include "opkit/base/status.h"

namespace opkit {

class Workspace {
 public:
  Workspace() = default;
  // At least 64 bytes follow. dry: zero in place of poison, for launches that move no
  // data. Error: OPK-RUN-005, the host has not that many addresses.
  static Result<Workspace> make(uint64_t bytes, bool dry = false);

  std::byte* data() const { return memory_.get(); }
  uint64_t size_bytes() const { return bytes_; }
  // Every byte is 0xff again: a NaN in every float type, -1 in every integer type.
  void poison();

 private:
  std::shared_ptr<std::byte> memory_;
  uint64_t bytes_ = 0;
  uint64_t mapped_ = 0;  // counts what a file of poison was mapped for; 0: plain memory
};

}  // namespace opkit

#endif  // OPKIT_CALL_PLAN_WORKSPACE_H_
