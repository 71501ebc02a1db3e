#include "tests/graph_text/parse_text.h"

#include <fmt/format.h>

#include <charconv>

#include "tests/graph_text/scanner.h"

namespace opkit::graph {
namespace {

constexpr int64_t kMaxValues = int64_t{1} << 28;  // limits a constant written "all"

// Reads statement by statement.
class Parser {
 public:
  Parser(std::string_view text, const std::string& file) : in_(text, file) {}

  Result<Graph> run() {
    while (!in_.at_end()) OPKIT_CHECK(statement());
    return std::move(graph_);
  }

 private:
  Status statement() {
    OPKIT_TRY(const Name name, read_name());
    if (!name.quoted && name.text == "graph") return header();
    if (!name.quoted && name.text == "input") return input();
    if (!name.quoted && name.text == "const") return constant();
    if (!name.quoted && name.text == "output") return output();
    return node(name);
  }

  struct Name {
    std::string text;
    bool quoted = false;
  };
  Result<Name> read_name() {
    Name name;
    if (in_.peek() == '"') {
      name.quoted = true;
      OPKIT_TRY(name.text, in_.quoted());
    } else {
      name.text = in_.word();
      if (name.text.empty()) return in_.error("a name is missing");
      if (name.text == "_") name.text.clear();  // the empty name
    }
    return name;
  }
  Status header() {
    OPKIT_TRY(graph_.name, in_.quoted());
    if (in_.word() != "opset") return in_.error("'opset' is missing");
    OPKIT_TRY(const int64_t opset, integer());
    if (opset < 1 || opset > 1000) return in_.error("an opset lies between 1 and 1000");
    graph_.opset = static_cast<int>(opset);
    return {};
  }

  Status input() {
    OPKIT_TRY(const Name name, read_name());
    graph_.inputs.push_back(name.text);
    if (!in_.accept(':')) return {};
    OPKIT_TRY(graph_.values[name.text], facts());
    return {};
  }

  Status output() {
    OPKIT_TRY(const Name name, read_name());
    graph_.outputs.push_back(name.text);
    return {};
  }

  Status constant() {
    OPKIT_TRY(const Name name, read_name());
    OPKIT_CHECK(in_.expect(':'));
    OPKIT_TRY(ValueInfo value, facts());
    OPKIT_CHECK(in_.expect('='));
    if (!value.shape) return in_.error("a constant needs its shape");
    RefTensor tensor{value.dtype, *value.shape, {}};
    OPKIT_CHECK(elements(tensor));
    value.constant = std::make_shared<const RefTensor>(std::move(tensor));
    graph_.values[name.text] = std::move(value);
    return {};
  }

  Status node(const Name& first) {
    Node node;
    OPKIT_CHECK(result(first, node));
    while (in_.accept(',')) {
      OPKIT_TRY(const Name next, read_name());
      OPKIT_CHECK(result(next, node));
    }
    OPKIT_CHECK(in_.expect('='));
    OPKIT_TRY(const Name op, read_name());
    node.op_type = op.text;
    OPKIT_CHECK(in_.expect('('));
    while (in_.peek() != ')') {
      OPKIT_TRY(const Name operand, read_name());
      node.inputs.push_back(operand.text);
      if (!in_.accept(',')) break;
    }
    OPKIT_CHECK(in_.expect(')'));
    if (in_.accept('{')) OPKIT_CHECK(attributes(node));
    if (in_.accept('@')) {
      OPKIT_TRY(node.name, in_.quoted());
    }
    graph_.nodes.push_back(std::move(node));
    return {};
  }

  Status result(const Name& name, Node& node) {
    node.outputs.push_back(name.text);
    if (!in_.accept(':')) return {};
    OPKIT_TRY(graph_.values[node.outputs.back()], facts());
    return {};
  }

  Status attributes(Node& node) {
    do {
      OPKIT_TRY(const Name name, read_name());
      OPKIT_CHECK(in_.expect('='));
      OPKIT_TRY(Attribute value, attribute());
      if (!node.attributes.emplace(name.text, std::move(value)).second)
        return in_.error(fmt::format("attribute '{}' is given twice", name.text));
    } while (in_.accept(','));
    return in_.expect('}');
  }

  Result<Attribute> attribute() {
    const char next = in_.peek();
    if (next == '"') {
      OPKIT_TRY(std::string text, in_.quoted());
      return Attribute(std::move(text));
    }
    if (next == '[') return list();
    const std::string text = in_.number();
    if (text == "tensor") return tensor();
    if (text == "ints" || text == "reals" || text == "texts") {
      OPKIT_CHECK(in_.expect('['));
      OPKIT_CHECK(in_.expect(']'));
      if (text == "ints") return Attribute(std::vector<int64_t>());
      if (text == "reals") return Attribute(std::vector<double>());
      return Attribute(std::vector<std::string>());
    }
    if (is_integer(text)) {
      OPKIT_TRY(const int64_t value, to_integer(text));
      return Attribute(value);
    }
    OPKIT_TRY(const double value, to_real(text));
    return Attribute(value);
  }

