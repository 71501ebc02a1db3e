// Random nodes: every operator with random inputs and attributes answers with consistent outputs or
// a coded error, and never reads or writes out of bounds (the sanitizer build runs this too).
#include <random>

#include "opkit/reference/infer.h"
#include "opkit/reference/operators.h"
#include "tests/unit/reference/build.h"

namespace opkit::reference {
namespace {

class Maker {
 public:
  explicit Maker(uint32_t seed) : random_(seed) {}

  int64_t below(int64_t n) { return static_cast<int64_t>(random_() % static_cast<uint64_t>(n)); }
  template <typename T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(static_cast<int64_t>(choices.size()))];
  }

  RefTensor make_tensor(DType dtype) {
    std::vector<int64_t> dims(static_cast<size_t>(below(5)));
    for (int64_t& dim : dims) dim = one_of<int64_t>({1, 2, 2, 3, 4, 0});
    return fill(Shape(dims), dtype);
  }

  RefTensor fill(const Shape& shape, DType dtype) {
    RefTensor out =
        tensor(shape, std::vector<double>(static_cast<size_t>(shape.elements())), dtype);
    for (double& value : out.values) {
      if (is_float(dtype)) {
        value = one_of<double>({0, -0.0, 1, -1, 0.5, 2.5, 1e300, -1e300, 1e-300, NAN, INFINITY});
      } else {
        value = one_of<double>({0, 1, 1, 2, 3, -1, -2, 127, 9007199254740991.0});
        if (!is_value_of(dtype, value)) value = 1;
      }
    }
    return out;
  }

  Attribute make_attribute(AttributeKind kind) {
    switch (kind) {
      case AttributeKind::kInteger: return integer();
      case AttributeKind::kNumber: return one_of<double>({0, 1, -1, 0.5, 1e300, NAN});
      case AttributeKind::kText:
        return std::string(one_of<const char*>({"nearest",       "linear",     "cubic",
                                                "reflect",       "edge",       "wrap",
                                                "SAME_UPPER",    "SAME_LOWER", "VALID",
                                                "add",           "max",        "CRD",
                                                "LEFT",          "tanh",       "bidirectional",
                                                "none",          "half_pixel", "tf_crop_and_resize",
                                                "align_corners", "...ij,j->i", "ij->",
                                                "a,b",           "reflection"}));
      case AttributeKind::kIntegers: {
        std::vector<int64_t> values(static_cast<size_t>(below(5)));
        for (int64_t& value : values) value = integer();
        return values;
      }
      case AttributeKind::kNumbers: return std::vector<double>{1, 2.5, NAN};
      case AttributeKind::kTexts: return std::vector<std::string>{"Tanh", "Relu"};
      case AttributeKind::kTensor: return make_tensor(one_of({DType::kFloat32, DType::kInt64}));
      case AttributeKind::kType: return one_of<int64_t>({1, 3, 7, 9, 10, 16, 99});
    }
    return int64_t{0};
  }

 private:
  int64_t integer() {
    return one_of<int64_t>({0, 1, 1, 1, 2, 2, 3, -1, -2, 5, INT64_MAX, INT64_MIN, 1 << 20});
  }

  std::mt19937_64 random_;
};

// Half of the time all inputs share a shape or a dtype, so that more nodes are accepted.
std::vector<RefTensor> make_inputs(Maker& maker, const Operator& op) {
  const auto dtype = [&] {
    return maker.one_of({DType::kFloat32, DType::kFloat32, DType::kFloat16, DType::kInt64,
                         DType::kInt32, DType::kInt8, DType::kUInt8, DType::kBool});
  };
  const size_t extra = std::min<size_t>(op.most_inputs - op.least_inputs, 2);
  const size_t count = op.least_inputs + static_cast<size_t>(maker.below(extra + 1));
  const bool same_dtype = maker.below(2), same_shape = maker.below(2);
  std::vector<RefTensor> inputs;
  for (size_t i = 0; i < count; ++i) {
    const DType chosen = i > 0 && same_dtype ? inputs[0].dtype : dtype();
    inputs.push_back(i > 0 && same_shape ? maker.fill(inputs[0].shape, chosen)
                                         : maker.make_tensor(chosen));
  }
  return inputs;
}

