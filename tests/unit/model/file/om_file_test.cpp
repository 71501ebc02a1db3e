#include "opkit/model/file/om_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>

#include "opkit/base/digest.h"
#include "opkit/base/file.h"
#include "opkit/model/file/validate.h"
#include "small_model.h"

namespace opkit::model {
namespace {

using ::testing::HasSubstr;

std::string refused(const std::string& bytes) {
  const auto model = decode(bytes);
  return model.ok() ? "" : model.error().to_string();
}

// The digest of what stands behind the header, as a hostile writer would put it there.
std::string sealed(std::string bytes) {
  const uint64_t length = bytes.size() - 256;
  const std::string digest = sha256_hex(bytes.substr(256));
  std::memcpy(bytes.data() + 12, digest.data(), 64);
  std::memcpy(bytes.data() + 80, &length, 8);
  return bytes;
}

TEST(OmFile, ReadsBackWhatItWrote) {
  OfflineModel model = small_model();
  model.steps[0].attrs = {{"b", true},
                          {"i", int64_t{-3}},
                          {"f", 0.5},
                          {"s", std::string("text")},
                          {"lb", std::vector<bool>{true, false}},
                          {"li", std::vector<int64_t>{1, 2}},
                          {"lf", std::vector<double>{0.25}},
                          {"ls", std::vector<std::string>{"a", ""}}};
  model.steps[0].node.attributes["t"] = graph::RefTensor{DType::kInt64, Shape{2}, {1, 2}};
  const std::string bytes = encode(model);
  EXPECT_EQ(bytes, encode(model));
  const auto back = decode(bytes);
  ASSERT_TRUE(back.ok()) << back.error().to_string();
  EXPECT_EQ(encode(*back), bytes);
  EXPECT_EQ(back->steps[0].attrs, model.steps[0].attrs);
  EXPECT_EQ(back->steps[3].node.op_type, "LeakyRelu");
  EXPECT_EQ(back->weights, model.weights);
  EXPECT_EQ(back->plugins[0].library_sha256, std::string(64, 'a'));
}

TEST(OmFile, HasTheHeaderThatThePageSays) {
  const std::string bytes = encode(small_model());
  EXPECT_EQ(bytes.substr(0, 4), "IMOD");
  uint32_t size = 0;
  std::memcpy(&size, bytes.data() + 4, 4);
  EXPECT_EQ(size, 256u);
  EXPECT_EQ(bytes.substr(12, 64), sha256_hex(bytes.substr(256)));
  EXPECT_EQ(bytes.substr(88, 5), "small");
  for (size_t part = 0; part < 4; ++part) {
    uint64_t offset = 1;
    std::memcpy(&offset, bytes.data() + 264 + 24 * part + 8, 8);
    EXPECT_EQ(offset % 512, 0u);
  }
}

TEST(OmFile, RefusesOtherFiles) {
  EXPECT_THAT(refused(""), HasSubstr("OPK-OM-001"));
  EXPECT_THAT(refused(std::string(300, 'x')), HasSubstr("OPK-OM-001: this is no offline model"));
  std::string vendor = encode(small_model());
  const uint32_t version = 0x20000000;
  std::memcpy(vendor.data() + 8, &version, 4);
  EXPECT_THAT(refused(vendor), HasSubstr("OPK-OM-002: this offline model was not made by opkit"));
  std::string newer = encode(small_model());
  newer[8] = 3;
  EXPECT_THAT(refused(newer), HasSubstr("OPK-OM-002: the offline model has version 3, this opkit "
                                        "reads 2"));
}

TEST(OmFile, RefusesDamage) {
  const std::string bytes = encode(small_model());
  EXPECT_THAT(refused(bytes.substr(0, bytes.size() - 1)), HasSubstr("OPK-OM-003"));
  EXPECT_THAT(refused(bytes + "x"), HasSubstr("OPK-OM-003"));
  for (size_t at = 256; at < bytes.size(); at += 37) {
    std::string damaged = bytes;
    damaged[at] ^= 1;
    EXPECT_THAT(refused(damaged),
                HasSubstr("OPK-OM-003: the offline model is damaged: its digest"));
  }
  // Parts that end elsewhere, with a digest that fits.
  std::string moved = bytes;
  const uint64_t far = uint64_t{1} << 40;
  std::memcpy(moved.data() + 264 + 8, &far, 8);
  EXPECT_THAT(refused(sealed(moved)), HasSubstr("is not in the file"));
  std::string longer = bytes;
  const uint64_t many = ~uint64_t{0};
  std::memcpy(longer.data() + 512, &many, 8);  // the length of the model's name
  EXPECT_THAT(refused(sealed(longer)), HasSubstr("ends too early or too late"));
}

TEST(OmFile, NamesTheFile) {
  namespace fs = std::filesystem;
  const fs::path file = fs::path(testing::TempDir()) / "small_names.om";
  ASSERT_TRUE(save(file, small_model()).ok());
  EXPECT_TRUE(load(file).ok());
  ASSERT_TRUE(write_file(file, "no model").ok());
  EXPECT_THAT(load(file).error().to_string(), HasSubstr("small_names.om"));
}

TEST(ValidateModel, RefusesPartsThatDoNotFit) {
  const auto wrong = [](auto change) {
    OfflineModel model = small_model();
    change(model);
    const Status status = validate(model);
    return status.ok() ? std::string() : status.error().to_string();
  };
  EXPECT_EQ(wrong([](OfflineModel&) {}), "");
  EXPECT_THAT(wrong([](auto& m) { m.inputs = {1}; }), HasSubstr("OPK-OM-004"));
  EXPECT_THAT(wrong([](auto& m) { m.outputs = {99}; }), HasSubstr("output 0 is no tensor"));
  EXPECT_THAT(wrong([](auto& m) { m.tensors[0].bytes = 4; }), HasSubstr("is said to have 4"));
  EXPECT_THAT(wrong([](auto& m) { m.tensors[0].desc.shape = Shape{-5}; }), HasSubstr("'x'"));
  EXPECT_THAT(wrong([](auto& m) {
                m.tensors[0].desc.shape = Shape{1 << 30, 1 << 30, 1 << 30};
              }),
              HasSubstr("'x'"));
  EXPECT_THAT(wrong([](auto& m) { m.tensors[3].desc.shape = Shape{3}; }), HasSubstr("'p'"));
  EXPECT_THAT(wrong([](auto& m) { m.tensors[0].desc.dtype = static_cast<DType>(77); }),
              HasSubstr("no known dtype"));
  EXPECT_THAT(wrong([](auto& m) { m.tensors[0].place = static_cast<Place>(9); }),
              HasSubstr("OPK-OM-004"));
  EXPECT_THAT(wrong([](auto& m) { m.tensors[2].offset = 1000; }), HasSubstr("outside its memory"));
  EXPECT_THAT(wrong([](auto& m) { m.tensors[2].offset = 4; }), HasSubstr("outside its memory"));
  EXPECT_THAT(wrong([](auto& m) { m.tensors[1].offset = ~uint64_t{0} - 63; }),
              HasSubstr("outside its memory"));
  EXPECT_THAT(wrong([](auto& m) { m.weight_parts[0].file_offset = 8; }),
              HasSubstr("not in the file"));
  EXPECT_THAT(wrong([](auto& m) { m.weight_parts[0].bytes = 600; }), HasSubstr("not in the file"));
  EXPECT_THAT(wrong([](auto& m) {
                m.weight_parts[0] = {0, 48, 0, true, ""};
              }),
              HasSubstr("not in the file"));
  EXPECT_THAT(wrong([](auto& m) { m.block_bytes = uint64_t{1} << 50; }), HasSubstr("any chip's"));
  EXPECT_THAT(wrong([](auto& m) { m.steps[0].kind = static_cast<StepKind>(9); }),
              HasSubstr("no known kind"));
  EXPECT_THAT(wrong([](auto& m) { m.steps[0].kind = StepKind::kKernel, m.steps[0].plugin = 1; }),
              HasSubstr("not listed"));
  EXPECT_THAT(wrong([](auto& m) { m.steps[0].kind = StepKind::kAicpu, m.steps[0].plugin = 1; }),
              HasSubstr("not listed"));
  EXPECT_THAT(wrong([](auto& m) { m.steps[0].in = {{3}}; }), HasSubstr("nothing wrote"));
  EXPECT_THAT(wrong([](auto& m) { m.steps[0].in = {{77}}; }), HasSubstr("nothing wrote"));
  EXPECT_THAT(wrong([](auto& m) { m.steps[0].out = {{0}}; }), HasSubstr("writes into 'x'"));
  EXPECT_THAT(wrong([](auto& m) { m.steps[0].out = {{1}}; }), HasSubstr("writes into 'w'"));
  EXPECT_THAT(wrong([](auto& m) { m.steps[0].out = {{88}}; }), HasSubstr("does not exist"));
  EXPECT_THAT(wrong([](auto& m) { m.steps[0].out = {}; }), HasSubstr("several lists"));
  EXPECT_THAT(wrong([](auto& m) {
                m.steps[1].in = {{0, 1}};
              }),
              HasSubstr("not one tensor into one"));
  EXPECT_THAT(wrong([](auto& m) { m.steps[1].kind = StepKind::kDense; }),
              HasSubstr("into something else"));
  EXPECT_THAT(wrong([](auto& m) { m.steps[1].kind = StepKind::kCopy; }),
              HasSubstr("into something else"));
  EXPECT_THAT(wrong([](auto& m) { m.steps[0].workspace_bytes = 4096; }), HasSubstr("workspace"));
  EXPECT_THAT(wrong([](auto& m) { m.steps.pop_back(); }), HasSubstr("nothing writes output 'y'"));
}

TEST(OmFile, KeepsWhatAippDoes) {
  for (const bool dynamic : {false, true}) {
    const std::string bytes = encode(with_images(dynamic));
    const auto back = decode(bytes);
    ASSERT_TRUE(back.ok()) << back.error().to_string();
    EXPECT_EQ(encode(*back), bytes);
    ASSERT_EQ(back->aipp.size(), 1u);
    EXPECT_EQ(back->aipp[0].dynamic, dynamic);
    EXPECT_EQ(back->aipp[0].aipp.mean[1], 7);
    EXPECT_EQ(back->aipp[0].aipp.matrix[8], -3);
    EXPECT_EQ(back->aipp[0].dims, (std::vector<std::vector<int64_t>>{{1, 3, 2, 2}}));
  }
}

TEST(ValidateModel, RefusesAippThatDoesNotFit) {
  const auto wrong = [](auto change) {
    OfflineModel model = with_images(true);
    change(model, model.aipp[0]);
    const Status status = validate(model);
    return status.ok() ? std::string() : status.error().to_string();
  };
  EXPECT_EQ(wrong([](auto&, auto&) {}), "");
  EXPECT_THAT(wrong([](auto&, auto& a) { a.input = 2; }), HasSubstr("is for no images"));
  EXPECT_THAT(wrong([](auto&, auto& a) { a.dims = {}; }), HasSubstr("is for no images"));
  EXPECT_THAT(wrong([](auto&, auto& a) { a.dims[0] = {1, 3, 2}; }), HasSubstr("is for no images"));
  EXPECT_THAT(wrong([](auto&, auto& a) { a.dims[0][2] = -1; }), HasSubstr("is for no images"));
  EXPECT_THAT(wrong([](auto&, auto& a) {
                a.dims[0] = {1 << 30, 1 << 30, 1 << 30, 2};
              }),
              HasSubstr("is for no images"));
  EXPECT_THAT(wrong([](auto& m, auto&) {
                m.tensors[6].desc.shape = Shape{3, 4};
              }),
              HasSubstr("takes no bytes"));
  EXPECT_THAT(wrong([](auto&, auto& a) { a.dtype = DType::kInt8; }), HasSubstr("is for no images"));
  EXPECT_THAT(wrong([](auto&, auto& a) { a.aipp.format = static_cast<Aipp::Format>(9); }),
              HasSubstr("no known format"));
  EXPECT_THAT(wrong([](auto&, auto& a) { a.settings = 9; }), HasSubstr("has no settings"));
  EXPECT_THAT(wrong([](auto&, auto& a) { a.settings = 0; }), HasSubstr("has no settings"));
  EXPECT_THAT(wrong([](auto&, auto& a) { a.input = 1, a.settings = 0; }),
              HasSubstr("takes no bytes"));
  EXPECT_THAT(wrong([](auto&, auto& a) { a.dims[0][0] = 2; }),
              HasSubstr("settings of another kind"));
}

}  // namespace
}  // namespace opkit::model
