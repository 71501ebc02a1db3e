// opkit quantize and opkit model compare, as a user calls them.
#include <cmath>
#include <fstream>
#include <limits>

#include "opkit_test_paths.h"
#include "quantize.h"
#include "tests/unit/acl/media/image/block_jpeg.h"

namespace opkit::e2e {
namespace {

using testing::HasSubstr;

constexpr const char* kPictures = "12, 3, 16, 16";

TEST_F(Quantize, WritesAModelThatAgrees) {
  const auto made = opkit_json({"quantize", "net.onnx", "--data", "data.npy"});
  EXPECT_EQ(made["layers"].size(), 7u);
  EXPECT_EQ(made["samples"], 12);
  EXPECT_EQ(made["nodes_between"], 5);  // MaxPool, Concat, Add, GlobalAveragePool, Flatten
  EXPECT_GT(made["check"]["outputs"]["scores"]["sqnr"], 25);
  const auto compared =
      opkit_json({"model", "compare", "net.onnx", "net_int8.onnx", "--data", "data.npy"});
  EXPECT_GE(compared["scores"]["scores"]["top1_agreement"], 0.9);
  EXPECT_GT(value_of(compared, "scores")["carried"]["sqnr"], 25);
  EXPECT_GT(value_of(compared, "c1")["added"]["sqnr"], 30);
  // What a Relu gives of equal values is equal.
  EXPECT_EQ(value_of(compared, "r1")["added"]["largest"], 0);
}

TEST_F(Quantize, AgreesWithNumPyOnEveryTensor) {
  for (const char* form : {"symmetric", "asymmetric"}) {
    std::vector<std::string> words = {"quantize", "net.onnx", "--data", "data.npy", "--check", "0"};
    if (form == std::string("asymmetric")) words.emplace_back("--asymmetric");
    ASSERT_EQ(opkit(words).exit_code, 0);
    const Shown dumped = opkit({"model", "compare", "net.onnx", "net_int8.onnx", "--data",
                                "data.npy", "--samples", "3", "--dump", form});
    ASSERT_EQ(dumped.exit_code, 0) << dumped.err;
    const Shown judged = run_program({OPKIT_PYTHON, OPKIT_SOURCE_DIR "/tests/e2e/python/qdq.py",
                                      "net_int8.onnx", form + std::string("/b")},
                                     folder_, variables_);
    EXPECT_EQ(judged.exit_code, 0) << judged.out << judged.err;
    EXPECT_THAT(judged.out, HasSubstr("of them quantized"));
  }
}

TEST_F(Quantize, MakesTheSameModelOfItsRecord) {
  for (const char* between : {"chains", "none"}) {
    ASSERT_EQ(opkit({"quantize", "net.onnx", "--data", "data.npy", "--between", between}).exit_code,
              0);
    EXPECT_THAT(read("net_int8_record.txt"), HasSubstr("key: \"c1_node\""));
    const Shown again = opkit(
        {"quantize", "net.onnx", "--record", "net_int8_record.txt", "--output", "again.onnx"});
    ASSERT_EQ(again.exit_code, 0) << again.err;
    EXPECT_TRUE(read("again.onnx") == read("net_int8.onnx")) << between;
    EXPECT_EQ(read("again_record.txt"), read("net_int8_record.txt"));
  }
}

TEST_F(Quantize, TakesMethodsLayersAndConfig) {
  for (const char* method : {"minmax", "moving_average", "percentile", "kl"}) {
    const auto made =
        opkit_json({"quantize", "net.onnx", "--data", "data.npy", "--activation", method});
    EXPECT_EQ(made["layers"][0]["activation"], method);
    EXPECT_GT(made["check"]["outputs"]["scores"]["sqnr"], 8) << method;
  }
  write("config.yaml",
        "activation: percentile\npercentile: 99\nbins: 512\nskip_layers: [c4_node]\n"
        "layers:\n  c2_node: {activation: minmax, weights: minmax, asymmetric: true}\n"
        "  c3_node: {activation: minmax, asymmetric: true}\n");
  const auto made = opkit_json({"quantize", "net.onnx", "--data", "data.npy", "--config",
                                "config.yaml", "--skip", "c6_node"});
  EXPECT_EQ(made["layers"].size(), 5u);
  EXPECT_EQ(made["left_out"].size(), 2u);
  EXPECT_EQ(made["layers"][0]["activation"], "percentile");
  double clipped = 0;
  for (const auto& layer : made["layers"]) clipped += layer["clipped"].get<double>();
  EXPECT_GT(clipped, 0);
  EXPECT_EQ(made["layers"][1]["activation"], "minmax");
  EXPECT_NE(made["layers"][1]["offset_d"], 0);
}

TEST_F(Quantize, ListsLayers) {
  const Shown shown = opkit({"quantize", "net.onnx", "--list"});
  EXPECT_EQ(shown.exit_code, 0) << shown.err;
  EXPECT_THAT(shown.out, HasSubstr("c3_node"));
  EXPECT_THAT(shown.out, HasSubstr("8x8x3x3"));
}

// Weights of one layer that are larger by 1e4 than those of the float model.
TEST_F(Quantize, NamesALayerWithSpoiledWeightsFirst) {
  write("spoiled.onnx", ClassifierWriter({1e4f}).run());
  ASSERT_EQ(opkit({"quantize", "spoiled.onnx", "--data", "data.npy"}).exit_code, 0);
  const auto compared = opkit_json({"model", "compare", "net.onnx", "spoiled_int8.onnx", "--data",
                                    "data.npy", "--report", "page.html"});
  EXPECT_EQ(first(compared), "c3_node");
  EXPECT_LT(value_of(compared, "c3")["added"]["sqnr"], -60);
  EXPECT_THAT(read("page.html"), HasSubstr("<svg"));
  EXPECT_THAT(read("page.html"), HasSubstr("c3_node"));
}

// The scale of what c5 reads is a fiftieth of what the data need.
TEST_F(Quantize, NamesALayerThatSaturatesFirst) {
  ASSERT_EQ(opkit({"quantize", "net.onnx", "--data", "data.npy"}).exit_code, 0);
  std::string record = read("net_int8_record.txt");
  const size_t key = record.find("key: \"c5_node\""), at = record.find("scale_d: ", key) + 9;
  const size_t end = record.find('\n', at);
  const double scale = std::stod(record.substr(at, end - at));
  const std::string before = record.substr(at, end - at);
  for (size_t place = record.find(before); place != std::string::npos;
       place = record.find(before, place + 1))
    record.replace(place, before.size(), std::to_string(scale / 50));
  write("bad.txt", record);
  ASSERT_EQ(
      opkit({"quantize", "net.onnx", "--record", "bad.txt", "--output", "bad.onnx"}).exit_code, 0);
  const auto compared =
      opkit_json({"model", "compare", "net.onnx", "bad.onnx", "--data", "data.npy"});
  const std::string named = first(compared);
  EXPECT_TRUE(named == "c5_node" || named == "sum_node") << named;
  EXPECT_GT(value_of(compared, "c5")["saturated"], 0.3);
}

TEST_F(Quantize, CountsLabels) {
  std::string labels;
  for (int i = 0; i < 12; ++i) labels += "3\n";
  write("labels.txt", labels);
  const auto compared = opkit_json(
      {"model", "compare", "net.onnx", "net.onnx", "--data", "data.npy", "--labels", "labels.txt"});
  const auto& scores = compared["scores"]["scores"];
  EXPECT_EQ(scores["top1_agreement"], 1);
  EXPECT_EQ(scores["labelled"], 12);
  EXPECT_EQ(scores["top1_a"], scores["top1_b"]);
  EXPECT_EQ(compared["ranking"].size(), 0u);
  write("labels.txt", labels + "4\n");
  expect_refused(
      {"model", "compare", "net.onnx", "net.onnx", "--data", "data.npy", "--labels", "labels.txt"},
      "OPK-QUANT-013", "13 labels, and the data have 12 samples");
  write("labels.txt", "cat\n");
  expect_refused(
      {"model", "compare", "net.onnx", "net.onnx", "--data", "data.npy", "--labels", "labels.txt"},
      "OPK-QUANT-013", "'cat'");
  write("labels.txt", labels.substr(2) + "10\n");
  expect_refused(
      {"model", "compare", "net.onnx", "net.onnx", "--data", "data.npy", "--labels", "labels.txt"},
      "OPK-QUANT-013", "a label is 10, and 'scores' has 10 classes");
}

// A value that has another name in the second model is matched by place.
TEST_F(Quantize, MatchesByPlace) {
  write("other.onnx", ClassifierWriter({1, "d4"}).run());
  const auto compared =
      opkit_json({"model", "compare", "net.onnx", "other.onnx", "--data", "data.npy"});
  EXPECT_EQ(value_of(compared, "c4")["matched"], "place");
  EXPECT_EQ(value_of(compared, "c4")["other_value"], "d4");
  EXPECT_EQ(value_of(compared, "c4")["carried"]["largest"], 0);
  EXPECT_EQ(compared["only_b"], 0);
}

TEST_F(Quantize, TellsWhatTheDataDoNotCover) {
  write("one.npy", float_npy(wave_pictures(1), "1, 3, 16, 16"));
  EXPECT_THAT(opkit({"quantize", "net.onnx", "--data", "one.npy"}).err,
              HasSubstr("OPK-QUANT-010: the data hold one sample"));
  write("flat.npy", float_npy(std::vector<float>(2 * 768, 0.5f), "2, 3, 16, 16"));
  EXPECT_THAT(opkit({"quantize", "net.onnx", "--data", "flat.npy"}).err,
              HasSubstr("the input 'image' is 0.5 everywhere in all data"));
  std::vector<float> cut = wave_pictures(12, 2);
  for (float& value : cut) value = std::min(value, 1.0f);
  write("cut.npy", float_npy(cut, kPictures));
  EXPECT_THAT(opkit({"quantize", "net.onnx", "--data", "cut.npy"}).err,
              HasSubstr("are its largest value 1"));
}

TEST_F(Quantize, RefusesWrongData) {
  const auto refused = [&](const std::string& data, const char* code, const char* text) {
    expect_refused({"quantize", "net.onnx", "--data", data}, code, text);
    EXPECT_FALSE(std::filesystem::exists(path("net_int8.onnx")));
  };
  std::filesystem::create_directories(path("empty"));
  refused("empty", "OPK-QUANT-001", "no .npy or .npz file");
  refused("nowhere", "OPK-QUANT-001", "there is no nowhere");
  refused("net.onnx", "OPK-QUANT-001", "neither a .npy nor a .npz");
  std::filesystem::create_directories(path("pictures"));
  write("pictures/a.png", "no picture");
  refused("pictures", "OPK-QUANT-001", "has pictures");
  write("shape.npy", float_npy(std::vector<float>(75), "1, 3, 5, 5"));
  refused("shape.npy", "OPK-QUANT-002", "has the dims [1, 3, 5, 5]");
  write("type.npy", int64_npy(std::vector<int64_t>(768)));
  refused("type.npy", "OPK-QUANT-002", ".astype('float32')");
  std::vector<float> numbers = wave_pictures(1);
  numbers[7] = std::numeric_limits<float>::quiet_NaN();
  write("nan.npy", float_npy(numbers, "1, 3, 16, 16"));
  refused("nan.npy", "OPK-QUANT-003", "nan at element 7");
}

constexpr const char* kBytesToOne = R"(aipp_op {
  aipp_mode: static
  input_format: RGB888_U8
  mean_chn_0: 128  mean_chn_1: 128  mean_chn_2: 128
  var_reci_chn_0: 0.0078125  var_reci_chn_1: 0.0078125  var_reci_chn_2: 0.0078125
}
)";

