#include "opkit/contract/schema.h"

#include "opkit/base/dtype.h"
#include "opkit/base/format.h"
#include "opkit/base/json.h"
#include "opkit/contract/attr.h"
#include "opkit/contract/names.h"
#include "opkit/reference/operators.h"

namespace opkit {
namespace {

Json text(const char* description) { return {{"type", "string"}, {"description", description}}; }

Json pattern(const char* expression, const char* description) {
  return {{"type", "string"}, {"pattern", expression}, {"description", description}};
}

Json list_of(Json items, const char* description) {
  return {{"type", "array"}, {"items", std::move(items)}, {"description", description}};
}

Json map_of(Json values, const char* description) {
  return {{"type", "object"},
          {"additionalProperties", std::move(values)},
          {"description", description}};
}

Json choice(const std::vector<std::string>& values, const char* description) {
  return {{"enum", values}, {"description", description}};
}

Json object(Json properties, const std::vector<std::string>& required, const char* description) {
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"required", required},
          {"additionalProperties", false},
          {"description", description}};
}

Json ref(const char* name) { return {{"$ref", std::string("#/definitions/") + name}}; }

Json any_of(std::initializer_list<Json> options, const char* description) {
  return {{"anyOf", Json(options)}, {"description", description}};
}

Json knob_schema() {
  const Json whole = {{"type", "integer"}, {"minimum", 1}};
  const Json list = list_of(whole, "the values");
  return any_of({list, object({{"values", list},
                               {"range", list_of(whole, "both ends")},
                               {"multiple_of", whole},
                               {"doc", text("what it decides")}},
                              {}, "a knob")},
                "values, or a range");
}

Json dtype_names() {
  std::vector<std::string> names;
  for (DType dtype : all_dtypes()) {
    for (const std::string_view name :
         {name_of(dtype), kernel_name_of(dtype), graph_name_of(dtype)}) {
      if (std::ranges::find(names, name) == names.end()) names.emplace_back(name);
    }
  }
  // Short names that contracts may use, too.
  for (const char* name :
       {"fp32", "f32", "float32_t", "fp16", "f16", "float16_t", "bf16", "fp64", "f64", "i4", "i8",
        "i16", "i32", "int", "i64", "u8", "u16", "u32", "u64"})
    names.emplace_back(name);
  return choice(names, "element type");
}

Json format_names() {
  std::vector<std::string> names;
  for (Format format : all_formats()) names.emplace_back(name_of(format));
  return choice(names, "data format");
}

Json shape_schema() {
  const Json item = {{"type", {"string", "integer"}}};
  return any_of({{{"type", {"string", "integer"}}}, list_of(item, "one item per dim")},
                "dims separated by commas: symbols, numbers, expressions, prefixes such as B..; "
                "or opaque");
}

Json common_port() {
  return {{"dtype", text("dtype or variable under types")},
          {"shape", ref("shape")},
          {"format", any_of({text("format or variable under columns"),
                             list_of(ref("format"), "one format per column")},
                            "data format, ND when left out")},
          {"presence", choice({"required", "optional", "dynamic"}, "required when left out")},
          {"doc", text("for the op's page")}};
}

Json input_schema() {
  Json properties = common_port();
  properties["values"] = {{"type", "array"},
                          {"items", {{"type", {"number", "string"}}}},
                          {"minItems", 2},
                          {"maxItems", 2},
                          {"description", "lowest and highest element value"}};
  properties["elements"] =
      choice(elements_names(), "how values along the last axis depend on each other");
  properties["value_depend"] = {{"type", "boolean"},
                                {"description", "the values are known on the host"}};
  properties["written"] = {{"type", "boolean"},
                           {"description", "the kernel writes into it: its bytes are a result"}};
  return object(std::move(properties), {"dtype", "shape"}, "an input");
}

Json output_schema() {
  Json properties = common_port();
  properties["inplace"] = text("the input whose memory this output takes");
  properties["count"] = ref("expression");
  return object(std::move(properties), {"dtype", "shape"}, "an output");
}

