// acldvppPng*: what they decode and refuse.
#include <gmock/gmock.h>

#include <cstring>

#include "tests/unit/acl/media/dvpp_fixture.h"
#include "tests/unit/acl/media/image/plain_png.h"
#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;

TEST_F(Dvpp, PngBecomesColours) {
  const std::string file = image::PlainPng{40, 33, 4, image::plain_value}.write();
  uint32_t width = 0, height = 0, bytes = 0;
  int32_t components = 0;
  const auto size = static_cast<uint32_t>(file.size());
  ASSERT_EQ(acldvppPngGetImageInfo(file.data(), size, &width, &height, &components), ACL_SUCCESS);
  EXPECT_EQ(width, 40u);
  EXPECT_EQ(height, 33u);
  EXPECT_EQ(components, 4);
  ASSERT_EQ(acldvppPngPredictDecSize(file.data(), size, PIXEL_FORMAT_UNKNOWN, &bytes), ACL_SUCCESS);
  EXPECT_EQ(bytes, 48u * 4 * 33);
  const Room from(file.size()), to(bytes);
  std::memcpy(from.data, file.data(), file.size());
  acldvppPicDesc* const desc = picture(to, PIXEL_FORMAT_RGB_888, 0, 0);
  ASSERT_EQ(acldvppPngDecodeAsync(channel_, from.data, size, desc, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << said();
  EXPECT_EQ(acldvppGetPicDescWidthStride(desc), 144u);
  EXPECT_EQ(to.bytes()[144 * 5 + 7 * 3 + 2], image::plain_value(7, 5, 2));
  acldvppSetPicDescFormat(desc, PIXEL_FORMAT_BGR_888);
  ASSERT_EQ(acldvppPngDecodeAsync(channel_, from.data, size, desc, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), 507018);
  EXPECT_THAT(said(), HasSubstr("RGB888 (12), RGBA8888 (16), or PIXEL_FORMAT_UNKNOWN"));
}

TEST_F(Dvpp, PngIsRefusedForWhatItIs) {
  uint32_t width = 0, height = 0;
  int32_t components = 0;
  const auto refused = [&](const std::string& file, aclError code, const char* words) {
    EXPECT_EQ(acldvppPngGetImageInfo(file.data(), static_cast<uint32_t>(file.size()), &width,
                                     &height, &components),
              code);
    EXPECT_THAT(said(), HasSubstr(words));
  };
  refused("no picture", ACL_ERROR_INVALID_PARAM, "OPK-IMAGE-005");
  refused(image::PlainPng{40, 33, 3, image::plain_value, 16}.write(), ACL_ERROR_API_NOT_SUPPORT,
          "OPK-IMAGE-006");
  uint32_t bytes = 0;
  const std::string small = image::PlainPng{31, 33, 3, image::plain_value}.write();
  EXPECT_EQ(acldvppPngPredictDecSize(small.data(), static_cast<uint32_t>(small.size()),
                                     PIXEL_FORMAT_RGB_888, &bytes),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("31 x 33 pixels; 32 x 32 to 4096 x 4096"));
}

}  // namespace
}  // namespace opkit::acl
