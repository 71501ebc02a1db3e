// hi_mpi_*: what it computes beside formulas of the test's own, what it refuses, and in which
// words.
#include "acl/dvpp/hi_dvpp.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "../image/block_jpeg.h"
#include "../image/plain_png.h"
#include "opkit/acl/runtime.h"
#include "opkit/image/jpeg.h"
#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// Device memory that goes back at the end.
struct MediaRoom {
  explicit MediaRoom(uint64_t bytes) : size(bytes) {
    EXPECT_EQ(hi_mpi_dvpp_malloc(0, &data, bytes), HI_SUCCESS);
    std::memset(data, 0, bytes);
  }
  ~MediaRoom() { EXPECT_EQ(hi_mpi_dvpp_free(data), HI_SUCCESS); }
  MediaRoom(const MediaRoom&) = delete;
  uint8_t* bytes() const { return static_cast<uint8_t*>(data); }
  void* data = nullptr;
  uint64_t size;
};

hi_vpc_pic_info picture_in(const MediaRoom& room, hi_pixel_format format, uint32_t width,
                           uint32_t height, uint32_t stride, uint32_t rows) {
  return {room.data, static_cast<hi_u32>(room.size), width, height, stride, rows, format};
}

class Mpi : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
    ASSERT_EQ(hi_mpi_sys_init(), HI_SUCCESS) << said();
    hi_vpc_chn_attr attr = {};
    ASSERT_EQ(hi_mpi_vpc_create_chn(3, &attr), HI_SUCCESS);
  }
  void TearDown() override {
    EXPECT_EQ(hi_mpi_sys_exit(), HI_SUCCESS);
    aclrtResetDevice(0);
  }
  // The code of the call, else that of its result.
  hi_s32 result(hi_s32 code) { return code ? code : hi_mpi_vpc_get_process_result(3, task_, -1); }

  std::string jpeg(uint32_t width, uint32_t height, int across, int down) {
    image::BlockJpeg blocks{width, height, across, down};
    blocks.value = image::block_value;
    return blocks.write();
  }
  void make_decoder(hi_vdec_chn number) {
    hi_vdec_chn_attr attr = {};
    attr.type = HI_PT_JPEG;
    attr.stream_buf_size = 1 << 20;
    ASSERT_EQ(hi_mpi_vdec_create_chn(number, &attr), HI_SUCCESS) << said();
    ASSERT_EQ(hi_mpi_vdec_start_recv_stream(number), HI_SUCCESS);
  }
  void make_encoder(hi_venc_chn number, hi_u32 bytes, hi_s32 pictures = -1) {
    hi_venc_chn_attr attr = {};
    attr.venc_attr.type = HI_PT_JPEG;
    attr.venc_attr.max_pic_width = attr.venc_attr.max_pic_height = 256;
    attr.venc_attr.buf_size = bytes;
    ASSERT_EQ(hi_mpi_venc_create_chn(number, &attr), HI_SUCCESS) << said();
    const hi_venc_start_param start = {pictures};
    ASSERT_EQ(hi_mpi_venc_start_chn(number, &start), HI_SUCCESS);
  }
  static hi_video_frame_info frame_in(const MediaRoom& room, uint32_t width, uint32_t height,
                                      uint32_t stride) {
    hi_video_frame_info frame = {};
    frame.v_frame.width = width;
    frame.v_frame.height = height;
    frame.v_frame.pixel_format = HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420;
    frame.v_frame.width_stride[0] = frame.v_frame.width_stride[1] = stride;
    frame.v_frame.virt_addr[0] = room.data;
    frame.v_frame.virt_addr[1] = room.bytes() + uint64_t{stride} * height;
    return frame;
  }
  hi_s32 send(hi_vdec_chn number, const std::string& file, const MediaRoom& from,
              const MediaRoom& to, hi_pixel_format format) {
    std::memcpy(from.data, file.data(), file.size());
    hi_vdec_stream stream = {};
    stream.addr = from.bytes();
    stream.len = static_cast<hi_u32>(file.size());
    stream.pts = 77;
    hi_vdec_pic_info picture = {};
    picture.pixel_format = format;
    picture.vir_addr = reinterpret_cast<uintptr_t>(to.data);
    picture.buffer_size = static_cast<hi_u32>(to.size);
    return hi_mpi_vdec_send_stream(number, &stream, &picture, -1);
  }

  hi_u32 task_ = 0;
};

TEST_F(Mpi, ResizesToNearestPixels) {
  const MediaRoom from(64 * 32), to(32 * 16);
  for (int i = 0; i < 64 * 32; ++i) from.bytes()[i] = static_cast<uint8_t>(i * 7 % 251);
  const hi_vpc_pic_info source = picture_in(from, HI_PIXEL_FORMAT_YUV_400, 64, 32, 64, 32);
  hi_vpc_pic_info dest = picture_in(to, HI_PIXEL_FORMAT_YUV_400, 0, 0, 32, 16);
  ASSERT_EQ(result(hi_mpi_vpc_resize(3, &source, &dest, 0.5, 0.5, 1, &task_, -1)), 0) << said();
  EXPECT_EQ(dest.picture_width, 32u);
  for (int y = 0; y < 16; ++y)
    for (int x = 0; x < 32; ++x)
      ASSERT_EQ(to.bytes()[y * 32 + x], from.bytes()[2 * y * 64 + 2 * x]) << x << " " << y;
}

