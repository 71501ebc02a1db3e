// Calls that chips besides Ascend 910B and 910_93 do not have, where no instruction of the engine
// would tell. (Tables of supported products on the calls' pages.)
#ifndef OPKIT_INCLUDE_ASCENDC_CHIPS_H_
#define OPKIT_INCLUDE_ASCENDC_CHIPS_H_

#include "opkit/include/ascendc/base.h"

namespace AscendC {
namespace detail {

constexpr uint32_t kArch910A = 1001, kArch310P = 2002, kArch310B = 3002;

struct ChipText {
  char text[192];
};
[[gnu::cold, gnu::noinline]] inline ChipText chip_text(uint32_t npu_arch, const char* call,
                                                       const char* action) {
  const char* chip = npu_arch == kArch310P   ? "Ascend 310P"
                     : npu_arch == kArch310B ? "Ascend 310B"
                                             : "Ascend 910A";
  ChipText t;
  __builtin_snprintf(t.text, sizeof t.text,
                     "%s: the call does not exist on %s (arch %u), but on Ascend 910B and 910_93; "
                     "%s",
                     call, chip, npu_arch, action);
  return t;
}
constexpr bool is_older_arch(uint32_t npu_arch) {
  return npu_arch == kArch910A || npu_arch == kArch310P || npu_arch == kArch310B;
}
// Refuses a call that only chips with split cores have. In line, so that the report names the
// author's line.
OPKIT_INLINE void only_on_split_cores(const char* call, const char* action) {
  if (__builtin_expect(is_older_arch(core()->npu_arch), 0) && core()->library == 0)
    core()->isa->fault(core(), "EK1215", chip_text(core()->npu_arch, call, action).text);
}

// Library calls that the Ascend 310P lacks, or that 310B or 910A have; the 310P has all others.
[[gnu::cold, gnu::noinline]] inline bool library_has(uint32_t npu_arch, const char* name) {
  struct Chips {
    const char* name;
    bool on_310p, on_310b, on_910a;
  };
  constexpr Chips calls[] = {
      {"GroupNorm", false, false, false},      {"ReduceAll", false, false, false},
      {"ReduceAny", false, false, false},      {"ReduceMax", false, false, false},
      {"ReduceMean", false, false, false},     {"ReduceMin", false, false, false},
      {"ReduceProd", false, false, false},     {"ReduceSum", false, false, false},
      {"SoftmaxFlashV3", false, false, false}, {"SoftMax", true, true, false},
      {"SimpleSoftMax", true, true, false},    {"SoftmaxFlashV2", true, true, false},
      {"SoftmaxGrad", true, true, false},      {"SoftmaxGradFront", true, true, false},
      {"AscendQuant", true, false, true},
  };
  Chips chips{name, true, false, false};
  for (const Chips& call : calls) {
    if (__builtin_strcmp(call.name, name) == 0) chips = call;
  }
  return npu_arch == kArch310P   ? chips.on_310p
         : npu_arch == kArch310B ? chips.on_310b
                                 : chips.on_910a;
}

// While it lives, instructions are the library's: the chip's own library may be composed of others,
// so that only the call itself is judged.
class LibraryCall {
 public:
  OPKIT_INLINE explicit LibraryCall(const char* name) {
    if (__builtin_expect(is_older_arch(core()->npu_arch), 0) &&
        !library_has(core()->npu_arch, name))
      only_on_split_cores(name, "build for another chip");
    ++core()->library;
  }
  OPKIT_INLINE LibraryCall(const LibraryCall&) { ++core()->library; }
  OPKIT_INLINE ~LibraryCall() { --core()->library; }
  LibraryCall& operator=(const LibraryCall&) { return *this; }
};

}  // namespace detail
}  // namespace AscendC

#endif  // OPKIT_INCLUDE_ASCENDC_CHIPS_H_
