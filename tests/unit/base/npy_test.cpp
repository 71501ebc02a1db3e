#include "opkit/base/npy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <random>

#include "opkit/base/file.h"

namespace opkit {
namespace {

using ::testing::HasSubstr;

// A file of the given version with this header text and data.
std::string npy(std::string header, std::string_view data, int major = 1) {
  header += '\n';
  std::string out = "\x93NUMPY";
  out += static_cast<char>(major);
  out += '\0';
  const size_t width = major == 1 ? 2 : 4;
  for (size_t i = 0; i < width; ++i) out += static_cast<char>(header.size() >> (8 * i) & 0xff);
  return out + header + std::string(data);
}

std::string dict(std::string_view descr, std::string_view shape, std::string_view order = "False") {
  return "{'descr': '" + std::string(descr) + "', 'fortran_order': " + std::string(order) +
         ", 'shape': " + std::string(shape) + ", }";
}

std::string bytes_of_floats(std::initializer_list<float> values) {
  std::string out(values.size() * sizeof(float), '\0');
  std::memcpy(out.data(), values.begin(), out.size());
  return out;
}

void expect_error(const Result<Tensor>& result, const char* code, const char* text) {
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().code, code) << result.error().to_string();
  EXPECT_THAT(result.error().message, HasSubstr(text));
  EXPECT_FALSE(result.error().action.empty());
}

TEST(Npy, ReadsEveryVersion) {
  for (int major : {1, 2, 3}) {
    auto tensor = parse_npy(npy(dict("<f4", "(2, 1)"), bytes_of_floats({1.5f, -2}), major), "x");
    ASSERT_TRUE(tensor.ok()) << tensor.error().to_string();
    EXPECT_EQ(tensor->shape(), (Shape{2, 1}));
    EXPECT_EQ(tensor->dtype(), DType::kFloat32);
    EXPECT_EQ(tensor->at(0), 1.5);
    EXPECT_EQ(tensor->at(1), -2);
  }
}

TEST(Npy, RoundTripsEveryDtype) {
  for (DType dtype : all_dtypes()) {
    Tensor in(dtype, Shape{3, 2}, "t");
    for (int i = 0; i < 6; ++i) in.set(i, i % 2);
    auto bytes = encode_npy(in);
    ASSERT_TRUE(bytes.ok());
    auto out = parse_npy(*bytes, "t", {.as = dtype});
    ASSERT_TRUE(out.ok()) << out.error().to_string();
    EXPECT_EQ(out->dtype(), dtype);
    EXPECT_EQ(out->shape(), in.shape());
    EXPECT_EQ(std::memcmp(out->data(), in.data(), in.size_bytes()), 0) << name_of(dtype);
  }
}

TEST(Npy, WritesWhatNumpyWrites) {
  Tensor t(DType::kInt8, Shape{3});
  auto bytes = encode_npy(t);
  ASSERT_TRUE(bytes.ok());
  EXPECT_EQ((bytes->size() - 3) % 64, 0u);
  EXPECT_THAT(*bytes, HasSubstr("{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }"));
  EXPECT_THAT(*encode_npy(Tensor(DType::kFloat64, Shape{})), HasSubstr("'shape': (), }"));
}

TEST(Npy, RoundTripsScalarsAndEmptyArrays) {
  for (const Shape& shape : {Shape{}, Shape{0}, Shape{4, 0, 2}}) {
    auto out = parse_npy(*encode_npy(Tensor(DType::kInt32, shape)), "t");
    ASSERT_TRUE(out.ok());
    EXPECT_EQ(out->shape(), shape);
  }
}

TEST(Npy, BFloat16HasADescrOfItsOwn) {
  Tensor t(DType::kBFloat16, Shape{1});
  t.set(0, 3);
  EXPECT_THAT(*encode_npy(t), HasSubstr("'<V2'"));
  const std::string one("\x80\x3f", 2);
  for (const char* descr : {"<V2", "|V2", "bfloat16"}) {
    auto out = parse_npy(npy(dict(descr, "(1,)"), one), "t");
    ASSERT_TRUE(out.ok());
    EXPECT_EQ(out->dtype(), DType::kBFloat16);
    EXPECT_EQ(out->at(0), 1);
  }
  auto raw = parse_npy(npy(dict("<u2", "(1,)"), one), "t", {.as = DType::kBFloat16});
  ASSERT_TRUE(raw.ok());
  EXPECT_EQ(raw->at(0), 1);
}

TEST(Npy, FortranOrderIsRefusedOrReordered) {
  const std::string file = npy(dict("<f4", "(2, 3)", "True"), bytes_of_floats({1, 4, 2, 5, 3, 6}));
  expect_error(parse_npy(file, "f"), "OPK-NPY-007", "Fortran");
  auto out = parse_npy(file, "f", {.as = {}, .convert_fortran_order = true});
  ASSERT_TRUE(out.ok());
  for (int i = 0; i < 6; ++i) EXPECT_EQ(out->at(i), i + 1);
}

TEST(Npy, RefusesWhatIsNoArrayFile) {
  expect_error(parse_npy("", "f"), "OPK-NPY-001", "f: not a NumPy");
  expect_error(parse_npy("\x93NUMPX\x01\x00..", "f"), "OPK-NPY-001", "not a NumPy");
  expect_error(parse_npy(npy(dict("<f4", "()"), bytes_of_floats({1}), 4), "f"), "OPK-NPY-002",
               "version 4.0");
  std::string cut = npy(dict("<f4", "()"), "");
  expect_error(parse_npy(cut.substr(0, 9), "f"), "OPK-NPY-003", "header");
  expect_error(parse_npy(cut.substr(0, 40), "f"), "OPK-NPY-003", "in a file of 40");
}

TEST(Npy, RefusesMalformedHeaders) {
  const std::string four = bytes_of_floats({1});
  for (const char* header : {
           "",
           "{",
           "{}",
           "[1]",
           "{'descr': '<f4'}",
           "{'descr': '<f4', 'descr': '<f4', }",
           "{'descr': '<f4', 'fortran_order': 0, 'shape': (1,), }",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1), }",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1 1), }",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), 'x': 1, }",
           "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } x",
           "{'descr': '<f4",
       }) {
    SCOPED_TRACE(header);
    expect_error(parse_npy(npy(header, four), "f"), "OPK-NPY-004", "malformed header");
  }
}

