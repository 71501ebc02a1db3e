#include "opkit/cli/options/compiler_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace opkit::cli {
namespace {

constexpr const char* kArchitecture = "dav-2201";

bool begins(const std::string& word, const char* with) { return word.rfind(with, 0) == 0; }

// Programs are compiled as C++20, see docs/programs.md; sources of earlier standards are.
bool is_older_standard(const std::string& word) {
  const char* const known[] = {"11", "14", "17", "20", "1z", "2a"};
  return begins(word, "-std=") && std::any_of(std::begin(known), std::end(known), [&](auto year) {
           return word == std::string("-std=c++") + year ||
                  word == std::string("-std=gnu++") + year;
         });
}

bool is_plain(const std::string& word) {
  const char* const starts[] = {"-g", "-W", "-f", "-m", "-pthread", "-pipe", "-U"};
  return std::any_of(std::begin(starts), std::end(starts),
                     [&](const char* start) { return begins(word, start); });
}

// Relocatable device code: every object is.
bool means_nothing(const std::string& word) {
  return word == "-dc" || word == "-MD" || word == "-MMD" || word == "-MP" || word == "-x" ||
         word == "asc";
}

Error unknown_word(const std::string& word) {
  return Error("OPK-CC-013", fmt::format("the compiler word {} means nothing here", word),
               "leave it out; -D, -I, -isystem, -O, -g, -W, -f, -m, -std up to C++20 and "
               "--npu-arch=dav-2201 are known");
}

Error makes_nothing(const std::string& word) {
  return Error("OPK-CC-013",
               fmt::format("{} makes no object, and opkit cc -c is asked for one", word),
               "leave it out: opkit cc -c reports the same errors");
}

class Reader {
 public:
  explicit Reader(const std::vector<std::string>& words) : words_(words) {}

  Result<CompilerWords> run() {
    for (; next_ < words_.size(); ++next_) OPKIT_CHECK(take(words_[next_]));
    return std::move(read_);
  }

 private:
  Status take(const std::string& word) {
    if (word == "-MF") return value(word, read_.rule);
    if (word == "-fsyntax-only") return makes_nothing(word);
    std::string ignored;
    if (word == "-MT" || word == "-MQ") return value(word, ignored);
    if (word == "-isystem") return value(word, read_.includes.emplace_back());
    if (begins(word, "-D")) return joined(word, read_.macros.emplace_back());
    if (begins(word, "-I")) return joined(word, read_.includes.emplace_back());
    if (begins(word, "-O")) return level(word);
    if (begins(word, "--npu-arch=")) return architecture(word);
    if (begins(word, "--opkit-soc=")) {
      read_.soc = word.substr(word.find('=') + 1);
    } else if (word == "--opkit-launchers") {
      read_.launchers = true;
    } else if (is_plain(word)) {
      read_.plain.push_back(word);
    } else if (!is_older_standard(word) && !means_nothing(word)) {
      return unknown_word(word);
    }
    return {};
  }

  Status value(const std::string& word, std::string& into) {
    if (++next_ >= words_.size()) return unknown_word(word);
    into = words_[next_];
    return {};
  }
  // "-Dname" or "-D name".
  Status joined(const std::string& word, std::string& into) {
    if (word.size() == 2) return value(word, into);
    into = word.substr(2);
    return {};
  }
  Status level(const std::string& word) {
    read_.level = word.size() == 2 ? "1" : word.substr(2);
    if (read_.level.size() == 1 && std::string("0123gs").find(read_.level) != std::string::npos)
      return {};
    return unknown_word(word);
  }
  static Status architecture(const std::string& word) {
    if (word.substr(word.find('=') + 1) == kArchitecture) return {};
    return Error("OPK-CC-013",
                 fmt::format("{}: programs are built for {} only", word, kArchitecture),
                 fmt::format("--npu-arch={}", kArchitecture));
  }

  const std::vector<std::string>& words_;
  size_t next_ = 0;
  CompilerWords read_;
};

}  // namespace

Result<CompilerWords> read_compiler_words(const std::vector<std::string>& words) {
  return Reader(words).run();
}

}  // namespace opkit::cli
