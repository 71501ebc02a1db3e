#include "opkit/quantize/record.h"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <limits>
#include <set>

#include "opkit/base/file.h"
#include "opkit/base/suggest.h"
#include "opkit/quantize/codes.h"
#include "opkit/quantize/least_scale.h"

namespace opkit::quantize {
namespace {

constexpr size_t kMostRecordBytes = size_t{1} << 28;

// Says whether float32 holds the scale, and the product of two as well.
bool is_scale(double value) {
  return value >= kLeastScale && value <= std::numeric_limits<float>::max();
}

// Words of the text form: names, numbers, texts in quotes, and the signs { } :
struct Word {
  std::string text;
  bool quoted = false;
  int line = 1;
};

class RecordReader {
 public:
  RecordReader(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Result<std::vector<RecordEntry>> run() {
    OPKIT_CHECK(next());
    std::vector<RecordEntry> entries;
    while (!ended_) {
      OPKIT_CHECK(expect_name({"record"}));
      RecordEntry entry;
      entry.where = {file_, word_.line};
      OPKIT_CHECK(next());
      OPKIT_CHECK(read_entry(entry));
      if (!keys_.insert(entry.key).second)
        return refused(fmt::format("'{}' has two records", entry.key), "keep one of them",
                       entry.where.line);
      entries.push_back(std::move(entry));
    }
    return entries;
  }

 private:
  Error refused(std::string what, std::string action, int line) const {
    return Error(kBadRecord, std::move(what), std::move(action)).at({file_, line});
  }
  Error unexpected(std::string_view wanted) const {
    return refused(fmt::format("{} is expected, and there is {}", wanted,
                               ended_ ? "the end of the file" : "'" + word_.text + "'"),
                   "give a record that opkit or AMCT wrote", word_.line);
  }

  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '#') {
        while (at_ < text_.size() && text_[at_] != '\n') ++at_;
        continue;
      }
      if (c != ' ' && c != '\t' && c != '\n' && c != '\r' && c != ',' && c != ';') return;
      line_ += c == '\n';
      ++at_;
    }
  }

  Status next() {
    skip_blanks();
    word_ = {"", false, line_};
    ended_ = at_ >= text_.size();
    if (ended_) return {};
    const char first = text_[at_];
    if (first == '"' || first == '\'') return quoted(first);
    if (first == '{' || first == '}' || first == ':') {
      word_.text = std::string(1, text_[at_++]);
      return {};
    }
    while (at_ < text_.size() &&
           std::string_view(" \t\r\n,;{}:#\"").find(text_[at_]) == std::string_view::npos)
      word_.text += text_[at_++];
    if (word_.text.empty()) return unexpected("a name");
    return {};
  }

  Status quoted(char end) {
    word_.quoted = true;
    for (++at_; at_ < text_.size() && text_[at_] != end; ++at_) {
      if (text_[at_] == '\n') break;
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      word_.text += text_[at_];
    }
    if (at_ >= text_.size() || text_[at_] != end)
      return refused("a text has no end", "close the quotes", line_);
    ++at_;
    return {};
  }

  bool is_sign(std::string_view sign) const {
    return !ended_ && !word_.quoted && word_.text == sign;
  }

  Status expect_name(const std::vector<std::string>& known) {
    for (const std::string& name : known) {
      if (is_sign(name)) return {};
    }
    if (ended_ || word_.quoted) return unexpected("'" + known[0] + "'");
    return refused(fmt::format("'{}' is no field here", word_.text), suggest(word_.text, known),
                   word_.line);
  }

  // Goes over an opening brace, with a colon before it or not.
  Status open() {
    if (is_sign(":")) OPKIT_CHECK(next());
    if (!is_sign("{")) return unexpected("'{'");
    return next();
  }

