#include "opkit/call/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

namespace opkit::trace {
namespace {

using core::CoreTimes;
using core::Span;
using core::TimedResult;

// The rows of the vendor's simulator.
const char* row_name(uint8_t pipe) {
  static constexpr const char* kRows[] = {"SCALAR", "VECTOR", "CUBE", "MTE1",
                                          "MTE2",   "MTE3",   "FIXP"};
  return pipe < std::size(kRows) ? kRows[pipe] : "?";
}

std::string core_name(const CoreTimes& core) {
  if (core.kind == OPK_CORE_AIC) return fmt::format("block {} cubecore", core.block);
  const int lane = core.sub_block < 0 ? 0 : core.sub_block;
  return fmt::format("block {} {}{}", core.block, core.kind == OPK_CORE_MIX ? "core" : "veccore",
                     lane);
}

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) >= 0x20) out += c;
  }
  return out;
}

std::string microseconds(uint64_t cycles, uint32_t mhz) {
  const uint64_t ns = cycles * 1000 / mhz;
  return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
}

using Names = std::function<std::string(const void* pc)>;

class Writer {
 public:
  Writer(const TimedResult& result, const Names& names, const std::set<uint32_t>& blocks)
      : result_(result), names_(names), blocks_(blocks), mhz_(result.rates.frequency_mhz) {}

  std::string run() {
    out_ = fmt::format(
        R"({{"displayTimeUnit":"ns","otherData":{{"kernel":"{}","cycles":"{}","task_ns":"{}"}},)"
        "\n\"traceEvents\":[\n",
        escaped(result_.kernel), result_.cycles, result_.task_ns);
    for (size_t i = 0; i < result_.cores.size(); ++i) {
      if (is_drawn(i)) name_rows(i);
    }
    for (const Span& span : result_.spans) {
      if (is_drawn(span.core)) add(span);
    }
    add_counters();
    if (out_.ends_with(",\n")) out_.resize(out_.size() - 2);
    return out_ + "\n]}\n";
  }

 private:
  bool is_drawn(size_t core) const {
    return blocks_.empty() || blocks_.count(result_.cores[core].block) > 0;
  }

  void name_rows(size_t i) {
    out_ += fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":"{}"}}}},)"
                        "\n",
                        i, core_name(result_.cores[i]));
    out_ += fmt::format(
        R"({{"ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}}}},)"
        "\n",
        i, i);
    for (uint8_t p = 0; p < core::kTimedPipes; ++p) {
      out_ += fmt::format(
          R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"{}"}}}},)"
          "\n",
          i, p, row_name(p));
      out_ += fmt::format(
          R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}},)"
          "\n",
          i, p, p);
    }
  }

  std::string place(const void* pc) const {
    return pc != nullptr && names_ ? escaped(names_(pc)) : std::string();
  }

  void add(const Span& span) {
    out_ += fmt::format(R"({{"ph":"X","name":"{}{}","cat":"{}","pid":{},"tid":{},"ts":{},"dur":{},)"
                        R"("args":{{"cycles":{},"code":"{}"{}}}}},)"
                        "\n",
                        span.is_wait() ? "wait: " : "", escaped(span.name),
                        span.is_wait() ? "wait" : "run", span.core, span.pipe,
                        microseconds(span.start, mhz_), microseconds(span.end - span.start, mhz_),
                        span.end - span.start, place(span.pc), more_of(span));
    if (span.is_wait() && span.waits_for < core::kTimedPipes) add_flag(span);
  }

  std::string more_of(const Span& span) const {
    if (!span.is_wait()) return span.bytes ? fmt::format(R"(,"bytes":{})", span.bytes) : "";
    const bool cores = span.waits_for == Span::kOtherCores;
    return fmt::format(R"(,"for":"{}","given by":"{}","given at":"{}")",
                       cores ? "other cores" : row_name(span.waits_for), escaped(span.giver),
                       place(span.giver_pc));
  }

  // An arrow from the pipe that gives the flag to the one that waits for it.
  void add_flag(const Span& span) {
    const std::string time = microseconds(span.end, mhz_);
    ++flags_;
    out_ +=
        fmt::format(R"({{"ph":"s","name":"flag","cat":"flag","id":{},"pid":{},"tid":{},"ts":{}}},)"
                    "\n",
                    flags_, span.core, span.waits_for, time);
    out_ += fmt::format(
        R"({{"ph":"f","bp":"e","name":"flag","cat":"flag","id":{},"pid":{},"tid":{},"ts":{}}},)"
        "\n",
        flags_, span.core, span.pipe, time);
  }

  // Bytes that copies move in each of some hundred pieces of the launch, over all cores.
  void add_counters() {
    constexpr uint64_t kPieces = 200;
    const auto moves = [](const Span& span) { return !span.is_wait() && span.bytes > 0; };
    if (std::ranges::none_of(result_.spans, moves)) return;
    const uint64_t piece = std::max<uint64_t>(1, result_.cycles / kPieces);
    std::vector<std::array<double, 2>> moved(result_.cycles / piece + 1);
    for (const Span& span : result_.spans) {
      if (moves(span)) spread(span, piece, moved);
    }
    for (size_t i = 0; i < moved.size(); ++i) {
      const double rate = static_cast<double>(mhz_) / static_cast<double>(piece) / 1e3;
      out_ += fmt::format(
          R"({{"ph":"C","name":"GM, GB/s","pid":0,"ts":{},"args":{{"read":{:.1f},"written":{:.1f}}}}},)"
          "\n",
          microseconds(i * piece, mhz_), moved[i][0] * rate, moved[i][1] * rate);
    }
  }

  void spread(const Span& span, uint64_t piece, std::vector<std::array<double, 2>>& moved) const {
    constexpr uint8_t kReads = 4;  // MTE2
    const double length = static_cast<double>(std::max<uint64_t>(1, span.end - span.start));
    for (uint64_t from = span.start; from <= span.end; from = (from / piece + 1) * piece) {
      const uint64_t to = std::min(std::max(span.end, span.start + 1), (from / piece + 1) * piece);
      const size_t at = std::min<size_t>(from / piece, moved.size() - 1);
      if (to > from)
        moved[at][span.pipe == kReads ? 0 : 1] +=
            static_cast<double>(span.bytes) * static_cast<double>(to - from) / length;
    }
  }

  const TimedResult& result_;
  const Names& names_;
  const std::set<uint32_t>& blocks_;
  const uint32_t mhz_;
  std::string out_;
  uint64_t flags_ = 0;
};

}  // namespace

std::string chrome_trace(const TimedResult& result, const Names& names,
                         const std::set<uint32_t>& blocks) {
  return Writer(result, names, blocks).run();
}

}  // namespace opkit::trace
