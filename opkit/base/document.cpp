#include "opkit/base/document.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <unordered_map>

#include "opkit/base/file.h"
#include "opkit/base/utf8.h"

namespace opkit {
namespace {

constexpr size_t kMaxBytes = size_t{4} << 20;
constexpr size_t kMaxDepth = 64;
constexpr size_t kMaxValues = 200'000;

// Returns the length of the character that starts at text[i], or 0 when it is malformed. NUL and
// other control characters count as malformed: no text file has them.
size_t character_length(std::string_view text, size_t i) {
  const auto lead = static_cast<unsigned char>(text[i]);
  if (lead < 0x20 && lead != '\t' && lead != '\n' && lead != '\r') return 0;
  return utf8_length(text, i);
}

Status check_utf8(std::string_view text, const std::string& name) {
  int line = 1;
  size_t line_start = 0;
  for (size_t i = 0; i < text.size();) {
    const size_t length = character_length(text, i);
    if (length == 0) {
      return Error("OPK-DOC-009", "the file is not UTF-8 text", "save it as UTF-8")
          .at({name, line, static_cast<int>(i - line_start) + 1});
    }
    if (text[i] == '\n') {
      ++line;
      line_start = i + 1;
    }
    i += length;
  }
  return {};
}

// Receives the parser's events and builds the tree. The first error stays; what follows it is
// ignored.
class TreeBuilder : public YAML::EventHandler {
 public:
  TreeBuilder(std::string_view text, std::string name) : text_(text), name_(std::move(name)) {}

  std::optional<Error>& error() { return error_; }
  Value take_root() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) {
      fail(mark, {"OPK-DOC-005", "a second document starts here", "keep one document per file"});
    }
  }
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    if (admit(mark, anchor)) add(make(Value::Kind::kNull, mark));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { fail(mark, alias_error(mark)); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& text) override {
    if (!admit(mark, anchor)) return;
    Value value = make(Value::Kind::kScalar, mark);
    value.text = text;
    value.quoted = tag == "!";
    add(std::move(value));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(Value::Kind::kList, mark, anchor);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string&, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(Value::Kind::kMap, mark, anchor);
  }
  void OnMapEnd() override { close(); }

  Location place(const YAML::Mark& mark) const {
    return {name_, std::max(mark.line, 0) + 1, std::max(mark.column, 0) + 1};
  }

  Error alias_error(const YAML::Mark& mark) const {
    const std::string word = word_at(mark);
    const bool star = !word.empty() && word[0] == '*';
    return Error(
               "OPK-DOC-003",
               fmt::format("'{}' is a YAML {}, which is refused", word, star ? "alias" : "anchor"),
               fmt::format("if text is meant, write it in quotes: \"{}\"", word))
        .at(place(mark));
  }

 private:
  struct Frame {
    Value value;
    std::optional<Value::Entry> entry;  // the key that waits for its value
    std::unordered_map<std::string, int> lines;
  };

  char char_at(const YAML::Mark& mark) const {
    const auto pos = static_cast<size_t>(std::max(mark.pos, 0));
    return pos < text_.size() ? text_[pos] : '\0';
  }

  std::string word_at(const YAML::Mark& mark) const {
    constexpr size_t kShown = 40;
    const size_t pos = std::min(static_cast<size_t>(std::max(mark.pos, 0)), text_.size());
    const std::string_view rest = text_.substr(pos, kShown);
    return std::string(rest.substr(0, std::min(rest.find_first_of(" \t\r\n,]}"), rest.size())));
  }

  void fail(const YAML::Mark& mark, Error error) {
    if (!error_) error_ = std::move(error).at(place(mark));
  }

  Value make(Value::Kind kind, const YAML::Mark& mark) const {
    Value value;
    value.kind = kind;
    value.where = place(mark);
    return value;
  }

  // Tells whether a value may be added at all.
  bool admit(const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (error_) return false;
    if (anchor != 0) {
      fail(mark, alias_error(mark));
    } else if (char_at(mark) == '!') {
      fail(mark, {"OPK-DOC-004", fmt::format("the tag '{}' is refused", word_at(mark)),
                  "remove the tag, or write the text in quotes"});
    } else if (++values_ > kMaxValues) {
      fail(mark, {"OPK-DOC-007", fmt::format("the file has more than {} values", kMaxValues),
                  "split the file"});
    }
    return !error_;
  }

