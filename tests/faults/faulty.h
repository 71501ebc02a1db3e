// Harness of the corpus of faulty kernels. A kernel is a template on `bool kFault`: <true> has the
// fault, <false> is its fault-free twin. The line that a report must name carries the comment
// "FAULT: <name>".
#ifndef OPKIT_TESTS_FAULTS_FAULTY_H_
#define OPKIT_TESTS_FAULTS_FAULTY_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include "kernel_operator.h"
#include "opkit/core/modes/checked.h"

namespace faults {

constexpr uint32_t kElements = 4096;  // counts the elements of x, y, z and w

using Kernel = void (*)(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR w);

struct LaunchSetup {
  uint32_t blocks = 1;
  int task_type = OPK_TASK_AIV_ONLY;
  opkit::core::CheckedOptions options;
  std::vector<float>* z = nullptr;  // receives the output
  bool whole_output = false;        // every byte of z must be written
};

// Runs the kernel in Checked mode on x, y (inputs: small numbers), z (output), w (workspace).
opkit::core::CheckedReport run_checked(opk_kernel_fn vector, opk_kernel_fn cube,
                                       const LaunchSetup& setup);

// A kernel with its own arguments: tensors and, last, the tiling data.
struct Argument {
  void* data;
  uint64_t bytes;
  const char* name;
  bool writable;
};
opkit::core::CheckedReport run_arguments(opk_kernel_fn vector, const std::vector<Argument>& tensors,
                                         uint32_t blocks);

template <Kernel kernel>
void entry(opk_core* core, void* const* args) {
  AscendC::detail::current = core;
  const auto gm = [&](int i) { return static_cast<uint8_t*>(args[i]); };
  kernel(gm(0), gm(1), gm(2), gm(3));
}

template <Kernel kernel>
opkit::core::CheckedReport check(const LaunchSetup& setup = {}) {
  return run_checked(&entry<kernel>, nullptr, setup);
}
template <Kernel kernel>
opkit::core::CheckedReport check_cube(LaunchSetup setup = {}) {
  setup.task_type = OPK_TASK_AIC_ONLY;
  return run_checked(nullptr, &entry<kernel>, setup);
}
template <Kernel vector, Kernel cube>
opkit::core::CheckedReport check_mixed(LaunchSetup setup = {}) {
  setup.task_type = OPK_TASK_MIX_1_2;
  return run_checked(&entry<vector>, &entry<cube>, setup);
}

// "file:line" of the comment "FAULT: <name>" in the test's source.
std::string marked_line(const std::string& file, const std::string& name);
std::string all_text(const opkit::core::CheckedReport& report);

// The report holds `code` with its first place at the marked line, and `says` in its message.
::testing::AssertionResult found_at(const opkit::core::CheckedReport& report,
                                    const std::string& code, const std::string& file,
                                    const std::string& name, const std::string& says = {});

}  // namespace faults

#define EXPECT_FAULT(code, name, report) \
  EXPECT_TRUE(::faults::found_at((report), (code), __FILE__, (name)))
#define EXPECT_CLEAN(report)                                          \
  do {                                                                \
    const auto clean = (report);                                      \
    EXPECT_TRUE(clean.findings.empty()) << ::faults::all_text(clean); \
  } while (false)

#endif  // OPKIT_TESTS_FAULTS_FAULTY_H_
