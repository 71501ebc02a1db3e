// Image pre-processing by its calls: what it computes, what it refuses, and in which words.
#include <gmock/gmock.h>

#include <pthread.h>

#include <array>
#include <cstring>

#include "opkit/acl/base/faults.h"
#include "tests/unit/acl/media/dvpp_fixture.h"
#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;

TEST_F(Dvpp, PicturesKeepWhatTheyAreTold) {
  const Room room(64);
  acldvppPicDesc* const desc = picture(room, PIXEL_FORMAT_BGR_888, 3, 4, 5, 6);
  EXPECT_EQ(acldvppSetPicDescRetCode(desc, 7), ACL_SUCCESS);
  EXPECT_EQ(acldvppGetPicDescData(desc), room.data);
  EXPECT_EQ(acldvppGetPicDescSize(desc), 64u);
  EXPECT_EQ(acldvppGetPicDescFormat(desc), PIXEL_FORMAT_BGR_888);
  EXPECT_EQ(acldvppGetPicDescWidth(desc), 3u);
  EXPECT_EQ(acldvppGetPicDescHeight(desc), 4u);
  EXPECT_EQ(acldvppGetPicDescWidthStride(desc), 5u);
  EXPECT_EQ(acldvppGetPicDescHeightStride(desc), 6u);
  EXPECT_EQ(acldvppGetPicDescRetCode(desc), 7u);
  acldvppBatchPicDesc* const batch = acldvppCreateBatchPicDesc(2);
  acldvppPicDesc* const second = acldvppGetPicDesc(batch, 1);
  ASSERT_NE(second, nullptr);
  EXPECT_EQ(acldvppSetPicDescWidth(second, 9), ACL_SUCCESS);
  EXPECT_EQ(acldvppDestroyPicDesc(second), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("acldvppDestroyBatchPicDesc"));
  EXPECT_EQ(acldvppGetPicDesc(batch, 2), nullptr);
  EXPECT_THAT(said(), HasSubstr("picture 2 of a batch of 2"));
  EXPECT_EQ(acldvppDestroyBatchPicDesc(batch), ACL_SUCCESS);
  EXPECT_EQ(acldvppSetPicDescWidth(second, 9), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_EQ(acldvppSetPicDescWidth(nullptr, 9), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldvppCreateBatchPicDesc(257), nullptr);
}

TEST_F(Dvpp, ChannelsSayWhatTheyAreFor) {
  acldvppChannelDesc* const desc = acldvppCreateChannelDesc();
  uint32_t matrix = ACL_DVPP_CSC_MATRIX_BT709_NARROW, answer = 0;
  size_t bytes = 0;
  EXPECT_EQ(acldvppSetChannelDescParam(desc, ACL_DVPP_CSC_MATRIX_UINT32, 4, &matrix), ACL_SUCCESS);
  EXPECT_EQ(acldvppGetChannelDescParam(desc, ACL_DVPP_CSC_MATRIX_UINT32, 4, &bytes, &answer),
            ACL_SUCCESS);
  EXPECT_EQ(answer, matrix);
  matrix = 6;
  EXPECT_EQ(acldvppSetChannelDescParam(desc, ACL_DVPP_CSC_MATRIX_UINT32, 4, &matrix),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldvppSetChannelDescParam(desc, ACL_DVPP_JPEGD_PRECISION_MODE_ENUM, 4, &matrix),
            ACL_ERROR_API_NOT_SUPPORT);
  EXPECT_EQ(acldvppDestroyChannel(desc), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldvppSetChannelDescMode(desc, DVPP_CHNMODE_JPEGD), ACL_SUCCESS);
  EXPECT_EQ(acldvppCreateChannel(desc), ACL_SUCCESS);
  EXPECT_EQ(acldvppCreateChannel(desc), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldvppSetChannelDescMode(desc, DVPP_CHNMODE_VPC), ACL_ERROR_INVALID_PARAM);
  const Room room(4096);
  acldvppPicDesc* const one = picture(room, PIXEL_FORMAT_YUV_400, 16, 16);
  EXPECT_EQ(acldvppVpcConvertColorAsync(desc, one, one, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("acldvppSetChannelDescMode"));
  EXPECT_EQ(acldvppDestroyChannelDesc(desc), ACL_ERROR_RELATIVE_RESOURCE_NOT_CLEARED);
  EXPECT_THAT(said(), HasSubstr("acldvppDestroyChannel first"));
  EXPECT_EQ(acldvppDestroyChannel(desc), ACL_SUCCESS);
  EXPECT_EQ(acldvppVpcConvertColorAsync(desc, one, one, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("acldvppCreateChannel"));
  EXPECT_EQ(acldvppDestroyChannelDesc(desc), ACL_SUCCESS);
  EXPECT_EQ(acldvppDestroyChannelDesc(desc), ACL_ERROR_RT_INVALID_HANDLE);
}

TEST_F(Dvpp, MemoryGoesBackBySameName) {
  void *picture_memory = nullptr, *other = nullptr;
  ASSERT_EQ(acldvppMalloc(&picture_memory, 100), ACL_SUCCESS);
  ASSERT_EQ(aclrtMalloc(&other, 100, ACL_MEM_MALLOC_HUGE_FIRST), ACL_SUCCESS);
  EXPECT_EQ(aclrtFree(picture_memory), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("acldvppFree"));
  EXPECT_EQ(acldvppFree(other), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("aclrtFree"));
  EXPECT_EQ(aclrtMemset(picture_memory, 100, 1, 100), ACL_SUCCESS) << "it is device memory";
  EXPECT_EQ(acldvppFree(picture_memory), ACL_SUCCESS);
  EXPECT_EQ(acldvppFree(picture_memory), ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_EQ(acldvppFree(nullptr), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldvppMalloc(&other, 0), ACL_ERROR_INVALID_PARAM);
  aclrtFree(other);
}

TEST_F(Dvpp, DecodesAndResizesWithoutAWaitBetween) {
  const std::string file = jpeg(64, 48, 2, 2);
  const Room in(file.size()), middle(64 * 48 * 3 / 2), out(32 * 24 * 3 / 2);
  std::memcpy(in.data, file.data(), file.size());
  acldvppPicDesc* const decoded = picture(middle, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 0, 0);
  acldvppPicDesc* const small = picture(out, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 32, 24);
  ASSERT_EQ(acldvppJpegDecodeAsync(channel_, in.data, static_cast<uint32_t>(file.size()), decoded,
                                   stream_),
            ACL_SUCCESS);
  ASSERT_EQ(resize(decoded, small), ACL_SUCCESS) << said();
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << said();
  EXPECT_EQ(acldvppGetPicDescWidth(decoded), 64u);
  EXPECT_EQ(acldvppGetPicDescHeight(decoded), 48u);
  EXPECT_EQ(acldvppGetPicDescWidthStride(decoded), 64u);
  EXPECT_EQ(acldvppGetPicDescHeightStride(decoded), 48u);
  EXPECT_EQ(acldvppGetPicDescRetCode(decoded), 0u);
  EXPECT_EQ(acldvppGetPicDescWidthStride(small), 32u);
  for (uint32_t y = 0; y < 24; ++y)  // halves of blocks of 8 are blocks of 4
    for (uint32_t x = 0; x < 32; ++x)
      ASSERT_NEAR(out.bytes()[y * 32 + x], image::block_value(0, x / 4, y / 4), 1);
  for (uint32_t y = 0; y < 12; ++y)
    for (uint32_t x = 0; x < 32; ++x)
      ASSERT_NEAR(out.bytes()[(24 + y) * 32 + x],
                  image::block_value(1 + static_cast<int>(x % 2), x / 2 / 4, y / 4), 1);
}

TEST_F(Dvpp, DecodesWhatTheFileHas) {
  const Room room(128 * 112 * 3);
  const std::pair<int, int> ratios[] = {{1, 1}, {2, 1}, {1, 2}, {2, 2}};
  const int formats[] = {PIXEL_FORMAT_YVU_SEMIPLANAR_444, PIXEL_FORMAT_YVU_SEMIPLANAR_422,
                         PIXEL_FORMAT_YVU_SEMIPLANAR_440, PIXEL_FORMAT_YVU_SEMIPLANAR_420};
  for (size_t i = 0; i < 4; ++i) {
    const std::string file = jpeg(77, 101, ratios[i].first, ratios[i].second);
    acldvppPicDesc* const whole = picture(room, PIXEL_FORMAT_UNKNOWN, 0, 0, 128, 112);
    ASSERT_EQ(decode(file, whole), ACL_SUCCESS) << said();
    EXPECT_EQ(acldvppGetPicDescFormat(whole), formats[i]);
    EXPECT_EQ(acldvppGetPicDescWidth(whole), ratios[i].first == 1 ? 77u : 76u);
    EXPECT_EQ(acldvppGetPicDescHeight(whole), ratios[i].second == 1 ? 101u : 100u);
    EXPECT_NEAR(room.bytes()[90 * 128 + 70], image::block_value(0, 8, 11), 1);
    uint32_t width = 0, height = 0, size = 0;
    int32_t components = 0;
    acldvppJpegFormat format = ACL_JPEG_CSS_UNKNOWN;
    EXPECT_EQ(acldvppJpegGetImageInfoV2(file.data(), static_cast<uint32_t>(file.size()), &width,
                                        &height, &components, &format),
              ACL_SUCCESS);
    EXPECT_EQ(width, 77u);
    EXPECT_EQ(height, 101u);
    EXPECT_EQ(components, 3);
    EXPECT_EQ(format, static_cast<int>(std::array{0, 1, 4, 2}[i]));
    EXPECT_EQ(acldvppJpegPredictDecSize(file.data(), static_cast<uint32_t>(file.size()),
                                        PIXEL_FORMAT_YUV_SEMIPLANAR_420, &size),
              ACL_SUCCESS);
    EXPECT_EQ(size, 128u * 112 * 3 / 2);
  }
}

TEST_F(Dvpp, TurnsAJpegUpright) {
  const Room room(128 * 112 * 2);
  acldvppPicDesc* const upright = picture(room, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 0, 0);
  ASSERT_EQ(decode(jpeg(64, 48, 2, 1, 6), upright), ACL_SUCCESS) << said();
  EXPECT_EQ(acldvppGetPicDescWidth(upright), 48u);
  EXPECT_EQ(acldvppGetPicDescHeight(upright), 64u);
  EXPECT_NEAR(room.bytes()[47], image::block_value(0, 0, 0), 1) << "the stored corner is right";
  EXPECT_NEAR(room.bytes()[0], image::block_value(0, 0, 5), 1);
}

TEST_F(Dvpp, BrokenFilesFailTheStreamAndNothingElse) {
  const std::string file = jpeg(64, 48, 1, 1);
  const Room room(64 * 48 * 3);
  acldvppPicDesc* const to = picture(room, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 0, 0);
  std::memset(room.data, 0x55, room.size);
  EXPECT_EQ(decode(file.substr(0, file.size() - 30), to), ACL_ERROR_RT_AICPU_EXCEPTION);
  EXPECT_THAT(said(), HasSubstr("acldvppJpegDecodeAsync: error OPK-IMAGE-003"));
  EXPECT_EQ(acldvppGetPicDescRetCode(to), static_cast<uint32_t>(ACL_ERROR_RT_AICPU_EXCEPTION));
  EXPECT_EQ(room.bytes()[0], 0x55) << "nothing half-written";
  image::BlockJpeg progressive{64, 48};
  progressive.kind = 0xc2;
  progressive.value = image::block_value;
  const std::string other = progressive.write();
  uint32_t width = 0, height = 0;
  int32_t components = 0;
  EXPECT_EQ(acldvppJpegGetImageInfo(other.data(), static_cast<uint32_t>(other.size()), &width,
                                    &height, &components),
            ACL_ERROR_UNSUPPORTED_JPEG);
  EXPECT_THAT(said(), HasSubstr("OPK-IMAGE-002"));
  EXPECT_EQ(acldvppJpegGetImageInfo("no JPEG", 7, &width, &height, &components),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("OPK-IMAGE-001"));
  EXPECT_EQ(acldvppJpegGetImageInfo(room.data, 7, &width, &height, &components),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("host memory"));
  EXPECT_EQ(acldvppJpegGetImageInfo(nullptr, 7, &width, &height, &components),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldvppJpegGetImageInfo(file.data(), static_cast<uint32_t>(file.size()), nullptr,
                                    &height, &components),
            ACL_ERROR_INVALID_PARAM);
}

TEST_F(Dvpp, DecodingIsJudged) {
  const std::string file = jpeg(64, 48, 2, 2);
  const Room room(64 * 48 * 3 / 2), small(64 * 48);
  EXPECT_EQ(acldvppJpegDecodeAsync(channel_, file.data(), 100,
                                   picture(room, PIXEL_FORMAT_UNKNOWN, 0, 0), stream_),
            ACL_ERROR_RT_PARAM_INVALID);
  EXPECT_THAT(said(), HasSubstr("no device memory of acldvppMalloc"));
  EXPECT_EQ(decode(file, picture(room, PIXEL_FORMAT_YVU_PLANAR_420, 0, 0)),
            ACL_ERROR_FORMAT_NOT_MATCH);
  const struct {
    acldvppPicDesc* to;
    const char* words;
  } cases[] = {
      {picture(small, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 0, 0), "take 4608"},
      {picture(room, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 32, 24), "a decoder does not resize"},
      {picture(room, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 48, 80, 48), "a multiple of 64"},
      {picture(room, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 48, 64, 50), "a multiple of 16"},
      {picture(room, PIXEL_FORMAT_RGB_888, 0, 0), "is not decoded to format 12"},
  };
  for (const auto& [to, words] : cases) {
    aclrtStream stream = nullptr;  // a failure is the stream's
    ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
    std::swap(stream, stream_);
    EXPECT_EQ(decode(file, to), ACL_ERROR_RT_AICPU_EXCEPTION) << words;
    EXPECT_THAT(said(), HasSubstr(words));
    std::swap(stream, stream_);
    aclrtDestroyStream(stream);
  }
}

TEST_F(Dvpp, EncodesWhatItDecodes) {
  const Room from(64 * 48 * 3 / 2);
  for (size_t i = 0; i < from.size; ++i) from.bytes()[i] = static_cast<uint8_t>(90 + i % 64 / 2);
  acldvppPicDesc* const in = picture(from, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 48);
  acldvppJpegeConfig* const config = acldvppCreateJpegeConfig();
  EXPECT_EQ(acldvppSetJpegeConfigLevel(config, 0), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldvppSetJpegeConfigLevel(config, 101), ACL_ERROR_INVALID_PARAM);
  ASSERT_EQ(acldvppSetJpegeConfigLevel(config, 95), ACL_SUCCESS);
  uint32_t size = 0;
  ASSERT_EQ(acldvppJpegPredictEncSize(in, config, &size), ACL_SUCCESS) << said();
  const Room file(size);
  ASSERT_EQ(acldvppJpegEncodeAsync(channel_, in, file.data, &size, config, stream_), ACL_SUCCESS);
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS) << said();
  EXPECT_LT(size, file.size);
  const Room back(64 * 48 * 3 / 2);
  acldvppPicDesc* const out = picture(back, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 0, 0);
  ASSERT_EQ(decode({static_cast<char*>(file.data), size}, out), ACL_SUCCESS) << said();
  for (size_t i = 0; i < 64 * 48; ++i) ASSERT_NEAR(back.bytes()[i], from.bytes()[i], 4) << i;
  uint32_t few = 100;
  ASSERT_EQ(acldvppJpegEncodeAsync(channel_, in, file.data, &few, config, stream_), ACL_SUCCESS);
  EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_AICPU_EXCEPTION);
  EXPECT_THAT(said(), HasSubstr("OPK-IMAGE-004"));
  EXPECT_EQ(few, 100u);
  acldvppPicDesc* const rgb = picture(from, PIXEL_FORMAT_RGB_888, 32, 32);
  EXPECT_EQ(acldvppJpegEncodeAsync(channel_, rgb, file.data, &size, config, stream_),
            ACL_ERROR_FORMAT_NOT_MATCH);
  EXPECT_EQ(acldvppJpegEncodeAsync(channel_, in, file.data, nullptr, config, stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldvppJpegEncodeAsync(channel_, in, file.data, &size, nullptr, stream_),
            ACL_ERROR_INVALID_PARAM);
  acldvppDestroyJpegeConfig(config);
}

TEST_F(Dvpp, CropsAndPastes) {
  const Room from(60 * 20), to(80 * 40);
  for (size_t i = 0; i < from.size; ++i) from.bytes()[i] = static_cast<uint8_t>(i % 251);
  std::memset(to.data, 7, to.size);
  acldvppPicDesc* const in = picture(from, PIXEL_FORMAT_YUV_400, 60, 20);
  acldvppPicDesc* const out = picture(to, PIXEL_FORMAT_YUV_400, 80, 40);
  acldvppRoiConfig* const crop = acldvppCreateRoiConfig(11, 30, 3, 12);
  acldvppRoiConfig* const paste = acldvppCreateRoiConfig(32, 51, 5, 14);
  ASSERT_EQ(acldvppVpcCropAndPasteAsync(channel_, in, out, crop, paste, stream_), ACL_SUCCESS)
      << said();
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  for (uint32_t y = 0; y < 40; ++y)
    for (uint32_t x = 0; x < 80; ++x) {
      const bool inside = x >= 32 && x <= 51 && y >= 5 && y <= 14;
      ASSERT_EQ(to.bytes()[y * 80 + x], inside ? from.bytes()[(y - 5 + 3) * 60 + x - 32 + 11] : 7);
    }
  EXPECT_EQ(acldvppSetRoiConfigRight(crop, 60), ACL_SUCCESS);
  EXPECT_EQ(acldvppVpcCropAndPasteAsync(channel_, in, out, crop, paste, stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("acldvppVpcCropAndPasteAsync: the crop area is left 11, right 60"));
  EXPECT_EQ(acldvppSetRoiConfig(crop, 20, 10, 0, 9), ACL_SUCCESS);
  EXPECT_EQ(acldvppVpcCropAsync(channel_, in, out, crop, stream_), ACL_ERROR_INVALID_PARAM);
  acldvppSetRoiConfig(crop, 0, 8, 0, 9);
  EXPECT_EQ(acldvppVpcCropAsync(channel_, in, out, crop, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("10 x 6 are the least"));
  EXPECT_EQ(acldvppVpcCropAsync(channel_, in, out, nullptr, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldvppDestroyRoiConfig(crop), ACL_SUCCESS);
  EXPECT_EQ(acldvppVpcCropAsync(channel_, in, out, crop, stream_), ACL_ERROR_RT_INVALID_HANDLE);
  EXPECT_THAT(said(), HasSubstr("no acldvppRoiConfig"));
  acldvppDestroyRoiConfig(paste);
}

TEST_F(Dvpp, BatchesGiveAnOutputForEachArea) {
  const Room from(2 * 40 * 20), to(3 * 16 * 8);
  for (size_t i = 0; i < from.size; ++i) from.bytes()[i] = static_cast<uint8_t>(i % 253);
  acldvppBatchPicDesc *const in = acldvppCreateBatchPicDesc(2), *const out =
                                                                    acldvppCreateBatchPicDesc(3);
  const auto fill = [](acldvppPicDesc* desc, uint8_t* data, uint32_t width, uint32_t height) {
    acldvppSetPicDescData(desc, data);
    acldvppSetPicDescSize(desc, width * height);
    acldvppSetPicDescWidth(desc, width);
    acldvppSetPicDescHeight(desc, height);
  };
  for (uint32_t i = 0; i < 2; ++i) fill(acldvppGetPicDesc(in, i), from.bytes() + i * 800, 40, 20);
  for (uint32_t i = 0; i < 3; ++i) fill(acldvppGetPicDesc(out, i), to.bytes() + i * 128, 16, 8);
  const uint32_t left[] = {0, 5, 24};
  acldvppRoiConfig* areas[3];
  for (size_t i = 0; i < 3; ++i) areas[i] = acldvppCreateRoiConfig(left[i], left[i] + 15, 2, 9);
  uint32_t counts[] = {1, 2};
  ASSERT_EQ(acldvppVpcBatchCropAsync(channel_, in, counts, 2, out, areas, stream_), ACL_SUCCESS)
      << said();
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  for (uint32_t i = 0; i < 3; ++i)
    for (uint32_t y = 0; y < 8; ++y)
      for (uint32_t x = 0; x < 16; ++x)
        ASSERT_EQ(to.bytes()[i * 128 + y * 16 + x],
                  from.bytes()[(i == 0 ? 0 : 800) + (y + 2) * 40 + x + left[i]]);
  counts[1] = 1;
  EXPECT_EQ(acldvppVpcBatchCropAsync(channel_, in, counts, 2, out, areas, stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("roiNums names 2 areas; the output batch has 3"));
  EXPECT_EQ(acldvppVpcBatchCropAsync(channel_, in, counts, 3, out, areas, stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldvppVpcBatchCropAsync(channel_, in, counts, 2, out, nullptr, stream_),
            ACL_ERROR_INVALID_PARAM);
  for (acldvppRoiConfig* area : areas) acldvppDestroyRoiConfig(area);
  acldvppDestroyBatchPicDesc(in);
  acldvppDestroyBatchPicDesc(out);
}

// The vendor's page "acldvppSetResizeConfigInterpolation", in a process that runs on one chip
// alone.
[[noreturn]] void resize_as_tensorflow() {
  setenv("OPKIT_SOC", "Ascend910A", 1);
  aclrtStream stream = nullptr;
  void *from = nullptr, *to = nullptr;
  acldvppChannelDesc* const channel = acldvppCreateChannelDesc();
  if (aclrtSetDevice(0) || aclrtCreateStream(&stream) || acldvppCreateChannel(channel) ||
      acldvppMalloc(&from, 64 * 32 * 2) || acldvppMalloc(&to, 64 * 32 * 2))
    std::_Exit(2);
  const auto picture = [](void* data, uint32_t width) {
    acldvppPicDesc* const desc = acldvppCreatePicDesc();
    acldvppSetPicDescData(desc, data);
    acldvppSetPicDescSize(desc, 64 * 32 * 3 / 2);
    acldvppSetPicDescFormat(desc, PIXEL_FORMAT_YUV_SEMIPLANAR_420);
    acldvppSetPicDescWidth(desc, width);
    acldvppSetPicDescHeight(desc, 32);
    acldvppSetPicDescWidthStride(desc, width);
    acldvppSetPicDescHeightStride(desc, 32);
    return desc;
  };
  acldvppResizeConfig* const config = acldvppCreateResizeConfig();
  for (const uint32_t interpolation : {1u, 3u, 4u}) {
    acldvppSetResizeConfigInterpolation(config, interpolation);
    const aclError code =
        acldvppVpcResizeAsync(channel, picture(from, 64), picture(to, 32), config, stream);
    std::fprintf(stderr, "%u: %d %s; ", interpolation, code, code ? said().c_str() : "");
  }
  std::_Exit(0);
}

TEST(DvppChipsDeathTest, HaveNoFilterOfUnknownConventions) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(resize_as_tensorflow(), ::testing::ExitedWithCode(0),
              "1: 0 ; 3: 200001 .*TensorFlow's on this chip.*4: 200001");
}

TEST_F(Dvpp, ConvertsColorsAndDrawsBorders) {
  const Room from(16 * 16 * 3 / 2), to(20 * 20 * 3);
  std::memset(from.data, 128, from.size);
  acldvppPicDesc* const in = picture(from, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 16, 16);
  acldvppPicDesc* const rgb = picture(to, PIXEL_FORMAT_RGB_888, 0, 0);
  ASSERT_EQ(acldvppVpcConvertColorAsync(channel_, in, rgb, stream_), ACL_SUCCESS) << said();
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(acldvppGetPicDescWidthStride(rgb), 48u);
  for (size_t i = 0; i < 16 * 16 * 3; ++i) ASSERT_EQ(to.bytes()[i], 128);
  acldvppPicDesc* const larger = picture(to, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 20, 20);
  EXPECT_EQ(acldvppVpcConvertColorAsync(channel_, in, larger, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("this call does not resize"));
  acldvppBorderConfig* const border = acldvppCreateBorderConfig();
  EXPECT_EQ(acldvppSetBorderConfigValue(border, 0, 9), ACL_SUCCESS);
  EXPECT_EQ(acldvppSetBorderConfigValue(border, 4, 9), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldvppSetBorderConfigValue(border, 0, 256), ACL_ERROR_INVALID_PARAM);
  acldvppSetBorderConfigLeft(border, 2);
  acldvppSetBorderConfigRight(border, 2);
  acldvppSetBorderConfigTop(border, 4);
  ASSERT_EQ(acldvppVpcMakeBorderAsync(channel_, in, larger, border, stream_), ACL_SUCCESS)
      << said();
  ASSERT_EQ(aclrtSynchronizeStream(stream_), ACL_SUCCESS);
  EXPECT_EQ(to.bytes()[0], 9);
  EXPECT_EQ(to.bytes()[4 * 20 + 1], 9);
  EXPECT_EQ(to.bytes()[4 * 20 + 2], 128);
  EXPECT_EQ(to.bytes()[20 * 20 - 3], 128);
  EXPECT_EQ(to.bytes()[20 * 20 - 2], 9);
  acldvppSetBorderConfigTop(border, 3);
  acldvppSetBorderConfigBottom(border, 1);
  EXPECT_EQ(acldvppVpcMakeBorderAsync(channel_, in, larger, border, stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_THAT(said(), HasSubstr("multiples of 2 across and 2 down"));
  acldvppSetBorderConfigTop(border, 30);
  EXPECT_EQ(acldvppVpcMakeBorderAsync(channel_, in, larger, border, stream_),
            ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldvppDestroyBorderConfig(border), ACL_SUCCESS);
}

TEST_F(Dvpp, ResizingIsJudged) {
  const Room room(64 * 64 * 3), freed_later(4096);
  acldvppPicDesc* const good = picture(room, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 64);
  const auto refuses = [&](acldvppPicDesc* bad, aclError code, const char* words) {
    EXPECT_EQ(resize(bad, good), code) << words;
    EXPECT_THAT(said(), testing::AllOf(HasSubstr("acldvppVpcResizeAsync: "), HasSubstr(words)));
  };
  refuses(picture(room, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 63, 64), ACL_ERROR_INVALID_PARAM,
          "multiples of 2 and 2");
  refuses(picture(room, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 8, 64), ACL_ERROR_INVALID_PARAM,
          "10 x 6 to 8192 x 8192");
  refuses(picture(room, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 64, 62, 64), ACL_ERROR_INVALID_PARAM,
          "the input's width stride is 62");
  refuses(picture(room, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 64, 64, 62), ACL_ERROR_INVALID_PARAM,
          "the input's height stride is 62");
  refuses(picture(room, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 64, 64, 65), ACL_ERROR_INVALID_PARAM,
          "a multiple of 2");
  refuses(picture(room, PIXEL_FORMAT_YUV_SEMI_PLANNER_420_10BIT, 64, 64),
          ACL_ERROR_FORMAT_NOT_MATCH, "format 18");
  refuses(picture(freed_later, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 64), ACL_ERROR_INVALID_PARAM,
          "take 6144");
  acldvppPicDesc* const lies = picture(freed_later, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 64);
  acldvppSetPicDescSize(lies, 6144);
  refuses(lies, ACL_ERROR_RT_PARAM_INVALID, "no device memory of acldvppMalloc");
  acldvppPicDesc* const nothing = picture(room, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 64);
  acldvppSetPicDescData(nothing, nullptr);
  refuses(nothing, ACL_ERROR_INVALID_PARAM, "acldvppSetPicDescData");
  acldvppPicDesc* const half = picture(room, PIXEL_FORMAT_YUV_SEMIPLANAR_420, 32, 32);
  EXPECT_EQ(resize(good, half, 5), ACL_ERROR_API_NOT_SUPPORT);
  EXPECT_THAT(said(), HasSubstr("set 1 (bilinear)"));
  EXPECT_EQ(acldvppVpcResizeAsync(channel_, good, half, nullptr, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldvppVpcResizeAsync(nullptr, good, half, nullptr, stream_), ACL_ERROR_INVALID_PARAM);
  EXPECT_EQ(acldvppVpcCropAsync(channel_, nullptr, half, nullptr, stream_),
            ACL_ERROR_INVALID_PARAM);
  aclrtStream gone = nullptr;
  ASSERT_EQ(aclrtCreateStream(&gone), ACL_SUCCESS);
  aclrtDestroyStream(gone);
  EXPECT_EQ(acldvppVpcConvertColorAsync(channel_, good, good, gone), ACL_ERROR_RT_STREAM_CONTEXT);
}

// What holds the stream up until this thread looks for callbacks.
struct Gate {
  explicit Gate(aclrtStream held) {
    aclrtCreateStream(&stream);
    aclrtCreateEvent(&event);
    aclrtSubscribeReport(static_cast<uint64_t>(pthread_self()), stream);
    aclrtLaunchCallback([](void*) {}, nullptr, ACL_CALLBACK_BLOCK, stream);
    aclrtRecordEvent(event, stream);
    aclrtStreamWaitEvent(held, event);
  }
  ~Gate() {
    aclrtUnSubscribeReport(static_cast<uint64_t>(pthread_self()), stream);
    aclrtDestroyEvent(event);
    aclrtDestroyStream(stream);
  }
  void open() { EXPECT_EQ(aclrtProcessReport(-1), ACL_SUCCESS); }
  aclrtStream stream = nullptr;
  aclrtEvent event = nullptr;
};

TEST_F(Dvpp, WhatGoesBeforeTheStreamRunsIsTold) {
  const Room from(64 * 64), to(64 * 64);
  acldvppPicDesc* const in = picture(from, PIXEL_FORMAT_YUV_400, 64, 64);
  acldvppPicDesc* const out = picture(to, PIXEL_FORMAT_YUV_400, 64, 32);
  void* gone = nullptr;
  ASSERT_EQ(acldvppMalloc(&gone, 4096), ACL_SUCCESS);
  {
    Gate gate(stream_);
    acldvppSetPicDescData(out, gone);
    ASSERT_EQ(resize(in, out), ACL_SUCCESS);
    acldvppSetPicDescWidth(in, 1);  // counts for later calls only
    ASSERT_EQ(acldvppFree(gone), ACL_SUCCESS);
    gate.open();
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_AICPU_EXCEPTION);
    EXPECT_THAT(said(), HasSubstr("the output at"));
  }
  acldvppSetPicDescWidth(in, 64);
  acldvppSetPicDescData(out, to.data);
  aclrtStream fresh = nullptr;
  ASSERT_EQ(aclrtCreateStream(&fresh), ACL_SUCCESS);
  std::swap(fresh, stream_);
  {
    Gate gate(stream_);
    ASSERT_EQ(resize(in, out), ACL_SUCCESS);
    acldvppDestroyPicDesc(out);
    gate.open();
    EXPECT_EQ(aclrtSynchronizeStream(stream_), ACL_ERROR_RT_AICPU_EXCEPTION);
    EXPECT_THAT(said(), HasSubstr("was destroyed before the stream did the work"));
  }
  aclrtDestroyStream(fresh);
  faults().forget();
}

TEST(DvppVideo, IsRefusedByName) {
  EXPECT_EQ(aclvdecCreateChannelDesc(), nullptr);
  EXPECT_THAT(said(), testing::AllOf(HasSubstr("200001"), HasSubstr("aclvdecCreateChannelDesc"),
                                     HasSubstr("video is not emulated"), HasSubstr("FFmpeg")));
  EXPECT_EQ(aclvencSendFrame(nullptr, nullptr, nullptr, nullptr, nullptr),
            ACL_ERROR_API_NOT_SUPPORT);
  EXPECT_EQ(acldvppCreateStreamDesc(), nullptr);
}

}  // namespace
}  // namespace opkit::acl
