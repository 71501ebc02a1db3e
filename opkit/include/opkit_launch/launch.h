// What `name<<<blocks, l2, stream>>>(args)` becomes: Kernel<&name>::on("name", ...)(args).
//
// A program with cube code is compiled twice. The vector pass holds the host's main and launches;
// the cube pass only adds its kernels to the runtime's table, under the name of the instantiation.
#ifndef OPKIT_INCLUDE_OPKIT_LAUNCH_LAUNCH_H_
#define OPKIT_INCLUDE_OPKIT_LAUNCH_LAUNCH_H_

#include <array>
#include <tuple>
#include <utility>

#include "kernel_operator.h"
#include "opkit/include/ascendc/block_begins.h"
#include "opkit/include/opkit_launch/program.h"

// The name of a launched kernel, which may be a macro's parameter.
#define OPKIT_LAUNCH_TEXT(...) #__VA_ARGS__
#define OPKIT_LAUNCH_NAME(...) OPKIT_LAUNCH_TEXT(__VA_ARGS__)

// The number of the source in its program: kernels of two sources may have one name.
#ifndef OPKIT_LAUNCH_UNIT
#define OPKIT_LAUNCH_UNIT 0
#endif

namespace opkit_launch {

// Launches take a void* for a pointer to GM; all else converts as in any call.
template <typename Param, typename Arg>
Param converted(Arg&& arg) {
  if constexpr (std::is_pointer<Param>::value && std::is_same<std::decay_t<Arg>, void*>::value)
    return static_cast<Param>(arg);
  else
    return std::forward<Arg>(arg);
}

template <typename Param>
const void* pointed(const Param& value) {
  if constexpr (std::is_pointer<Param>::value &&
                !std::is_function<std::remove_pointer_t<Param>>::value)
    return const_cast<const void*>(static_cast<const volatile void*>(value));
  else
    return nullptr;
}

template <int unit, auto kernel, typename... Params>
struct Entry {
  using Values = std::tuple<std::decay_t<Params>...>;

  static void run(opk_core* core, void* const* args) {
    ::AscendC::detail::enter(core);
    // A copy per block: a kernel may write to its parameters.
    Values values = *static_cast<const Values*>(args[0]);
    std::apply(kernel, values);
  }
  static const char* key() { return __PRETTY_FUNCTION__; }
  static bool add() {
    if constexpr (OPKIT_CORE_PASS == OPK_CORE_AIC) opkit_program_add_cube_entry(key(), run);
    return true;
  }
  static inline const bool added = add();
};

template <int unit, auto kernel, typename... Params>
class Call {
 public:
  Call(const char* name, int64_t blocks, void* stream, bool unit_test)
      : name_(name), blocks_(blocks), stream_(stream), unit_test_(unit_test) {}

  // The first form is for arguments in braces, the second for all others.
  void operator()(Params... params) const { start(Values(std::move(params)...)); }
  template <typename... Args, typename = std::enable_if_t<sizeof...(Args) == sizeof...(Params) &&
                                                          sizeof...(Args) != 0>>
  void operator()(Args&&... args) const {
    start(Values{converted<std::decay_t<Params>>(std::forward<Args>(args))...});
  }

 private:
  using OneEntry = Entry<unit, kernel, Params...>;
  using Values = typename OneEntry::Values;

  void start(Values values) const {
    (void)&OneEntry::added;
    auto* const kept = new Values(std::move(values));
    opkit_launch_v1 launch = {};
    launch.struct_size = sizeof launch;
    launch.name = name_;
    launch.key = OneEntry::key();
    launch.aiv = OneEntry::run;
    launch.arguments = kept;
    launch.release = [](void* arguments) {
      delete static_cast<Values*>(arguments);
      ::AscendC::detail::current = nullptr;  // its blocks ran on this thread
    };
    launch.stream = stream_;
    launch.blocks = blocks_;
    launch.unit_test = unit_test_;
    const auto pointers = std::apply(
        [](const auto&... all) {
          return std::array<const void*, sizeof...(Params)>{pointed(all)...};
        },
        *kept);
    launch.pointers = pointers.data();
    launch.pointer_count = sizeof...(Params);
    opkit_program_launch(&launch);
  }

  const char* name_;
  int64_t blocks_;
  void* stream_;
  bool unit_test_;
};

template <int unit, auto kernel, typename... Params>
Call<unit, kernel, Params...> make_call(void (*)(Params...), const char* name, int64_t blocks,
                                        void* stream, bool unit_test) {
  return {name, blocks, stream, unit_test};
}

template <auto kernel, int unit = OPKIT_LAUNCH_UNIT>
struct Kernel {
  // l2: the vendor's reserved second argument; it must be null.
  static auto on(const char* name, int64_t blocks, const void*, void* stream) {
    return make_call<unit, kernel>(kernel, name, blocks, stream, false);
  }
  static auto test(const char* name, int64_t blocks) {
    return make_call<unit, kernel>(kernel, name, blocks, nullptr, true);
  }
};

}  // namespace opkit_launch

#endif  // OPKIT_INCLUDE_OPKIT_LAUNCH_LAUNCH_H_
