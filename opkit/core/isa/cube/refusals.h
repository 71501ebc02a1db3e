// How the cube unit's instructions say no.
#ifndef OPKIT_CORE_ISA_CUBE_REFUSALS_H_
#define OPKIT_CORE_ISA_CUBE_REFUSALS_H_

#include <string>
#include <utility>

#include "opkit/core/state/core.h"

namespace opkit::core {

inline bool refuse_cube(Core& core, const char* code, std::string message, std::string action,
                        const void* pc) {
  Fault fault;
  fault.code = code;
  fault.message = std::move(message);
  fault.action = std::move(action);
  fault.pc = pc;
  core.refuse(std::move(fault));
  return false;
}

// Refuses a block of a Matmul object.
inline bool refuse_matmul(Core& core, std::string text, const char* action, const void* pc) {
  return refuse_cube(core, "EK1711", "Matmul: " + std::move(text), action, pc);
}

}  // namespace opkit::core

#endif  // OPKIT_CORE_ISA_CUBE_REFUSALS_H_
