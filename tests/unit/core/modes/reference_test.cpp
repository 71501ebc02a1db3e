// operator() of tensors gives out a C++ reference, of which nobody knows whether it is written:
// Checked mode takes it for a read, and for a write only where that saves from a false finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/core/modes/checked.h"
#include "tests/unit/core/kernel_run.h"

namespace opkit::core::test {
namespace {

using namespace AscendC;

constexpr uint32_t kCount = 16;

struct Found {
  std::vector<std::string> codes;
  std::vector<int32_t> output;
};

template <KernelBody body>
Found checked(uint32_t blocks) {
  std::vector<int32_t> input(kCount, 7), output(kCount, -1);
  Checked observer;
  LaunchSetup setup;
  setup.blocks = blocks;
  setup.observer = &observer;
  setup.gm = {{reinterpret_cast<const uint8_t*>(input.data()), kCount * 4, "x", false, false},
              {reinterpret_cast<const uint8_t*>(output.data()), kCount * 4, "z", true, false}};
  const LaunchReport report = run<body>({input.data(), output.data()}, setup);
  Found found;
  for (const Finding& finding : observer.take_report(report).findings)
    found.codes.push_back(finding.code);
  found.output = output;
  return found;
}

GlobalTensor<int32_t> tensor(void* memory) {
  GlobalTensor<int32_t> gm;
  gm.SetGlobalBuffer(static_cast<int32_t*>(memory), kCount);
  return gm;
}

// Every block reads the same words of an input, which may not be written.
void reads_input(void* const* args) {
  const int32_t value = tensor(args[0])(3);
  tensor(args[1]).SetValue(GetBlockIdx(), value + GetBlockIdx());
}
TEST(Reference, ReadingAnInputIsNoWrite) {
  const Found found = checked<reads_input>(1);
  EXPECT_THAT(found.codes, testing::IsEmpty());
  EXPECT_EQ(found.output[0], 7);
}

// What was written through a reference has a value afterwards, in GM and in UB.
void writes_and_reads(void* const* args) {
  const GlobalTensor<int32_t> z = tensor(args[1]);
  z(0) = 5;
  const LocalTensor<int32_t> local(TPosition::VECCALC, 0, 8);
  local(1) = 6;
  z.SetValue(1, z.GetValue(0) + local.GetValue(1));
}
TEST(Reference, WritingInitialises) {
  const Found found = checked<writes_and_reads>(1);
  EXPECT_THAT(found.codes, testing::IsEmpty());
  EXPECT_EQ(found.output[1], 11);
}

// Another block's write to a word that is read through a reference is a race all the same.
void races(void* const* args) {
  const GlobalTensor<int32_t> z = tensor(args[1]);
  if (GetBlockIdx() == 0)
    z.SetValue(0, 1);
  else
    z.SetValue(GetBlockIdx() + 7, z(0));
}
TEST(Reference, ARaceIsStillFound) {
  EXPECT_THAT(checked<races>(2).codes, testing::Contains("EK1511"));
}

}  // namespace
}  // namespace opkit::core::test
