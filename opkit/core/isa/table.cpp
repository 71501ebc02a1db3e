#include "opkit/core/isa/isa.h"

namespace opkit::core {

const opk_isa_v1& engine_isa() {
  static constexpr opk_isa_v1 kTable = {
      sizeof(opk_isa_v1), exec_vector,      exec_copy,        exec_load,    exec_mmad,
      exec_fixpipe,       exec_transpose16, exec_flag,        exec_barrier, exec_cross_flag,
      exec_sync_all,      exec_scalar,      exec_buffer,      exec_fault,   exec_print,
      exec_system_cycle,  exec_gm_word,     exec_materialize, exec_matmul,  exec_named_call};
  return kTable;
}

}  // namespace opkit::core
