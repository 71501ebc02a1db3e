#include "tests/coverage/probe.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <map>
#include <regex>
#include <set>
#include <thread>

#include "opkit/base/file.h"

namespace opkit::coverage {
namespace {

// Precompiled once.
constexpr const char* kHeader = R"(#include "kernel_operator.h"
#include "lib/matmul_intf.h"
#include <cassert>
using namespace AscendC;
using MmType = MatmulType<TPosition::GM, CubeFormat::ND, half>;
using MmOut = MatmulType<TPosition::GM, CubeFormat::ND, float>;
using Mm = Matmul<MmType, MmType, MmOut, MmOut>;
)";

// What a use may name.
constexpr const char* kGiven =
    "LocalTensor<T> t; GlobalTensor<T> g; T s{}; LocalTensor<float> f; LocalTensor<half> h; "
    "LocalTensor<int8_t> i8; LocalTensor<int16_t> i16; LocalTensor<int32_t> i32; "
    "LocalTensor<uint8_t> u8; LocalTensor<uint16_t> u16; LocalTensor<uint32_t> u32; "
    "LocalTensor<uint64_t> u64; GlobalTensor<int32_t> gi; GlobalTensor<half> gh; "
    "GlobalTensor<float> gf; uint32_t n = 1; TPipe pipe; event_t e = EVENT_ID0; "
    "UnaryRepeatParams up; BinaryRepeatParams bp; uint64_t m[2] = {1, 0}; uint8_t m8[4] = {};";

// The translation unit of one use, and what stands on its lines.
struct Source {
  std::string text;
  std::map<int, std::string> instantiated;  // line -> element type; empty for an untyped use
  int defined = 0;                          // the line of the use's own text
};

class Writer {
 public:
  Writer() { add("#include \"given.h\"\n"); }

  Source source_of(const Use& use, const std::vector<std::string>& types) {
    if (use.is_macro()) {
      const std::string macro = use.text.substr(8);
      add(fmt::format("#ifndef {}\n", macro));
      source_.defined = line_;
      add(fmt::format("#error {} is not defined\n#endif\n", macro));
      return std::move(source_);
    }
    add(fmt::format("template <typename T> void use() {{ {}\n", kGiven));
    source_.defined = line_;
    add(fmt::format("{}; }}\n", use.text));
    for (const std::string& type : use.is_typed() ? types : std::vector<std::string>{"float"}) {
      source_.instantiated[line_] = use.is_typed() ? type : "";
      add(fmt::format("template void use<{}>();\n", type));
    }
    return std::move(source_);
  }

 private:
  void add(const std::string& text) {
    source_.text += text;
    for (char c : text) line_ += c == '\n';
  }

  Source source_;
  int line_ = 1;
};

struct Compiler {
  std::string command;         // g++ and its options
  std::filesystem::path work;  // given.h and its precompiled form are here

  // Returns what it says to one source. The status is not wanted: most sources have errors.
  Result<std::string> errors_of(const std::string& name, const std::string& text) const {
    const std::filesystem::path source = work / name, log = work / (name + ".log");
    if (Status written = write_file(source, text); !written.ok()) return written.error();
    (void)!std::system(
        fmt::format("{} -fsyntax-only '{}' > '{}' 2>&1", command, source.string(), log.string())
            .c_str());
    return read_file(log);
  }
};

Result<Compiler> compiler_in(const std::filesystem::path& work, const std::string& program,
                             const std::vector<std::string>& include_dirs) {
  Compiler compiler;
  compiler.work = work;
  compiler.command = fmt::format(
      "{} -std=c++17 -w -fmax-errors=0 -fno-diagnostics-show-caret -fdiagnostics-color=never",
      program);
  for (const std::string& dir : include_dirs) compiler.command += fmt::format(" -I '{}'", dir);
  const std::filesystem::path header = work / "given.h";
  if (Status written = write_file(header, kHeader); !written.ok()) return written.error();
  const std::string command =
      fmt::format("{} -x c++-header '{}' -o '{}.gch' > '{}.log' 2>&1", compiler.command,
                  header.string(), header.string(), header.string());
  if (std::system(command.c_str()) != 0) {
    return Error("OPK-COVERAGE-001", "the headers do not compile: " + command,
                 "run the command by hand");
  }
  return compiler;
}

// Reads the errors: which instantiations failed, and what was said.
class Log {
 public:
  explicit Log(const Source& source) : source_(source) {}

  void read(const std::string& text) {
    size_t from = 0;
    while (from < text.size()) {
      const size_t to = std::min(text.find('\n', from), text.size());
      line(text.substr(from, to - from));
      from = to + 1;
    }
  }

  bool failed(const std::string& type) const { return broken_ || failed_.count(type) > 0; }
  const std::string& sentence() const { return said_; }

