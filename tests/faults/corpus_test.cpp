// Every faulty kernel is found, named and located; no twin is reported; no code lacks kernels.
#include "corpus.h"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "opkit_test_paths.h"

namespace faults {
namespace {

using opkit::core::CheckedReport;
using opkit::core::Finding;

constexpr size_t kLeast = 3;  // faulty kernels of every code

// Codes that no kernel provokes, with the reason.
const std::map<std::string, const char*> kNotOfKernels = {
    {"EK1009", "the corpus launches on tensors without a tail (tests/unit/core/tail_test.cpp)"},
    {"EK1122", "found where EXTERN_IMPL_BUFPOOL stands (tests/conformance/memory_test.cpp)"},
    {"EK1215", "the corpus runs on a 910B only (tests/unit/core/arch_test.cpp)"},
    {"EK1504", "indices of GroupBarrier (tests/conformance/sync_test.cpp)"},
    {"EK1719", "an engine older than the kernel (tests/conformance/system_test.cpp)"},
    {"EK1720", "an index that cannot be (tests/conformance/cube_sparse_test.cpp)"},
    {"EK1721", "blocks out of order (tests/conformance/cube_matmul_copies_test.cpp)"},
    {"EK1722", "blocks out of order (tests/conformance/cube_matmul_copies_test.cpp)"},
    {"EK1723", "blocks out of order (tests/conformance/cube_matmul_copies_test.cpp)"},
    {"EK1724", "a sparse B (tests/conformance/cube_matmul_sparse_test.cpp)"},
    {"EK1717", "an engine older than the kernel (tests/conformance/cube_matmul_test.cpp)"},
    {"EK1718", "batches that do not fit the tiling (tests/conformance/cube_matmul_batch_test.cpp)"},
    {"EK1604", "the proof of tilings gives up by itself (tests/unit/core/modes)"},
    {"EK1610", "a recording that differs from its kernel is made up (tests/unit/core/replay)"},
    {"EK1605", "the launch is refused before any kernel runs (tests/unit/core/machine_test.cpp)"},
    {"EK1603", "the launch is refused before any kernel runs (tests/unit/core/machine_test.cpp)"},
    {"EK1609", "scalar code of a program's kernel only (tests/e2e/kernel_kinds_test.cpp)"}};

// The codes that stand as string literals in the engine and in the kernel headers.
std::set<std::string> codes_of_the_engine() {
  const std::regex code("\"(EK[0-9]{4})[\" ]");
  std::set<std::string> codes;
  for (const char* folder : {"/opkit/core", "/opkit/include"}) {
    for (const auto& entry :
         std::filesystem::recursive_directory_iterator(std::string(OPKIT_SOURCE_DIR) + folder)) {
      if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
      std::ifstream in(entry.path());
      for (std::string line; std::getline(in, line);) {
        if (line.find("// ") < line.find("EK")) continue;
        for (std::sregex_iterator it(line.begin(), line.end(), code), end; it != end; ++it)
          codes.insert((*it)[1]);
      }
    }
  }
  return codes;
}

// What Checked itself says about an instruction; refusals name the operand in their message.
bool names_operands(const std::string& code) {
  static const std::set<std::string> codes = {"EK1118", "EK1290", "EK1301", "EK1302",
                                              "EK1303", "EK1304", "EK1311", "EK1313",
                                              "EK1314", "EK1402", "EK1511"};
  return codes.count(code) != 0;
}

void expect_complete(const Case& c, const Finding& f) {
  EXPECT_FALSE(f.message.empty());
  EXPECT_FALSE(f.action.empty()) << "no suggestion";
  EXPECT_FALSE(f.at.instruction.empty()) << "no instruction";
  if (names_operands(f.code)) {
    EXPECT_FALSE(f.at.operands.empty()) << "no operands";
  }
  EXPECT_LT(f.at.block, c.setup.blocks);
  if (c.pair) {
    EXPECT_NE(f.other.pc, nullptr) << "the other party is missing";
    EXPECT_FALSE(f.other.instruction.empty()) << "the other instruction is missing";
  }
}

void expect_found(const Case& c) {
  const CheckedReport report = c.run(true);
  SCOPED_TRACE(all_text(report));
  EXPECT_TRUE(found_at(report, c.code, c.file, c.kernel, c.says));
  for (const Finding& f : report.findings) {
    if (f.code == c.code) expect_complete(c, f);
    const bool expected =
        f.code == c.code || std::find(c.also.begin(), c.also.end(), f.code) != c.also.end();
    EXPECT_TRUE(expected) << f.code << " does not belong to this fault";
  }
}

void judge(const Family& family) {
  for (const Case& c : family) {
    SCOPED_TRACE(c.code + " " + c.kernel);
    expect_found(c);
    EXPECT_CLEAN(c.run(false));
  }
}

TEST(Corpus, Memory) { judge(memory_faults()); }
TEST(Corpus, Queues) { judge(queue_faults()); }
TEST(Corpus, Pools) { judge(pool_faults()); }
TEST(Corpus, PoolsOfTheAuthor) { judge(author_pool_faults()); }
TEST(Corpus, Vector) { judge(vector_faults()); }
TEST(Corpus, Dequant) { judge(dequant_faults()); }
TEST(Corpus, Initialisation) { judge(initialisation_faults()); }
TEST(Corpus, Unset) { judge(unset_faults()); }
TEST(Corpus, Products) { judge(product_faults()); }
TEST(Corpus, Events) { judge(event_faults()); }
TEST(Corpus, Cache) { judge(cache_faults()); }
TEST(Corpus, Outputs) { judge(output_faults()); }
TEST(Corpus, Numerics) { judge(numeric_faults()); }
TEST(Corpus, Races) { judge(race_faults()); }
TEST(Corpus, Flags) { judge(flag_faults()); }
TEST(Corpus, Needless) { judge(needless_faults()); }
TEST(Corpus, Cores) { judge(core_faults()); }
TEST(Corpus, CrossCoreFlags) { judge(cross_faults()); }
TEST(Corpus, System) { judge(system_faults()); }
TEST(Corpus, Cube) { judge(cube_faults()); }
TEST(Corpus, Fills) { judge(fill_faults()); }
TEST(Corpus, ElementsBelowAByte) { judge(nibble_faults()); }
TEST(Corpus, RowVectors) { judge(row_vector_faults()); }
TEST(Corpus, Matmul) { judge(matmul_faults()); }
TEST(Corpus, MatmulInGm) { judge(matmul_gm_faults()); }
TEST(Corpus, Advanced) { judge(advanced_faults()); }
TEST(Corpus, Library) { judge(library_faults()); }

std::map<std::string, std::set<std::string>> kernels_by_code() {
  std::map<std::string, std::set<std::string>> kernels;
  for (const auto& [name, family] : whole_corpus())
    for (const Case& c : family) kernels[c.code].insert(c.kernel);
  return kernels;
}

TEST(Corpus, EveryCodeHasThreeKernels) {
  auto kernels = kernels_by_code();
  const auto codes = codes_of_the_engine();
  ASSERT_GT(codes.size(), 60u);
  for (const std::string& code : codes) {
    if (kNotOfKernels.count(code) == 0) {
      EXPECT_GE(kernels[code].size(), kLeast) << code;
    }
    std::cout << code << " " << kernels[code].size() << "\n";
  }
  for (const auto& [code, names] : kernels)
    EXPECT_EQ(codes.count(code), 1u) << code << " is not in the engine";
}

}  // namespace

CheckedReport Case::run(bool faulty) const {
  return run_checked(vector[faulty], cube[faulty], setup);
}

std::vector<std::pair<std::string, Family>> whole_corpus() {
  return {{"memory", memory_faults()},
          {"queues", queue_faults()},
          {"pools", pool_faults()},
          {"vector", vector_faults()},
          {"author_pools", author_pool_faults()},
          {"dequant", dequant_faults()},
          {"numerics", numeric_faults()},
          {"initialisation", initialisation_faults()},
          {"unset", unset_faults()},
          {"events", event_faults()},
          {"cache", cache_faults()},
          {"products", product_faults()},
          {"races", race_faults()},
          {"flags", flag_faults()},
          {"needless", needless_faults()},
          {"cores", core_faults()},
          {"cross", cross_faults()},
          {"system", system_faults()},
          {"cube", cube_faults()},
          {"fills", fill_faults()},
          {"elements below a byte", nibble_faults()},
          {"row_vectors", row_vector_faults()},
          {"matmul", matmul_faults()},
          {"matmul_gm", matmul_gm_faults()},
          {"output", output_faults()},
          {"advanced", advanced_faults()},
          {"library", library_faults()}};
}

}  // namespace faults
