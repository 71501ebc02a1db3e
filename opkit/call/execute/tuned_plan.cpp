#include "opkit/call/execute/tuned_plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "opkit/base/file.h"
#include "opkit/contract/tuning.h"

namespace opkit {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNoBankFile = "OPK-TUNE-003";
constexpr double kFarthest = 1;  // limits how far one dim may lie off: half and double

Error no_bank(const fs::path& path, const std::string& what) {
  return Error(kNoBankFile,
               fmt::format("{} is no bank of tilings: {}", path.lexically_normal().string(), what),
               "remove it, then tune the op again");
}

// Names the file, whatever is wrong with it.
Error no_bank(const fs::path& path, const Error& error) {
  return error.code == kNoBankFile ? error : no_bank(path, error.message);
}

// Members of a map; absent: an empty text, 0.
std::string member(const Value& map, std::string_view key) {
  const Value* value = map.find(key);
  return value == nullptr || !value->is_scalar() ? std::string() : value->text;
}
uint64_t count(const Value& map, std::string_view key) {
  const Value* value = map.find(key);
  const auto number = value == nullptr ? Result<int64_t>(int64_t{0}) : value->as_int(key);
  return number.ok() && *number > 0 ? static_cast<uint64_t>(*number) : 0;
}

Result<BankEntry> read_entry(const Value& value, const fs::path& path) {
  BankEntry entry{member(value, "soc"),
                  {member(value, "inputs"), member(value, "attrs")},
                  {},
                  count(value, "ns"),
                  count(value, "default_ns"),
                  count(value, "bound_ns")};
  const Value* knobs = value.find("knobs");
  if (entry.soc.empty() || knobs == nullptr || !knobs->is_map())
    return no_bank(path, fmt::format("line {} has no soc or no knobs", value.where.line));
  for (const Value::Entry& knob : knobs->entries) {
    const auto number = knob.value.as_int(knob.key);
    if (!number.ok()) return no_bank(path, number.error().message);
    entry.knobs[std::string(kKnobPrefix) + knob.key] = *number;
  }
  return entry;
}

// The numbers of a text of shapes, and the text around them.
struct Dims {
  std::string words;
  std::vector<double> numbers;
};
Dims dims_of(const std::string& inputs) {
  Dims dims;
  bool inside = false;
  for (size_t i = 0; i < inputs.size(); ++i) {
    const char c = inputs[i];
    inside = c == '[' || (inside && c != ']');
    if (!inside || c < '0' || c > '9') {
      dims.words += c;
      continue;
    }
    if (dims.words.empty() || dims.words.back() != '#') {
      dims.words += '#';
      dims.numbers.push_back(0);
    }
    dims.numbers.back() = dims.numbers.back() * 10 + (c - '0');
  }
  return dims;
}

// How far calls lie apart; beyond every number: too far, or of other dtypes or ranks.
double distance_of(const Dims& a, const Dims& b) {
  if (a.words != b.words || a.numbers.size() != b.numbers.size()) return INFINITY;
  double sum = 0;
  for (size_t i = 0; i < a.numbers.size(); ++i) {
    const double dim = std::abs(std::log2(a.numbers[i] + 1) - std::log2(b.numbers[i] + 1));
    if (dim > kFarthest) return INFINITY;
    sum += dim;
  }
  return sum;
}

AuthorLog::Line line(int severity, const char* code, std::string text) {
  return {severity, code, std::move(text)};
}

AuthorLog::Line warning(const Error& error) {
  return {2, error.code, error.message + "; " + error.action};
}

Result<CallPlan> with_line(Result<CallPlan> plan, AuthorLog::Line said) {
  if (plan.ok()) plan->tiling.log.push_back(std::move(said));
  return plan;
}

// The knobs that a bank has for the call are used, or a line says why not.
class Asker {
 public:
  Asker(const OpContract& contract, const std::string& soc, const CallFacts& facts,
        const MakePlan& make)
      : contract_(contract), soc_(soc), facts_(facts), make_(make) {}

  Result<CallPlan> ask(const fs::path& path, const std::string& plugin) const {
    const auto bank = read_bank(path);
    if (!bank.ok()) return with_line(make_(facts_), warning(no_bank(path, bank.error())));
    if (bank->plugin != plugin)
      return with_line(make_(facts_),
                       warning(stale_bank(path, contract_.op, bank->plugin, plugin)));
    const auto call = name_of_call(contract_, facts_);
    const BankChoice choice = call.ok() ? choose_from(*bank, soc_, *call) : BankChoice{};
    if (choice.entry == nullptr || choice.entry->knobs.empty()) return make_(facts_);
    return use(choice);
  }