TEST(Npy, RefusesOtherTypes) {
  for (const char* descr : {">f4", "<c8", "|O", "|S4", "<U3", "<M8[s]", "<f16"}) {
    SCOPED_TRACE(descr);
    expect_error(parse_npy(npy(dict(descr, "(1,)"), "1234"), "f"), "OPK-NPY-005", "not supported");
  }
  expect_error(
      parse_npy(npy("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': ()}", ""), "f"),
      "OPK-NPY-005", "structured");
}

TEST(Npy, RefusesDataOfAnotherSize) {
  expect_error(parse_npy(npy(dict("<f4", "(2,)"), "1234567"), "f"), "OPK-NPY-006",
               "needs 2 elements of 4 bytes; the file has 7");
  expect_error(parse_npy(npy(dict("<f4", "(2,)"), "123456789"), "f"), "OPK-NPY-006", "has 9");
  expect_error(parse_npy(npy(dict("<f8", "(4611686018427387904,)"), "1"), "f"), "OPK-NPY-006",
               "needs 4611686018427387904");
  expect_error(parse_npy(npy(dict("<f8", "(4611686018427387904, 4)"), "1"), "f"), "OPK-SHAPE-002",
               "2^62");
}

TEST(Npy, RefusesValuesAndOverridesThatDoNotFit) {
  expect_error(parse_npy(npy(dict("|b1", "(2,)"), "\x01\x02"), "f"), "OPK-NPY-008",
               "bool element 1");
  expect_error(parse_npy(npy(dict("|i1", "(1,)"), "\x08"), "f", {.as = DType::kInt4}),
               "OPK-NPY-008", "element 0 is 8");
  expect_error(parse_npy(npy(dict("<f4", "(1,)"), "1234"), "f", {.as = DType::kFloat16}),
               "OPK-NPY-009", "float32, which is not read as float16");
  expect_error(parse_npy(npy(dict("<f4", "(1,)"), "1234"), "f", {.as = DType::kInt32}),
               "OPK-NPY-009", "float32, which is not read as int32");
  expect_error(parse_npy(npy(dict("<f2", "(1,)"), "12"), "f", {.as = DType::kBFloat16}),
               "OPK-NPY-009", "float16, which is not read as bfloat16");
  expect_error(parse_npy(npy(dict("|u1", "(1,)"), "1"), "f", {.as = DType::kInt8}), "OPK-NPY-009",
               "uint8, which is not read as int8");
  auto undefined = encode_npy(Tensor());
  ASSERT_FALSE(undefined.ok());
  EXPECT_EQ(undefined.error().code, "OPK-NPY-010");
}

TEST(Npy, SavesAndLoads) {
  const auto path = std::filesystem::path(::testing::TempDir()) / "opkit_npy_test_a.npy";
  Tensor t(DType::kFloat16, Shape{2});
  t.set(1, 7);
  ASSERT_TRUE(save_npy(path, t).ok());
  auto back = load_npy(path);
  ASSERT_TRUE(back.ok());
  EXPECT_EQ(back->desc().name, "opkit_npy_test_a");
  EXPECT_EQ(back->at(1), 7);
  std::filesystem::remove(path);
  EXPECT_EQ(load_npy(path).error().code, "OPK-FILE-001");
}

