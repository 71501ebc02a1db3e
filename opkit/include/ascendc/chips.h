// Calls that not every architecture has, where no instruction of the engine would tell: the files
// of opkit/soc/archs list them by name.
#ifndef OPKIT_INCLUDE_ASCENDC_CHIPS_H_
#define OPKIT_INCLUDE_ASCENDC_CHIPS_H_

#include "opkit/include/ascendc/base.h"

namespace AscendC {
namespace detail {

// Refuses a call that the chip lacks. In line, so that the report names the author's line.
OPKIT_INLINE void require_call(const char* name) {
  if (__builtin_expect(core()->lacks_calls, 0) && core()->library == 0)
    core()->isa->named_call(core(), name);
}

// While it lives, instructions are the library's: the chip's own library may be composed of others,
// so that only the call itself is judged, and reports name the line that calls. Made in line.
class LibraryCall {
 public:
  OPKIT_INLINE explicit LibraryCall(const char* name) {
    if (core()->library == 0) core()->isa->named_call(core(), name);
    ++core()->library;
  }
  OPKIT_INLINE LibraryCall(const LibraryCall&) { ++core()->library; }
  OPKIT_INLINE ~LibraryCall() { --core()->library; }
  LibraryCall& operator=(const LibraryCall&) { return *this; }
};

}  // namespace detail
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_CHIPS_H_