// Blocks of 8 x 8 pixels of one gray each, which JPEG keeps.
int gray_value(int component, uint32_t x, uint32_t y) {
  return component > 0 ? 128 : static_cast<int>(40 + 50 * x + 20 * y);
}

TEST_F(Quantize, CalibratesOnPicturesThroughAipp) {
  image::BlockJpeg jpeg{16, 16, 1, 1};
  jpeg.value = gray_value;
  write("pictures/a.jpg", jpeg.write());
  write("aipp.cfg", kBytesToOne);
  std::vector<float> same;
  for (int c = 0; c < 3; ++c)
    for (uint32_t y = 0; y < 16; ++y)
      for (uint32_t x = 0; x < 16; ++x)
        same.push_back(static_cast<float>(gray_value(0, x / 8, y / 8) - 128) / 128);
  write("same.npy", float_npy(same, "1, 3, 16, 16"));
  const Shown arrays = opkit({"quantize", "net.onnx", "--data", "same.npy"});
  ASSERT_EQ(arrays.exit_code, 0) << arrays.err;
  const std::string record = read("net_int8_record.txt");
  const Shown pictures =
      opkit({"quantize", "net.onnx", "--data", "pictures", "--aipp", "aipp.cfg"});
  EXPECT_EQ(pictures.exit_code, 0) << pictures.err;
  EXPECT_EQ(read("net_int8_record.txt"), record);
}

