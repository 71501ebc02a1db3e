#include "opkit/soc/arch.h"

#include <fmt/format.h>

#include <memory>

#include "opkit/base/dtype.h"
#include "opkit/base/suggest.h"
#include "opkit/soc/embedded.h"
#include "opkit/soc/fields.h"
#include "opkit/soc/picture_rules.h"

namespace opkit {

using soc_files::bad;
using soc_files::Fields;

namespace {

constexpr const char* kVectorNames[] = {
#define X(id, name, ...) #name,
#include "opkit/abi/vector_ops.inc"
#undef X
};
constexpr const char* kCallNames[] = {
#define X(id, name, what) name,
#include "opkit/abi/arch_calls.inc"
#undef X
};

// Returns the place of a name in a table of names; the size of the table when it is not there.
template <size_t n>
uint32_t place_of(const char* const (&names)[n], std::string_view name) {
  return static_cast<uint32_t>(std::find(names, names + n, name) - names);
}

template <size_t n>
std::vector<std::string> list_of(const char* const (&names)[n]) {
  return {names, names + n};
}

bool is_word(const Value& value, std::string_view word) {
  return value.is_scalar() && value.text == word;
}

}  // namespace

const char* arch_call_name(opk_arch_call call) { return kCallNames[call]; }
const char* vector_instruction_name(uint32_t op) { return kVectorNames[op]; }

ArchSpec::ArchSpec()
    : vector_(OPK_V_COUNT_),
      vector_instead_(OPK_V_COUNT_),
      instead_(OPK_A_COUNT_),
      has_(OPK_A_COUNT_) {
  table_.struct_size = sizeof table_;
}

class ArchParser {
 public:
  ArchParser(const Value& root, ArchSpec& arch)
      : arch_(arch),
        top_(root, "",
             {"npu_arch", "name", "vector", "cast", "copy", "atomic_add", "load", "mmad", "has",
              "calls", "instead", "pictures"},
             error_) {}

  Status parse() {
    opk_arch_v1& t = arch_.table_;
    top_.number("npu_arch", t.npu_arch);
    top_.text("name", arch_.name_);
    vector();
    cast();
    t.copy = types_of("copy");
    t.atomic_add = types_of("atomic_add");
    t.load = types_of("load");
    t.mmad = types_of("mmad");
    has();
    calls();
    instead();
    pictures();
    if (error_) return std::move(*error_);
    finish();
    return {};
  }

 private:
  opk_types read_types(const Value& value, const std::string& what) {
    if (is_word(value, "all")) return ~opk_types{0};
    if (!value.is_list())
      return top_.fail(bad(value, what + " is not a list of element types",
                           "write [float16, float32] or all")),
             0;
    opk_types types = 0;
    for (const Value& item : value.items) {
      const auto dtype = dtype_from_name(item.text);
      if (!dtype)
        return top_.fail(bad(item, fmt::format("'{}' in {} is no element type", item.text, what),
                             "use a name such as float16")),
               0;
      types |= opk_types{1} << static_cast<uint32_t>(*dtype);
    }
    return types;
  }
  opk_types types_of(std::string_view key) {
    const Value* value = top_.require(key);
    return value ? read_types(*value, std::string(key)) : 0;
  }

  void vector() {
    const Value* value = top_.require("vector");
    if (!value) return;
    if (is_word(*value, "all")) return arch_.vector_.assign(OPK_V_COUNT_, ~opk_types{0});
    for (const Value::Entry& entry : value->entries) {
      const uint32_t op = place_of(kVectorNames, entry.key);
      if (op == OPK_V_COUNT_) return unknown(entry, "vector instruction", kVectorNames);
      arch_.vector_[op] = read_types(entry.value, entry.key);
    }
    arch_.vector_[OPK_V_CAST] = ~opk_types{0};  // the table of conversions says which
  }

  void cast() {
    const Value* value = top_.require("cast");
    if (!value) return;
    if (is_word(*value, "all")) {
      for (opk_types& types : arch_.table_.cast) types = ~opk_types{0};
      return;
    }
    for (const Value::Entry& entry : value->entries) {
      const auto from = dtype_from_name(entry.key);
      if (!from)
        return top_.fail(bad(entry.value, fmt::format("'{}' in cast is no element type", entry.key),
                             "use a name such as float16"));
      arch_.table_.cast[static_cast<uint32_t>(*from)] =
          read_types(entry.value, "cast." + entry.key);
    }
  }

  void has() {
    const Value* value = top_.require("has");
    if (!value) return;
    if (is_word(*value, "all")) return arch_.has_.assign(OPK_A_COUNT_, 1);
    for (const Value& item : value->items) {
      const uint32_t call = place_of(kCallNames, item.text);
      if (call == OPK_A_COUNT_)
        return top_.fail(bad(item, fmt::format("'{}' in has is no call or form", item.text),
                             suggest(item.text, list_of(kCallNames))));
      arch_.has_[call] = 1;
    }
  }

  // {all_but: [...]} or {only: [...]}
  void calls() {
    const Value* value = top_.require("calls");
    if (!value || top_.failed()) return;
    Fields f(*value, "calls", {"all_but", "only"}, error_);
    if (f.failed()) return;
    if (value->entries.size() != 1)
      return f.fail(
          bad(*value, "calls has not one entry", "write {all_but: [...]} or {only: [...]}"));
    arch_.table_.named_rest = value->entries[0].key == "all_but";
    std::vector<std::string> names;
    f.texts(value->entries[0].key, names);
    const uint32_t exists = !arch_.table_.named_rest;
    for (std::string& name : names)
      arch_.named_.push_back({arch_.keep(std::move(name)), nullptr, exists});
  }

