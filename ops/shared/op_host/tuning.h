// Knobs: numbers that a tiling function lets `opkit tune` choose. The contract declares them
// (tuning: {tile: [1024, 2048]}), one call reads them:
//
//   const uint64_t tile = tuning::Knob(context, "tile", capacity);   // capacity: nobody chose
//
// A knob changes how fast a call is, never its bits. With the vendor's toolkit every knob is what
// the function gives itself.
#ifndef OPS_SHARED_TUNING_H_
#define OPS_SHARED_TUNING_H_

#include <cstdint>

#include "register/op_impl_registry.h"
#if defined(__has_include)
#if __has_include("opkit_host/knobs.h")
#include "opkit_host/knobs.h"
#endif
#endif

namespace tuning {

inline uint64_t Knob(gert::TilingContext* context, const char* name, uint64_t otherwise) {
#ifdef OPKIT_HOST_KNOBS_H_
  return static_cast<uint64_t>(opkit_host::knob(*context, name, static_cast<int64_t>(otherwise)));
#else
  static_cast<void>(context);
  static_cast<void>(name);
  return otherwise;
#endif
}

// At most the function's own choice, at least `least`.
inline uint64_t KnobUpTo(gert::TilingContext* context, const char* name, uint64_t most,
                         uint64_t least = 1) {
  const uint64_t said = Knob(context, name, most);
  return said > most ? most : said < least ? (least > most ? most : least) : said;
}

}  // namespace tuning

#endif  // OPS_SHARED_TUNING_H_
