// ContractReader: turns a Document into an OpContract and collects every message on the way.
// Private to opkit/contract; its methods are spread over read_*.cpp and check_*.cpp by subject.
#ifndef OPKIT_CONTRACT_READER_H_
#define OPKIT_CONTRACT_READER_H_

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "opkit/base/document.h"
#include "opkit/contract/family.h"
#include "opkit/contract/op_contract.h"

namespace opkit {

class ContractReader {
 public:
  explicit ContractReader(std::string name) : name_(std::move(name)) {}

  OpContract::Checked read(std::string_view text);

 private:
  // read_contract.cpp
  Result<WholeContract> read_whole(std::string_view text) const;
  void read_root(const Value& root);
  void read_header(const Value& root);
  // Reads the fields in the order in which they need each other: what ports, attributes and columns
  // there are; what the op computes and how exactly; calls of it.
  void read_interface(const Value& root);
  void read_meaning(const Value& root);
  void read_calls(const Value& root);
  using Section = void (ContractReader::*)(const Value&);
  void read_section(const Value& root, std::string_view key, Section section);
  void read_soc(const Value& value);
  void read_kernel(const Value& value);

  // read_numeric.cpp
  void read_numeric(const Value& value);
  void read_accumulate(const Value& value);
  void read_tolerances(const Value& value);
  void read_tolerance(const Value& value);
  bool read_tolerance_columns(const Value& value, Tolerance& tolerance);

  // read_types.cpp
  void read_types(const Value& value);
  void read_type_list(const Value::Entry& entry);
  void read_columns(const Value& value);
  bool read_column_entry(const Value::Entry& entry, size_t row);
  void resolve_columns();
  void resolve_dtype(Port& port);
  void resolve_format(Port& port, const Value* value);
  bool set_column_count(size_t count, const Location& where, const std::string& what);
  void check_column_rows();
  void check_variable_use();
  void check_inplace_formats();
  void check_elements();

  // read_ports.cpp
  void read_inputs(const Value& value) { read_ports(value, false); }
  void read_outputs(const Value& value) { read_ports(value, true); }
  void read_ports(const Value& value, bool outputs);
  void read_port(const Value::Entry& entry, bool output);
  void read_presence(const Value& value, Port& port);
  void read_shape(const Value& value, ShapeSpec& shape);
  void read_shape_list(const Value& value, ShapeSpec& shape);
  void read_values(const Value& value, Port& port);
  void read_elements(const Value& value, Port& port);
  bool read_value_bound(const Value& value, ValueBound& bound);
  void check_inplace(const Port& port);

  // read_attrs.cpp
  void read_attrs(const Value& value);
  void read_attr(const Value::Entry& entry);
  void read_attr_range(const Value& value, Attr& attr);
  bool read_interval_text(const Value& value, NumberInterval& interval);
  void read_attr_enum(const Value& value, Attr& attr);
  void read_attr_list(const Value& declaration, Attr& attr);
  bool read_attr_length(const Value& value, Attr& attr);
  void read_attr_default(const Value& declaration, Attr& attr);

  // read_where.cpp
  void read_where(const Value& value);
  void read_constraint(const std::string& label, const Value& value, const Location& where);
  bool read_condition_text(const Value& value, const std::string& what,
                           std::optional<Expr>& result);

  // check_symbols.cpp
  void collect_symbols();
  void collect_port_symbols(const Port& port);
  void add_symbol(const std::string& name, Symbol::Kind kind, const Expr& item, const Port& port);
  void check_names();
  void check_lists();
  void check_expression_names(const Expr& expression, const std::string& owner, bool input_shape);
  void check_name(const Expr::Name& name, const std::string& owner);
  std::string kind_of_name(const std::string& name) const;
  void check_shapes();

  // check_constraints.cpp
  void check_satisfiable();
  bool tighten(size_t at, Scope& scope);
  std::set<size_t> reasons_of(const Expr& expression) const;
  void fail_constraints(std::set<size_t> constraints, size_t at, const std::string& term);

  // check_results.cpp
  void check_results();
  void check_values(const Port& port, const Scope& scope);

