#include "opkit/trace/trace.h"

#include <fmt/format.h>

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

void name_rows(const TimedResult& result, std::string* out) {
  for (size_t i = 0; i < result.cores.size(); ++i) {
    *out += fmt::format(R"({{"ph":"M","name":"process_name","pid":{},"args":{{"name":"{}"}}}},)"
                        "\n",
                        i, core_name(result.cores[i]));
    *out += fmt::format(
        R"({{"ph":"M","name":"process_sort_index","pid":{},"args":{{"sort_index":{}}}}},)"
        "\n",
        i, i);
    for (uint8_t p = 0; p < core::kTimedPipes; ++p) {
      *out += fmt::format(
          R"({{"ph":"M","name":"thread_name","pid":{},"tid":{},"args":{{"name":"{}"}}}},)"
          "\n",
          i, p, row_name(p));
      *out += fmt::format(
          R"({{"ph":"M","name":"thread_sort_index","pid":{},"tid":{},"args":{{"sort_index":{}}}}},)"
          "\n",
          i, p, p);
    }
  }
}

}  // namespace

std::string chrome_trace(const TimedResult& result,
                         const std::function<std::string(const void* pc)>& names) {
  std::string out = fmt::format(
      R"({{"displayTimeUnit":"ns","otherData":{{"kernel":"{}","cycles":"{}","task_ns":"{}"}},)"
      "\n\"traceEvents\":[\n",
      escaped(result.kernel), result.cycles, result.task_ns);
  name_rows(result, &out);
  const uint32_t mhz = result.rates.frequency_mhz;
  for (const Span& span : result.spans) {
    const std::string where = names ? names(span.pc) : std::string();
    out += fmt::format(
        R"({{"ph":"X","name":"{}","pid":{},"tid":{},"ts":{},"dur":{},"args":{{"cycles":{},"code":"{}"}}}},)"
        "\n",
        escaped(span.name), span.core, span.pipe, microseconds(span.start, mhz),
        microseconds(span.end - span.start, mhz), span.end - span.start, escaped(where));
  }
  if (out.ends_with(",\n")) out.resize(out.size() - 2);
  return out + "\n]}\n";
}

}  // namespace opkit::trace
