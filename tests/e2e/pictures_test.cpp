// An application in the style of the vendor's samples, with its own CMake file: JPEG, decoded and
// resized on the device, to a model with AIPP, to its five best classes.
#include <algorithm>
#include <array>
#include <numeric>

#include "onnx_writer.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"
#include "tests/unit/acl/media/image/block_jpeg.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

constexpr int kWidth = 32, kHeight = 24, kClasses = 10;

// Scores: the means of R, G and B, weighed.
std::string net(const std::vector<float>& weights) {
  OnnxWriter net;
  net.input("x", {1, 3, kHeight, kWidth});
  net.constant("w", {3, kClasses}, weights);
  net.node("GlobalAveragePool", {"x"}, "g");
  net.node("Flatten", {"g"}, "f");
  net.node("MatMul", {"f", "w"}, "scores");
  net.output("scores", {1, kClasses});
  return net.model();
}

// The vendor's matrix for JPEG, as AIPP computes it.
constexpr const char* kAipp = R"(aipp_op {
  aipp_mode: static
  input_format: YUV420SP_U8
  src_image_size_w: 32
  src_image_size_h: 24
  csc_switch: true
  rbuv_swap_switch: false
  matrix_r0c0: 256  matrix_r0c1: 0    matrix_r0c2: 359
  matrix_r1c0: 256  matrix_r1c1: -88  matrix_r1c2: -183
  matrix_r2c0: 256  matrix_r2c1: 454  matrix_r2c2: 0
  input_bias_0: 0  input_bias_1: 128  input_bias_2: 128
}
)";

std::array<double, 3> color_at(int x, int y) {
  const double luma = image::block_value(0, x / 4, y / 4);
  const double u = image::block_value(1, x / 2 / 4, y / 2 / 4) - 128;
  const double v = image::block_value(2, x / 2 / 4, y / 2 / 4) - 128;
  return {luma + 359 * v / 256, luma - (88 * u + 183 * v) / 256, luma + 454 * u / 256};
}

// Scores a picture of twice the model's size whose blocks of 8 become blocks of 4.
std::vector<double> scores(const std::vector<float>& weights) {
  std::vector<double> all(kClasses);
  for (int y = 0; y < kHeight; ++y)
    for (int x = 0; x < kWidth; ++x)
      for (size_t c = 0; c < 3; ++c)
        for (size_t i = 0; i < kClasses; ++i)
          all[i] += std::clamp(color_at(x, y)[c], 0.0, 255.0) * weights[c * kClasses + i] /
                    (kWidth * kHeight);
  return all;
}

class Pictures : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    for (size_t i = 0; i < weights_.size(); ++i)
      weights_[i] = static_cast<float>(static_cast<int>(i * 7 % 17) - 8) / 64;
    fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/cmake_projects/classify_jpeg", path("app"),
             fs::copy_options::recursive);
    image::BlockJpeg jpeg{2 * kWidth, 2 * kHeight, 2, 2};
    jpeg.value = image::block_value;
    write("picture.jpg", jpeg.write());
    write("net.onnx", net(weights_));
    write("aipp.cfg", kAipp);
    const Shown made = opkit({"toolkit", "kit"});
    ASSERT_EQ(made.exit_code, 0) << made.err;
    const Shown built = shell(
        "atc --model=net.onnx --framework=5 --output=net --soc_version=Ascend910B1 "
        "--insert_op_conf=aipp.cfg\ncmake -S app -B build\ncmake --build build");
    ASSERT_EQ(built.exit_code, 0) << built.out << built.err;
  }
  Shown shell(const std::string& commands) {
    write("run.sh", "set -e\nsource kit/set_env.sh\n" + commands + "\n");
    return run_program({"bash", "run.sh"}, folder_, variables_);
  }
  void expect_best(std::string shown) {
    const std::vector<double> wanted = scores(weights_);
    std::vector<size_t> order(kClasses);
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return wanted[a] > wanted[b]; });
    for (size_t place = 0; place < 5; ++place) {
      const std::string words = "top " + std::to_string(place + 1) + ": index[" +
                                std::to_string(order[place]) + "] value[";
      const size_t at = shown.find(words);
      ASSERT_NE(at, std::string::npos) << words << "\n" << shown;
      EXPECT_NEAR(std::stod(shown.substr(at + words.size())), wanted[order[place]], 0.5);
    }
  }
  std::vector<float> weights_ = std::vector<float>(3 * kClasses);
};

