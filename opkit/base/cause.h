// Cause: what went wrong, for code that has to decide. Text codes are for people; the table
// opkit/base/codes/causes.def says which codes have which cause.
#ifndef OPKIT_BASE_CAUSE_H_
#define OPKIT_BASE_CAUSE_H_

#include <string_view>

namespace opkit {

enum class Cause {
  kHostLacks,         // the machine gave no process, thread, memory or time, or somebody killed it
  kTooLarge,          // a tensor or a call takes more memory than there is or is allowed
  kTooSlow,           // a plugin's code gave no answer in time
  kCrash,             // a plugin's code died, left its memory or threw
  kWorker,            // anything that ends a call in a worker
  kProbeCrash,        // a plugin crashed while it was tried
  kNoElf,             // a file is no ELF file
  kNothingFits,       // no installed package fits
  kSignature,         // a signature is malformed, or of other files
  kWrongKernel,       // a kernel of a cover differs from its reference
  kWrongCover,        // a cover and single nodes differ
  kWrongModel,        // a compiled model and the model of the file differ
  kNotFused,          // a chain of kernels was not made into one
  kReadsData,         // a launch without data is of a kernel that reads data
  kNoCost,            // a launch without data cannot be priced
  kUnfitDims,         // dims, axes or lists of a call do not fit each other
  kUnfitOperands,     // shapes, attributes or indices of a node's operands do not fit each other
  kOpenDims,          // a dim that the reference needs is not known
  kNoKernel,          // a plugin has no kernel for the column and key
  kNoOutputShape,     // an output's shape is not known before the kernel runs
  kOtherOutputShape,  // arguments or a said shape are not those that the op has
  kNullArgument,      // an argument that the op wants is null
  kUndefinedValues,   // the reference is undefined for these values
  kFewValues,         // more distinct elements are asked for than there are values
  kOtherBits,         // another run of the same call gave other bits
  kIdlePasses,        // a kernel that computes nothing would pass
  kBehindMemory,      // a buffer lies behind the end of an on-chip memory
  kIdleOrder,         // a flag or a barrier orders nothing
  kNoFigures,         // there are no timing figures for a chip
  kUnreadPicture,     // a picture is of a kind that is not read
  kGraphProgram,      // a program that builds a graph gave something wrong
  kAttribute,         // an attribute is not what the operator takes
  kContract,          // the contract does not allow a call
  kTiling,            // a tiling function or its answer failed
  kHostFunction,      // a host function of a plugin failed
  kLayout,            // a tensor cannot lie in a format
  kFile,              // a file cannot be read or written
};

// Tells whether the error code has the cause.
bool has_cause(std::string_view code, Cause cause);

}  // namespace opkit

#endif  // OPKIT_BASE_CAUSE_H_
