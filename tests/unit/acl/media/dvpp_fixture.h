// Memory, a channel, a stream and pictures for tests of acldvpp*.
#ifndef OPKIT_TESTS_UNIT_ACL_MEDIA_DVPP_FIXTURE_H_
#define OPKIT_TESTS_UNIT_ACL_MEDIA_DVPP_FIXTURE_H_

#include <gtest/gtest.h>

#include <cstring>
#include <string>
#include <vector>

#include "acl/ops/acl_dvpp.h"
#include "tests/unit/acl/media/image/block_jpeg.h"

namespace opkit::acl {

struct Room {
  explicit Room(size_t bytes) : size(bytes) { acldvppMalloc(&data, bytes); }
  ~Room() { acldvppFree(data); }
  uint8_t* bytes() const { return static_cast<uint8_t*>(data); }
  void* data = nullptr;
  size_t size;
};

class Dvpp : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    channel_ = acldvppCreateChannelDesc();
    ASSERT_EQ(acldvppCreateChannel(channel_), ACL_SUCCESS);
    ASSERT_EQ(aclrtCreateStream(&stream_), ACL_SUCCESS);
  }
  void TearDown() override {
    aclrtDestroyStream(stream_);
    for (acldvppPicDesc* picture : pictures_) acldvppDestroyPicDesc(picture);
    EXPECT_EQ(acldvppDestroyChannel(channel_), ACL_SUCCESS);
    EXPECT_EQ(acldvppDestroyChannelDesc(channel_), ACL_SUCCESS);
    aclrtResetDevice(0);
  }
  acldvppPicDesc* picture(const Room& room, acldvppPixelFormat format, uint32_t width,
                          uint32_t height, uint32_t stride = 0, uint32_t rows = 0) {
    acldvppPicDesc* const desc = acldvppCreatePicDesc();
    pictures_.push_back(desc);
    acldvppSetPicDescData(desc, room.data);
    acldvppSetPicDescSize(desc, static_cast<uint32_t>(room.size));
    acldvppSetPicDescFormat(desc, format);
    acldvppSetPicDescWidth(desc, width);
    acldvppSetPicDescHeight(desc, height);
    acldvppSetPicDescWidthStride(desc, stride);
    acldvppSetPicDescHeightStride(desc, rows);
    return desc;
  }
  aclError resize(acldvppPicDesc* from, acldvppPicDesc* to, uint32_t interpolation = 1) {
    acldvppResizeConfig* const config = acldvppCreateResizeConfig();
    EXPECT_EQ(acldvppSetResizeConfigInterpolation(config, interpolation), ACL_SUCCESS);
    const aclError code = acldvppVpcResizeAsync(channel_, from, to, config, stream_);
    EXPECT_EQ(acldvppDestroyResizeConfig(config), ACL_SUCCESS);
    return code;
  }
  std::string jpeg(uint32_t width, uint32_t height, int across, int down, int orientation = 0) {
    image::BlockJpeg blocks{width, height, across, down};
    blocks.orientation = orientation;
    blocks.value = image::block_value;
    return blocks.write();
  }
  // The code of the decoding call, else that of the stream.
  aclError decode(const std::string& file, acldvppPicDesc* to) {
    const Room room(file.size());
    std::memcpy(room.data, file.data(), file.size());
    const aclError code = acldvppJpegDecodeAsync(channel_, room.data,
                                                 static_cast<uint32_t>(file.size()), to, stream_);
    return code ? code : aclrtSynchronizeStream(stream_);
  }

  acldvppChannelDesc* channel_ = nullptr;
  aclrtStream stream_ = nullptr;
  std::vector<acldvppPicDesc*> pictures_;
};

}  // namespace opkit::acl

#endif  // OPKIT_TESTS_UNIT_ACL_MEDIA_DVPP_FIXTURE_H_
