// How much of an on-chip memory kernels may use.
#ifndef OPKIT_VERIFY_PROOF_USABLE_BYTES_H_
#define OPKIT_VERIFY_PROOF_USABLE_BYTES_H_

#include <cstdint>
#include <string>

#include "opkit/abi/core.h"

namespace opkit::verify {

// Returns the bytes of a memory that kernels may use on the chip; 0 for an unknown chip.
uint64_t usable_bytes(const std::string& soc, opk_memory memory);

}  // namespace opkit::verify

#endif  // OPKIT_VERIFY_PROOF_USABLE_BYTES_H_