Json attr_schema() {
  const Json range_list = {{"type", "array"},
                           {"items", {{"type", {"number", "string"}}}},
                           {"minItems", 2},
                           {"maxItems", 2}};
  return object(
      {{"type", choice(attr_type_names(), "type of the value")},
       {"default", {{"description", "absent: the attribute is required"}}},
       {"range", any_of({range_list, text("with open ends, e.g. (0, 1]")},
                        "of the value, or of each element")},
       {"enum", {{"type", "array"}, {"minItems", 1}, {"description", "allowed values"}}},
       {"length", any_of({{{"type", "integer"}, {"minimum", 0}},
                          list_of({{"type", "integer"}, {"minimum", 0}}, "fewest and most")},
                         "of a list: how many elements")},
       {"elements", choice(elements_names(),
                           "of a list: how its elements depend on each "
                           "other; any when left out")},
       {"required", {{"type", "boolean"}}},
       {"doc", text("for the op's page")}},
      {"type"}, "an attribute");
}

Json constraint_schema() {
  const Json long_form = object({{"rule", ref("expression")}, {"why", text("the reason")}},
                                {"rule"}, "a condition and its reason");
  return any_of({ref("expression"), long_form}, "a condition over symbols and attributes");
}

Json where_schema() {
  const Json map = {{"type", "object"},
                    {"patternProperties", {{"^C[1-9][0-9]{0,3}$", ref("constraint")}}},
                    {"additionalProperties", false}};
  return any_of({map, list_of(ref("constraint"), "numbered C1, C2, ...")}, "numbered constraints");
}

Json operand_schema() {
  const Json number = {{"type", {"number", "string"}}};
  const Json constant =
      object({{"const", any_of({number, list_of(number, "a 1-D constant")}, "a constant")},
              {"dtype", ref("dtype")}},
             {"const"}, "an inline constant");
  const Json shape = object({{"shape", ref("shape")}}, {"shape"}, "a 1-D int64 tensor of dims");
  return any_of({text("a tensor, $attribute, or \"\" for an absent operand"), constant, shape},
                "an operand");
}

Json node_schema() {
  return object(
      {{"op", choice(reference::operator_names(), "ONNX operator")},
       {"in", list_of(ref("operand"), "operands in ONNX order")},
       {"out", any_of({text("the result"), list_of(text("a result"), "the results")}, "results")},
       {"attrs", {{"type", "object"}, {"description", "ONNX attributes; $name is the op's own"}}},
       {"when", ref("expression")},
       {"else", text("the tensor that out is when the condition is false; absent without")},
       {"store",
        text("a floating dtype or variable that the results are rounded to, and 'scaled'")}},
      {"op", "out"}, "one ONNX operator");
}

Json reference_schema() {
  const Json none = object({{"none", text("why ONNX operators cannot say it")},
                            {"golden", list_of(text("an .npz file beside the contract"),
                                               "inputs and expected outputs by name")}},
                           {"none"}, "no reference");
  return any_of({list_of(ref("node"), "operators in evaluation order"), none},
                "what the op computes");
}

Json spellings_schema() {
  const Json nodes = list_of(ref("node"), "operators in evaluation order");
  const Json some = object(
      {{"attrs", map_of(Json::object(), "attributes of the calls meant")}, {"reference", nodes}},
      {"reference"}, "of calls with these attributes");
  return map_of(any_of({nodes, some}, "one spelling"), "what means the same as the reference");
}

Json numeric_schema() {
  return object({{"accumulate", ref("dtype")},
                 {"overflow", choice({"inf", "saturate"}, "inf when left out")},
                 {"rounding",
                  choice({"rint", "floor", "ceil", "round", "trunc", "odd"}, "rint when left out")},
                 {"nan", choice({"propagate", "ignore", "unspecified"}, "propagate when left out")},
                 {"order", choice({"any", "fixed"}, "order of summation; any when left out")}},
                {}, "numeric policy");
}

