// The frame of a contract: header, policies and messages.
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "opkit/base/file.h"
#include "opkit/base/suggest.h"
#include "opkit/contract/family.h"
#include "opkit/contract/kernel_kind.h"
#include "opkit/contract/knobs.h"
#include "opkit/contract/names.h"
#include "opkit/contract/reader.h"
#include "opkit/contract/root_keys.h"
#include "opkit/contract/try_reference.h"

namespace opkit {
void ContractReader::fail(Error error) {
  failed_ = true;
  if (error.op.empty()) error.op = contract_.op;
  if (error.action.empty()) error.action = "see docs/contract.md";
  messages_.push_back(std::move(error));
}

void ContractReader::fail(const Location& where, std::string code, std::string message,
                          std::string action) {
  fail(Error(std::move(code), std::move(message), std::move(action)).at(where));
}

void ContractReader::warn(const Location& where, std::string code, std::string message,
                          std::string action) {
  Error warning = Error(std::move(code), std::move(message), std::move(action)).at(where);
  warning.severity = Severity::kWarning;
  warning.op = contract_.op;
  messages_.push_back(std::move(warning));
}

bool ContractReader::accept(Status status) {
  if (status.ok()) return true;
  fail(std::move(status).error());
  return false;
}

bool ContractReader::read_name(const Value& value, const std::string& what, std::string& name) {
  if (value.is_scalar() && value.text.size() == 1) {
    name = value.text;  // y and n are names here
  } else if (!accept(value.as_string(what), name)) {
    return false;
  }
  if (is_identifier(name)) return true;
  fail(value.where, "OPK-CONTRACT-004", fmt::format("{} '{}' is not a name", what, name),
       "use letters, digits and underscores");
  return false;
}

bool ContractReader::read_choice(const Value& value, const std::string& what,
                                 const std::vector<std::string>& choices, std::string& choice) {
  if (!accept(value.as_string(what), choice)) return false;
  if (std::find(choices.begin(), choices.end(), choice) != choices.end()) return true;
  fail(value.where, "OPK-CONTRACT-006",
       fmt::format("{} is '{}'; it is one of {}", what, choice, fmt::join(choices, ", ")),
       suggest(choice, choices));
  return false;
}

bool ContractReader::read_expression_text(const Value& value, const std::string& what,
                                          std::string& text, Location& where) {
  if (!value.is_scalar()) {
    fail(value.where, "OPK-CONTRACT-005", fmt::format("{} must be text", what),
         "write an expression in quotes");
    return false;
  }
  const bool plain_text = value.quoted || value.text.size() == 1 || value.as_int(what).ok();
  if (!plain_text && !accept(value.as_string(what), text)) return false;
  text = value.text;
  where = value.where;
  if (value.quoted) ++where.column;
  return true;
}

bool ContractReader::read_expression(const Value& value, const std::string& what,
                                     std::optional<Expr>& result) {
  std::string text;
  Location where;
  if (!read_expression_text(value, what, text, where)) return false;
  auto parsed = Expr::parse(text, where);
  if (!parsed.ok()) {
    fail(std::move(parsed).error().with(what));
    return false;
  }
  result = std::move(parsed).value();
  return true;
}

Result<WholeContract> ContractReader::read_whole(std::string_view text) const {
  OPKIT_TRY(const Document document, Document::parse(text, name_));
  return join_family(document.root(), text, name_);
}

OpContract::Checked ContractReader::read(std::string_view text) {
  auto whole = read_whole(text);
  if (whole.ok()) {
    contract_.text = std::move(whole->text);
    read_root(whole->root);
  } else {
    fail(std::move(whole).error());
  }
  std::stable_sort(messages_.begin(), messages_.end(), [](const Error& a, const Error& b) {
    return std::tuple(a.where.file, a.where.line, a.where.column) <
           std::tuple(b.where.file, b.where.line, b.where.column);
  });
  OpContract::Checked checked;
  if (!failed_) checked.contract = std::move(contract_);
  checked.messages = std::move(messages_);
  return checked;
}

void ContractReader::read_root(const Value& root) {
  contract_.location = root.where;
  if (contract_.location.file.empty()) contract_.location = {name_, 1, 1};
  if (!root.is_map()) {
    return fail(contract_.location, "OPK-CONTRACT-001", "a contract is a map of fields",
                "start with 'op: MyOp'");
  }
  read_header(root);
  accept(root.check_keys("the contract", kRootKeys));
  read_interface(root);
  read_meaning(root);
  if (failed_) return;  // the rest evaluates expressions of a contract that is consistent
  read_calls(root);
  if (failed_) return;
  for (Error& message : try_reference(contract_)) {
    failed_ = failed_ || message.severity == Severity::kError;
    messages_.push_back(std::move(message));
  }
}

void ContractReader::read_section(const Value& root, std::string_view key, Section section) {
  if (const Value* value = root.find(key)) (this->*section)(*value);
}

void ContractReader::read_interface(const Value& root) {
  read_section(root, "soc", &ContractReader::read_soc);
  read_section(root, "attrs", &ContractReader::read_attrs);
  read_section(root, "inputs", &ContractReader::read_inputs);
  read_section(root, "outputs", &ContractReader::read_outputs);
  const size_t before_types = messages_.size();
  read_section(root, "types", &ContractReader::read_types);
  read_section(root, "columns", &ContractReader::read_columns);
  types_broken_ = messages_.size() > before_types;
  resolve_columns();
  collect_symbols();
}

void ContractReader::read_meaning(const Value& root) {
  read_section(root, "where", &ContractReader::read_where);
  check_names();
  check_lists();
  read_section(root, "numeric", &ContractReader::read_numeric);
  read_section(root, "tolerance", &ContractReader::read_tolerances);
  read_section(root, "kernel", &ContractReader::read_kernel);
  read_section(root, "reference", &ContractReader::read_reference);
  check_reference();
  read_section(root, "spellings", &ContractReader::read_spellings);
}

void ContractReader::read_calls(const Value& root) {
  check_satisfiable();
  check_results();
  check_shapes();
  read_section(root, "tests", &ContractReader::read_tests);
  read_section(root, "bench", &ContractReader::read_bench);
}

void ContractReader::read_header(const Value& root) {
  for (const char* key : {"op", "version", "inputs", "outputs", "reference"}) {
    if (root.find(key)) continue;
    fail(contract_.location, "OPK-CONTRACT-001", fmt::format("the field '{}' is missing", key),
         fmt::format("add '{}:'", key));
  }
  if (const Value* op = root.find("op")) {
    contract_.location = op->where;
    std::string type;
    if (accept(op->as_string("op"), type)) {
      if (is_op_type(type)) {
        contract_.op = type;
      } else {
        fail(op->where, "OPK-CONTRACT-002", fmt::format("op '{}' is not an op type", type),
             "use CamelCase letters and digits, e.g. LinearAddGelu");
      }
    }
  }
  if (const Value* version = root.find("version")) {
    if (accept(version->as_string("version"), contract_.version) &&
        !is_version(contract_.version)) {
      fail(version->where, "OPK-CONTRACT-003",
           fmt::format("version '{}' is not major.minor.patch", contract_.version),
           "write e.g. \"1.0.0\"");
    }
  }
  if (const Value* doc = root.find("doc")) accept(doc->as_string("doc"), contract_.doc);
  if (const Value* tuning = root.find("tuning")) accept(check_tuning(*tuning));
}

void ContractReader::read_soc(const Value& value) {
  if (!value.is_list() || value.items.empty()) {
    return fail(value.where, "OPK-CONTRACT-036", "soc must be a list of SoC names",
                "write e.g. [Ascend310B, Ascend910B], or leave soc out for all");
  }
  for (const Value& item : value.items) {
    std::string soc;
    if (!accept(item.as_string("soc"), soc)) continue;
    const auto& known = known_soc_names();
    const bool listed = std::find(known.begin(), known.end(), soc) != known.end();
    const bool twice =
        std::find(contract_.soc.begin(), contract_.soc.end(), soc) != contract_.soc.end();
    if (!listed || twice) {
      fail(item.where, "OPK-CONTRACT-036",
           twice ? fmt::format("SoC '{}' is listed twice", soc)
                 : fmt::format("'{}' is no known SoC", soc),
           twice ? "remove one of them" : suggest(soc, known, "opkit soc list names the chips"));
    }
    contract_.soc.push_back(std::move(soc));
  }
}

void ContractReader::read_kernel(const Value& value) {
  if (!accept(value.check_keys("kernel", {"entry", "task_type", "tiling_keys"}))) return;
  KernelInfo info;
  info.where = value.where;
  if (const Value* entry = value.find("entry")) read_name(*entry, "kernel.entry", info.entry);
  if (const Value* task = value.find("task_type"))
    read_choice(
        *task, "kernel.task_type",
        {"aiv_only", "aic_only", "mix_1_1", "mix_1_2", "mix_aic_1_0", "mix_aiv_1_0", kAicpuTask},
        info.task_type);
  if (const Value* keys = value.find("tiling_keys")) {
    AttrValue list;
    if (!accept(read_attr_value(*keys, AttrType::kListInt, "kernel.tiling_keys"), list)) return;
    info.tiling_keys = std::get<std::vector<int64_t>>(std::move(list));
    const std::set<int64_t> distinct(info.tiling_keys.begin(), info.tiling_keys.end());
    if (distinct.size() != info.tiling_keys.size() || (!distinct.empty() && *distinct.begin() < 0))
      fail(keys->where, "OPK-CONTRACT-037", "tiling keys must be distinct and not negative",
           "list each key once");
  }
  if (info.task_type == kAicpuTask && (value.find("entry") || value.find("tiling_keys")))
    fail(value.where, "OPK-CONTRACT-053",
         "an AICPU kernel is a class that REGISTER_CPU_KERNEL names: it has neither entry nor "
         "tiling keys",
         "write kernel: {task_type: aicpu}");
  contract_.kernel = std::move(info);
}

OpContract::Checked OpContract::check(std::string_view text, std::string name) {
  return ContractReader(std::move(name)).read(text);
}

Result<OpContract> OpContract::parse(std::string_view text, std::string name) {
  Checked checked = check(text, std::move(name));
  if (checked.contract) return *std::move(checked.contract);
  const auto first = std::find_if(checked.messages.begin(), checked.messages.end(),
                                  [](const Error& e) { return e.severity == Severity::kError; });
  return std::move(*first);
}

Result<OpContract> OpContract::load(const std::filesystem::path& path) {
  constexpr size_t kMaxBytes = size_t{4} << 20;
  OPKIT_TRY(const std::string text, read_file(path, kMaxBytes));
  return parse(text, path.string());
}

}  // namespace opkit
