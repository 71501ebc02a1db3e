// Runs the real opkit in a folder of its own and keeps a transcript.
#ifndef OPKIT_TESTS_E2E_RUN_OPKIT_H_
#define OPKIT_TESTS_E2E_RUN_OPKIT_H_

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace opkit::e2e {

struct Shown {
  int exit_code = -1;
  std::string out, err;
};

// Runs a program without a shell and waits. `variables` join the environment; an empty value
// removes one.
Shown run_program(const std::vector<std::string>& words, const std::filesystem::path& folder,
                  const std::map<std::string, std::string>& variables = {});

// Returns the text of a file; empty where there is none.
std::string text_of(const std::filesystem::path& path);

// The opkit under test: $OPKIT_BIN (an installed SDK), else the one of this build.
std::string opkit_binary();

// A test with an empty working folder, no ASCEND_* variables and a cache of its own. A failing test
// shows every command with what it answered.
class OpkitTest : public testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // An OPP of this test with the shipped packages of these ops; false when `make ops` has not
  // installed them.
  bool take_shipped(const std::vector<std::string>& ops);
  // Tools find the shipped packages when that op is among them, else none at all.
  void use_shipped(const std::string& op);

  Shown opkit(const std::vector<std::string>& words);
  // Runs opkit, whose output must be one JSON document.
  nlohmann::json opkit_json(std::vector<std::string> words, int exit_code = 0);
  std::filesystem::path path(const std::string& relative) const { return folder_ / relative; }
  std::string read(const std::string& relative) const;
  void write(const std::string& relative, const std::string& text) const;
  // Replaces the one occurrence of `from`.
  void edit(const std::string& relative, const std::string& from, const std::string& to) const;

  std::filesystem::path folder_;
  std::map<std::string, std::string> variables_;
  std::string transcript_;
};

}  // namespace opkit::e2e

#endif  // OPKIT_TESTS_E2E_RUN_OPKIT_H_