  Result<Attribute> list() {
    OPKIT_CHECK(in_.expect('['));
    std::vector<std::string> texts, numbers;
    do {
      if (in_.peek() == '"') {
        OPKIT_TRY(std::string text, in_.quoted());
        texts.push_back(std::move(text));
      } else {
        numbers.push_back(in_.number());
      }
    } while (in_.accept(','));
    OPKIT_CHECK(in_.expect(']'));
    if (!texts.empty() && !numbers.empty()) return in_.error("texts and numbers in one list");
    if (!texts.empty()) return Attribute(std::move(texts));
    return numbers_of(numbers);
  }

  Result<Attribute> numbers_of(const std::vector<std::string>& numbers) {
    bool whole = true;
    for (const std::string& number : numbers) whole = whole && is_integer(number);
    std::vector<int64_t> integers;
    std::vector<double> reals;
    for (const std::string& number : numbers) {
      if (whole) {
        OPKIT_TRY(const int64_t value, to_integer(number));
        integers.push_back(value);
      } else {
        OPKIT_TRY(const double value, to_real(number));
        reals.push_back(value);
      }
    }
    if (whole) return Attribute(std::move(integers));
    return Attribute(std::move(reals));
  }

  Result<Attribute> tensor() {
    OPKIT_TRY(const ValueInfo value, facts());
    if (!value.shape) return in_.error("a tensor needs its shape");
    RefTensor tensor{value.dtype, *value.shape, {}};
    OPKIT_CHECK(in_.expect('('));
    OPKIT_CHECK(elements(tensor));
    OPKIT_CHECK(in_.expect(')'));
    return Attribute(std::move(tensor));
  }

  // "float32[2, 3]:NCHW"
  Result<ValueInfo> facts() {
    ValueInfo value;
    const std::string name = in_.word();
    const auto dtype = dtype_from_name(name);
    if (!dtype) return in_.error(fmt::format("'{}' is no dtype", name));
    value.dtype = *dtype;
    OPKIT_CHECK(in_.expect('['));
    if (in_.peek() == '.') {
      if (in_.number() != "...") return in_.error("'[...]' is an unknown shape");
    } else {
      value.shape.emplace();
      while (in_.peek() != ']') {
        OPKIT_TRY(const int64_t dim, integer());
        if (dim < 0) return in_.error("a dim is 0 or more");
        value.shape->dims().push_back(dim);
        if (!in_.accept(',')) break;
      }
    }
    OPKIT_CHECK(in_.expect(']'));
    if (!in_.accept(':')) return value;
    const std::string format_name = in_.word();
    const auto format = format_from_name(format_name);
    if (!format) return in_.error(fmt::format("'{}' is no format", format_name));
    value.format = *format;
    return value;
  }

  Status elements(RefTensor& tensor) {
    OPKIT_TRY(const int64_t count, tensor.shape.checked_elements());
    Scanner ahead = in_;
    if (count > 1 && ahead.word() == "all") {
      in_ = ahead;
      OPKIT_TRY(const double value, to_real(in_.number()));
      if (count > kMaxValues) return in_.error("a constant is too large");
      tensor.values.assign(static_cast<size_t>(count), value);
      return {};
    }
    for (int64_t i = 0; i < count; ++i) {
      if (i > 0) OPKIT_CHECK(in_.expect(','));
      OPKIT_TRY(const double value, to_real(in_.number()));
      tensor.values.push_back(value);
    }
    return {};
  }

  static bool is_integer(const std::string& text) {
    return !text.empty() && text.find_first_of(".enai") == std::string::npos;
  }
  Result<int64_t> integer() { return to_integer(in_.number()); }
  Result<int64_t> to_integer(const std::string& text) {
    int64_t value = 0;
    const char* end = text.data() + text.size();
    const auto [last, problem] = std::from_chars(text.data(), end, value);
    if (problem == std::errc() && last == end && !text.empty()) return value;
    return in_.error(fmt::format("'{}' is no integer", text));
  }
  Result<double> to_real(const std::string& text) {
    double value = 0;
    const char* end = text.data() + text.size();
    const auto [last, problem] = std::from_chars(text.data(), end, value);
    if (problem == std::errc() && last == end && !text.empty()) return value;
    return in_.error(fmt::format("'{}' is no number", text));
  }

  Scanner in_;
  Graph graph_;
};

}  // namespace

Result<Graph> parse_text(std::string_view text, const std::string& file) {
  return Parser(text, file).run();
}

}  // namespace opkit::graph
