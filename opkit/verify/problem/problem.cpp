#include "opkit/verify/problem/problem.h"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "opkit/base/document.h"
#include "opkit/base/shell_word.h"
#include "opkit/base/suggest.h"
#include "opkit/verify/problem/domain.h"

namespace opkit::verify {
namespace {

Error bad(std::string message, std::string action) {
  return Error("OPK-VERIFY-010", std::move(message), std::move(action));
}

std::string list_text(const std::vector<int64_t>& list) {
  return list.empty() ? "[]" : fmt::format("{}", fmt::join(list, "x"));
}

std::string column_text(const OpContract& contract, size_t column) {
  std::string text = contract.column_name(column);
  std::erase(text, ' ');
  return text;
}

std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  std::string part;
  std::istringstream stream{std::string(text)};
  while (std::getline(stream, part, separator)) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

Result<int64_t> integer(std::string_view text, std::string_view what) {
  int64_t value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc() && end == text.data() + text.size()) return value;
  return bad(fmt::format("{} is not a whole number: '{}'", what, text), "write a decimal number");
}

const std::vector<std::string> kOptions = {"--t",      "--d",        "--count", "--attr",
                                           "--absent", "--collapse", "--data",  "--soc",
                                           "--seed",   "--threads"};

std::string symbols_text(const OpContract& contract, const SymbolValues& symbols) {
  std::vector<std::string> parts;
  for (const Symbol& symbol : contract.symbols) {
    const auto dim = symbols.dims.find(symbol.name);
    if (dim != symbols.dims.end()) parts.push_back(fmt::format("{}={}", symbol.name, dim->second));
    const auto list = symbols.lists.find(symbol.name);
    if (list != symbols.lists.end())
      parts.push_back(fmt::format("{}={}", symbol.name, list_text(list->second)));
  }
  return fmt::format("{}", fmt::join(parts, ","));
}

class LineReader {
 public:
  LineReader(const OpContract& contract, std::vector<std::string> words)
      : contract_(contract), words_(std::move(words)) {}

  Result<Problem> read() {
    skip_command();
    while (at_ < words_.size()) {
      const std::string option = words_[at_++];
      if (at_ >= words_.size()) return bad("option " + option + " has no value", "give one");
      OPKIT_CHECK(read_option(option, words_[at_++]));
    }
    OPKIT_TRY(problem_.attrs, contract_.complete(problem_.attrs));
    OPKIT_CHECK(check_complete());
    return problem_;
  }

 private:
  void skip_command() {
    for (const std::string& word : {std::string("opkit"), std::string("test"), contract_.op}) {
      if (at_ < words_.size() && words_[at_] == word) ++at_;
    }
  }

  // Every symbol of an input that is there needs a value.
  Status check_complete() const {
    std::vector<std::string> missing;
    for (const Symbol& symbol : contract_.symbols) {
      const bool given = problem_.symbols.dims.count(symbol.name) > 0 ||
                         problem_.symbols.lists.count(symbol.name) > 0;
      if (!given && problem_.symbols.absent.count(symbol.port) == 0) missing.push_back(symbol.name);
    }
    if (missing.empty()) return {};
    return bad(fmt::format("--d gives no value for {}", fmt::join(missing, ", ")),
               "--d " + shell_word(symbols_text(contract_, completed(missing))));
  }

  // Completes the symbols with values for what is missing that the constraints allow, where easy
  // ones do.
  SymbolValues completed(const std::vector<std::string>& missing) const {
    const Domain domain(contract_, int64_t{1} << 20);
    std::vector<int64_t> list{2, 16};
    for (const auto& [name, dims] : problem_.symbols.lists) list = dims;
    std::vector<int64_t> sizes{16, 1, 2, 32};
    for (const auto& [name, dim] : problem_.symbols.dims) sizes.push_back(dim);
    for (const std::vector<int64_t>& dims :
         {list, std::vector<int64_t>{}, std::vector<int64_t>{2, 16}}) {
      for (const int64_t size : sizes) {
        const SymbolValues values = filled(missing, size, dims);
        if (domain.accepts(values, problem_.attrs)) return values;
      }
    }
    return filled(missing, sizes.front(), list);
  }

  SymbolValues filled(const std::vector<std::string>& missing, int64_t size,
                      const std::vector<int64_t>& dims) const {
    SymbolValues values = problem_.symbols;
    for (const std::string& name : missing) {
      if (contract_.symbol(name)->kind == Symbol::Kind::kDim) {
        values.dims[name] = size;
      } else {
        values.lists[name] = dims;
      }
    }
    return values;
  }

  Status read_option(const std::string& option, const std::string& value) {
    if (option == "--t") return read_column(value);
    if (option == "--d") return each_pair(value, &LineReader::read_symbol);
    if (option == "--count") return each_pair(value, &LineReader::read_count);
    if (option == "--attr") return read_attr(value);
    if (option == "--absent") return read_names(value, problem_.symbols.absent);
    if (option == "--collapse") return read_names(value, problem_.symbols.collapsed);
    if (option == "--data") return read_data(value);
    if (option == "--soc") return problem_.soc = value, Status();
    if (option == "--seed" || option == "--threads") return read_number(option, value);
    return bad("unknown option " + option, suggest(option, kOptions));
  }

