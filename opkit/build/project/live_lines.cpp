#include "opkit/build/project/live_lines.h"

#include <fmt/format.h>

#include <map>
#include <sstream>

#include "opkit/base/process/child.h"
#include "opkit/build/project/program_passes.h"

namespace opkit::project {
namespace fs = std::filesystem;
namespace {

std::vector<std::string> words_of(const fs::path& source, const Preprocessing& with,
                                  const ProgramPass& pass) {
  std::vector<std::string> words = {"g++",        "-E",
                                    "-w",         "-fdirectives-only",
                                    "-std=c++20", fmt::format("-DOPKIT_CORE_PASS={}", pass.number),
                                    pass.macro};
  for (const std::string& macro : with.macros) words.push_back("-D" + macro);
  for (const std::string& folder : with.includes) words.push_back("-I" + folder);
  const std::vector<std::string> headers = header_words(with.sdk);
  words.insert(words.end(), headers.begin(), headers.end());
  words.insert(words.end(), {"-x", "c++", source.string()});
  return words;
}

}  // namespace

// A line `# 12 "file" flags` says where the next one comes from.
void add_live_lines(const std::string& preprocessed, unsigned pass, source_text::LiveLines& lines) {
  std::istringstream text(preprocessed);
  std::map<std::string, fs::path> canonical;
  std::map<int, unsigned>* file = nullptr;
  int number = 0;
  for (std::string line; std::getline(text, line);) {
    const size_t open = line.find('"'), close = line.rfind('"');
    if (line.rfind("# ", 0) == 0 && line.size() > 2 && std::isdigit(line[2]) && open < close) {
      const std::string name = line.substr(open + 1, close - open - 1);
      const auto [known, added] = canonical.try_emplace(name);
      if (added) known->second = fs::weakly_canonical(name);
      file = &lines[known->second];
      number = std::stoi(line.substr(2));
      continue;
    }
    if (file && line.find_first_not_of(" \t\r") != std::string::npos) (*file)[number] |= pass;
    ++number;
  }
}

source_text::LiveLines live_lines(const fs::path& source, const Preprocessing& with) {
  source_text::LiveLines lines;
  for (const ProgramPass& pass : {kVectorPass, kCubePass}) {
    const auto result = run_program(words_of(source, with, pass));
    if (!result.ok() || !result->ok()) return {};
    add_live_lines(result->output, 1U << pass.number, lines);
  }
  return lines;
}

}  // namespace opkit::project
