#include "tests/coverage/probe.h"

#include <fmt/format.h>

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

struct Use {
  size_t call;
  std::string type;  // empty: untyped
};

// The translation unit, and which use stands on which line.
struct Source {
  std::string text;
  std::map<int, Use> instantiated;  // a failed instantiation of a typed use
  std::map<int, size_t> defined;    // a use's own text
};

class Writer {
 public:
  Writer() { add("#include \"given.h\"\n"); }

  void call(size_t index, const Call& call) {
    if (call.is_macro()) return macro(index, call);
    const bool typed = call.is_typed();
    add(fmt::format("template <typename T> void use_{}() {{ {}\n", index, kGiven));
    source_.defined[line_] = index;
    add(fmt::format("{}; }}\n", call.use));
    for (const std::string& type : typed ? element_types() : std::vector<std::string>{"float"}) {
      source_.instantiated[line_] = {index, typed ? type : ""};
      add(fmt::format("template void use_{}<{}>();\n", index, type));
    }
  }

  Source take() { return std::move(source_); }

 private:
  void macro(size_t index, const Call& call) {
    add(fmt::format("#ifndef {}\n", call.use.substr(8)));
    source_.defined[line_] = index;
    add(fmt::format("#error {} is not defined\n#endif\n", call.use.substr(8)));
  }
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

  // What it says to one source. The status is not wanted: most sources have errors.
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

// Reads the errors: which instantiations failed, and what was said of each call.
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

  bool failed(size_t call, const std::string& type) const {
    return failed_.count({call, type}) || broken_.count(call);
  }
  std::string sentence(size_t call) const {
    const auto found = said_.find(call);
    return found == said_.end() ? "" : found->second;
  }

 private:
  void line(const std::string& text) {
    static const std::regex required(R"(uses_\d+\.cpp:(\d+):\d+:\s+required from here)");
    static const std::regex error(R"(([^:]+):(\d+):\d+: error: (.*))");
    std::smatch m;
    if (std::regex_search(text, m, required)) {
      const auto use = source_.instantiated.find(std::stoi(m[1]));
      if (use == source_.instantiated.end()) return;
      failed_.insert({use->second.call, use->second.type});
      last_ = use->second.call;
    } else if (std::regex_match(text, m, error)) {
      const std::string file = m[1];
      const auto use = source_.defined.find(std::stoi(m[2]));
      const bool own = file.find("/uses_") != std::string::npos;
      if (own && use != source_.defined.end()) {
        if (last_ != use->second) broken_.insert(use->second);
        said_.emplace(use->second, m[3]);
      } else if (last_ != kNobody) {
        said_.emplace(last_, m[3]);
        // Said once, by the first element type, and true for all.
        if (m[3].str().find("is not emulated") != std::string::npos) broken_.insert(last_);
      }
      last_ = kNobody;
    }
  }

  static constexpr size_t kNobody = ~size_t{0};
  const Source& source_;
  std::set<std::pair<size_t, std::string>> failed_;
  std::set<size_t> broken_;  // the use does not compile for any type
  std::map<size_t, std::string> said_;
  size_t last_ = kNobody;
};

Finding finding(size_t index, const Call& call, const Log& log) {
  Finding f;
  f.call = call;
  if (call.is_typed()) {
    for (const std::string& type : element_types()) {
      if (!log.failed(index, type)) f.types.push_back(type);
    }
  } else {
    f.exists = !log.failed(index, "");
  }
  if (!f.present()) f.sentence = log.sentence(index);
  return f;
}

// A failed assertion of a template is reported once per translation unit, whoever uses the
// template, so every typed use has a unit of its own.
Result<Finding> probe_alone(const Compiler& compiler, size_t index, const Call& call) {
  Writer writer;
  writer.call(index, call);
  const Source source = writer.take();
  auto text = compiler.errors_of(fmt::format("uses_{}.cpp", index), source.text);
  if (!text.ok()) return text.error();
  Log log(source);
  log.read(*text);
  return finding(index, call, log);
}

}  // namespace

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
      auto found = probe_alone(*compiler, i, calls[i]);
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
