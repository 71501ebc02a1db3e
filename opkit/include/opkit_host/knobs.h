// The knobs of a tiling function (docs/tuning.md): what a tuner chose for this call, or the
// function's own choice. Authors call tuning::Knob of tuning.h, which compiles with the vendor's
// toolkit, too.
#ifndef OPKIT_HOST_KNOBS_H_
#define OPKIT_HOST_KNOBS_H_

#include <cstdint>
#include <cstring>

#include "exe_graph/runtime/tiling_context.h"

namespace opkit_host {

// Knobs are ints behind the contract's attributes, named "tuning.<knob>".
inline int64_t knob(const gert::TilingContext& context, const char* name, int64_t otherwise) {
  constexpr size_t kPrefix = 7;
  const opk_call_v1& call = context.GetComputeNodeInfo()->call();
  for (uint32_t i = 0; i < call.attr_count; ++i) {
    const opk_attr_v1& attr = *call.attrs[i];
    if (attr.kind != OPK_ATTR_INT || std::strncmp(attr.name, "tuning.", kPrefix) != 0) continue;
    if (std::strcmp(attr.name + kPrefix, name) == 0) return attr.ints[0];
  }
  return otherwise;
}

}  // namespace opkit_host

#endif  // OPKIT_HOST_KNOBS_H_