TEST_F(Pictures, AreClassifiedByAnApplicationAsItStands) {
  for (const char* streams : {"concurrent", "immediate", "7"}) {
    variables_["OPKIT_STREAMS"] = streams;
    const Shown shown = shell("build/main net.om 32 24 picture.jpg picture.jpg");
    ASSERT_EQ(shown.exit_code, 0) << shown.out << shown.err;
    EXPECT_THAT(shown.out, AllOf(HasSubstr("picture.jpg: 64 x 48, 3 components"),
                                 HasSubstr("decoded: 64 x 48")));
    expect_best(shown.out);
    EXPECT_THAT(shown.err, testing::Not(HasSubstr("leak")));
  }
}

TEST_F(Pictures, ThatAreBrokenAreToldFromOthers) {
  write("cut.jpg", read("picture.jpg").substr(0, read("picture.jpg").size() - 20));
  const Shown cut = shell("build/main net.om 32 24 cut.jpg");
  EXPECT_EQ(cut.exit_code, 1);
  EXPECT_THAT(cut.err, AllOf(HasSubstr("aclrtSynchronizeStream failed: 507018"),
                             HasSubstr("OPK-IMAGE-003"), HasSubstr("all of the file was read")));
  write("words.jpg", "no picture");
  const Shown words = shell("build/main net.om 32 24 words.jpg");
  EXPECT_EQ(words.exit_code, 1);
  EXPECT_THAT(words.err, AllOf(HasSubstr("acldvppJpegGetImageInfo failed: 100000"),
                               HasSubstr("OPK-IMAGE-001")));
}

TEST_F(Pictures, AreTheSameOnAChipThatWantsAlignedStrides) {
  variables_["OPKIT_SOC"] = "Ascend310P3";
  const Shown shown = shell(
      "atc --model=net.onnx --framework=5 --output=net --soc_version=Ascend310P3 "
      "--insert_op_conf=aipp.cfg\nbuild/main net.om 32 24 picture.jpg");
  ASSERT_EQ(shown.exit_code, 0) << shown.out << shown.err;
  expect_best(shown.out);
}

