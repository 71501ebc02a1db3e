#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <sstream>

#include "opkit_test_paths.h"
#include "packages.h"

namespace opkit::registry {
namespace {

namespace fs = std::filesystem;

std::set<std::string> codes_in(const std::string& text) {
  static const std::regex code(
      "OPK-(VERSION|MANIFEST|PKG|FIT|ELF|REG|INSTALL|PLUGIN|KEY|TRUST|LOCK)-[0-9]{3}");
  std::set<std::string> found;
  for (std::sregex_iterator it(text.begin(), text.end(), code), end; it != end; ++it) {
    found.insert(it->str());
  }
  return found;
}

std::set<std::string> codes_of_folder(const fs::path& folder) {
  std::set<std::string> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const fs::path kind = entry.path().extension();
    if (kind != ".cpp" && kind != ".h") continue;
    found.merge(codes_in(read_text(entry.path())));
  }
  return found;
}

// The table of docs/opp.md lists every code of the sources and no other.
TEST(Docs, TheErrorTableIsComplete) {
  const fs::path root = OPKIT_SOURCE_DIR;
  std::set<std::string> listed;
  std::istringstream lines(read_text(root / "docs/opp.md"));
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("| OPK-", 0) == 0) listed.merge(codes_in(line));
  }
  EXPECT_EQ(listed, codes_of_folder(root / "registry"));
}

// Every code is provoked by a case.
TEST(Docs, EveryCodeHasACase) {
  const fs::path root = OPKIT_SOURCE_DIR;
  std::set<std::string> missing = codes_of_folder(root / "registry");
  const fs::path folder = root / "tests/unit/registry";
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().filename() == "docs_test.cpp") continue;
    for (const std::string& code : codes_in(read_text(entry.path()))) missing.erase(code);
  }
  EXPECT_EQ(missing, std::set<std::string>{});
}

}  // namespace
}  // namespace opkit::registry
