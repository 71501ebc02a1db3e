// Every error code belongs to one layer and has a test that names it.
#include <gtest/gtest.h>

#include <map>
#include <regex>
#include <set>
#include <sstream>

#include "opkit/base/file.h"
#include "opkit_test_paths.h"

namespace opkit::coverage {
namespace {

namespace fs = std::filesystem;

const fs::path kSource = OPKIT_SOURCE_DIR;

std::vector<fs::path> sources_below(const fs::path& folder,
                                    const std::set<std::string>& endings = {".cpp", ".h"}) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (endings.count(entry.path().extension().string()) > 0) files.push_back(entry.path());
  }
  return files;
}

std::string text_of(const fs::path& file) {
  const auto text = read_file(file);
  return text.ok() ? *text : "";
}

// Reads the layers from the map that the build wrote; parts of a layer count as the layer.
std::set<std::string> all_layers() {
  std::istringstream map(text_of(fs::path(OPKIT_BINARY_DIR) / "layers.map"));
  std::set<std::string> layers;
  for (std::string line; std::getline(map, line);) {
    std::istringstream words(line);
    std::string kind, folder;
    if (words >> kind >> folder && kind == "layer") layers.insert(folder);
  }
  return layers;
}

// Returns "opkit/core" for opkit/core/isa/copy.cpp, "opkit/soc" for opkit/soc/arch.cpp.
std::string layer_of(const fs::path& file) {
  static const std::set<std::string> layers = all_layers();
  fs::path folder = fs::relative(file, kSource).parent_path();
  while (!folder.empty() && layers.count(folder.string()) == 0) folder = folder.parent_path();
  EXPECT_FALSE(folder.empty()) << file << " lies in no layer";
  return folder.string();
}

std::map<std::string, std::set<std::string>> layers_by_code() {
  static const std::regex code(R"re("(OPK-[A-Z]+-\d{3}|EK\d{4})")re");
  std::map<std::string, std::set<std::string>> layers;
  for (const char* top : {"opkit", "registry"}) {
    for (const fs::path& file : sources_below(kSource / top)) {
      const std::string text = text_of(file);
      for (std::sregex_iterator it(text.begin(), text.end(), code), end; it != end; ++it)
        layers[(*it)[1]].insert(layer_of(file));
    }
  }
  return layers;
}

// A layer may raise a code of a layer below it where it finds the same thing.
const std::set<std::string> kShared = {
    "EK1103",                      // an example in the table of codes
    "EK1109",                      // the headers see some cases before the engine does
    "EK1101",                      // the proof of tilings recognises the engine's refusal
    "EK1309",           "EK1312",  // a watch asks Timed what they cost
    "EK1501",                      // a launch that was cut leaves cores waiting
    "EK1001",           "EK1804",  // the headers see some cases before the engine does
    "EK1219",           "EK1805",  // the engine counts as a warning what a header sees
    "EK1203",                      // the waist documents it as an example
    "EK1707",                      // a bias of the wrong type: found by the header or by the engine
    "OPK-CLI-003",                 // an option that does not fit the others, of any command
    "OPK-CLI-004",                 // a value of an option that cannot be read, of any command
    "OPK-CLI-014",                 // what an import left out, of a project or of a contract
    "OPK-CLI-015",                 // a chip without figures: programs say what to do about it
    "OPK-DRY-001",                 // opkit tile --cost runs such a kernel on data
    "OPK-CONTRACT-014",            // an unknown dtype name, in a document or in a contract
    "OPK-ENV-001",                 // a build needs the SDK, of a project or of a written op
    "OPK-FILE-001",                // a file that cannot be read
    "OPK-FILE-004",                // what cannot be written, of a command or of a program
    "OPK-HOST-002",   // the host side of a plugin lies in headers and in opkit/call/tiling
    "OPK-HOST-013",   // the author's struct knows its fields, the call that none was set
    "OPK-IMAGE-002",  // a JPEG that is not read has a code of the vendor's
    "OPK-IMAGE-006",  // a PNG likewise
    "OPK-INFER-001",    "OPK-INFER-010",  // a call that does not fit the contract
    "OPK-INSTALL-003",  "OPK-INSTALL-004", "OPK-PLUGIN-013",  // commands around the registry
    "OPK-INFER-003",                        // opkit test recognises a call that no column takes
    "OPK-PLUGIN-010",   "OPK-PLUGIN-011",   // the probe, in a fork or in a worker
    "OPK-RUN-003",      "OPK-RUN-006",      // calls of programs have the vendor's codes for them
    "OPK-TENSOR-001",   "OPK-WORKER-009",   // a problem that the host has no memory for is skipped
    "OPK-WORKER-001",   "OPK-WORKER-012",   // what the machine lacks ends a compilation or a test
    "OPK-COST-001",                         // more of the launch is watched
    "OPK-WORKER-004",                       // what was too slow is tried less often
    "OPK-KEY-002",      "OPK-KEY-004",      // keys that commands name, and that the store holds
    "OPK-REG-002",                          // opkit lock leaves out what fits nowhere
    "OPK-TRUST-001",    "OPK-TRUST-002",    // what a new signature mends does not stop opkit sign
    "OPK-NEW-001",      "OPK-NEW-004",      // the exit code is chosen by them
    "OPK-KEY-005",      "OPK-VERSION-002",  // likewise
    "OPK-CLI-033",                          // likewise
    "OPK-CLI-011",      "OPK-CLI-022",      // columns and bench shapes that commands choose
    "OPK-NEW-003",                          // whatever writes a new file or folder
    "OPK-REF-008",      "OPK-REF-012",      // the bounded evaluation follows the reference
    "OPK-RUN-002",                          // a call without a plugin
    "OPK-RUN-004",                          // an example in the help of explain
    "OPK-SHAPE-002",                        // 2^63 elements of a shape, or bytes of a result
    "OPK-SOC-002",                          // an unknown chip
    "OPK-VERIFY-010",                       // a problem's line is part of the command line
};

TEST(ErrorCodes, ACodeBelongsToOneLayer) {
  for (const auto& [code, layers] : layers_by_code()) {
    if (kShared.count(code) > 0) continue;
    std::string names;
    for (const std::string& layer : layers) names += " " + layer;
    EXPECT_EQ(layers.size(), 1u) << code << " is raised by" << names;
  }
}

// No input that a test can give provokes these.
bool is_out_of_reach(const std::string& code) {
  static const std::set<std::string> out_of_reach = {
      "OPK-CLI-013",       // --out for one file of a dynamic output: no installed op has one
      "OPK-INTERNAL-001",  // an exception that nobody expects
      "OPK-VERIFY-003",    // a reference that the contract's own checks let through by mistake
      "OPK-VERIFY-050",    // an op that builds and passes but has nothing to mutate
  };
  return out_of_reach.count(code) > 0;
}

TEST(ErrorCodes, EveryCodeHasATestThatNamesIt) {
  std::string tests;
  for (const fs::path& file : sources_below(kSource / "tests", {".cpp", ".h", ".py"})) {
    if (file.filename() != "error_codes_test.cpp") tests += text_of(file);
  }
  for (const auto& [code, layers] : layers_by_code())
    EXPECT_NE(is_out_of_reach(code) ? 0 : tests.find(code), std::string::npos)
        << code << " of " << *layers.begin();
}

}  // namespace
}  // namespace opkit::coverage
