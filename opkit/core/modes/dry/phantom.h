// Touching phantom GM: the host's fault becomes the end of a block.
#ifndef OPKIT_CORE_MODES_DRY_PHANTOM_H_
#define OPKIT_CORE_MODES_DRY_PHANTOM_H_

#include <cstdint>

namespace opkit::core {

// Where tensors without memory lie: addresses that belong to the host's kernel, so that no memory
// of the process is ever there, and touching one is a fault that a dry launch turns into
// DryReport::needs_data. kPhantomGmBytes of these addresses can be given out.
inline constexpr uint64_t kPhantomGm = 0xffff800000000000u;
inline constexpr uint64_t kPhantomGmBytes = uint64_t{1} << 46;

class PhantomWatch {
 public:
  // Ends the block of the core whose fiber the address lies on, because it touched memory that is
  // not there. False: no core of the launch runs there. Does not return otherwise.
  virtual bool touched_phantom(const void* on_stack) = 0;

 protected:
  ~PhantomWatch() = default;
};

// Watches for faults: from now on one of the calling thread at a phantom address is the launch's.
// Other faults keep their meaning.
void catch_phantom_faults(PhantomWatch* launch);
void release_phantom_faults();

}  // namespace opkit::core

#endif  // OPKIT_CORE_MODES_DRY_PHANTOM_H_
