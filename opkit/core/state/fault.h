// Fault: what an emulated core refused, in a form that survives the launch.
#ifndef OPKIT_CORE_STATE_FAULT_H_
#define OPKIT_CORE_STATE_FAULT_H_

#include <cstdint>
#include <string>
#include <vector>

namespace opkit::core {

struct Fault {
  std::string code;         // stable, e.g. "EK1001"
  std::string message;      // "<instruction>: <what is wrong>"
  std::string instruction;  // when the message does not begin with it
  std::string action;       // one suggested action, or empty
  uint32_t block = 0;       // launch block
  int sub_block = -1;       // AIV 0/1 of the block; -1 = the cube core or an unsplit core
  const void* pc =
      nullptr;  // return address in the kernel; the caller resolves it to a source line
  const void* other_pc = nullptr;  // the other party of a conflict
  bool warning = false;
  // The engine can leave the instruction out and go on. False: what follows would touch memory that
  // it must not.
  bool resumable = true;
};

using Faults = std::vector<Fault>;

}  // namespace opkit::core

#endif  // OPKIT_CORE_STATE_FAULT_H_