TEST_F(Quantize, RefusesPicturesThatDoNotFit) {
  write("aipp.cfg", kBytesToOne);
  image::BlockJpeg jpeg{24, 16, 1, 1};
  jpeg.value = gray_value;
  write("wide.jpg", jpeg.write());
  const auto refused = [&](const std::string& data, const std::string& aipp,
                           const std::string& code, const std::string& text) {
    expect_refused({"quantize", "net.onnx", "--data", data, "--aipp", aipp}, code, text);
  };
  refused("wide.jpg", "aipp.cfg", "OPK-QUANT-002", "has 24 x 16 pixels, and AIPP takes 16 x 16");
  write("words.jpg", "no picture");
  refused("words.jpg", "aipp.cfg", "OPK-IMAGE-001", "file words.jpg");
  std::filesystem::create_directories(path("nothing"));
  refused("nothing", "aipp.cfg", "OPK-QUANT-001", "has no pictures");
  write("yuv.cfg",
        "aipp_op { aipp_mode: static input_format: YUV420SP_U8 src_image_size_w: 16 "
        "src_image_size_h: 16 }");
  refused("wide.jpg", "yuv.cfg", "E10001", "RGB888_U8 or YUV400_U8");
  expect_refused({"quantize", "net.onnx", "--record", "r", "--aipp", "aipp.cfg"}, "OPK-CLI-003",
                 "--aipp is about pictures");
}

