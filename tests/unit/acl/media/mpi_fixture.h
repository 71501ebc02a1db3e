// What the tests of hi_mpi_* share: device memory, channels, frames and files.
#ifndef OPKIT_TESTS_UNIT_ACL_MEDIA_MPI_FIXTURE_H_
#define OPKIT_TESTS_UNIT_ACL_MEDIA_MPI_FIXTURE_H_

#include "acl/dvpp/hi_dvpp.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

#include "opkit/acl/media/image/jpeg.h"
#include "tests/unit/acl/media/image/block_jpeg.h"
#include "tests/unit/acl/media/image/plain_png.h"
#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {

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

inline hi_vpc_pic_info picture_in(const MediaRoom& room, hi_pixel_format format, uint32_t width,
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

}  // namespace opkit::acl

#endif  // OPKIT_TESTS_UNIT_ACL_MEDIA_MPI_FIXTURE_H_