// Flips, inserts, removes and truncates bytes of good files: the reader must answer, not crash.
TEST(Npy, NoDeviceIsRead) {
  const auto endless = load_npy("/dev/zero");
  ASSERT_FALSE(endless.ok());
  EXPECT_EQ(endless.error().to_string(),
            "error OPK-FILE-005: /dev/zero is a device, not a file\n  try: name a file");
}

TEST(Npy, SurvivesMutations) {
  std::mt19937 random(20240501);
  const std::string seeds[] = {npy(dict("<f4", "(2, 3)"), std::string(24, 'a')),
                               npy(dict("|b1", "(5,)", "True"), std::string(5, '\1'), 2),
                               npy(dict("<V2", "()"), "ab", 3)};
  int accepted = 0;
  for (int round = 0; round < 60000; ++round) {
    std::string bytes = seeds[round % 3];
    for (uint32_t edits = random() % 4 + 1; edits > 0; --edits) {
      const size_t at = random() % bytes.size();
      switch (random() % 4) {
        case 0: bytes[at] = static_cast<char>(random()); break;
        case 1: bytes.insert(at, 1, static_cast<char>(random())); break;
        case 2: bytes.erase(at, 1); break;
        default: bytes[at] = "0123456789(),'{}: <|fuiVb"[random() % 25]; break;
      }
      if (bytes.empty()) break;
    }
    NpyOptions options;
    options.convert_fortran_order = random() % 2;
    if (random() % 4 == 0) options.as = all_dtypes()[random() % all_dtypes().size()];
    const auto result = parse_npy(bytes, "m", options);
    if (result.ok()) {
      ++accepted;
      EXPECT_LE(result->size_bytes(), bytes.size());
    } else {
      EXPECT_TRUE(result.error().code.starts_with("OPK-"));
    }
  }
  EXPECT_GT(accepted, 100);
}

// Files are read piece by piece; what they say, right or wrong, is what their bytes say.
TEST(Npy, FilesSayWhatTheirBytesSay) {
  const std::filesystem::path path = testing::TempDir() + "npy_pieces.npy";
  Tensor tensor(DType::kBool, Shape{3, 5}, "t");
  for (int i = 0; i < 15; ++i) tensor.set(i, i % 3 == 0);
  const std::string whole = encode_npy(tensor).value();
  std::mt19937 random(7);
  for (int round = 0; round < 600; ++round) {
    std::string bytes = whole;
    if (round % 3 == 1) bytes.resize(random() % (whole.size() + 1));
    if (round % 3 == 2) bytes[random() % bytes.size()] = static_cast<char>(random());
    if (round % 9 == 0) bytes += "more";
    ASSERT_TRUE(write_file(path, bytes).ok());
    NpyOptions options;
    if (round % 2 == 1) options.as = DType::kUInt8;
    options.convert_fortran_order = round % 4 == 3;
    const auto parsed = parse_npy(bytes, path.filename().string(), options);
    const auto loaded = load_npy(path, options);
    ASSERT_EQ(loaded.ok(), parsed.ok()) << round;
    if (!parsed.ok()) {
      EXPECT_EQ(loaded.error().to_string(), parsed.error().to_string());
      continue;
    }
    ASSERT_EQ(loaded->shape(), parsed->shape());
    ASSERT_EQ(loaded->dtype(), parsed->dtype());
    EXPECT_EQ(std::memcmp(loaded->data(), parsed->data(), parsed->size_bytes()), 0);
  }
  std::filesystem::remove(path);
}

// Reads a field of this process, in bytes; "VmHWM:" is the most since reset_peak().
size_t memory(const std::string& field) {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    size_t kilobytes = 0;
    if (word == field && status >> kilobytes) return kilobytes * 1024;
  }
  return 0;
}
bool reset_peak() { return static_cast<bool>(std::ofstream("/proc/self/clear_refs") << "5"); }

TEST(Npy, ElementsOfAFileAreInMemoryOnce) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer's own memory would count";
#endif
  const std::filesystem::path path = testing::TempDir() + "npy_large.npy";
  constexpr size_t kBytes = size_t{96} << 20;
  {
    Tensor large(DType::kInt8, Shape{static_cast<int64_t>(kBytes)}, "t");
    std::memset(large.data(), 3, kBytes);
    if (!reset_peak()) GTEST_SKIP() << "the host does not say how much memory was taken";
    const size_t before = memory("VmRSS:");
    ASSERT_TRUE(save_npy(path, large).ok());
    EXPECT_LT(memory("VmHWM:"), before + kBytes / 2);
  }
  ASSERT_TRUE(reset_peak());
  const size_t before = memory("VmRSS:");
  const auto loaded = load_npy(path);
  ASSERT_TRUE(loaded.ok()) << loaded.error().to_string();
  EXPECT_EQ(loaded->at(static_cast<int64_t>(kBytes) - 1), 3);
  EXPECT_LT(memory("VmHWM:"), before + kBytes * 3 / 2);
  std::filesystem::remove(path);
}

}  // namespace
}  // namespace opkit