// Work grows with hostile attributes; a node that would make a large result is not interesting
// here.
Attributes make_attributes(Maker& maker, const Operator& op) {
  Attributes attributes;
  for (const AttributeSpec& spec : op.attributes) {
    if (spec.required || maker.below(3) == 0) {
      attributes.emplace(std::string(spec.name), maker.make_attribute(spec.kind));
    }
  }
  return attributes;
}

// Returns what inference says of the node, its inputs' values known or not.
Result<std::vector<graph::ValueInfo>> inferred(const std::string& op,
                                               const std::vector<RefTensor>& inputs,
                                               const Attributes& attributes, size_t outputs,
                                               int opset, bool with_values) {
  std::vector<graph::ValueInfo> values;
  for (const RefTensor& input : inputs) {
    values.push_back({input.dtype, input.shape, Format::kND, nullptr});
    if (with_values) values.back().constant = std::make_shared<const RefTensor>(input);
  }
  std::vector<const graph::ValueInfo*> operands;
  Node node{op, {}, std::vector<std::string>(outputs, "o"), attributes, "n"};
  for (const graph::ValueInfo& value : values) {
    operands.push_back(&value);
    node.inputs.push_back("i");
  }
  return infer_node(node, operands, opset);
}

// Types and shapes alone decide these.
bool is_about_facts(const std::string& code) {
  return code == kBadArity || code == kMissingAttribute || code == kUnknownAttribute ||
         code == kBadDType;
}

void expect_consistent(const Result<std::vector<RefTensor>>& result,
                       const Result<std::vector<graph::ValueInfo>>& facts, bool with_values,
                       const std::string& op) {
  if (!result.ok()) {
    if (!is_about_facts(result.error().code)) return;
    EXPECT_FALSE(facts.ok()) << op
                             << " infers what evaluation refuses: " << result.error().to_string();
    return;
  }
  ASSERT_TRUE(facts.ok()) << op << " refuses what evaluates: " << facts.error().to_string();
  for (size_t i = 0; i < result->size(); ++i) {
    EXPECT_EQ((*facts)[i].dtype, (*result)[i].dtype) << op << " output " << i;
    if ((*facts)[i].shape) {
      EXPECT_EQ((*facts)[i].shape->to_string(), (*result)[i].shape.to_string())
          << op << " output " << i;
    }
    const bool by_values = op == "NonZero" || op == "Compress" || op == "NonMaxSuppression";
    EXPECT_TRUE((*facts)[i].shape || !with_values || by_values) << op << " output " << i;
  }
}

class Robustness : public ::testing::TestWithParam<std::string> {};

TEST_P(Robustness, AnswersEveryNode) {
  const Operator* op = find_operator(GetParam());
  ASSERT_NE(op, nullptr);
  Maker maker(static_cast<uint32_t>(std::hash<std::string>()(GetParam())));
  for (int round = 0; round < 1500; ++round) {
    const std::vector<RefTensor> inputs = make_inputs(maker, *op);
    const Attributes attributes = make_attributes(maker, *op);
    const int opset = maker.one_of({6, 8, 10, 12, 20, 21});
    const size_t outputs = maker.below(2) ? 1 : std::min<size_t>(op->most_outputs, 3);
    const auto result = apply(op->name.data(), inputs, attributes, outputs, opset);
    for (const bool with_values : {false, true}) {
      expect_consistent(result,
                        inferred(GetParam(), inputs, attributes, outputs, opset, with_values),
                        with_values, GetParam());
    }
    if (!result.ok()) {
      EXPECT_TRUE(result.error().code.starts_with("OPK-")) << result.error().to_string();
      EXPECT_FALSE(result.error().action.empty());
      continue;
    }
    ASSERT_EQ(result->size(), outputs);
    for (const RefTensor& output : *result) {
      ASSERT_EQ(output.shape.checked_elements().value(), output.elements()) << GetParam();
      for (double value : output.values) {
        EXPECT_TRUE(is_value_of(output.dtype, value)) << GetParam() << " gave " << value;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Robustness, ::testing::ValuesIn(operator_names()),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace opkit::reference