  Status read_number(const std::string& option, const std::string& value) {
    OPKIT_TRY(const int64_t number, integer(value, option));
    if (number < 0 || (option == "--threads" && (number < 1 || number > 1024)))
      return bad(fmt::format("{} {} is out of range", option, number),
                 "give a small positive number");
    if (option == "--seed") problem_.seed = static_cast<uint64_t>(number);
    if (option == "--threads") problem_.threads = static_cast<unsigned>(number);
    return {};
  }

  Status read_column(const std::string& value) {
    std::vector<std::string> names;
    for (size_t column = 0; column < contract_.column_count(); ++column) {
      names.push_back(column_text(contract_, column));
      if (names.back() != value) continue;
      problem_.column = column;
      return {};
    }
    return bad(fmt::format("{} has no column {}", contract_.op, value),
               names.size() == 1 && names[0].empty()
                   ? "leave --t out: the contract has no type variables, so there is one column"
                   : fmt::format("the columns are {}", fmt::join(names, "; ")));
  }

  Status each_pair(const std::string& text,
                   Status (LineReader::*take)(const std::string&, const std::string&)) {
    for (const std::string& part : split(text, ',')) {
      const size_t equals = part.find('=');
      if (equals == std::string::npos)
        return bad("'" + part + "' is not name=value", "write N=7 or S=7x13");
      OPKIT_CHECK((this->*take)(part.substr(0, equals), part.substr(equals + 1)));
    }
    return {};
  }

  Status read_symbol(const std::string& name, const std::string& value) {
    const Symbol* symbol = contract_.symbol(name);
    if (symbol == nullptr) {
      std::vector<std::string> known;
      for (const Symbol& one : contract_.symbols) known.push_back(one.name);
      return bad(fmt::format("{} has no symbol '{}'", contract_.op, name), suggest(name, known));
    }
    if (symbol->kind == Symbol::Kind::kDim) {
      OPKIT_TRY(problem_.symbols.dims[name], integer(value, name));
      return {};
    }
    std::vector<int64_t>& list = problem_.symbols.lists[name];
    if (value == "[]") return {};
    for (const std::string& item : split(value, 'x')) {
      OPKIT_TRY(const int64_t dim, integer(item, name));
      list.push_back(dim);
    }
    return {};
  }

  Status read_count(const std::string& name, const std::string& value) {
    OPKIT_TRY(problem_.symbols.counts[name], integer(value, name));
    return {};
  }

  Status read_attr(const std::string& text) {
    const size_t equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const Attr* attr = contract_.attr(name);
    if (equals == std::string::npos || attr == nullptr)
      return bad(fmt::format("{} has no attribute '{}'", contract_.op, name), "see its contract");
    Result<AttrValue> value = attr_from(*attr, text.substr(equals + 1));
    const Status legal = value.ok() ? attr->check(*value) : Status(value.error());
    if (!legal.ok())
      return bad(fmt::format("--attr {}: {}", text, legal.error().message), legal.error().action);
    problem_.attrs[name] = std::move(value).value();
    return {};
  }

  static Result<AttrValue> attr_from(const Attr& attr, const std::string& text) {
    OPKIT_TRY(const Document document, Document::parse(text, "--attr " + attr.name));
    return read_attr_value(document.root(), attr.type, attr.name);
  }

  Status read_names(const std::string& text, std::set<std::string>& names) {
    for (const std::string& name : split(text, ',')) {
      if (contract_.input(name.substr(0, name.find(':'))) == nullptr)
        return bad(fmt::format("{} has no input '{}'", contract_.op, name), "see its contract");
      names.insert(name);
    }
    return {};
  }

  Status read_data(const std::string& value) {
    const auto data = data_class_from_name(value);
    std::vector<std::string> names;
    for (const DataClass one : all_data_classes()) names.emplace_back(name_of(one));
    if (!data) return bad("unknown data class '" + value + "'", suggest(value, names));
    problem_.data = *data;
    return {};
  }

  const OpContract& contract_;
  std::vector<std::string> words_;
  size_t at_ = 0;
  Problem problem_;
};

}  // namespace

std::string to_line(const OpContract& contract, const Problem& problem) {
  std::string line = contract.op;
  const auto option = [&line](std::string_view name, const std::string& value) {
    if (!value.empty()) line += fmt::format(" {} {}", name, shell_word(value));
  };
  option("--t", column_text(contract, problem.column));
  option("--d", symbols_text(contract, problem.symbols));
  std::vector<std::string> counts;
  for (const auto& [name, count] : problem.symbols.counts)
    counts.push_back(fmt::format("{}={}", name, count));
  option("--count", fmt::format("{}", fmt::join(counts, ",")));
  option("--absent", fmt::format("{}", fmt::join(problem.symbols.absent, ",")));
  option("--collapse", fmt::format("{}", fmt::join(problem.symbols.collapsed, ",")));
  for (const auto& [name, value] : problem.attrs)
    option("--attr", fmt::format("{}={}", name, to_string(value)));
  option("--data", std::string(name_of(problem.data)));
  option("--seed", std::to_string(problem.seed));
  option("--soc", problem.soc);
  option("--threads", std::to_string(problem.threads));
  return line;
}

Result<Problem> parse_line(const OpContract& contract, std::string_view line) {
  return LineReader(contract, shell_words(line)).read();
}

}  // namespace opkit::verify