TEST_F(Mpi, CropsAndPastesByRegions) {
  const MediaRoom from(64 * 32), first(16 * 8), second(32 * 16);
  for (int i = 0; i < 64 * 32; ++i) from.bytes()[i] = static_cast<uint8_t>(i % 64 + i / 64 * 5);
  const hi_vpc_pic_info source = picture_in(from, HI_PIXEL_FORMAT_YUV_400, 64, 32, 64, 32);
  hi_vpc_crop_region_info crop = {picture_in(first, HI_PIXEL_FORMAT_YUV_400, 16, 8, 16, 8),
                                  {4, 20, 16, 8}};
  ASSERT_EQ(result(hi_mpi_vpc_crop(3, &source, &crop, 1, &task_, -1)), 0) << said();
  EXPECT_EQ(first.bytes()[0], 20 + 4 * 5);
  EXPECT_EQ(first.bytes()[7 * 16 + 15], 35 + 11 * 5);
  hi_vpc_crop_resize_paste_region paste = {
      picture_in(second, HI_PIXEL_FORMAT_YUV_400, 32, 16, 32, 16),
      {4, 20, 16, 8},
      {16, 8, 0},
      3,
      11};
  const hi_vpc_pic_info* sources[] = {&source};
  hi_u32 counts[] = {1};
  ASSERT_EQ(result(hi_mpi_vpc_batch_crop_resize_paste(3, sources, 1, &paste, counts, &task_, 0)), 0)
      << said();
  EXPECT_EQ(second.bytes()[3 * 32 + 11], 20 + 4 * 5);
  EXPECT_EQ(second.bytes()[2 * 32 + 11], 0);
  EXPECT_EQ(second.bytes()[3 * 32 + 10], 0);
}

TEST_F(Mpi, FillsBordersRoundResizedRegions) {
  const MediaRoom from(32 * 16 * 3), to(48 * 24 * 3);
  std::memset(from.data, 50, from.size);
  const hi_vpc_pic_info source = picture_in(from, HI_PIXEL_FORMAT_RGB_888, 32, 16, 96, 16);
  hi_vpc_crop_resize_border_region region = {};
  region.dest_pic_info = picture_in(to, HI_PIXEL_FORMAT_RGB_888, 48, 24, 144, 24);
  region.crop_region = {0, 0, 32, 16};
  region.resize_info = {32, 16, 0};
  region.dest_top_offset = 6, region.dest_left_offset = 10;
  region.scalar_value = {{1, 2, 3, 0}};
  ASSERT_EQ(result(hi_mpi_vpc_crop_resize_make_border(3, &source, &region, 1, &task_, -1)), 0)
      << said();
  const auto at = [&](int x, int y, int c) { return to.bytes()[y * 144 + x * 3 + c]; };
  EXPECT_EQ(at(0, 0, 0), 1);
  EXPECT_EQ(at(47, 23, 2), 3);
  EXPECT_EQ(at(9, 10, 1), 2);
  EXPECT_EQ(at(10, 6, 0), 50);
  EXPECT_EQ(at(41, 21, 2), 50);
  EXPECT_EQ(at(42, 21, 2), 3);
  region.dest_left_offset = 17;
  EXPECT_EQ(hi_mpi_vpc_crop_resize_make_border(3, &source, &region, 1, &task_, -1),
            HI_ERR_VPC_ILLEGAL_PARAM);
  EXPECT_THAT(said(), HasSubstr("do not fit into an output of 48 x 24"));
}

TEST_F(Mpi, ConvertsByTheChannelsMatrix) {
  const MediaRoom from(16 * 8 * 3 / 2), to(16 * 8 * 3);
  std::memset(from.data, 100, 16 * 8);
  std::memset(from.bytes() + 16 * 8, 140, 16 * 4);
  const hi_vpc_pic_info source = picture_in(from, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420, 16, 8, 16, 8);
  hi_vpc_pic_info dest = picture_in(to, HI_PIXEL_FORMAT_RGB_888, 16, 8, 48, 8);
  ASSERT_EQ(result(hi_mpi_vpc_convert_color(3, &source, &dest, &task_, -1)), 0) << said();
  EXPECT_NEAR(to.bytes()[0], 100 + 1.402 * 12, 1);
  EXPECT_NEAR(to.bytes()[1], 100 - (0.344 + 0.714) * 12, 1);
  EXPECT_NEAR(to.bytes()[2], 100 + 1.772 * 12, 1);
  ASSERT_EQ(hi_mpi_sys_set_chn_csc_matrix(HI_ID_VPC, 3, HI_CSC_MATRIX_BT601_NARROW, nullptr), 0);
  hi_csc_matrix matrix = HI_CSC_MATRIX_BUTT;
  ASSERT_EQ(hi_mpi_sys_get_chn_csc_matrix(HI_ID_VPC, 3, &matrix, nullptr), 0);
  EXPECT_EQ(matrix, HI_CSC_MATRIX_BT601_NARROW);
  ASSERT_EQ(result(hi_mpi_vpc_convert_color(3, &source, &dest, &task_, -1)), 0) << said();
  EXPECT_NEAR(to.bytes()[0], 1.16438 * 84 + 1.59602 * 12, 1);
}