// What each chip refuses, by a program that prints code and text of every call.
TEST_F(Pictures, FollowTheRulesOfTheChip) {
  const std::string source =
      (fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/programs/pictures_main.cpp").string();
  const Shown built = shell("g++ -std=c++17 -Ikit/include " + source +
                            " -o rules -Lkit/lib64 -lacl_dvpp -lascendcl");
  ASSERT_EQ(built.exit_code, 0) << built.err;
  const auto says = [&](const char* chip) {
    variables_["OPKIT_SOC"] = chip;
    const Shown shown = shell("./rules");
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    return shown.out;
  };
  EXPECT_THAT(
      says("Ascend910A"),
      AllOf(HasSubstr("stride 70: 100000"), HasSubstr("a multiple of 16 from 80"),
            HasSubstr("filter 0: 200001"), HasSubstr("set 1 (bilinear)"), HasSubstr("filter 1: 0"),
            HasSubstr("odd area: 100000"), HasSubstr("left and top are even"),
            HasSubstr("paste at 8: 100000"), HasSubstr("a multiple of 16"),
            HasSubstr("17 times: 100000"), HasSubstr("1/32 to 16 times"),
            HasSubstr("convert: 200001"), HasSubstr("border: 200001"), HasSubstr("mode: 200001"),
            HasSubstr("level 0: 0")));
  EXPECT_THAT(says("Ascend310P3"), AllOf(HasSubstr("stride 70: 100000"), HasSubstr("filter 0: 0"),
                                         HasSubstr("odd area: 0"), HasSubstr("paste at 8: 100000"),
                                         HasSubstr("17 times: 0"), HasSubstr("filter 3: 200001"),
                                         HasSubstr("convert: 0"), HasSubstr("level 0: 100000")));
  EXPECT_THAT(says("Ascend910B1"),
              AllOf(HasSubstr("stride 70: 0"), HasSubstr("filter 0: 0"), HasSubstr("filter 3: 0"),
                    HasSubstr("filter 5: 200001"), HasSubstr("odd area: 0"),
                    HasSubstr("paste at 8: 0"), HasSubstr("17 times: 0"), HasSubstr("convert: 0"),
                    HasSubstr("border: 0"), HasSubstr("mode: 0")));
}

// Runs the chain by hi_mpi_*, with the include folders that the vendor's samples name.
TEST_F(Pictures, GoThroughTheSecondInterface) {
  const std::string source =
      (fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/programs/mpi_main.cpp").string();
  const Shown built = shell(
      "g++ -std=c++17 -Ikit/runtime/include/acl -Ikit/runtime/include/acl/dvpp -Ikit/include " +
      source + " -o mpi -Lkit/runtime/lib64/stub -lacl_dvpp_mpi -lascendcl -lpthread");
  ASSERT_EQ(built.exit_code, 0) << built.err;
  image::BlockJpeg jpeg{4 * kWidth, 4 * kHeight, 2, 2};
  jpeg.value = image::block_value;
  write("large.jpg", jpeg.write());
  for (const auto& [chip, pyramid] : {std::pair("Ascend910B1", "pyramid: 0xA0078008"),
                                      std::pair("Ascend310P3", "pyramid: 0x0\nlevel:")}) {
    variables_["OPKIT_SOC"] = chip;
    const Shown shown = shell("./mpi large.jpg");
    ASSERT_EQ(shown.exit_code, 0) << shown.out << shown.err;
    EXPECT_THAT(shown.out,
                AllOf(HasSubstr("encoded: 64 x 48"), HasSubstr(pyramid), HasSubstr("misuses: 22")));
    const std::array<double, 3> wanted = color_at(0, 0);
    std::array<int, 3> colour = {};
    const size_t at = shown.out.find("colour: ");
    ASSERT_NE(at, std::string::npos) << shown.out;
    ASSERT_EQ(
        std::sscanf(shown.out.c_str() + at, "colour: %d %d %d", &colour[0], &colour[1], &colour[2]),
        3);
    for (size_t i = 0; i < 3; ++i) EXPECT_NEAR(colour[i], std::clamp(wanted[i], 0.0, 255.0), 3);
    EXPECT_THAT(shown.err, testing::Not(HasSubstr("leak")));
  }
  variables_["OPKIT_SOC"] = "Ascend910A";
  EXPECT_THAT(shell("./mpi large.jpg").err, HasSubstr("this chip has no hi_mpi_*"));
}

// Programs load the library of pictures, and with it the codecs, where they call it. What it holds
// for them is told with the rest when they end.
TEST_F(Pictures, LieInALibraryOfTheirOwn) {
  write("plain.cpp", "#include \"acl/acl.h\"\nint main() { return aclInit(nullptr); }\n");
  write("pictures.cpp",
        "#include \"acl/ops/acl_dvpp.h\"\n"
        "int main() { return aclInit(nullptr) + !acldvppCreatePicDesc() + aclFinalize(); }\n");
  const auto needed = [&](const std::string& file) {
    const Shown shown = shell("readelf -d " + file);
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    return shown.out;
  };
  for (const char* name : {"plain", "pictures"}) {
    const Shown built = opkit({"cc", std::string(name) + ".cpp", "-o", name});
    ASSERT_EQ(built.exit_code, 0) << built.err;
    const Shown shown = run_program({path(name).string()}, folder_);
    EXPECT_EQ(shown.exit_code, 0) << shown.err;
    EXPECT_EQ(shown.err, std::string(name) == "plain"
                             ? ""
                             : "opkit: leak: 1 acldvppPicDesc(s) never destroyed\n");
    EXPECT_THAT(needed(name), HasSubstr("libopkit_acl.so"));
  }
  EXPECT_THAT(needed("plain"), testing::Not(HasSubstr("libopkit_media.so")));
  EXPECT_THAT(needed("pictures"), HasSubstr("libopkit_media.so"));
  EXPECT_THAT(needed("build/main"), HasSubstr("libopkit_media.so"));
  EXPECT_THAT(needed("kit/lib64/libascendcl.so"),
              testing::Not(testing::AnyOf(HasSubstr("libjpeg"), HasSubstr("libpng"))));
  EXPECT_THAT(needed("kit/lib64/libacl_dvpp.so"),
              AllOf(HasSubstr("libjpeg"), HasSubstr("libpng"), HasSubstr("libopkit_acl.so")));
}

}  // namespace
}  // namespace opkit::e2e
