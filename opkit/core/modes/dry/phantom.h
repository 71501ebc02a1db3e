// Touching phantom GM: the host's fault becomes the end of a block.
#ifndef OPKIT_CORE_MODES_DRY_PHANTOM_H_
#define OPKIT_CORE_MODES_DRY_PHANTOM_H_

namespace opkit::core {

class Dry;

// From now on a fault of the calling thread at a phantom address is the launch's. Other faults keep
// their meaning.
void catch_phantom_faults(Dry* launch);
void release_phantom_faults();

}  // namespace opkit::core

#endif  // OPKIT_CORE_MODES_DRY_PHANTOM_H_
