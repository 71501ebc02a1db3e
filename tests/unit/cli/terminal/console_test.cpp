// What a command says on stderr.
#include "opkit/cli/terminal/console.h"

#include <gtest/gtest.h>

namespace opkit::cli {
namespace {

Error told(Severity severity, const std::string& message) {
  Error error("OPK-REG-007", message, "leave it out");
  error.severity = severity;
  return error;
}

TEST(Console, SaysANoteOnceAndEveryError) {
  Console console({});
  testing::internal::CaptureStderr();
  for (int i = 0; i < 3; ++i) {
    console.note(told(Severity::kInfo, "not searched"));
    console.note(told(Severity::kWarning, "not watched"));
    console.note(told(Severity::kError, "not there"));
  }
  console.note(told(Severity::kInfo, "not searched either"));
  const std::string said = testing::internal::GetCapturedStderr();
  const auto count = [&](const std::string& text) {
    size_t times = 0;
    for (size_t at = said.find(text); at != std::string::npos; at = said.find(text, at + 1))
      ++times;
    return times;
  };
  EXPECT_EQ(count("note OPK-REG-007: not searched\n"), 1u) << said;
  EXPECT_EQ(count("warning OPK-REG-007: not watched\n"), 1u) << said;
  EXPECT_EQ(count("error OPK-REG-007: not there\n"), 3u) << said;
  EXPECT_EQ(count("note OPK-REG-007: not searched either\n"), 1u) << said;
}

}  // namespace
}  // namespace opkit::cli