  void open(Value::Kind kind, const YAML::Mark& mark, YAML::anchor_t anchor) {
    if (!admit(mark, anchor)) return;
    if (frames_.size() == kMaxDepth) {
      fail(mark, {"OPK-DOC-006", fmt::format("values are nested more than {} deep", kMaxDepth),
                  "flatten the file"});
      return;
    }
    if (key_expected()) return fail_key(mark);
    frames_.push_back({make(kind, mark), std::nullopt, {}});
  }

  void close() {
    if (error_) return;
    Value value = std::move(frames_.back().value);
    frames_.pop_back();
    add(std::move(value));
  }

  bool key_expected() const {
    return !frames_.empty() && frames_.back().value.is_map() && !frames_.back().entry;
  }

  void fail_key(const YAML::Mark& mark) {
    fail(mark, {"OPK-DOC-010", "a key must be plain text", "write the key as a name"});
  }

  void add(Value value) {
    if (frames_.empty()) {
      root_ = std::move(value);
    } else if (frames_.back().value.is_list()) {
      frames_.back().value.items.push_back(std::move(value));
    } else if (key_expected()) {
      add_key(std::move(value));
    } else {
      Frame& frame = frames_.back();
      frame.entry->value = std::move(value);
      frame.value.entries.push_back(*std::move(frame.entry));
      frame.entry.reset();
    }
  }

  void add_key(Value key) {
    if (!key.is_scalar()) {
      error_ =
          Error("OPK-DOC-010", "a key must be plain text", "write the key as a name").at(key.where);
      return;
    }
    if (key.text == "<<" && !key.quoted) {
      error_ =
          Error("OPK-DOC-011", "merge keys are refused", "write the entries out").at(key.where);
      return;
    }
    Frame& frame = frames_.back();
    const auto [known, fresh] = frame.lines.emplace(key.text, key.where.line);
    if (!fresh) {
      error_ = Error("OPK-DOC-002",
                     fmt::format("key '{}' is already given in line {}", key.text, known->second),
                     "remove one of the two")
                   .at(key.where);
      return;
    }
    frame.entry = Value::Entry{std::move(key.text), std::move(key.where), {}};
  }

  std::string_view text_;
  std::string name_;
  std::vector<Frame> frames_;
  Value root_;
  std::optional<Error> error_;
  size_t values_ = 0;
  int documents_ = 0;
};

// Tells whether a line up to this one is indented by a tab, which YAML does not take. Lines count
// from 0.
std::optional<int> tab_before(std::string_view text, int last) {
  for (int line = 0; line <= last && !text.empty(); ++line) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view row = text.substr(0, end);
    if (row.substr(0, row.find_first_not_of(" \t")).find('\t') != std::string_view::npos)
      return line;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return std::nullopt;
}

Error syntax_error(const TreeBuilder& builder, const YAML::Exception& failure,
                   std::string_view text) {
  const bool alias = failure.msg.find("anchor") != std::string::npos ||
                     failure.msg.find("alias") != std::string::npos;
  if (alias) return builder.alias_error(failure.mark);
  if (const auto line = tab_before(text, failure.mark.line)) {
    YAML::Mark mark = failure.mark;
    mark.line = *line;
    mark.column = 0;
    return Error("OPK-DOC-001", "the line is indented by a tab, which YAML does not take",
                 "indent with blanks")
        .at(builder.place(mark));
  }
  return Error("OPK-DOC-001", fmt::format("the file is not valid YAML: {}", failure.msg),
               "check indentation, brackets and quotes")
      .at(builder.place(failure.mark));
}

}  // namespace

Result<Document> Document::parse(std::string_view text, std::string name) {
  if (text.size() > kMaxBytes) {
    return Error("OPK-DOC-008",
                 fmt::format("the file has {} bytes; {} are allowed", text.size(), kMaxBytes),
                 "split the file")
        .at({name});
  }
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  OPKIT_CHECK(check_utf8(text, name));
  TreeBuilder builder(text, std::move(name));
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (!builder.error() && parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& failure) {
    if (!builder.error()) return syntax_error(builder, failure, text);
  }
  if (builder.error()) return *std::move(builder.error());
  Document document;
  document.root_ = builder.take_root();
  return document;
}

Result<Document> Document::load(const std::filesystem::path& path) {
  OPKIT_TRY(const std::string text, read_file(path, kMaxBytes));
  return parse(text, path.string());
}

}  // namespace opkit
