#include "run_opkit.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <sstream>

#include "opkit_test_paths.h"

extern char** environ;

namespace opkit::e2e {
namespace fs = std::filesystem;
namespace {

constexpr const char* kShipped = "vendors/opkit/op_pkg";

// Where `make ops` installs.
fs::path shipped_opp() {
  const char* given = std::getenv("OPKIT_OPP");
  return given ? fs::path(given) : fs::path(OPKIT_SOURCE_DIR) / "opp";
}

std::vector<std::string> environment(const std::map<std::string, std::string>& variables) {
  std::vector<std::string> all;
  for (char** entry = environ; *entry; ++entry) {
    const std::string text = *entry;
    if (variables.count(text.substr(0, text.find('='))) == 0) all.push_back(text);
  }
  for (const auto& [name, value] : variables) {
    if (!value.empty()) all.push_back(name + "=" + value);
  }
  return all;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> result;
  for (std::string& word : words) result.push_back(word.data());
  result.push_back(nullptr);
  return result;
}

}  // namespace

std::string text_of(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Shown run_program(const std::vector<std::string>& given, const fs::path& folder,
                  const std::map<std::string, std::string>& variables) {
  std::string scratch = (fs::temp_directory_path() / "opkit-e2e-out-XXXXXX").string();
  EXPECT_NE(mkdtemp(scratch.data()), nullptr);
  const std::string out = scratch + "/out", err = scratch + "/err";
  std::vector<std::string> words = given;
  std::vector<std::string> settings = environment(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, 1, out.c_str(), O_WRONLY | O_CREAT, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, err.c_str(), O_WRONLY | O_CREAT, 0600);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, words[0].c_str(), &actions, nullptr,
                                  pointers(words).data(), pointers(settings).data());
  posix_spawn_file_actions_destroy(&actions);
  Shown shown;
  if (failed == 0) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    shown.exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  } else {
    shown.err = words[0] + ": " + std::strerror(failed);
  }
  shown.out += text_of(out);
  shown.err += text_of(err);
  fs::remove_all(scratch);
  return shown;
}

std::string opkit_binary() {
  const char* installed = std::getenv("OPKIT_BIN");
  return installed && *installed ? installed : OPKIT_BUILT_BINARY;
}

void OpkitTest::SetUp() {
  std::string pattern = (fs::temp_directory_path() / "opkit-e2e-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  folder_ = pattern;
  variables_ = {{"OPKIT_CONFIG_DIR", (folder_ / "config").string()},
                {"ASCEND_OPP_PATH", ""},
                {"ASCEND_CUSTOM_OPP_PATH", ""},
                {"NO_COLOR", ""},
                {"OPKIT_CACHE_DIR", (folder_ / ".cache").string()}};
}

void OpkitTest::TearDown() {
  if (HasFailure()) std::cerr << "transcript:\n" << transcript_;
  std::error_code ignored;
  fs::remove_all(folder_, ignored);
}

bool OpkitTest::take_shipped(const std::vector<std::string>& ops) {
  const fs::path from = shipped_opp();
  for (const std::string& op : ops)
    if (!fs::exists(from / kShipped / op)) return false;
  fs::create_directories(path("opp") / kShipped);
  fs::copy(from / "vendors/config.ini", path("opp/vendors/config.ini"));
  for (const std::string& op : ops)
    fs::copy(from / kShipped / op, path("opp") / kShipped / op, fs::copy_options::recursive);
  return true;
}

void OpkitTest::use_shipped(const std::string& op) {
  fs::path opp = shipped_opp();
  if (!fs::exists(opp / kShipped / op)) {
    fs::create_directories(path("opp/vendors"));
    opp = path("opp");
  }
  variables_["ASCEND_OPP_PATH"] = opp.string();
}

Shown OpkitTest::opkit(const std::vector<std::string>& words) {
  std::vector<std::string> all = {opkit_binary()};
  all.insert(all.end(), words.begin(), words.end());
  const Shown shown = run_program(all, folder_, variables_);
  transcript_ += "$ opkit";
  for (const std::string& word : words) transcript_ += " " + word;
  transcript_ += "\n" + shown.out + shown.err;
  transcript_ += "[exit code " + std::to_string(shown.exit_code) + "]\n\n";
  return shown;
}

nlohmann::json OpkitTest::opkit_json(std::vector<std::string> words, int exit_code) {
  words.push_back("--json");
  const Shown shown = opkit(words);
  EXPECT_EQ(shown.exit_code, exit_code);
  nlohmann::json document = nlohmann::json::parse(shown.out, nullptr, false);
  EXPECT_FALSE(document.is_discarded()) << "no JSON document: " << shown.out;
  return document;
}

std::string OpkitTest::read(const std::string& relative) const { return text_of(path(relative)); }

void OpkitTest::write(const std::string& relative, const std::string& text) const {
  fs::create_directories(path(relative).parent_path());
  std::ofstream(path(relative), std::ios::binary) << text;
}

void OpkitTest::edit(const std::string& relative, const std::string& from,
                     const std::string& to) const {
  std::string text = read(relative);
  const size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << relative << " does not hold: " << from;
  ASSERT_EQ(text.find(from, at + 1), std::string::npos) << relative << " holds it twice: " << from;
  write(relative, text.replace(at, from.size(), to));
}

}  // namespace opkit::e2e