TEST_F(Quantize, RefusesWrongWordsAndModels) {
  const std::vector<std::string> base = {"quantize", "net.onnx", "--data", "data.npy"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> words = base;
    words.insert(words.end(), more.begin(), more.end());
    return words;
  };
  expect_refused({"quantize", "net.onnx"}, "OPK-CLI-003", "neither --data nor --record");
  expect_refused(with({"--skip", "c4_mode"}), "OPK-QUANT-005", "did you mean 'c4_node'?");
  expect_refused(with({"--activatoin", "kl"}), "OPK-CLI-002", "--activation");
  expect_refused(with({"--percentile", "20"}), "OPK-CLI-004", "--percentile is 20");
  write("c.yaml", "activation: entropy\n");
  expect_refused(with({"--config", "c.yaml"}), "OPK-QUANT-006", "no method 'entropy'");
  write("c.yaml", "layers: {c9_node: {skip: true}}\n");
  expect_refused(with({"--config", "c.yaml"}), "OPK-QUANT-005", "c9_node");
  write("c.yaml", "layers: {c1_node: {percentil: 99}}\n");
  expect_refused(with({"--config", "c.yaml"}), "OPK-QUANT-006", "percentile");
  write("c.yaml",
        "skip_layers: [c1_node, c2_node, c3_node, c4_node, c5_node, c6_node, "
        "scores_node]\n");
  expect_refused(with({"--config", "c.yaml"}), "OPK-QUANT-004", "every layer is skipped");
  OnnxWriter relu;
  relu.input("x", {1, 4});
  relu.node("Relu", {"x"}, "y");
  relu.output("y", {1, 4});
  write("relu.onnx", relu.model());
  write("x.npy", float_npy({1, 2, 3, 4}, "1, 4"));
  expect_refused({"quantize", "relu.onnx", "--data", "x.npy"}, "OPK-QUANT-004",
                 "has no Conv, Gemm or MatMul");
  ASSERT_EQ(opkit(base).exit_code, 0);
  expect_refused({"quantize", "net_int8.onnx", "--data", "data.npy"}, "OPK-QUANT-009",
                 "quantized already");
  expect_refused({"model", "compare", "net.onnx", "relu.onnx", "--data", "data.npy"},
                 "OPK-QUANT-002", "");
}