  // read_reference.cpp
  void read_reference(const Value& value);
  void read_nodes(const Value& value, std::vector<ReferenceNode>& nodes);
  void read_node(const Value& value, std::vector<ReferenceNode>& nodes);
  bool read_node_op(const Value& value, ReferenceNode& node);
  void read_operands(const Value& value, ReferenceNode& node);
  bool read_operand(const Value& value, Operand& operand);
  bool read_operand_map(const Value& value, Operand& operand);
  bool read_constant(const Value& value, Operand& operand);
  void read_node_outputs(const Value& value, ReferenceNode& node);
  void read_node_attrs(const Value& value, ReferenceNode& node);
  bool read_literal(const Value& value, const std::string& what, AttrValue& literal);
  void read_condition(const Value& value, ReferenceNode& node);
  void read_store(const Value& value, ReferenceNode& node);
  void read_no_reference(const Value& value);

  // read_spellings.cpp
  void read_spellings(const Value& value);
  void read_spelling(const Value::Entry& entry);
  void read_spelling_attrs(const Value& value, Spelling& spelling);

  // check_reference.cpp
  void check_reference();
  void check_spelling(const Spelling& spelling);
  void check_nodes(const std::vector<ReferenceNode>& nodes, const Location* spelling);
  void check_describable(const Port& input);
  void check_node(const ReferenceNode& node, const std::vector<ReferenceNode>& nodes,
                  std::set<std::string>& defined);
  void check_may_be_absent(const ReferenceNode& node);
  void check_tensor(const std::string& tensor, const Location& where,
                    const std::vector<ReferenceNode>& nodes, const std::set<std::string>& defined);
  void check_inner_results(const std::vector<ReferenceNode>& nodes);
  void check_inputs_read(const std::vector<ReferenceNode>& nodes, const Location* spelling);
  void check_attr_reference(const std::string& attr, const Location& where);
  void check_definitions(const ReferenceNode& node, std::set<std::string>& defined);
  void check_attrs_used();

  // read_cases.cpp
  void read_tests(const Value& value) { read_cases(value, "tests", contract_.tests); }
  void read_bench(const Value& value) { read_cases(value, "bench", contract_.bench); }
  void read_cases(const Value& value, std::string_view section, std::vector<Case>& cases);
  void read_case(const Value& value, std::vector<Case>& cases);
  bool read_case_entry(const Value::Entry& entry, Case& one);
  bool read_case_counts(const Value& value, Case& one);
  bool read_case_names(const Value& value, std::string_view what, std::set<std::string>& names);
  void read_case_symbol(const Value& value, const Symbol& symbol, Case& one);
  void check_case(const Case& one);

  // Messages.
  void fail(Error error);
  void fail(const Location& where, std::string code, std::string message, std::string action);
  void warn(const Location& where, std::string code, std::string message, std::string action);
  // True when status is fine; else records its error.
  bool accept(Status status);
  template <typename T>
  bool accept(Result<T> result, T& target) {
    if (!result.ok()) return fail(std::move(result).error()), false;
    target = std::move(result).value();
    return true;
  }
  // A name in the sense of docs/contract.md: an identifier, quoted or not (y and n included).
  bool read_name(const Value& value, const std::string& what, std::string& name);
  bool read_choice(const Value& value, const std::string& what,
                   const std::vector<std::string>& choices, std::string& choice);
  bool read_expression(const Value& value, const std::string& what, std::optional<Expr>& result);
  // The text of an expression and where its first character stands.
  bool read_expression_text(const Value& value, const std::string& what, std::string& text,
                            Location& where);

  std::string name_;
  OpContract contract_;
  Errors messages_;
  bool failed_ = false;
  bool columns_known_ = false;
  bool types_broken_ = false;  // reported: what uses the variables is not reported again
  std::vector<std::pair<std::string, const Value*>> port_formats_;  // keeps the order of ports
  std::map<std::string, std::set<size_t>> narrowed_by_;  // names and the constraints behind ranges
  std::set<std::string> used_names_;  // attributes and symbols that something reads
};

}  // namespace opkit

#endif  // OPKIT_CONTRACT_READER_H_