 private:
  Result<CallPlan> use(const BankChoice& choice) const {
    CallFacts facts = facts_;
    for (const auto& [name, value] : choice.entry->knobs) facts.attrs[name] = value;
    const std::string knobs = knobs_text(choice.entry->knobs);
    auto plan = make_(facts);
    if (!plan.ok())
      return with_line(make_(facts_), line(2, "OPK-TUNE-012",
                                           fmt::format("the bank's {} is refused and not used: {}",
                                                       knobs, plan.error().message)));
    if (choice.nearest)
      return with_line(std::move(plan),
                       line(1, "OPK-TUNE-011",
                            fmt::format("bank of tilings: {}, of the nearest call, {}", knobs,
                                        choice.entry->call.inputs)));
    return with_line(std::move(plan),
                     line(1, "OPK-TUNE-010", fmt::format("bank of tilings: {}", knobs)));
  }

  const OpContract& contract_;
  const std::string& soc_;
  const CallFacts& facts_;
  const MakePlan& make_;
};

}  // namespace

Result<CallName> name_of_call(const OpContract& contract, const CallFacts& facts) {
  CallName name;
  std::vector<std::string> ports;
  for (const auto& port : facts.inputs) {
    std::vector<std::string> tensors;
    for (const InputFacts& input : port)
      tensors.push_back(
          fmt::format("{}{}", opkit::name_of(input.desc.dtype), input.desc.shape.to_string()));
    ports.push_back(tensors.empty() ? "-" : fmt::format("{}", fmt::join(tensors, " ")));
  }
  name.inputs = fmt::format("{}", fmt::join(ports, "; "));
  OPKIT_TRY(const AttrValues attrs, contract.complete(split_knobs(facts.attrs).attrs));
  std::vector<std::string> parts;
  for (const auto& [attr, value] : attrs)
    parts.push_back(fmt::format("{}={}", attr, to_string(value)));
  name.attrs = fmt::format("{}", fmt::join(parts, ", "));
  return name;
}

fs::path bank_path(const OpContract& contract) {
  // <vendor>/op_pkg/<Op>/<version>/op_proto/op_contract.yaml, where the dots are the file system's:
  // a leased package is named by an open folder.
  const fs::path proto = fs::path(contract.location.file).parent_path();
  return proto / ".." / ".." / ".." / ".." / "tuning" /
         fmt::format("{}-{}.json", contract.op, contract.version);
}

Result<Bank> read_bank(const fs::path& path) {
  OPKIT_TRY(const Document document, Document::load(path));
  return bank_from(document.root(), path);
}

Result<Bank> bank_from(const Value& root, const fs::path& path) {
  const Value* entries = root.is_map() ? root.find("entries") : nullptr;
  if (entries == nullptr || !entries->is_list() || member(root, "bank") != "1")
    return no_bank(path, "it has no entries, or another form than 1");
  Bank bank{member(root, "op"), member(root, "version"), member(root, "plugin"), {}};
  for (const Value& value : entries->items) {
    if (!value.is_map()) return no_bank(path, "an entry is no map");
    OPKIT_TRY(BankEntry entry, read_entry(value, path));
    bank.entries.push_back(std::move(entry));
  }
  return bank;
}

Error stale_bank(const fs::path& file, const std::string& op, const std::string& tuned,
                 const std::string& plugin) {
  return Error("OPK-TUNE-004",
               fmt::format("{} was tuned with another plugin ({:.8}, this one is {:.8}): it is not "
                           "used",
                           file.filename().string(), tuned, plugin),
               fmt::format("opkit tune {} makes it anew", op));
}

BankChoice choose_from(const Bank& bank, const std::string& soc, const CallName& call) {
  BankChoice choice;
  double least = INFINITY;
  const Dims wanted = dims_of(call.inputs);
  for (const BankEntry& entry : bank.entries) {
    if (entry.soc != soc || entry.call.attrs != call.attrs) continue;
    if (entry.call.inputs == call.inputs) return {&entry, false};
    const double distance = distance_of(wanted, dims_of(entry.call.inputs));
    if (distance >= least) continue;
    least = distance;
    choice = {&entry, true};
  }
  return choice;
}

Result<CallPlan> plan_tuned(const OpContract& contract, const std::string& plugin,
                            const std::string& soc, const CallFacts& facts, const MakePlan& make) {
  const bool no_bank_wanted = facts.attrs.count(kNoBank) > 0;
  if (no_bank_wanted) {
    CallFacts plain = facts;
    plain.attrs.erase(kNoBank);
    return make(plain);
  }
  const auto knob = facts.attrs.lower_bound(std::string(kKnobPrefix));
  if (knob != facts.attrs.end() && knob->first.starts_with(kKnobPrefix)) return make(facts);
  if (contract.location.file.empty()) return make(facts);
  const fs::path path = bank_path(contract);
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return make(facts);
  return Asker(contract, soc, facts, make).ask(path, plugin);
}

}  // namespace opkit