  // Reads the advices. It runs behind the others, because its keys name what those may leave out.
  void instead() {
    const Value* value = top_.require("instead");
    if (!value || top_.failed()) return;
    for (const Value::Entry& entry : value->entries) {
      std::string sentence;
      top_.take(entry.value.as_string("instead." + entry.key), sentence);
      if (top_.failed()) return;
      *advice_for(entry.key) = arch_.keep(std::move(sentence));
    }
  }
  const char** advice_for(const std::string& key) {
    if (const uint32_t op = place_of(kVectorNames, key); op != OPK_V_COUNT_)
      return &arch_.vector_instead_[op];
    if (const uint32_t call = place_of(kCallNames, key); call != OPK_A_COUNT_)
      return &arch_.instead_[call];
    for (opk_named_call& call : arch_.named_) {
      if (key == call.name) return &call.instead;
    }
    arch_.named_.push_back({arch_.keep(key), nullptr, arch_.table_.named_rest});
    return &arch_.named_.back().instead;
  }

  // Judges the section; opkit/soc/picture_rules.h hands it out.
  void pictures() {
    const Value* value = top_.find("pictures");
    if (!value || top_.failed()) return;
    if (auto rules = read_picture_rules(*value); !rules.ok()) top_.fail(std::move(rules).error());
  }

  template <size_t n>
  void unknown(const Value::Entry& entry, const char* what, const char* const (&names)[n]) {
    Error error = bad(entry.value, fmt::format("'{}' is no {}", entry.key, what),
                      suggest(entry.key, list_of(names)));
    top_.fail(std::move(error).at(entry.where));
  }

  void finish() {
    opk_arch_v1& t = arch_.table_;
    t.name = arch_.name_.c_str();
    t.vector_count = OPK_V_COUNT_;
    t.vector = arch_.vector_.data();
    t.vector_instead = arch_.vector_instead_.data();
    t.call_count = OPK_A_COUNT_;
    t.has = arch_.has_.data();
    t.instead = arch_.instead_.data();
    t.named = arch_.named_.data();
    t.named_count = static_cast<uint32_t>(arch_.named_.size());
    t.lacks_nothing = lacks_nothing();
  }
  bool lacks_nothing() const {
    const auto all = [](opk_types types) { return types == ~opk_types{0}; };
    const opk_arch_v1& t = arch_.table_;
    return std::all_of(arch_.vector_.begin(), arch_.vector_.end(), all) &&
           std::all_of(std::begin(t.cast), std::end(t.cast), all) && all(t.copy) &&
           all(t.atomic_add) && all(t.load) && all(t.mmad) && t.named_rest &&
           arch_.named_.empty() &&
           std::all_of(arch_.has_.begin(), arch_.has_.end(), [](uint8_t has) { return has != 0; });
  }

  ArchSpec& arch_;
  std::optional<Error> error_;
  Fields top_;
};

Status parse_arch(std::string_view yaml, std::string name, ArchSpec& arch) {
  OPKIT_TRY(Document document, Document::parse(yaml, std::move(name)));
  return ArchParser(document.root(), arch).parse();
}

class ArchCatalog {
 public:
  ArchCatalog() {
    for (const EmbeddedSpec& file : embedded_archs()) {
      auto arch = std::make_unique<ArchSpec>();
      Status status = parse_arch(file.text, std::string(file.file), *arch);
      if (!status.ok()) {
        error_ = std::move(status).error();
        return;
      }
      tables_.push_back(&arch->table_);
      archs_.push_back(std::move(arch));
    }
    for (const auto& arch : archs_) {
      arch->table_.known = tables_.data();
      arch->table_.known_count = static_cast<uint32_t>(tables_.size());
    }
  }

  Result<const ArchSpec*> find(uint32_t npu_arch) const {
    if (error_) return *error_;
    std::string known;
    for (const auto& arch : archs_) {
      if (arch->table_.npu_arch == npu_arch) return arch.get();
      known +=
          fmt::format("{}{} ({})", known.empty() ? "" : ", ", arch->table_.npu_arch, arch->name_);
    }
    return Error("OPK-SOC-003",
                 fmt::format("architecture {} is not described; known are {}", npu_arch, known),
                 fmt::format("describe it in opkit/soc/archs/{}.yaml (docs/adding.md)", npu_arch));
  }

  const std::vector<std::unique_ptr<ArchSpec>>& archs() const { return archs_; }

 private:
  std::vector<std::unique_ptr<ArchSpec>> archs_;
  std::vector<const opk_arch_v1*> tables_;
  std::optional<Error> error_;  // a broken embedded file
};

namespace {

const ArchCatalog& arch_catalog() {
  static const ArchCatalog loaded;
  return loaded;
}

}  // namespace

Result<const ArchSpec*> find_arch(uint32_t npu_arch) { return arch_catalog().find(npu_arch); }

std::vector<const ArchSpec*> all_archs() {
  std::vector<const ArchSpec*> archs;
  for (const auto& arch : arch_catalog().archs()) archs.push_back(arch.get());
  return archs;
}

}  // namespace opkit
