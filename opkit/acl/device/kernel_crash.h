// Faults of the processor in kernels of stand-alone programs: a division by zero, a null pointer.
// On the chip the launch fails; here the block ends with EK1609, and the program goes on.
#ifndef OPKIT_ACL_DEVICE_KERNEL_CRASH_H_
#define OPKIT_ACL_DEVICE_KERNEL_CRASH_H_

namespace opkit::acl {

// Catches signals of kernels from the first call on; signals outside of kernels go to who handled
// them before.
void watch_kernels();

}  // namespace opkit::acl

#endif  // OPKIT_ACL_DEVICE_KERNEL_CRASH_H_
