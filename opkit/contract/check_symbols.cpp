// Symbols and the names in expressions.
#include <fmt/format.h>

#include <algorithm>

#include "opkit/base/suggest.h"
#include "opkit/contract/rank_rule.h"
#include "opkit/contract/reader.h"
#include "opkit/contract/scope.h"

namespace opkit {
namespace {

Symbol::Kind kind_of(const Expr& item) {
  if (item.type() == Expr::Type::kList) return Symbol::Kind::kList;
  return item.is_per_tensor() ? Symbol::Kind::kPerTensor : Symbol::Kind::kDim;
}

std::string spelled(const std::string& name, Symbol::Kind kind) {
  switch (kind) {
    case Symbol::Kind::kList: return name + "..";
    case Symbol::Kind::kPerTensor: return name + "[]";
    case Symbol::Kind::kDim: break;
  }
  return name;
}

}  // namespace

void ContractReader::collect_symbols() {
  for (const Port& port : contract_.inputs) collect_port_symbols(port);
}

void ContractReader::collect_port_symbols(const Port& port) {
  for (const Expr& item : port.shape.items) {
    const bool list = item.type() == Expr::Type::kList;
    const std::string name = item.bare_name();
    if (name.empty() && list) {
      fail(item.where(), "OPK-CONTRACT-023",
           fmt::format("{} stands in an input's shape", item.to_string()),
           "name the input's dims, e.g. A.., and compute with them in outputs");
    }
    if (name.empty()) continue;
    if (item.is_per_tensor() && port.presence != Presence::kDynamic) {
      fail(item.where(), "OPK-CONTRACT-021",
           fmt::format("{}[] stands in {}, which is not dynamic", name, port.name),
           fmt::format("write {}", name));
      continue;
    }
    add_symbol(name, kind_of(item), item, port);
  }
}

// Lists of one input are told apart by their ranks: constraints say those of all but one.
void ContractReader::check_lists() {
  for (const Port& port : contract_.inputs) {
    const Expr* open = nullptr;
    for (const Expr& item : port.shape.items) {
      if (item.type() != Expr::Type::kList || rank_rule(contract_, item.bare_name())) continue;
      if (open)
        fail(item.where(), "OPK-CONTRACT-023",
             fmt::format("the shape of {} has more than one list", port.name),
             fmt::format("keep one, or say under where how long one is: rank({}) == and an int "
                         "attribute",
                         open->bare_name()));
      open = &item;
    }
  }
}

void ContractReader::add_symbol(const std::string& name, Symbol::Kind kind, const Expr& item,
                                const Port& port) {
  static constexpr std::string_view kCaseWords[] = {"absent", "collapsed", "count"};
  const bool reserved =
      std::find(std::begin(kCaseWords), std::end(kCaseWords), name) != std::end(kCaseWords);
  const Port* input = contract_.input(name);
  if (reserved || contract_.attr(name) || (input && input->value_depend)) {
    return fail(item.where(), "OPK-CONTRACT-004",
                reserved ? fmt::format("a symbol cannot be named '{}'", name)
                         : fmt::format("'{}' is already an attribute or an input's values", name),
                "choose another name for the dim");
  }
  const Symbol* known = contract_.symbol(name);
  if (known && known->kind != kind) {
    return fail(item.where(), "OPK-CONTRACT-021",
                fmt::format("{} is written as {} here and as {} in line {}", name,
                            spelled(name, kind), spelled(name, known->kind), known->where.line),
                "use one spelling");
  }
  if (!known) contract_.symbols.push_back({name, kind, port.name, Range::any_dim(), item.where()});
}

// Returns what an expression may use `name` as; empty when there is no such name.
std::string ContractReader::kind_of_name(const std::string& name) const {
  if (const Symbol* symbol = contract_.symbol(name))
    return symbol->kind == Symbol::Kind::kDim ? "number" : "list";
  if (const Attr* attr = contract_.attr(name)) {
    switch (attr->type) {
      case AttrType::kBool: return "condition";
      case AttrType::kInt: return "number";
      case AttrType::kString: return "text";
      case AttrType::kListInt: return "list";
      default: return fmt::format("value of type {}", name_of(attr->type));
    }
  }
  const Port* input = contract_.input(name);
  return input && input->value_depend ? "list" : "";
}

void ContractReader::check_name(const Expr::Name& name, const std::string& owner) {
  static constexpr const char* kUses[] = {"number", "condition", "list", "text", "input"};
  used_names_.insert(name.name);
  std::vector<std::string> known;
  if (name.use == Expr::Use::kPort) {
    if (contract_.input(name.name)) return;
    for (const Port& port : contract_.inputs) known.push_back(port.name);
    return fail(name.where, "OPK-CONTRACT-020",
                fmt::format("{} names '{}', which is no input", owner, name.name),
                suggest(name.name, known));
  }
  const std::string kind = kind_of_name(name.name);
  if (kind.empty()) {
    for (const Symbol& symbol : contract_.symbols) known.push_back(symbol.name);
    for (const Attr& attr : contract_.attrs) known.push_back(attr.name);
    return fail(name.where, "OPK-CONTRACT-020",
                fmt::format("{} uses '{}', which no input shape binds and no attribute is named",
                            owner, name.name),
                suggest(name.name, known));
  }
  const std::string use = kUses[static_cast<int>(name.use)];
  if (use == kind) return;
  fail(name.where, "OPK-CONTRACT-021",
       fmt::format("{} uses '{}' as a {}, but it is a {}", owner, name.name, use, kind),
       kind == "list"        ? "take prod(), rank(), sum() or an element of it"
       : kind == "condition" ? fmt::format("use select({}, 1, 0)", name.name)
                             : "bound it with its own range or enum");
}

void ContractReader::check_expression_names(const Expr& expression, const std::string& owner,
                                            bool input_shape) {
  if (input_shape && !expression.bare_name().empty()) return;
  for (const Expr::Name& name : expression.names()) check_name(name, owner);
}

void ContractReader::check_names() {
  for (const std::vector<Port>* ports : {&contract_.inputs, &contract_.outputs}) {
    for (const Port& port : *ports) {
      const std::string owner =
          fmt::format("{} {}", port.is_output ? "output" : "input", port.name);
      for (const Expr& item : port.shape.items)
        check_expression_names(item, owner, !port.is_output);
      if (port.count) check_expression_names(*port.count, owner + ".count", false);
      if (!port.values) continue;
      for (const ValueBound* bound : {&port.values->first, &port.values->second}) {
        if (const Expr* expression = std::get_if<Expr>(bound))
          check_expression_names(*expression, owner + ".values", false);
      }
    }
  }
  for (const Constraint& constraint : contract_.where)
    check_expression_names(constraint.rule, "constraint " + constraint.label, false);
}

// Constant dims must be dims; a per-tensor symbol in an output needs a dynamic output.
void ContractReader::check_shapes() {
  const Scope scope = open_scope(contract_);
  for (const std::vector<Port>* ports : {&contract_.inputs, &contract_.outputs}) {
    for (const Port& port : *ports) {
      for (const Expr& item : port.shape.items) {
        if (item.is_per_tensor() && port.presence != Presence::kDynamic)
          fail(item.where(), "OPK-CONTRACT-021",
               fmt::format("{} stands in {}, which is not dynamic", item.to_string(), port.name),
               "use sum(), an index, or a dynamic output");
        if (item.type() != Expr::Type::kNumber) continue;
        const auto dim = item.evaluate(scope);
        if (dim.ok() && dim->hi < 0)
          fail(item.where(), "OPK-CONTRACT-022",
               fmt::format("the dim {} of {} is always negative", item.to_string(), port.name),
               "a dim is at least 0");
      }
    }
  }
}

}  // namespace opkit