TEST_F(Mpi, CountsAndRemapsValues) {
  const MediaRoom from(16 * 8 * 3 / 2), to(16 * 8 * 3 / 2);
  for (uint64_t i = 0; i < from.size; ++i) from.bytes()[i] = static_cast<uint8_t>(i % 200);
  const hi_vpc_pic_info source = picture_in(from, HI_PIXEL_FORMAT_YVU_SEMIPLANAR_420, 16, 8, 16, 8);
  hi_vpc_pic_info dest = picture_in(to, HI_PIXEL_FORMAT_YVU_SEMIPLANAR_420, 16, 8, 16, 8);
  hi_vpc_histogram_config counts = {};
  ASSERT_EQ(result(hi_mpi_vpc_calc_hist(3, &source, &counts, &task_, -1)), 0) << said();
  EXPECT_EQ(counts.histogram_y_or_r[5], 1u);
  EXPECT_EQ(counts.histogram_v_or_b[128], 1u);  // NV21: V first
  EXPECT_EQ(counts.histogram_u_or_g[129], 1u);
  EXPECT_EQ(counts.histogram_u_or_g[128], 0u);
  hi_vpc_lut_remap map = {};
  for (int i = 0; i < 256; ++i) {
    map.map_value_y_or_r[i] = static_cast<hi_u8>(255 - i);
    map.map_value_u_or_g[i] = 1;
    map.map_value_v_or_b[i] = 2;
  }
  ASSERT_EQ(result(hi_mpi_vpc_equalize_hist(3, &source, &dest, &map, &task_, -1)), 0) << said();
  EXPECT_EQ(to.bytes()[5], 250);
  EXPECT_EQ(to.bytes()[128], 2);
  EXPECT_EQ(to.bytes()[129], 1);
}

TEST_F(Mpi, RefusesWhatIsWrongWithPictures) {
  const MediaRoom from(64 * 64 * 3 / 2), to(64 * 64 * 3 / 2);
  const hi_vpc_pic_info good = picture_in(from, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420, 64, 64, 64, 64);
  hi_vpc_pic_info dest = picture_in(to, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420, 32, 32, 32, 32);
  const auto refused = [&](const hi_vpc_pic_info* source, hi_s32 code, const char* words) {
    EXPECT_EQ(hi_mpi_vpc_resize(3, source, &dest, 0, 0, 0, &task_, -1), code) << words;
    EXPECT_THAT(said(), AllOf(HasSubstr("hi_mpi_vpc_resize: "), HasSubstr(words)));
  };
  refused(nullptr, HI_ERR_VPC_NULL_PTR, "the input is a null pointer");
  hi_vpc_pic_info bad = good;
  bad.picture_address = nullptr;
  refused(&bad, HI_ERR_VPC_NULL_PTR, "the input is a null pointer");
  std::vector<uint8_t> host(from.size);
  bad = good, bad.picture_address = host.data();
  refused(&bad, HI_ERR_VPC_BAD_ADDR, "no device memory of hi_mpi_dvpp_malloc");
  bad = good, bad.picture_buffer_size = 6143;
  refused(&bad, HI_ERR_VPC_ILLEGAL_PARAM, "take 6144 bytes");
  bad = good, bad.picture_buffer_size = 9000, bad.picture_height_stride = 70;
  refused(&bad, HI_ERR_VPC_BAD_ADDR, "6720 bytes");
  bad = good, bad.picture_width_stride = 0;
  refused(&bad, HI_ERR_VPC_ILLEGAL_PARAM, "hi_mpi_sys_get_image_align_info");
  bad = good, bad.picture_width_stride = 62;
  refused(&bad, HI_ERR_VPC_ILLEGAL_PARAM, "hi_mpi_sys_get_image_align_info tells one");
  bad = good, bad.picture_width = 8;
  refused(&bad, HI_ERR_VPC_ILLEGAL_PARAM, "8 x 64 pixels");
  bad = good, bad.picture_format = HI_PIXEL_FORMAT_FLOAT32;
  refused(&bad, HI_ERR_VPC_NOT_SUPPORT, "format 1002");
}

TEST_F(Mpi, RefusesWhatIsWrongWithCalls) {
  const MediaRoom from(64 * 64), to(64 * 64);
  const hi_vpc_pic_info source = picture_in(from, HI_PIXEL_FORMAT_YUV_400, 64, 64, 64, 64);
  hi_vpc_pic_info dest = picture_in(to, HI_PIXEL_FORMAT_YUV_400, 32, 32, 32, 32);
  EXPECT_EQ(hi_mpi_vpc_resize(3, &source, &dest, 0, 0, 2, &task_, -1), HI_ERR_VPC_ILLEGAL_PARAM);
  EXPECT_THAT(said(), HasSubstr("interpolation 2; 0 (bilinear) and 1 (nearest)"));
  EXPECT_EQ(hi_mpi_vpc_resize(3, &source, &dest, 0, 0, 0, nullptr, -1), HI_ERR_VPC_NULL_PTR);
  EXPECT_EQ(hi_mpi_vpc_resize(3, &source, &dest, 0, 0, 0, &task_, -2), HI_ERR_VPC_ILLEGAL_PARAM);
  EXPECT_EQ(hi_mpi_vpc_resize(4, &source, &dest, 0, 0, 0, &task_, 0), HI_ERR_VPC_UNEXIST);
  EXPECT_THAT(said(), AllOf(HasSubstr("0xA0078005"), HasSubstr("channel 4 was not created")));
  EXPECT_EQ(hi_mpi_vpc_resize(256, &source, &dest, 0, 0, 0, &task_, 0), HI_ERR_VPC_INVALID_CHN_ID);
  EXPECT_EQ(hi_mpi_vpc_convert_color(3, &source, &dest, &task_, 0), HI_ERR_VPC_ILLEGAL_PARAM);
  EXPECT_THAT(said(), HasSubstr("does not resize"));
  hi_vpc_crop_region_info crop = {dest, {40, 40, 32, 32}};
  EXPECT_EQ(hi_mpi_vpc_crop(3, &source, &crop, 1, &task_, 0), HI_ERR_VPC_ILLEGAL_PARAM);
  EXPECT_THAT(said(), HasSubstr("the picture has 64 x 64 pixels"));
  crop.crop_region = {0, 0, 0, 32};
  EXPECT_EQ(hi_mpi_vpc_crop(3, &source, &crop, 1, &task_, 0), HI_ERR_VPC_ILLEGAL_PARAM);
  EXPECT_EQ(hi_mpi_vpc_crop(3, &source, &crop, 257, &task_, 0), HI_ERR_VPC_ILLEGAL_PARAM);
  EXPECT_THAT(said(), HasSubstr("1 to 256 are possible"));
  EXPECT_EQ(hi_mpi_vpc_crop(3, &source, nullptr, 1, &task_, 0), HI_ERR_VPC_NULL_PTR);
  EXPECT_EQ(hi_mpi_vpc_get_process_result(3, 99, 0), HI_ERR_VPC_ILLEGAL_PARAM);
  EXPECT_THAT(said(), HasSubstr("no task 99"));
  hi_vpc_make_border_info border = {};
  border.left = border.right = 16, border.border_type = HI_BORDER_BUTT;
  EXPECT_EQ(hi_mpi_vpc_copy_make_border(3, &source, &dest, border, &task_, 0),
            HI_ERR_VPC_ILLEGAL_PARAM);
  border.border_type = HI_BORDER_CONSTANT, border.scalar_value.val[1] = 256;
  EXPECT_EQ(hi_mpi_vpc_copy_make_border(3, &source, &dest, border, &task_, 0),
            HI_ERR_VPC_ILLEGAL_PARAM);
  EXPECT_THAT(said(), HasSubstr("value 1 of the border is 256"));
  EXPECT_EQ(hi_mpi_vpc_pyrdown(3, &source, &dest, 1, nullptr, 256, border, &task_, 0),
            HI_ERR_VPC_NOT_SUPPORT);
  EXPECT_THAT(said(), HasSubstr("Ascend310P has"));
}

