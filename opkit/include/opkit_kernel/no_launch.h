// What a launch in an op's kernel source becomes: sources of the vendor's samples end with a helper
// that launches the kernel by <<<>>> for programs. A plugin is launched through its tables, so that
// nobody calls the helper.
#ifndef OPKIT_INCLUDE_OPKIT_KERNEL_NO_LAUNCH_H_
#define OPKIT_INCLUDE_OPKIT_KERNEL_NO_LAUNCH_H_

#define OPKIT_LAUNCH_NAME(...) #__VA_ARGS__

namespace opkit_launch {

struct NoLaunch {
  template <typename... Args>
  void operator()(Args&&...) const {
    __builtin_trap();
  }
};

template <auto kernel>
struct Kernel {
  template <typename... Args>
  static NoLaunch on(Args&&...) {
    return {};
  }
};

}  // namespace opkit_launch

#endif  // OPKIT_INCLUDE_OPKIT_KERNEL_NO_LAUNCH_H_