TEST_F(Quantize, RefusesOtherRecords) {
  const auto refused = [&](const std::string& text, const char* code, const char* what) {
    write("r.txt", text);
    expect_refused({"quantize", "net.onnx", "--record", "r.txt"}, code, what);
  };
  const std::string value = " value { scale_d: 0.1 offset_d: 0 scale_w: 0.1 offset_w: 0 } }";
  refused("record { key: \"conv77\"" + value, "OPK-QUANT-008", "names the layer 'conv77'");
  refused("record { key: \"c1_node\" value { scale_d: 0.1 scale_w: 1 scale_w: 2 } }",
          "OPK-QUANT-008", "2 scales of weights");
  refused("record { key: \"tensor:nothing\"" + value, "OPK-QUANT-008", "no node gives");
  refused("record { key: \"c1_node\" value { scale_b: 0.1 } }", "OPK-QUANT-007", "'scale_b'");
  refused("record { key: \"c1_node\" value { scale_d: -1 } }", "OPK-QUANT-007", "scale_d is -1");
  refused("record { key: \"c1_node\"", "OPK-QUANT-007", "end of the file");
  refused("\x01\x02", "OPK-QUANT-007", "no field here");
  refused("", "OPK-QUANT-008", "names no layer");
}

// A record says all that these options could.
TEST_F(Quantize, RefusesOptionsThatNothingReads) {
  ASSERT_EQ(opkit({"quantize", "net.onnx", "--data", "data.npy"}).exit_code, 0);
  for (const auto& [flag, value] :
       std::vector<std::pair<std::string, std::string>>{{"--activation", "kl"},
                                                        {"--percentile", "99"},
                                                        {"--bins", "512"},
                                                        {"--weights", "mse"},
                                                        {"--between", "none"},
                                                        {"--samples", "2"},
                                                        {"--check", "2"}})
    expect_refused({"quantize", "net.onnx", "--record", "net_int8_record.txt", flag, value},
                   "OPK-CLI-003", flag + " and --record do not go together");
  const auto refused = [&](const std::vector<std::string>& more, const char* code,
                           const char* text) {
    std::vector<std::string> words = {"quantize", "net.onnx", "--data", "data.npy"};
    words.insert(words.end(), more.begin(), more.end());
    expect_refused(words, code, text);
  };
  refused({"--percentile", "99"}, "OPK-CLI-003", "add --activation percentile");
  refused({"--bins", "512"}, "OPK-CLI-003", "add --activation kl");
  refused({"--activation", "kl", "--bins", "513"}, "OPK-CLI-004", "--bins is 513");
  write("c.yaml", "layers: {c3_node: {activation: kl}}\n");
  refused({"--config", "c.yaml"}, "OPK-QUANT-006", "'c2_node' and 'c3_node' read 'p1'");
}

TEST_F(Quantize, RefusesModelsWithoutCommonValues) {
  OnnxWriter other;
  other.input("image", {1, 3, 16, 16});
  other.node("Sigmoid", {"image"}, "other");
  other.output("other", {1, 3, 16, 16});
  write("other.onnx", other.model());
  expect_refused({"model", "compare", "net.onnx", "other.onnx", "--data", "data.npy"},
                 "OPK-QUANT-011", "no value in common");
  OnnxWriter same;
  same.input("image", {1, 3, 16, 16});
  same.node("Flatten", {"image"}, "f");
  same.node("Relu", {"f"}, "c1");
  same.output("c1", {1, 768});
  write("same.onnx", same.model());
  expect_refused({"model", "compare", "net.onnx", "same.onnx", "--data", "data.npy"},
                 "OPK-QUANT-012", "'c1' has the dims");
}

}  // namespace
}  // namespace opkit::e2e
