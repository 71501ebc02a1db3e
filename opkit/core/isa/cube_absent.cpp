// The cube unit's instructions: this engine refuses them by name. A build with the cube unit has
// its own definitions instead of this file.
#include <string>

#include "opkit/core/core.h"
#include "opkit/core/isa/isa.h"

namespace opkit::core {
namespace {

void refuse_cube(opk_core* core, const char* instruction, const void* pc) {
  Fault fault;
  fault.code = "EK1690";
  fault.message = std::string(instruction) + ": this engine has no cube unit";
  fault.action = "use vector instructions, or an opkit whose engine has the cube unit";
  fault.pc = pc;
  Core::of(core).refuse(std::move(fault));
}

}  // namespace

void exec_load(opk_core* core, const opk_load_v1*) {
  refuse_cube(core, "LoadData", __builtin_return_address(0));
}
void exec_mmad(opk_core* core, const opk_mmad_v1*) {
  refuse_cube(core, "Mmad", __builtin_return_address(0));
}
void exec_fixpipe(opk_core* core, const opk_fixpipe_v1*) {
  refuse_cube(core, "Fixpipe", __builtin_return_address(0));
}

}  // namespace opkit::core
