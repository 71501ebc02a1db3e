// Readers of untrusted bytes against thousands of mutants of good files each.
#include <unistd.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "mutator.h"
#include "opkit/base/file.h"
#include "opkit/base/npz.h"
#include "opkit_test_paths.h"
#include "readers.h"
#include "registry/archive.h"
#include "registry/lookup_index.h"
#include "registry/manifest.h"
#include "registry/quarantine.h"

namespace opkit::fuzz {
namespace {

namespace fs = std::filesystem;

std::string slurp(const fs::path& path) {
  auto text = read_file(path);
  EXPECT_TRUE(text.ok()) << path;
  return text.ok() ? std::move(text).value() : std::string("x");
}

std::string source(const std::string& path) { return slurp(fs::path(OPKIT_SOURCE_DIR) / path); }

std::vector<Tensor> tensors() {
  std::vector<Tensor> list;
  list.emplace_back(DType::kFloat32, Shape({2, 3}), "x");
  list.emplace_back(DType::kInt8, Shape({0, 7}), "y");
  list.emplace_back(DType::kFloat16, Shape(std::vector<int64_t>{}), "z");
  for (Tensor& tensor : list) {
    for (int64_t i = 0; i < tensor.elements(); ++i) tensor.set(i, static_cast<double>(i));
  }
  return list;
}

registry::Manifest some_manifest() {
  constexpr const char* kDigest =
      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  registry::Manifest m;
  m.abi = 1;
  m.vendor = "acme";
  m.op = "AddRelu";
  m.version = "1.10.0";
  m.kit = "0.1.0";
  m.contract_file = "op_proto/op_contract.yaml";
  m.contract_sha256 = kDigest;
  m.library_file = "op_impl/libadd_relu.so";
  m.library_sha256 = kDigest;
  m.platform = "linux-x86_64";
  m.glibc = "2.34";
  m.needed = {"libstdc++.so.6", "libc.so.6"};
  m.socs = {"Ascend910B"};
  m.kernels = {{"add_relu", 0u, 18446744073709551614u, "aiv"}, {"any", {}, {}, "mix_1_2"}};
  return m;
}

std::string manifest() { return to_yaml(some_manifest()); }

std::string lookup_index(int packages) {
  registry::LookupIndex index("/opp");
  const registry::FileStamp stamp{1, 2, 3, 4, 5};
  for (int i = 0; i < packages; ++i)
    index.put("Op" + std::to_string(i) + "/1.0.0",
              {some_manifest(), "key", {"$ORIGIN"}, {{"", stamp}, {"manifest.yaml", stamp}}});
  return index.to_bytes();
}

struct Case {
  Reader reader;
  std::string name;
  std::vector<std::string> seeds, dictionary;
  int mutants = 4000;
};

void PrintTo(const Case& test, std::ostream* out) { *out << test.name; }

Case npy_case() {
  Case test{Reader::kNpy,
            "npy",
            {},
            {"(9223372036854775807,)", "'descr': '<f4'", "|O", "-1", "True", "(2, 3)",
             "\x93NUMPY\x03", "<U8", "}}}}", ">i2"}};
  for (const Tensor& tensor : tensors()) test.seeds.push_back(encode_npy(tensor).value());
  return test;
}

Case npz_case() {
  return {Reader::kNpz,
          "npz",
          {encode_npz(tensors()).value()},
          {"PK\x03\x04", "PK\x01\x02", "PK\x05\x06", "\xff\xff\xff\xff", "x.npy", ".npy", "../"}};
}

Case manifest_case() {
  return {Reader::kManifest,
          "manifest",
          {manifest()},
          {"../", "/etc/passwd", "18446744073709551616", "-1", "[]", "{}", "\"\"", "*a", "&a",
           "null", "kernels:", "1.2.3.4", "linux-", "\xff"}};
}

Case elf_case() {
  return {Reader::kElf,
          "elf",
          {slurp(OPKIT_FUZZ_LIBRARY)},
          {std::string(8, '\xff'), std::string(8, '\0'),
           "\x7f"
           "ELF",
           "GLIBC_2.34", "$ORIGIN"}};
}

Case soc_case() {
  return {Reader::kSoc,
          "soc",
          {source("opkit/soc/specs/ascend910b1.yaml"), source("opkit/soc/specs/ascend310p3.yaml")},
          {"9223372036854775807", "-1", "0", "1e308", "nan", "{}", "[]", "*a", "null", "2**63",
           "\"\"", "~"},
          1500};
}

Case program_case() {
  return {Reader::kProgram,
          "program",
          {source("tests/e2e/programs/matmul_leaky.asc"),
           source("tests/e2e/programs/two_kernels.asc"), source("tests/e2e/programs/add_tque.asc")},
          {"<<<", ">>>", "__global__", "__aicore__", "/*", "*/", "R\"(", "\\\n", "#if 0\n",
           "template <", "((((", "'", "<<<1, nullptr, s>>>", "KERNEL_TASK_TYPE_DEFAULT("}};
}

Case kernel_case() {
  return {Reader::kKernel,
          "kernel",
          {source("tests/e2e/vendor/add_act/op_kernel/add_act.cpp"),
           source("tests/e2e/vendor/add_act/op_kernel/tiling_key_add_act.h"),
           source("ops/fused/add_relu/op_kernel/add_relu.cpp")},
          {"TILING_KEY_IS(", "KERNEL_TASK_TYPE(", "ASCENDC_TPL_SEL(", "template <", "::", "/*",
           "R\"x(", "#define add(", "GET_TILING_DATA(", "))))", "18446744073709551616", "'"}};
}

Case signature_case() {
  return {Reader::kSignature,
          "signature",
          {"opkit signature 1\nkey " + std::string(64, 'a') + "\nsignature " +
           std::string(128, '0') + "\n"},
          {"key ", "\n", "A", "\r\n", "opkit signature 1\n"}};
}

Case trust_case() {
  const std::string key(64, 'e');
  return {Reader::kTrust,
          "trust",
          {"opkit trust 1\npolicy any\n",
           "opkit trust 1\npolicy signed\nowner acme " + key + "\nowner beta " + key + "\n"},
          {"owner ", "policy ", "known-vendors", "\n", "built-in", "../", "owner a " + key + "\n"}};
}

Case pending_case() {
  const std::string tail = "inode 1234567\n", key(64, 'e');
  return {Reader::kPending,
          "pending",
          {"opkit pending 1\nvendor acme\nop AddRelu\nversion 1.0.0\ndirectory arrives\norder "
           "first\nowner " +
               key + "\n" + tail,
           "opkit pending 1\nvendor built-in\nop Add\nversion /\ndirectory leaves\norder out\n"
           "owner -\n" +
               tail},
          {"vendor ", "owner -", "keep", "..", "/", "\n", "18446744073709551615", "0"}};
}

Case lock_case() {
  const std::string digest(64, 'd');
  return {
      Reader::kLock,
      "lock",
      {"opkit lock 1\nAddRelu 1.0.0 acme " + digest + "\nMulAdd 1.2.0-rc.1 beta " + digest + "\n"},
      {"Zoo 1.0.0 acme " + digest + "\n", " ", "\n", "1.0", "../"}};
}

Case key_case() {
  return {Reader::kKey,
          "key",
          {"opkit key 1\nvendor acme\nkey " + std::string(64, '9') + "\n"},
          {"vendor ", "key ", "\n", "secret ", ".."}};
}

// The digests stop most mutants, so the seeds make up for it: a part may be cut off whole.
Case lookups_case() {
  return {Reader::kLookups,
          "lookups",
          {lookup_index(0), lookup_index(1), lookup_index(3)},
          {std::string(8, '\xff'), std::string(8, '\0'), "opkit index of look-ups\n", "Op0/1.0.0"}};
}

// Tests run beside each other, and each makes every case.
fs::path of_this_process(const std::string& name) {
  return fs::path(testing::TempDir()) / (name + std::to_string(::getpid()));
}

std::string archive_of(const std::map<std::string, std::string>& files) {
  const fs::path folder = of_this_process("opkit_fuzz_package");
  fs::remove_all(folder);
  for (const auto& [name, text] : files) {
    fs::create_directories((folder / name).parent_path());
    EXPECT_TRUE(write_file(folder / name, text).ok());
  }
  const fs::path file = folder.string() + ".opkg";
  EXPECT_TRUE(registry::pack(folder, file).ok());
  const std::string bytes = slurp(file);
  fs::remove_all(folder);
  fs::remove(file);
  return bytes;
}

// Entries of a tar without compression begin at multiples of 512 bytes.
std::string plain_tar() {
  std::string tar;
  for (const std::string name : {"manifest.yaml", "op_impl/lib.so"}) {
    std::string head(512, '\0');
    name.copy(head.data(), name.size());
    const std::string fields[] = {"0000644", "0000000", "0000000", "00000000005", "00000000000"};
    size_t at = 100;
    for (const std::string& field : fields) {
      field.copy(head.data() + at, field.size());
      at += field.size() + 1;
    }
    std::string("        0").copy(head.data() + 148, 9);
    std::string("ustar").copy(head.data() + 257, 5);
    std::string("00").copy(head.data() + 263, 2);
    unsigned sum = 0;
    for (const char byte : head) sum += static_cast<unsigned char>(byte);
    fmt::format("{:06o}", sum).copy(head.data() + 148, 6);
    head[154] = '\0';
    tar += head + "bytes" + std::string(507, '\0');
  }
  return tar + std::string(1024, '\0');
}

Case archive_case() {
  return {Reader::kArchive,
          "archive",
          {archive_of({{"manifest.yaml", manifest()}, {"docs/a.md", "a"}}), plain_tar()},
          {"../", "/etc/passwd", "2", "00000000000", "77777777777", "ustar", std::string(8, '\0'),
           "\x28\xb5\x2f\xfd", "\x1f\x8b"},
          1500};
}

Case crashes_case() {
  const fs::path cache = of_this_process("opkit_fuzz_cache");
  fs::remove_all(cache);
  registry::Quarantine(cache).add("0a", Error("OPK-WORKER-002", "it died"));
  const std::string bytes = slurp(cache / "crashes/0a");
  fs::remove_all(cache);
  return {Reader::kCrashes,
          "crashes",
          {bytes},
          {std::string(8, '\xff'), std::string(4, '\0'), "OPK-WORKER-005", "opkit"}};
}

Case buffers_case() {
  return {Reader::kBuffers,
          "buffers",
          {"id,lower,upper,size\nb0,0,3,4\nb1,3,9,4\nb2,0,9,4\nb3,9,21,4\nb4,0,21,8\n",
           "id,lower,upper,size,offset\r\nx,-2,1,512,0\r\ny,0,4,1,512\r\n"},
          {"-9223372036854775808", "9223372036854775807", "1125899906842624", ",", "\n", "\r\n",
           ",offset", "0", "-1", "1e3"}};
}

class Readers : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, Readers,
                         testing::Values(npy_case(), npz_case(), manifest_case(), elf_case(),
                                         soc_case(), program_case(), kernel_case(),
                                         signature_case(), trust_case(), pending_case(),
                                         lock_case(), key_case(), lookups_case(), archive_case(),
                                         crashes_case(), buffers_case()),
                         [](const auto& info) { return info.param.name; });

TEST_P(Readers, TakeTheSeeds) {
  ASSERT_FALSE(GetParam().seeds.empty());
  for (const std::string& seed : GetParam().seeds) EXPECT_TRUE(accepts(GetParam().reader, seed));
}

TEST_P(Readers, KeepTheirPromisesForEveryMutant) {
  Mutator mutator(20261121, GetParam().seeds, GetParam().dictionary);
  int accepted = 0;
  for (int i = 0; i < GetParam().mutants; ++i)
    accepted += accepts(GetParam().reader, mutator.next());
  EXPECT_GT(accepted, GetParam().mutants / 200) << "mutants all refused early test little";
  EXPECT_LT(accepted, GetParam().mutants) << "nothing was refused";
}

}  // namespace
}  // namespace opkit::fuzz
