// Models with dynamic AIPP: from atc to `opkit model run`, to a program and to Python, beside
// static AIPP of the same settings. On the packages that `make ops` installed where there are any,
// else on the host.
#include "npy.h"
#include "onnx_writer.h"
#include "opkit_test_paths.h"
#include "run_opkit.h"

namespace opkit::e2e {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kSettings =
    "input_format: YUV420SP_U8 csc_switch: true mean_chn_1: 7 var_reci_chn_2: 0.5";

class DynamicAipp : public OpkitTest {
 protected:
  void SetUp() override {
    OpkitTest::SetUp();
    use_shipped("Cast");
    OnnxWriter net;
    net.input("x", {-1, 3, 4, 6});
    net.constant("two", {1}, {2});
    net.node("Mul", {"x", "two"}, "y");
    net.output("y", {-1, 3, 4, 6});
    write("net.onnx", net.model());
    write("dynamic.cfg", "aipp_op { aipp_mode: dynamic max_src_image_size: 400 }");
    write("static.cfg", std::string("aipp_op { aipp_mode: static ") + kSettings + " }");
  }
  Shown atc(const std::string& output, const std::string& config,
            std::vector<std::string> more = {"--input_shape=x:2,3,4,6"}) {
    std::vector<std::string> words = {"atc",
                                      "--model=net.onnx",
                                      "--framework=5",
                                      "--output=" + output,
                                      "--soc_version=Ascend910B1",
                                      "--insert_op_conf=" + config};
    words.insert(words.end(), more.begin(), more.end());
    return opkit(words);
  }
  void write_images(int64_t images) {
    std::string bytes(static_cast<size_t>(images) * 36, ' ');
    for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 37 + 11);
    write("x.npy", npy_header("|u1", std::to_string(images) + ", 6, 6, 1") + bytes);
  }
};

TEST_F(DynamicAipp, TakesItsSettingsFromAProgram) {
  ASSERT_EQ(atc("dynamic", "dynamic.cfg", {"--input_shape=x:2,3,4,6", "--check"}).exit_code, 0);
  ASSERT_EQ(atc("static", "static.cfg").exit_code, 0);
  fs::copy(fs::path(OPKIT_SOURCE_DIR) / "tests/e2e/programs", path("src"));
  ASSERT_EQ(opkit({"cc", "src/aipp_main.cpp", "-o", "images"}).exit_code, 0);
  const Shown shown = run_program({path("images"), "dynamic.om", "static.om"}, folder_, variables_);
  EXPECT_EQ(shown.exit_code, 0) << shown.out << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("3 images right, 25 misuses"));
  EXPECT_THAT(shown.err, testing::Not(HasSubstr("leak")));
}

TEST_F(DynamicAipp, TakesItsSettingsFromPython) {
  ASSERT_EQ(atc("dynamic", "dynamic.cfg").exit_code, 0);
  ASSERT_EQ(opkit({"toolkit", "kit"}).exit_code, 0);
  write("run.sh", "source kit/set_env.sh\n" OPKIT_PYTHON " " OPKIT_SOURCE_DIR
                  "/tests/e2e/python/aipp.py dynamic.om\n");
  const Shown shown = run_program({"bash", "run.sh"}, folder_, variables_);
  EXPECT_EQ(shown.exit_code, 0) << shown.out << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("2 images right"));
  EXPECT_THAT(shown.err, testing::Not(HasSubstr("leak")));
}

TEST_F(DynamicAipp, TakesItsSettingsFromAFile) {
  ASSERT_EQ(atc("static", "static.cfg").exit_code, 0);
  const Shown made =
      atc("dynamic", "dynamic.cfg", {"--input_shape=x:-1,3,4,6", "--dynamic_batch_size=1,2"});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  EXPECT_THAT(opkit({"om", "show", "dynamic.om"}).out,
              HasSubstr("AIPP   x: dynamic, settings by ascend_dynamic_aipp_data"));
  EXPECT_EQ(opkit_json({"om", "show", "dynamic.om"})["aipp"][0]["dims"],
            nlohmann::json({{1, 3, 4, 6}, {2, 3, 4, 6}}));
  write_images(2);
  const auto ran = opkit_json({"model", "run", "dynamic.om", "--aipp", "static.cfg", "--input",
                               "x=x.npy", "--out", "y=dynamic.npy"});
  EXPECT_EQ(ran["gear"], nlohmann::json({2}));
  opkit_json({"model", "run", "static.om", "--input", "x=x.npy", "--out", "y=static.npy"});
  EXPECT_EQ(read("dynamic.npy"), read("static.npy"));
  EXPECT_EQ(opkit_json({"model", "bench", "dynamic.om", "--aipp", "static.cfg", "--gear", "1",
                        "--samples", "1"})["gear"],
            nlohmann::json({1}));
}

