// The dispatcher: the one place that says what must be real before an instruction runs.
#include "opkit/core/isa/isa.h"
#include "opkit/core/state/core.h"

namespace opkit::core {
namespace {

// Instructions that can tell which bytes they touch ask core.put_off for those; the others name
// what they need here.
enum class Before : uint8_t {
  kSettled,      // what another instruction or core could see (PutOff::settle)
  kMaterialized  // and what the kernel's own C++ could (PutOff::materialize)
};

template <Before before, auto run>
struct Dispatched;

template <Before before, typename... Arguments, void (*run)(Core&, const void*, Arguments...)>
struct Dispatched<before, run> {
  static void exec(opk_core* base, Arguments... arguments) {
    Core& core = Core::of(base);
    const void* pc = core.place(__builtin_return_address(0));
    before == Before::kSettled ? core.put_off.settle() : core.put_off.materialize();
    run(core, pc, arguments...);
  }
};

template <auto run>
constexpr auto kSettled = &Dispatched<Before::kSettled, run>::exec;
template <auto run>
constexpr auto kMaterialized = &Dispatched<Before::kMaterialized, run>::exec;

}  // namespace

const opk_isa_v1& engine_isa() {
  static constexpr opk_isa_v1 kTable = {sizeof(opk_isa_v1),
                                        exec_vector,
                                        exec_copy,
                                        exec_load,
                                        exec_mmad,
                                        exec_fixpipe,
                                        kSettled<exec_transpose16>,
                                        exec_flag,
                                        exec_barrier,
                                        kSettled<exec_cross_flag>,
                                        kSettled<exec_sync_all>,
                                        kMaterialized<exec_scalar>,
                                        exec_buffer,
                                        exec_fault,
                                        exec_print,
                                        exec_system_cycle,
                                        kSettled<exec_gm_word>,
                                        kMaterialized<exec_materialize>,
                                        kSettled<exec_matmul>,
                                        exec_named_call,
                                        kSettled<exec_poll>};
  return kTable;
}

}  // namespace opkit::core
