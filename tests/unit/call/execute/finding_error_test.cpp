#include "opkit/call/execute/finding_error.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "opkit/call/execute/execution.h"

namespace opkit {
namespace {

core::Finding race() {
  core::Finding finding;
  finding.code = "EK1303";
  finding.message = "write after read on bytes 0 to 1024 of UB: nothing orders the two pipes";
  finding.action = "let MTE2 wait for V";
  finding.at.pc = &finding;
  finding.at.instruction = "DataCopy on MTE2";
  finding.at.block = 3;
  finding.other.instruction = "Add on V";
  return finding;
}

TEST(FindingError, KeepsCodeTextAndBothParties) {
  const Error error = error_of(race(), "AddRelu", [](const void* pc) {
    return pc ? std::string("op_kernel/add.cpp:61") : std::string();
  });
  EXPECT_EQ(error.to_string(),
            "error EK1303: AddRelu: write after read on bytes 0 to 1024 of UB: nothing orders the "
            "two pipes\n"
            "  in DataCopy on MTE2, op_kernel/add.cpp:61, block 3\n"
            "  in Add on V, block 0\n"
            "  try: let MTE2 wait for V");
}

// Block 0 reads what block 1 writes later: nobody has written it, and nothing orders the two.
TEST(FirstMistake, IsTheRaceOfCoresThatLeavesAReadWithoutAValue) {
  core::Finding unwritten = race(), cores = race(), other = race();
  unwritten.code = "EK1302";
  unwritten.at.pc = &unwritten;
  other.code = "EK1511";
  cores.code = "EK1511";
  cores.other.pc = &unwritten;
  const auto nowhere = [](const void*) { return std::string(); };
  Watched watched;
  watched.checked.findings = {unwritten, other, cores};
  EXPECT_EQ(first_mistake(watched, "AddRelu", nowhere).error().code, "EK1511");
  watched.checked.findings = {unwritten, other};
  EXPECT_EQ(first_mistake(watched, "AddRelu", nowhere).error().code, "EK1302");
  watched.checked.findings = {race(), cores};
  EXPECT_EQ(first_mistake(watched, "AddRelu", nowhere).error().code, "EK1303");
}

}  // namespace
}  // namespace opkit
