// A chip that was added by one file: programs choose it, pictures follow its rules, and a chip
// without rules is refused. Each case is a process of its own, because a program has one chip.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "acl/acl.h"
#include "acl/dvpp/hi_dvpp.h"
#include "acl/ops/acl_dvpp.h"
#include "opkit/soc/soc_names.h"
#include "opkit/soc/soc_spec.h"
#include "tests/unit/acl/media/image/plain_png.h"

namespace opkit::acl {
namespace {

using ::testing::Contains;

void tell(const char* what, int code) {
  const char* const text = code ? aclGetRecentErrMsg() : nullptr;
  std::fprintf(stderr, "%s: %d %s\n", what, code, text ? text : "");
}

// A gray picture in device memory.
acldvppPicDesc* gray(uint32_t width, uint32_t height, uint32_t stride, uint8_t value) {
  void* data = nullptr;
  const uint32_t bytes = stride * height;
  if (acldvppMalloc(&data, bytes)) std::_Exit(3);
  std::memset(data, value, bytes);
  acldvppPicDesc* const desc = acldvppCreatePicDesc();
  acldvppSetPicDescData(desc, data);
  acldvppSetPicDescSize(desc, bytes);
  acldvppSetPicDescFormat(desc, PIXEL_FORMAT_YUV_400);
  acldvppSetPicDescWidth(desc, width);
  acldvppSetPicDescHeight(desc, height);
  acldvppSetPicDescWidthStride(desc, stride);
  acldvppSetPicDescHeightStride(desc, height);
  return desc;
}

[[noreturn]] void resize(const char* soc, uint32_t width, uint32_t stride) {
  setenv("OPKIT_SOC", soc, 1);
  if (aclrtSetDevice(0)) std::_Exit(2);
  acldvppChannelDesc* const channel = acldvppCreateChannelDesc();
  const aclError made = acldvppCreateChannel(channel);
  tell("channel", made);
  if (made) std::_Exit(0);
  aclrtStream stream = nullptr;
  if (aclrtCreateStream(&stream)) std::_Exit(4);
  acldvppPicDesc* const to = gray(20, 20, 20, 0);
  acldvppResizeConfig* const config = acldvppCreateResizeConfig();
  acldvppSetResizeConfigInterpolation(config, 1);
  tell("resize", acldvppVpcResizeAsync(channel, gray(width, 10, stride, 77), to, config, stream));
  tell("stream", aclrtSynchronizeStream(stream));
  std::fprintf(stderr, "pixel %d\n",
               static_cast<const uint8_t*>(acldvppGetPicDescData(to))[19 * 20 + 19]);
  std::_Exit(0);
}

[[noreturn]] void begin_media(const char* soc) {
  setenv("OPKIT_SOC", soc, 1);
  if (aclrtSetDevice(0)) std::_Exit(2);
  tell("init", hi_mpi_sys_init());
  std::_Exit(0);
}

[[noreturn]] void predict_png(const char* soc) {
  setenv("OPKIT_SOC", soc, 1);
  if (aclrtSetDevice(0)) std::_Exit(2);
  const std::string file =
      image::PlainPng{40, 40, 3, [](uint32_t, uint32_t, int) { return uint8_t{9}; }}.write();
  uint32_t bytes = 0;
  tell("size", acldvppPngPredictDecSize(file.data(), static_cast<uint32_t>(file.size()),
                                        PIXEL_FORMAT_RGB_888, &bytes));
  std::_Exit(0);
}

TEST(AddedChip, IsInTheCatalogue) {
  EXPECT_THAT(soc_names(), Contains("AscendTest1"));
  EXPECT_THAT(listed_soc_names(), Contains("AscendTest"));
  EXPECT_EQ(find_soc("test1")->spec->name, "AscendTest1");
  EXPECT_EQ(find_soc("AscendTest")->spec->name, "AscendTest1");
  EXPECT_EQ(family_of_soc("AscendTest2"), "AscendTest");
  EXPECT_EQ(default_soc(), "Ascend910B1");
}

TEST(AddedChipDeathTest, FollowsTheRulesOfItsFile) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto done = ::testing::ExitedWithCode(0);
  EXPECT_EXIT(resize("AscendTest1", 10, 12), done, "resize: 0 \nstream: 0 \npixel 77");
  EXPECT_EXIT(resize("AscendTest1", 10, 10), done, "10 pixels of YUV400 want a multiple of 4");
  EXPECT_EXIT(resize("AscendTest1", 100, 100), done, "10 x 6 to 96 x 96 are possible");
  EXPECT_EXIT(resize("Ascend310B1", 10, 10), done, "resize: 0 \nstream: 0 \npixel 77");
}

TEST(AddedChipDeathTest, IsRefusedWithoutRules) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto done = ::testing::ExitedWithCode(0);
  EXPECT_EXIT(resize("AscendTest2", 10, 10), done,
              "channel: 200001 .*OPK-SOC-004.*image units of the AscendTest2");
  EXPECT_EXIT(begin_media("AscendTest2"), done, "init: -.*OPK-SOC-004");
  EXPECT_EXIT(predict_png("AscendTest2"), done, "size: 200001 .*OPK-SOC-004");
}

}  // namespace
}  // namespace opkit::acl