TEST_F(Mpi, ChannelsAreThereOnce) {
  hi_vpc_chn_attr attr = {};
  hi_vpc_chn chosen = -1;
  EXPECT_EQ(hi_mpi_vpc_create_chn(3, &attr), HI_ERR_VPC_EXIST);
  EXPECT_EQ(hi_mpi_vpc_create_chn(5, nullptr), HI_ERR_VPC_NULL_PTR);
  ASSERT_EQ(hi_mpi_vpc_sys_create_chn(&chosen, &attr), HI_SUCCESS);
  EXPECT_EQ(chosen, 0);
  EXPECT_EQ(hi_mpi_vpc_destroy_chn(chosen), HI_SUCCESS);
  EXPECT_EQ(hi_mpi_vpc_destroy_chn(chosen), HI_ERR_VPC_UNEXIST);
}

TEST_F(Mpi, NothingGoesInFrontOfInitAndBehindExit) {
  ASSERT_EQ(hi_mpi_sys_exit(), HI_SUCCESS);
  EXPECT_EQ(hi_mpi_sys_exit(), HI_ERR_SYS_NOT_READY);
  hi_vpc_chn_attr attr = {};
  EXPECT_EQ(hi_mpi_vpc_create_chn(3, &attr), HI_ERR_VPC_SYS_NOT_READY);
  EXPECT_THAT(said(), HasSubstr("call hi_mpi_sys_init first"));
  ASSERT_EQ(hi_mpi_sys_init(), HI_SUCCESS);
  EXPECT_EQ(hi_mpi_vpc_destroy_chn(3), HI_ERR_VPC_UNEXIST);
}

TEST_F(Mpi, StridesAreTheLargestOfTheModules) {
  const hi_img_base_info base = {100, 50, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420};
  hi_img_align_info aligned = {};
  const hi_module_type encoder[] = {HI_MOD_VPC, HI_MOD_VENC}, decoder[] = {HI_MOD_JPEGD};
  ASSERT_EQ(hi_mpi_sys_get_image_align_info(encoder, 2, &base, &aligned), 0) << said();
  EXPECT_EQ(aligned.width_stride, 112u);
  EXPECT_EQ(aligned.height_stride, 50u);
  EXPECT_EQ(aligned.img_buf_size, 112u * 50 * 3 / 2);
  ASSERT_EQ(hi_mpi_sys_get_image_align_info(decoder, 1, &base, &aligned), 0) << said();
  EXPECT_EQ(aligned.width_stride, 128u);
  EXPECT_EQ(aligned.height_stride, 64u);
  const hi_module_type none[] = {HI_MOD_BUTT};
  EXPECT_EQ(hi_mpi_sys_get_image_align_info(none, 1, &base, &aligned), HI_ERR_SYS_ILLEGAL_PARAM);
  EXPECT_EQ(hi_mpi_sys_get_image_align_info(none, 1, nullptr, &aligned), HI_ERR_SYS_NULL_PTR);
}

TEST_F(Mpi, DecodesOnOneThreadForAnother) {
  const std::string file = jpeg(64, 48, 2, 2);
  const MediaRoom from(file.size()), to(64 * 48 * 3 / 2);
  make_decoder(0);
  hi_video_frame_info frame = {};
  hi_vdec_stream back = {};
  hi_s32 got = HI_FAILURE;
  std::thread getter([&] { got = hi_mpi_vdec_get_frame(0, &frame, nullptr, &back, -1); });
  ASSERT_EQ(send(0, file, from, to, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420), HI_SUCCESS) << said();
  getter.join();
  ASSERT_EQ(got, HI_SUCCESS);
  EXPECT_EQ(frame.v_frame.frame_flag, 0u);
  EXPECT_EQ(frame.v_frame.width, 64u);
  EXPECT_EQ(frame.v_frame.virt_addr[0], to.data);
  EXPECT_EQ(frame.v_frame.virt_addr[1], to.bytes() + 64 * 48);
  EXPECT_EQ(frame.v_frame.pts, 77u);
  EXPECT_EQ(back.addr, from.bytes());
  for (int y = 0; y < 48; ++y)
    for (int x = 0; x < 64; ++x)
      ASSERT_NEAR(to.bytes()[y * 64 + x], image::block_value(0, x / 8, y / 8), 1);
  EXPECT_NEAR(to.bytes()[64 * 48], image::block_value(1, 0, 0), 1);
  EXPECT_NEAR(to.bytes()[64 * 48 + 1], image::block_value(2, 0, 0), 1);
  EXPECT_EQ(hi_mpi_vdec_release_frame(0, &frame), HI_SUCCESS);
  EXPECT_EQ(hi_mpi_vdec_get_frame(0, &frame, nullptr, &back, 0), HI_ERR_VDEC_BUF_EMPTY);
}