Json tolerance_schema() {
  const Json one = object(
      {{"types", map_of(ref("dtype"), "the columns that it is for; every one when left out")},
       {"value", {{"type", "number"}, {"minimum", 0}, {"exclusiveMaximum", 1}}},
       {"absolute", {{"type", "number"}, {"minimum", 0}}},
       {"reason", {{"type", "string"}, {"minLength", 1}}}},
      {"value", "reason"}, "|result - exact| <= absolute + value * |exact|");
  return any_of({one, list_of(one, "a column takes the first that fits")},
                "replaces the derived bound");
}

Json kernel_schema() {
  return object(
      {{"entry", text("kernel function")},
       {"task_type",
        choice(
            {"aiv_only", "aic_only", "mix_1_1", "mix_1_2", "mix_aic_1_0", "mix_aiv_1_0", "aicpu"},
            "how blocks map to cores; aicpu: a CpuKernel, on a processor of the host")},
       {"tiling_keys", {{"type", "array"}, {"items", {{"type", "integer"}, {"minimum", 0}}}}}},
      {}, "facts about the kernel");
}

Json case_schema() {
  return {{"type", "object"},
          {"properties",
           {{"absent", list_of(text("optional input"), "inputs that are left out")},
            {"collapsed", list_of(text("input:axis"), "dims written N|1 that are 1")},
            {"count", map_of({{"type", "integer"}}, "tensors of dynamic inputs")}}},
          {"description", "a value for each symbol, and for attributes"}};
}

Json definitions() {
  return {{"dtype", dtype_names()},
          {"format", format_names()},
          {"shape", shape_schema()},
          {"expression",
           {{"type", {"string", "integer"}},
            {"description", "see the expression grammar in docs/contract.md"}}},
          {"input", input_schema()},
          {"output", output_schema()},
          {"attr", attr_schema()},
          {"constraint", constraint_schema()},
          {"operand", operand_schema()},
          {"node", node_schema()},
          {"case", case_schema()}};
}

Json root_properties() {
  const Json dtypes = list_of(ref("dtype"), "one dtype per column");
  const Json shapes = list_of(ref("case"), "cases");
  return {
      {"op", pattern("^[A-Z][A-Za-z0-9]*$", "CamelCase op type")},
      {"family", text("file beside the contract that holds the fields which are not given here")},
      {"version",
       pattern("^(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)$", "major.minor.patch, in quotes")},
      {"doc", text("what the op does, in a sentence")},
      {"inputs", map_of(ref("input"), "inputs by name, in order")},
      {"outputs", map_of(ref("output"), "outputs by name, in order")},
      {"types", map_of(dtypes, "dtype variables; the lists are columns")},
      {"columns", list_of(map_of(text("dtype or format"), "one combination"),
                          "dtype and format variables, combination by combination")},
      {"attrs", map_of(ref("attr"), "attributes by name, in order")},
      {"where", where_schema()},
      {"reference", reference_schema()},
      {"spellings", spellings_schema()},
      {"numeric", numeric_schema()},
      {"tolerance", tolerance_schema()},
      {"soc", list_of(choice(known_soc_names(), "short or full name"), "every SoC when left out")},
      {"kernel", kernel_schema()},
      {"tests", object({{"shapes", shapes},
                        {"values", list_of(choice(data_class_names(), "class of data"),
                                           "classes that must be tested")}},
                       {}, "test cases")},
      {"bench", object({{"shapes", shapes}}, {}, "benchmark cases")},
      {"tuning", map_of(knob_schema(), "knobs of the tiling function, by name")}};
}

}  // namespace

std::string contract_schema_text() {
  const std::vector<std::string> needed = {"op", "version", "inputs", "outputs", "reference"};
  Json schema = object(root_properties(), {"op"},
                       "The contract of an operator; the law is docs/contract.md.");
  schema["anyOf"] = {{{"required", needed}}, {{"required", {"family"}}}};
  Json document = {{"$schema", "http://json-schema.org/draft-07/schema#"},
                   {"title", "op_contract.yaml"}};
  document.update(schema);
  document["definitions"] = definitions();
  return document.dump(2) + "\n";
}

}  // namespace opkit
