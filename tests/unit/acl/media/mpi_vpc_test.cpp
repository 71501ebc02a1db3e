// hi_mpi_vpc_* beside formulas of the test's own, and what it refuses.
#include "tests/unit/acl/media/mpi_fixture.h"

namespace opkit::acl {
namespace {

using MpiVpc = Mpi;

TEST_F(MpiVpc, ResizesToNearestPixels) {
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

TEST_F(MpiVpc, CropsAndPastesByRegions) {
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

TEST_F(MpiVpc, FillsBordersRoundResizedRegions) {
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

// The vendor's page "hi_vpc_bord_type", in processes that run on one chip alone.
[[noreturn]] void mirror_borders(const char* soc, uint32_t pixels) {
  setenv("OPKIT_SOC", soc, 1);
  hi_vpc_chn_attr attr = {};
  if (aclrtSetDevice(0) || hi_mpi_sys_init() || hi_mpi_vpc_create_chn(3, &attr)) std::_Exit(2);
  const MediaRoom from(32 * 16), to(48 * 32);
  const hi_vpc_pic_info source = picture_in(from, HI_PIXEL_FORMAT_YUV_400, 32, 16, 32, 16);
  hi_vpc_pic_info dest =
      picture_in(to, HI_PIXEL_FORMAT_YUV_400, 32 + 2 * pixels, 16 + 2 * pixels, 48, 32);
  dest.picture_height_stride = 16 + 2 * pixels;
  hi_vpc_make_border_info border = {};
  border.left = border.right = border.top = border.bottom = pixels;
  border.border_type = HI_BORDER_REFLECT;
  hi_u32 task = 0;
  const hi_s32 code = hi_mpi_vpc_copy_make_border(3, &source, &dest, border, &task, -1);
  std::fprintf(stderr, "code %x: %s\n", static_cast<unsigned>(code), code ? said().c_str() : "");
  std::_Exit(0);
}

using MpiVpcChipsDeathTest = ::testing::Test;

TEST_F(MpiVpcChipsDeathTest, MirrorBordersAsFarAsTheirPagesSay) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto done = ::testing::ExitedWithCode(0);
  EXPECT_EXIT(mirror_borders("Ascend310P3", 2), done, "code 0");
  EXPECT_EXIT(mirror_borders("Ascend310P3", 4), done, "mirrored border of 4 pixels; .* up to 2");
  EXPECT_EXIT(mirror_borders("Ascend310B1", 2), done, "mirrors no borders");
  EXPECT_EXIT(mirror_borders("Ascend910B1", 4), done, "code 0");
}

TEST_F(MpiVpc, ConvertsByTheChannelsMatrix) {
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

TEST_F(MpiVpc, CountsAndRemapsValues) {
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

TEST_F(MpiVpc, RefusesWhatIsWrongWithPictures) {
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

}  // namespace
}  // namespace opkit::acl
