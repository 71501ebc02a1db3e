// Findings of Checked as text: buffers by the names of their variables.
#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "opkit/core/modes/checked/findings.h"

namespace opkit::core {
namespace {

using testing::HasSubstr;

class FindingText : public testing::Test {
 protected:
  FindingText()
      : file_(std::filesystem::temp_directory_path() /
              ("opkit_finding_" + std::to_string(::getpid()) + ".cpp")) {
    std::ofstream(file_) << "pipe.InitBuffer(in_, 2, 64);\n"
                            "pipe.InitBuffer(in_, 2, 64); pipe.InitBuffer(out_, 1, 64);\n"
                            "fill();\n";
  }
  ~FindingText() override { std::filesystem::remove(file_); }

  std::string text_of_line(int line) const {
    Finding finding;
    finding.buffers.push_back({"UB 0..128", "2 x 64 bytes, queue 1", this, nullptr, nullptr});
    return to_text(finding,
                   [&](const void*) { return file_.string() + ":" + std::to_string(line); });
  }

  const std::filesystem::path file_;
};

TEST_F(FindingText, NamesTheBufferOfALine) {
  EXPECT_THAT(text_of_line(1), HasSubstr("map  UB 0..128: in_, 2 x 64 bytes"));
  EXPECT_THAT(text_of_line(3), HasSubstr("map  UB 0..128: 2 x 64 bytes"));
}

TEST_F(FindingText, NamesAllBuffersOfALineThatMakesSeveral) {
  EXPECT_THAT(text_of_line(2), HasSubstr("map  UB 0..128: in_ or out_, 2 x 64 bytes"));
}

}  // namespace
}  // namespace opkit::core