  Status read_entry(RecordEntry& entry) {
    OPKIT_CHECK(open());
    bool valued = false;
    while (!is_sign("}")) {
      OPKIT_CHECK(expect_name({"key", "value"}));
      if (word_.text == "key") {
        OPKIT_CHECK(next());
        if (!is_sign(":")) return unexpected("':'");
        OPKIT_CHECK(next());
        if (!word_.quoted) return unexpected("a name in quotes");
        if (!entry.key.empty()) return twice("key");
        entry.key = word_.text;
        OPKIT_CHECK(next());
        continue;
      }
      if (valued) return twice("value");
      valued = true;
      OPKIT_CHECK(next());
      OPKIT_CHECK(read_value(entry));
    }
    if (entry.key.empty() || !valued || entry.scale_d == 0)
      return refused("a record has no key, no value or no scale_d",
                     "write key: \"conv1\" value { ... }", entry.where.line);
    return next();
  }

  Error twice(std::string_view field) const {
    return refused(fmt::format("a record has {} twice", field), "keep one of them", word_.line);
  }

  Status read_value(RecordEntry& entry) {
    once_.clear();
    static const std::vector<std::string> kFields = {"scale_d",  "offset_d",    "scale_w",
                                                     "offset_w", "skip_fusion", "dst_type"};
    OPKIT_CHECK(open());
    while (!is_sign("}")) {
      OPKIT_CHECK(expect_name(kFields));
      const std::string field = word_.text;
      const bool listed = field == "scale_w" || field == "offset_w";
      if (!listed && !once_.insert(field).second) return twice(field);
      OPKIT_CHECK(next());
      if (!is_sign(":")) return unexpected("':'");
      OPKIT_CHECK(next());
      OPKIT_CHECK(read_field(field, entry));
      OPKIT_CHECK(next());
    }
    return next();
  }

  Status read_field(const std::string& field, RecordEntry& entry) {
    if (field == "skip_fusion") return {};
    if (field == "dst_type") {
      if (word_.text == "INT8") return {};
      return refused(fmt::format("dst_type is '{}'", word_.text), "use INT8", word_.line);
    }
    const bool scale = field == "scale_d" || field == "scale_w";
    if (scale) {
      OPKIT_TRY(const double value, number());
      if (!is_scale(value))
        return refused(fmt::format("{} is {}", field, word_.text),
                       "a scale is positive: from 1e-18 to the largest float32", word_.line);
      if (field == "scale_d")
        entry.scale_d = value;
      else
        entry.scale_w.push_back(value);
      return {};
    }
    OPKIT_TRY(const double value, number());
    const bool data = field == "offset_d";
    if (value != std::floor(value) || value < -128 || value > 127 || (!data && value != 0))
      return refused(fmt::format("{} is {}", field, word_.text),
                     data ? "an offset is an integer from -128 to 127"
                          : "weights are symmetric: their offset is 0",
                     word_.line);
    if (data)
      entry.offset_d = static_cast<int64_t>(value);
    else
      entry.offset_w.push_back(0);
    return {};
  }

  Result<double> number() const {
    double value = 0;
    const std::string& text = word_.text;
    const auto [stop, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (ended_ || word_.quoted || code != std::errc() || stop != text.data() + text.size())
      return unexpected("a number");
    return value;
  }

  const std::string_view text_;
  const std::string file_;
  size_t at_ = 0;
  int line_ = 1;
  Word word_;
  bool ended_ = false;
  std::set<std::string> keys_, once_;  // once_: fields of a value that may stand there once
};

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out + "\"";
}

}  // namespace

std::string record_text(const std::vector<RecordEntry>& entries) {
  std::string text;
  for (const RecordEntry& entry : entries) {
    text += fmt::format("record {{\n  key: {}\n  value {{\n    scale_d: {:.9g}\n    offset_d: {}\n",
                        in_quotes(entry.key), entry.scale_d, entry.offset_d);
    for (const double scale : entry.scale_w) text += fmt::format("    scale_w: {:.9g}\n", scale);
    for (const int64_t offset : entry.offset_w) text += fmt::format("    offset_w: {}\n", offset);
    text += "  }\n}\n";
  }
  return text;
}

Result<std::vector<RecordEntry>> parse_record(std::string_view text, const std::string& file) {
  return RecordReader(text, file).run();
}

Result<std::vector<RecordEntry>> load_record(const std::filesystem::path& file) {
  OPKIT_TRY(const std::string text, read_file(file, kMostRecordBytes));
  return parse_record(text, file.string());
}

}  // namespace opkit::quantize
