// Files by hi_mpi_*: JPEG decoded and encoded, PNG decoded.
#include "tests/unit/acl/media/mpi_fixture.h"

namespace opkit::acl {
namespace {

using MpiCodec = Mpi;

TEST_F(MpiCodec, DecodesOnOneThreadForAnother) {
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

TEST_F(MpiCodec, WaitersReturnWhenTheirChannelEnds) {
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

TEST_F(MpiCodec, BrokenFilesAreToldByTheirFrame) {
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

TEST_F(MpiCodec, DecodersRefuseWhatIsWrong) {
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

TEST_F(MpiCodec, TellsOfFilesInHostMemory) {
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

TEST_F(MpiCodec, EncodesWhatItDecodesAgain) {
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

TEST_F(MpiCodec, EncodesIntoMemoryOfTheProgram) {
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
  EXPECT_EQ(hi_mpi_venc_get_stream(2, &stream, -1), HI_ERR_VENC_SYS_ERROR);
  EXPECT_EQ(pack.len, 0u);
  EXPECT_THAT(said(), HasSubstr("OPK-IMAGE-004"));
  room.addr = to.bytes() + 8;
  EXPECT_EQ(hi_mpi_venc_send_jpege_frame(2, &frame, &room, 0), HI_ERR_VENC_ILLEGAL_PARAM);
}

TEST_F(MpiCodec, SendersWaitForMemoryToBeReleased) {
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

TEST_F(MpiCodec, EncodersRefuseWhatIsWrong) {
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

TEST_F(MpiCodec, PngBecomesColours) {
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

}  // namespace
}  // namespace opkit::acl
