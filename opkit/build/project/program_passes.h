// A program with cube code is compiled once for vector cores, with the host, and once for cube
// cores.
#ifndef OPKIT_BUILD_PROJECT_PROGRAM_PASSES_H_
#define OPKIT_BUILD_PROJECT_PROGRAM_PASSES_H_

#include "opkit/abi/types.h"

namespace opkit::project {

struct ProgramPass {
  int number;  // OPKIT_CORE_PASS
  const char* word;
  const char* macro;
};
inline constexpr ProgramPass kVectorPass = {OPK_CORE_AIV, "aiv", "-D__DAV_C220_VEC__=1"};
inline constexpr ProgramPass kCubePass = {OPK_CORE_AIC, "aic", "-D__DAV_C220_CUBE__=1"};

}  // namespace opkit::project

#endif  // OPKIT_BUILD_PROJECT_PROGRAM_PASSES_H_
