// Kernels of a shared object that a program loads while it runs: in_binary<&name>("name") puts one
// into the object's table.
#ifndef OPKIT_INCLUDE_OPKIT_LAUNCH_BINARY_H_
#define OPKIT_INCLUDE_OPKIT_LAUNCH_BINARY_H_

#include <array>
#include <cstring>
#include <type_traits>
#include <utility>

#include "kernel_operator.h"
#include "opkit/include/ascendc/block_begins.h"
#include "opkit/include/opkit_launch/program.h"

namespace opkit_launch {

// Every parameter lies at its own alignment, at least at 4 bytes.
template <typename... Params>
constexpr std::array<opkit_parameter_v1, sizeof...(Params) + 1> placed() {
  std::array<opkit_parameter_v1, sizeof...(Params) + 1> found = {};
  uint32_t at = 0, index = 0;
  const auto place = [&](uint32_t alignment, uint32_t size) {
    alignment = alignment < 4 ? 4 : alignment;
    at = (at + alignment - 1) / alignment * alignment;
    found[index++] = {at, size};
    at += size;
  };
  (place(alignof(Params), sizeof(Params)), ...);
  return found;
}

template <typename T>
T read_argument(const void* from) {
  static_assert(
      std::is_trivially_copyable<T>::value,
      "a kernel that is launched by its handle takes pointers, numbers and plain structs");
  T value;
  std::memcpy(&value, from, sizeof value);
  return value;
}

template <auto kernel, typename... Params>
struct BinaryEntry {
  static constexpr auto kParameters = placed<std::decay_t<Params>...>();

  static void run(opk_core* core, void* const* args) {
    ::AscendC::detail::enter(core);
    call(static_cast<const uint8_t*>(args[0]), std::index_sequence_for<Params...>());
    ::AscendC::detail::current = nullptr;
  }
  template <size_t... kAt>
  static void call([[maybe_unused]] const uint8_t* block, std::index_sequence<kAt...>) {
    kernel(read_argument<std::decay_t<Params>>(block + kParameters[kAt].offset)...);
  }
};

template <auto kernel, typename... Params>
bool add_to_binary(void (*)(Params...), const char* name) {
  using Entry = BinaryEntry<kernel, Params...>;
  opkit_binary_add(name, OPKIT_CORE_PASS, Entry::run, Entry::kParameters.data(),
                   static_cast<uint32_t>(sizeof...(Params)));
  return true;
}

template <auto kernel>
bool in_binary(const char* name) {
  return add_to_binary<kernel>(kernel, name);
}

}  // namespace opkit_launch

#endif  // OPKIT_INCLUDE_OPKIT_LAUNCH_BINARY_H_
