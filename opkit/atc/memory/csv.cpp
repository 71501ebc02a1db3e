#include "opkit/atc/memory/csv.h"

#include <fmt/format.h>

#include <charconv>

namespace opkit::memory_plan {
namespace {

constexpr std::string_view kHead = "id,lower,upper,size";
constexpr uint64_t kMostBytes = uint64_t{1} << 50;

class Reader {
 public:
  Reader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<BufferTable> run() {
    std::string_view head = line();
    const bool placed = head.starts_with(kHead) && head.substr(kHead.size()) == ",offset";
    if (!placed && head != kHead)
      return error(1, fmt::format("the first line is '{}'", head.substr(0, 60)));
    BufferTable table;
    if (placed) table.offsets.emplace();
    while (!text_.empty()) {
      const std::string_view row = line();
      if (!row.empty()) OPKIT_CHECK(read(row, table));
    }
    return table;
  }

 private:
  std::string_view line() {
    const size_t end = std::min(text_.find('\n'), text_.size());
    std::string_view row = text_.substr(0, end);
    text_.remove_prefix(std::min(end + 1, text_.size()));
    if (row.ends_with('\r')) row.remove_suffix(1);
    ++line_;
    return row;
  }

  Error error(size_t column, std::string what) const {
    return Error("OPK-MEMORY-002", std::move(what),
                 fmt::format("write {} or {},offset, and a line of them for each buffer", kHead,
                             kHead))
        .at({file_, line_, static_cast<int>(column)});
  }

  // Returns the text in front of the next comma, and what comes behind it.
  static std::string_view cell(std::string_view& rest) {
    const size_t end = std::min(rest.find(','), rest.size());
    const std::string_view found = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    return found;
  }

  template <typename Number>
  Status number(std::string_view row, std::string_view& rest, Number& value) const {
    const auto column = static_cast<size_t>(rest.data() - row.data()) + 1;
    const std::string_view text = cell(rest);
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (failure == std::errc() && end == text.data() + text.size()) return {};
    return error(column, fmt::format("'{}' is no whole number in range", text.substr(0, 40)));
  }

  Status read(std::string_view row, BufferTable& table) const {
    std::string_view rest = row;
    Buffer buffer;
    buffer.id = cell(rest);
    OPKIT_CHECK(number(row, rest, buffer.lower));
    OPKIT_CHECK(number(row, rest, buffer.upper));
    OPKIT_CHECK(number(row, rest, buffer.size));
    uint64_t offset = 0;
    if (table.offsets) OPKIT_CHECK(number(row, rest, offset));
    if (!rest.empty()) return error(row.size(), "the line has more cells than the first one");
    if (buffer.lower >= buffer.upper)
      return error(1, fmt::format("buffer '{}' ends at {}, before it begins at {}", buffer.id,
                                  buffer.upper, buffer.lower));
    if (buffer.size > kMostBytes || offset > kMostBytes)
      return error(1, fmt::format("buffer '{}' is larger than 2^50 bytes", buffer.id));
    table.buffers.push_back(std::move(buffer));
    if (table.offsets) table.offsets->push_back(offset);
    return {};
  }

  std::string_view text_;
  const std::string& file_;
  int line_ = 0;
};

}  // namespace

std::string to_csv(const Buffers& buffers, const Offsets* offsets) {
  std::string text = fmt::format("{}{}\n", kHead, offsets ? ",offset" : "");
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Buffer& b = buffers[i];
    text += fmt::format("{},{},{},{}", b.id, b.lower, b.upper, b.size);
    text += offsets ? fmt::format(",{}\n", (*offsets)[i]) : "\n";
  }
  return text;
}

Result<BufferTable> parse_csv(std::string_view text, const std::string& file) {
  return Reader(text, file).run();
}

}  // namespace opkit::memory_plan
