// Channels, tasks and the system of hi_mpi_*: what they refuse, and in which words.
#include "tests/unit/acl/media/mpi_fixture.h"

namespace opkit::acl {
namespace {

using MpiSystem = Mpi;

TEST_F(MpiSystem, RefusesWhatIsWrongWithCalls) {
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

TEST_F(MpiSystem, ChannelsAreThereOnce) {
  hi_vpc_chn_attr attr = {};
  hi_vpc_chn chosen = -1;
  EXPECT_EQ(hi_mpi_vpc_create_chn(3, &attr), HI_ERR_VPC_EXIST);
  EXPECT_EQ(hi_mpi_vpc_create_chn(5, nullptr), HI_ERR_VPC_NULL_PTR);
  ASSERT_EQ(hi_mpi_vpc_sys_create_chn(&chosen, &attr), HI_SUCCESS);
  EXPECT_EQ(chosen, 0);
  EXPECT_EQ(hi_mpi_vpc_destroy_chn(chosen), HI_SUCCESS);
  EXPECT_EQ(hi_mpi_vpc_destroy_chn(chosen), HI_ERR_VPC_UNEXIST);
}

TEST_F(MpiSystem, NothingGoesInFrontOfInitAndBehindExit) {
  ASSERT_EQ(hi_mpi_sys_exit(), HI_SUCCESS);
  EXPECT_EQ(hi_mpi_sys_exit(), HI_ERR_SYS_NOT_READY);
  hi_vpc_chn_attr attr = {};
  EXPECT_EQ(hi_mpi_vpc_create_chn(3, &attr), HI_ERR_VPC_SYS_NOT_READY);
  EXPECT_THAT(said(), HasSubstr("call hi_mpi_sys_init first"));
  ASSERT_EQ(hi_mpi_sys_init(), HI_SUCCESS);
  EXPECT_EQ(hi_mpi_vpc_destroy_chn(3), HI_ERR_VPC_UNEXIST);
}

TEST_F(MpiSystem, StridesAreTheLargestOfTheModules) {
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

TEST_F(MpiSystem, DescriptorsAreReadyWhileResultsWait) {
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

TEST_F(MpiSystem, MemoryIsOfDeviceZero) {
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