 private:
  void line(const std::string& text) {
    static const std::regex required(R"(uses_[0-9_]+\.cpp:(\d+):\d+:\s+required from here)");
    static const std::regex error(R"(([^:]+):(\d+):\d+: error: (.*))");
    std::smatch m;
    if (std::regex_search(text, m, required)) {
      const auto use = source_.instantiated.find(std::stoi(m[1]));
      if (use == source_.instantiated.end()) return;
      failed_.insert(use->second);
      instantiating_ = true;
    } else if (std::regex_match(text, m, error)) {
      const bool own = m[1].str().find("/uses_") != std::string::npos;
      if (own && std::stoi(m[2]) == source_.defined) {
        if (!instantiating_) broken_ = true;
        say(m[3]);
      } else if (instantiating_) {
        say(m[3]);
        // Said once, by the first element type, and true for all.
        if (m[3].str().find("is not emulated") != std::string::npos) broken_ = true;
      }
      instantiating_ = false;
    }
  }
  void say(const std::string& text) {
    if (said_.empty()) said_ = text;
  }

  const Source& source_;
  std::set<std::string> failed_;
  bool broken_ = false;  // the use does not compile for any type
  bool instantiating_ = false;
  std::string said_;
};

// What the compiler says to one use.
struct Answer {
  std::vector<std::string> types;  // that compile
  bool exists = false;             // says whether an untyped use compiles
  std::string sentence;
};

Result<Answer> ask(const Compiler& compiler, const std::string& name, const Use& use,
                   const std::vector<std::string>& types) {
  const Source source = Writer().source_of(use, types);
  auto text = compiler.errors_of(name, source.text);
  if (!text.ok()) return text.error();
  Log log(source);
  log.read(*text);
  Answer answer;
  answer.sentence = log.sentence();
  if (!use.is_typed()) {
    answer.exists = !log.failed("");
    return answer;
  }
  for (const std::string& type : types) {
    if (!log.failed(type)) answer.types.push_back(type);
  }
  return answer;
}

std::vector<std::string> without(const std::vector<std::string>& all,
                                 const std::vector<std::string>& some) {
  std::vector<std::string> rest;
  for (const std::string& one : all) {
    if (std::count(some.begin(), some.end(), one) == 0) rest.push_back(one);
  }
  return rest;
}

const std::vector<std::string>& documented(const Call& call) {
  return call.documented.empty() ? element_types() : call.documented;
}

Result<Finding> finding_of(const Compiler& compiler, size_t index, const Call& call) {
  auto answer = ask(compiler, fmt::format("uses_{}.cpp", index), call.use, element_types());
  if (!answer.ok()) return answer.error();
  Finding f;
  f.call = call;
  f.types = answer->types;
  f.exists = answer->exists;
  if (!f.present()) {
    f.sentence = answer->sentence;
    return f;
  }
  for (size_t i = 0; i < call.forms.size(); ++i) {
    const Use& form = call.forms[i];
    auto said = ask(compiler, fmt::format("uses_{}_{}.cpp", index, i), form, documented(call));
    if (!said.ok()) return said.error();
    const std::vector<std::string> failing = without(documented(call), said->types);
    if (!form.is_typed() ? !said->exists : !failing.empty())
      f.gaps.push_back({form.name, said->types.empty() ? std::vector<std::string>() : failing});
  }
  for (size_t i = 0; i < call.elsewhere.size(); ++i) {
    auto said = ask(compiler, fmt::format("uses_{}_{}.cpp", index, call.forms.size() + i),
                    call.elsewhere[i], documented(call));
    if (!said.ok()) return said.error();
    f.elsewhere.push_back(said->sentence);
  }
  return f;
}

}  // namespace

std::vector<std::string> Finding::missing_types() const {
  return call.use.is_typed() ? without(documented(call), types) : std::vector<std::string>();
}

std::vector<std::string> Finding::further_types() const { return without(types, documented(call)); }

Finding::Status Finding::status() const {
  if (!present()) return Status::kNot;
  return missing_types().empty() && gaps.empty() && call.lacks.empty() ? Status::kHave
                                                                       : Status::kPartly;
}

Result<std::vector<Finding>> probe(const std::vector<Call>& calls, const std::string& program,
                                   const std::vector<std::string>& include_dirs,
                                   const std::filesystem::path& work) {
  auto compiler = compiler_in(work, program, include_dirs);
  if (!compiler.ok()) return compiler.error();
  std::vector<Finding> findings(calls.size());
  std::vector<std::string> errors(calls.size());
  std::atomic<size_t> next{0};
  const auto work_off = [&] {
    for (size_t i = next++; i < calls.size(); i = next++) {
      auto found = finding_of(*compiler, i, calls[i]);
      if (found.ok()) {
        findings[i] = std::move(*found);
      } else {
        errors[i] = found.error().to_string();
      }
    }
  };
  std::thread other(work_off);
  work_off();
  other.join();
  for (const std::string& error : errors) {
    if (!error.empty()) return Error("OPK-COVERAGE-002", error, "look at the work folder");
  }
  return findings;
}

}  // namespace opkit::coverage