TEST_F(Mpi, WaitersReturnWhenTheirChannelEnds) {
  make_decoder(1);
  hi_s32 got = HI_SUCCESS;
  std::thread getter([&] {
    hi_video_frame_info frame = {};
    hi_vdec_stream stream = {};
    got = hi_mpi_vdec_get_frame(1, &frame, nullptr, &stream, -1);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(hi_mpi_vdec_destroy_chn(1), HI_SUCCESS);
  getter.join();
  EXPECT_EQ(got, HI_ERR_VDEC_UNEXIST);
}

TEST_F(Mpi, BrokenFilesAreToldByTheirFrame) {
  const std::string file = jpeg(64, 48, 2, 2), cut = file.substr(0, file.size() - 20);
  const MediaRoom from(file.size()), to(64 * 48 * 3 / 2);
  make_decoder(0);
  for (const std::string& bytes : {cut, std::string("no picture")}) {
    ASSERT_EQ(send(0, bytes, from, to, HI_PIXEL_FORMAT_UNKNOWN), HI_SUCCESS) << said();
    hi_video_frame_info frame = {};
    hi_vdec_stream back = {};
    ASSERT_EQ(hi_mpi_vdec_get_frame(0, &frame, nullptr, &back, -1), HI_SUCCESS);
    EXPECT_EQ(frame.v_frame.frame_flag, 1u);
    EXPECT_EQ(frame.v_frame.virt_addr[0], to.data);
    EXPECT_THAT(said(), HasSubstr(bytes == cut ? "OPK-IMAGE-003" : "OPK-IMAGE-001"));
  }
  hi_vdec_chn_status status = {};
  ASSERT_EQ(hi_mpi_vdec_query_status(0, &status), HI_SUCCESS);
  EXPECT_EQ(status.recv_stream_frames, 2u);
  EXPECT_EQ(status.dec_err.format_err, 2);
}

TEST_F(Mpi, DecodersRefuseWhatIsWrong) {
  const std::string file = jpeg(64, 48, 2, 2);
  const MediaRoom from(file.size()), to(64 * 48 * 3 / 2), small(64 * 48);
  hi_vdec_chn_attr attr = {};
  attr.type = HI_PT_H264;
  EXPECT_EQ(hi_mpi_vdec_create_chn(7, &attr), HI_ERR_VDEC_NOT_SUPPORT);
  EXPECT_THAT(said(),
              HasSubstr("H.264 and H.265 are not decoded here; decode them in the program"));
  attr.type = HI_PT_JPEG;
  EXPECT_EQ(hi_mpi_vdec_create_chn(7, &attr), HI_ERR_VDEC_ILLEGAL_PARAM);
  EXPECT_THAT(said(), HasSubstr("stream_buf_size is 0"));
  make_decoder(7);
  EXPECT_EQ(hi_mpi_vdec_create_chn(7, nullptr), HI_ERR_VDEC_NULL_PTR);
  EXPECT_EQ(send(7, file, from, small, HI_PIXEL_FORMAT_UNKNOWN), HI_ERR_VDEC_ILLEGAL_PARAM);
  EXPECT_THAT(said(), HasSubstr("buffer_size 3072; 64 x 48 of"));
  EXPECT_EQ(send(7, file, from, to, HI_PIXEL_FORMAT_RGB_888), HI_ERR_VDEC_NOT_SUPPORT);
  hi_vdec_stream empty = {};
  hi_vdec_pic_info nowhere = {};
  EXPECT_EQ(hi_mpi_vdec_send_stream(7, &empty, &nowhere, 0), HI_ERR_VDEC_ILLEGAL_PARAM);
  empty.end_of_stream = HI_TRUE;
  EXPECT_EQ(hi_mpi_vdec_send_stream(7, &empty, &nowhere, 0), HI_SUCCESS);
  empty.addr = from.bytes(), empty.len = static_cast<hi_u32>(file.size());
  EXPECT_EQ(hi_mpi_vdec_send_stream(7, &empty, nullptr, 0), HI_ERR_VDEC_NULL_PTR);
  EXPECT_EQ(hi_mpi_vdec_send_stream(7, &empty, &nowhere, 0), HI_ERR_VDEC_NULL_PTR);
  EXPECT_EQ(hi_mpi_vdec_reset_chn(7), HI_ERR_VDEC_NOT_PERM);
  ASSERT_EQ(hi_mpi_vdec_stop_recv_stream(7), HI_SUCCESS);
  EXPECT_EQ(send(7, file, from, to, HI_PIXEL_FORMAT_UNKNOWN), HI_ERR_VDEC_NOT_PERM);
  EXPECT_THAT(said(), HasSubstr("hi_mpi_vdec_start_recv_stream first"));
  EXPECT_EQ(hi_mpi_vdec_reset_chn(7), HI_SUCCESS);
}

TEST_F(Mpi, TellsOfFilesInHostMemory) {
  const std::string file = jpeg(66, 50, 1, 1);
  std::vector<uint8_t> host(file.begin(), file.end());
  hi_vdec_stream stream = {};
  hi_img_info info = {};
  stream.addr = host.data(), stream.len = static_cast<hi_u32>(host.size());
  ASSERT_EQ(hi_mpi_dvpp_get_image_info(HI_PT_JPEG, &stream, &info), HI_SUCCESS) << said();
  EXPECT_EQ(info.width, 66u);
  EXPECT_EQ(info.pixel_format, HI_JPEG_RAW_FORMAT_YUV444);
  EXPECT_EQ(info.width_stride, 128u);
  EXPECT_EQ(info.height_stride, 64u);
  EXPECT_EQ(info.img_buf_size, 128u * 64 * 3);
  ASSERT_EQ(hi_mpi_vdec_get_jpegd_output_info(&stream, HI_PIXEL_FORMAT_YUV_SEMIPLANAR_420, &info),
            HI_SUCCESS);
  EXPECT_EQ(info.img_buf_size, 128u * 64 * 3 / 2);
  EXPECT_EQ(hi_mpi_dvpp_get_image_info(HI_PT_H264, &stream, &info), HI_ERR_VDEC_NOT_SUPPORT);
  stream.len = 10;
  EXPECT_EQ(hi_mpi_dvpp_get_image_info(HI_PT_JPEG, &stream, &info), HI_ERR_VDEC_ILLEGAL_PARAM);
  const MediaRoom room(file.size());
  stream.addr = room.bytes();
  EXPECT_EQ(hi_mpi_dvpp_get_image_info(HI_PT_JPEG, &stream, &info), HI_ERR_VDEC_BAD_ADDR);
  const hi_pic_buf_attr attr = {
      66, 50, 0, HI_DATA_BIT_WIDTH_8, HI_PIXEL_FORMAT_YUV_400, HI_COMPRESS_MODE_NONE};
  EXPECT_EQ(hi_vdec_get_pic_buf_size(HI_PT_JPEG, &attr), 128u * 64);
  EXPECT_EQ(hi_vdec_get_pic_buf_size(HI_PT_H265, &attr), 0u);
  EXPECT_EQ(hi_vdec_get_tmv_buf_size(HI_PT_H264, 64, 64), 0u);
}

TEST_F(Mpi, EncodesWhatItDecodesAgain) {
  const MediaRoom from(64 * 48 * 3 / 2);
  std::memset(from.data, 90, 64 * 48);
  std::memset(from.bytes() + 64 * 48, 150, 64 * 24);
  make_encoder(2, 1 << 20);
  hi_video_frame_info frame = frame_in(from, 64, 48, 64);
  frame.v_frame.pts = 5;
  ASSERT_EQ(hi_mpi_venc_send_frame(2, &frame, 0), HI_SUCCESS) << said();
  hi_venc_chn_status status = {};
  ASSERT_EQ(hi_mpi_venc_query_status(2, &status), HI_SUCCESS);
  EXPECT_EQ(status.cur_packs, 1u);
  hi_venc_pack pack = {};
  hi_venc_stream stream = {&pack, 1, 0};
  ASSERT_EQ(hi_mpi_venc_get_stream(2, &stream, -1), HI_SUCCESS);
  EXPECT_EQ(pack.pts, 5u);
  EXPECT_EQ(pack.input_addr, reinterpret_cast<uintptr_t>(from.data));
  const auto planes =
      image::decode_jpeg({reinterpret_cast<char*>(pack.addr + pack.offset), pack.len});
  ASSERT_TRUE(planes.ok());
  EXPECT_EQ(planes->width(), 64u);
  EXPECT_NEAR(planes->planes[0].samples[100], 90, 1);
  EXPECT_NEAR(planes->planes[2].samples[100], 150, 1);
  EXPECT_EQ(hi_mpi_venc_release_stream(2, &stream), HI_SUCCESS);
  EXPECT_EQ(hi_mpi_venc_release_stream(2, &stream), HI_ERR_VENC_ILLEGAL_PARAM);
  EXPECT_EQ(hi_mpi_venc_get_stream(2, &stream, 0), HI_ERR_VENC_BUF_EMPTY);
}

TEST_F(Mpi, EncodesIntoMemoryOfTheProgram) {
  const MediaRoom from(64 * 48 * 3 / 2), to(4096);
  make_encoder(2, 0);
  const hi_video_frame_info frame = frame_in(from, 64, 48, 64);
  hi_img_stream room = {};
  room.addr = to.bytes(), room.len = 4096;
  EXPECT_EQ(hi_mpi_venc_send_frame(2, &frame, 0), HI_ERR_VENC_NOT_SUPPORT);
  ASSERT_EQ(hi_mpi_venc_send_jpege_frame(2, &frame, &room, 0), HI_SUCCESS) << said();
  hi_venc_pack pack = {};
  hi_venc_stream stream = {&pack, 1, 0};
  ASSERT_EQ(hi_mpi_venc_get_stream(2, &stream, -1), HI_SUCCESS);
  EXPECT_EQ(pack.addr, to.bytes());
  EXPECT_GT(pack.len, 100u);
  EXPECT_EQ(hi_mpi_venc_release_stream(2, &stream), HI_SUCCESS);
  room.len = 64;
  ASSERT_EQ(hi_mpi_venc_send_jpege_frame(2, &frame, &room, 0), HI_SUCCESS);
  ASSERT_EQ(hi_mpi_venc_get_stream(2, &stream, -1), HI_SUCCESS);
  EXPECT_EQ(pack.len, 0u);
  EXPECT_THAT(said(), HasSubstr("OPK-IMAGE-004"));
  room.addr = to.bytes() + 8;
  EXPECT_EQ(hi_mpi_venc_send_jpege_frame(2, &frame, &room, 0), HI_ERR_VENC_ILLEGAL_PARAM);
}

TEST_F(Mpi, SendersWaitForMemoryToBeReleased) {
  const MediaRoom from(64 * 48 * 3 / 2);
  const hi_video_frame_info frame = frame_in(from, 64, 48, 64);
  make_encoder(2, 1000);
  ASSERT_EQ(hi_mpi_venc_send_frame(2, &frame, 0), HI_SUCCESS) << said();
  EXPECT_EQ(hi_mpi_venc_send_frame(2, &frame, 1), HI_ERR_VENC_BUF_FULL);
  EXPECT_THAT(said(), HasSubstr("hi_mpi_venc_release_stream"));
  std::thread getter([] {
    hi_venc_pack pack = {};
    hi_venc_stream stream = {&pack, 1, 0};
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_EQ(hi_mpi_venc_get_stream(2, &stream, -1), HI_SUCCESS);
    EXPECT_EQ(hi_mpi_venc_release_stream(2, &stream), HI_SUCCESS);
  });
  EXPECT_EQ(hi_mpi_venc_send_frame(2, &frame, -1), HI_SUCCESS);
  getter.join();
  make_encoder(4, 100);
  EXPECT_EQ(hi_mpi_venc_send_frame(4, &frame, -1), HI_ERR_VENC_NO_BUF);
}

TEST_F(Mpi, EncodersRefuseWhatIsWrong) {
  const MediaRoom from(64 * 48 * 3 / 2);
  hi_venc_chn_attr attr = {};
  attr.venc_attr.type = HI_PT_H265;
  EXPECT_EQ(hi_mpi_venc_create_chn(2, &attr), HI_ERR_VENC_NOT_SUPPORT);
  EXPECT_THAT(said(), HasSubstr("H.264 and H.265 are not encoded here"));
  attr.venc_attr.type = HI_PT_JPEG;
  EXPECT_EQ(hi_mpi_venc_create_chn(2, &attr), HI_ERR_VENC_ILLEGAL_PARAM);
  make_encoder(2, 1 << 20, 1);
  hi_video_frame_info frame = frame_in(from, 64, 48, 64);
  frame.v_frame.pixel_format = HI_PIXEL_FORMAT_RGB_888;
  EXPECT_EQ(hi_mpi_venc_send_frame(2, &frame, 0), HI_ERR_VENC_NOT_SUPPORT);
  frame = frame_in(from, 64, 48, 60);
  EXPECT_EQ(hi_mpi_venc_send_frame(2, &frame, 0), HI_ERR_VENC_ILLEGAL_PARAM);
  frame = frame_in(from, 64, 300, 64);
  EXPECT_EQ(hi_mpi_venc_send_frame(2, &frame, 0), HI_ERR_VENC_ILLEGAL_PARAM);
  EXPECT_THAT(said(), HasSubstr("to 256 x 256 are encoded"));
  frame = frame_in(from, 64, 48, 64);
  frame.v_frame.virt_addr[1] = from.bytes() + 100;
  EXPECT_EQ(hi_mpi_venc_send_frame(2, &frame, 0), HI_ERR_VENC_ILLEGAL_PARAM);
  frame = frame_in(from, 64, 48, 64);
  ASSERT_EQ(hi_mpi_venc_send_frame(2, &frame, 0), HI_SUCCESS);
  EXPECT_EQ(hi_mpi_venc_send_frame(2, &frame, 0), HI_ERR_VENC_NOT_PERM);
  EXPECT_THAT(said(), HasSubstr("recv_pic_num"));
  hi_venc_jpeg_param quality = {};
  ASSERT_EQ(hi_mpi_venc_get_jpeg_param(2, &quality), HI_SUCCESS);
  EXPECT_EQ(quality.qfactor, 100u);
  quality.qfactor = 0;
  EXPECT_EQ(hi_mpi_venc_set_jpeg_param(2, &quality), HI_ERR_VENC_ILLEGAL_PARAM);
  quality.qfactor = 0xFFFFFFFF;
  EXPECT_EQ(hi_mpi_venc_set_jpeg_param(2, &quality), HI_ERR_VENC_NOT_SUPPORT);
  EXPECT_EQ(hi_mpi_venc_set_scene_mode(2, HI_VENC_SCENE_0), HI_ERR_VENC_NOT_SUPPORT);
  EXPECT_EQ(hi_mpi_venc_set_rc_param(5, nullptr), HI_ERR_VENC_UNEXIST);
}

TEST_F(Mpi, DescriptorsAreReadyWhileResultsWait) {
  const MediaRoom from(64 * 48 * 3 / 2);
  const hi_video_frame_info frame = frame_in(from, 64, 48, 64);
  make_encoder(2, 1 << 20);
  hi_s32 epoll = -1, count = -1;
  int mine = 0;
  hi_dvpp_epoll_event event = {HI_DVPP_EPOLL_IN, &mine}, found = {};
  ASSERT_EQ(hi_mpi_sys_create_epoll(10, &epoll), HI_SUCCESS);
  const hi_s32 fd = hi_mpi_venc_get_fd(2);
  ASSERT_GE(fd, 0);
  ASSERT_EQ(hi_mpi_sys_ctl_epoll(epoll, HI_DVPP_EPOLL_CTL_ADD, fd, &event), HI_SUCCESS) << said();
  ASSERT_EQ(hi_mpi_sys_wait_epoll(epoll, &found, 1, 0, &count), HI_SUCCESS);
  EXPECT_EQ(count, 0);
  ASSERT_EQ(hi_mpi_venc_send_frame(2, &frame, 0), HI_SUCCESS);
  ASSERT_EQ(hi_mpi_sys_wait_epoll(epoll, &found, 1, -1, &count), HI_SUCCESS);
  EXPECT_EQ(count, 1);
  EXPECT_EQ(found.data, &mine);
  hi_venc_pack pack = {};
  hi_venc_stream stream = {&pack, 1, 0};
  ASSERT_EQ(hi_mpi_venc_get_stream(2, &stream, 0), HI_SUCCESS);
  ASSERT_EQ(hi_mpi_sys_wait_epoll(epoll, &found, 1, 0, &count), HI_SUCCESS);
  EXPECT_EQ(count, 0);
  EXPECT_EQ(hi_mpi_sys_ctl_epoll(epoll, 9, fd, &event), HI_ERR_SYS_ILLEGAL_PARAM);
  EXPECT_EQ(hi_mpi_sys_ctl_epoll(epoll, HI_DVPP_EPOLL_CTL_ADD, -1, &event),
            HI_ERR_SYS_ILLEGAL_PARAM);
  EXPECT_EQ(hi_mpi_sys_close_epoll(epoll), HI_SUCCESS);
  EXPECT_EQ(hi_mpi_sys_wait_epoll(epoll, &found, 1, 0, &count), HI_ERR_SYS_UNEXIST);
}

TEST_F(Mpi, PngBecomesColours) {
  const std::string file = image::PlainPng{40, 33, 3, image::plain_value}.write();
  std::vector<uint8_t> host(file.begin(), file.end());
  hi_pngd_chn_attr attr = {};
  hi_img_stream stream = {}, back = {};
  hi_img_info info = {};
  EXPECT_EQ(hi_mpi_pngd_create_chn(128, &attr), HI_ERR_PNGD_INVALID_CHN_ID);
  ASSERT_EQ(hi_mpi_pngd_create_chn(1, &attr), HI_SUCCESS);
  stream.type = HI_PT_PNG;
  stream.addr = host.data(), stream.len = static_cast<hi_u32>(host.size());
  ASSERT_EQ(hi_mpi_png_get_image_info(&stream, &info), HI_SUCCESS) << said();
  EXPECT_EQ(info.png_pixel_format, HI_PNG_COLOR_FORMAT_RGB);
  EXPECT_EQ(info.img_buf_size, 144u * 33);
  const MediaRoom from(file.size()), to(info.img_buf_size);
  std::memcpy(from.data, file.data(), file.size());
  hi_pic_info picture = picture_in(to, HI_PIXEL_FORMAT_UNKNOWN, 0, 0, 0, 0), got = {};
  EXPECT_EQ(hi_mpi_pngd_send_stream(1, &stream, &picture, 0), HI_ERR_PNGD_BAD_ADDR);
  stream.addr = from.bytes();
  EXPECT_EQ(hi_mpi_pngd_get_image_data(1, &got, &back, 0), HI_ERR_PNGD_BUF_EMPTY);
  ASSERT_EQ(hi_mpi_pngd_send_stream(1, &stream, &picture, 0), HI_SUCCESS) << said();
  ASSERT_EQ(hi_mpi_pngd_get_image_data(1, &got, &back, -1), HI_SUCCESS) << said();
  EXPECT_EQ(got.picture_format, HI_PIXEL_FORMAT_RGB_888);
  EXPECT_EQ(back.addr, from.bytes());
  EXPECT_EQ(to.bytes()[144 * 5 + 7 * 3 + 1], image::plain_value(7, 5, 1));
  picture.picture_format = HI_PIXEL_FORMAT_RGBA_8888;
  EXPECT_EQ(hi_mpi_pngd_send_stream(1, &stream, &picture, 0), HI_ERR_PNGD_NOT_SUPPORT);
  picture.picture_format = HI_PIXEL_FORMAT_RGB_888, picture.picture_width_stride = 119;
  EXPECT_EQ(hi_mpi_pngd_send_stream(1, &stream, &picture, 0), HI_ERR_PNGD_ILLEGAL_PARAM);
  picture.picture_width_stride = 0, stream.len -= 30;
  ASSERT_EQ(hi_mpi_pngd_send_stream(1, &stream, &picture, 0), HI_SUCCESS);
  EXPECT_EQ(hi_mpi_pngd_get_image_data(1, &got, &back, 0), HI_ERR_PNGD_SYS_ERROR);
  EXPECT_THAT(said(), HasSubstr("OPK-IMAGE-007"));
  EXPECT_EQ(got.picture_address, to.data);
  EXPECT_EQ(hi_mpi_pngd_destroy_chn(1), HI_SUCCESS);
}

TEST_F(Mpi, MemoryIsOfDeviceZero) {
  void* memory = nullptr;
  EXPECT_EQ(hi_mpi_dvpp_malloc(1, &memory, 64), HI_ERR_SYS_ILLEGAL_PARAM);
  EXPECT_EQ(hi_mpi_dvpp_malloc(0, nullptr, 64), HI_ERR_SYS_NULL_PTR);
  EXPECT_EQ(hi_mpi_dvpp_malloc(0, &memory, 0), HI_ERR_SYS_ILLEGAL_PARAM);
  EXPECT_EQ(hi_mpi_dvpp_free(nullptr), HI_ERR_SYS_NULL_PTR);
  int other = 0;
  EXPECT_NE(hi_mpi_dvpp_free(&other), HI_SUCCESS);
}

}  // namespace
}  // namespace opkit::acl