TEST_F(DynamicAipp, IsRefusedWithAReason) {
  ASSERT_EQ(atc("dynamic", "dynamic.cfg").exit_code, 0);
  ASSERT_EQ(atc("static", "static.cfg").exit_code, 0);
  write_images(2);
  const auto told = [&](std::vector<std::string> more, const char* model = "dynamic.om") {
    more.insert(more.begin(), {"model", "run", model, "--input", "x=x.npy"});
    const Shown shown = opkit(more);
    EXPECT_NE(shown.exit_code, 0);
    return shown.err;
  };
  EXPECT_THAT(told({}), AllOf(HasSubstr("input 'ascend_dynamic_aipp_data' is not given"),
                              HasSubstr("try: --aipp aipp.cfg")));
  EXPECT_THAT(told({"--aipp", "static.cfg"}, "static.om"),
              AllOf(HasSubstr("static.cfg:1:1: error OPK-CLI-004"), HasSubstr("no dynamic AIPP")));
  EXPECT_THAT(told({"--aipp", "dynamic.cfg"}), HasSubstr("the settings have aipp_mode: dynamic"));
  write("rgb.cfg", "aipp_op { aipp_mode: static input_format: RGB888_U8 }");
  EXPECT_THAT(told({"--aipp", "rgb.cfg"}),
              HasSubstr("input 'x' is uint8 [2, 6, 6, 1]; images as --aipp says are uint8 "
                        "[2, 4, 6, 3]"));
  write_images(5);
  EXPECT_THAT(told({"--aipp", "rgb.cfg"}),
              HasSubstr("input 'x' is uint8 [5, 6, 6, 1]; images as --aipp says are uint8 "
                        "[2, 4, 6, 3]"));
  write_images(2);
  EXPECT_THAT(
      atc("none", "dynamic.cfg",
          {"--input_shape=x:1,3,-1,-1", "--dynamic_image_size=4,6;8,6", "--input_format=NCHW"})
          .err,
      HasSubstr("dynamic AIPP makes images of one size"));
  const auto rows = opkit_json({"om", "show", "dynamic.om"})["inputs"][1]["shape"];
  const int64_t images = rows[0], numbers = rows[1];
  write("rows.npy", npy_header("<f8", std::to_string(images) + ", " + std::to_string(numbers)) +
                        std::string(static_cast<size_t>(images * numbers * 8), 0));
  EXPECT_THAT(told({"--aipp", "static.cfg", "--input", "ascend_dynamic_aipp_data=rows.npy"}),
              HasSubstr("the settings of input 'x' are given as 'ascend_dynamic_aipp_data', too"));
  write("twice.cfg", read("static.cfg") + read("static.cfg"));
  EXPECT_THAT(told({"--aipp", "twice.cfg"}), HasSubstr("two aipp_op are for one input"));
  write_images(3);
  EXPECT_THAT(told({"--aipp", "static.cfg"}),
              HasSubstr("input 'x' has 3 images, the model takes 2"));
  write("large.cfg",
        "aipp_op { aipp_mode: static input_format: RGB888_U8 src_image_size_w: 20 "
        "src_image_size_h: 20 crop: true }");
  write("x.npy", npy_header("|u1", "2, 20, 20, 3") + std::string(2400, ' '));
  EXPECT_THAT(told({"--aipp", "large.cfg"}), HasSubstr("2400 bytes, the model was made for 400"));
  EXPECT_FALSE(fs::exists(path("none.om")));
}

}  // namespace
}  // namespace opkit::e2e
