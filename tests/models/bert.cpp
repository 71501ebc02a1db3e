#include "network_writer.h"
#include "networks.h"

namespace opkit::models {
namespace {

using W = NetworkWriter;

constexpr int64_t kBatch = 2, kWords = 32, kWidth = 128, kHeads = 4, kLayers = 4;
constexpr int64_t kVocabulary = 300, kInner = 4 * kWidth, kHead = kWidth / kHeads;

class Bert {
 public:
  std::string write() {
    const auto input = [&](const std::string& name) {
      return net_.input(name, onnx::TensorProto::INT64, {kBatch, kWords});
    };
    const std::string ids = input("input_ids"), mask = input("attention_mask"),
                      types = input("token_type_ids");
    const std::string bias = bias_of(mask);
    std::string x = embedded(ids, types);
    for (int i = 0; i < kLayers; ++i) x = layer(x, bias);
    net_.rename(x, "hidden");
    const std::string first = net_.node("Gather", {"hidden", net_.index(0)}, {W::one("axis", 1)});
    const std::string pooled = net_.node(
        "Tanh", {net_.node("Gemm", {first, net_.kernel({kWidth, kWidth}, kWidth, 1), small()},
                           {W::one("transB", 1)})});
    net_.rename(pooled, "pooled");
    net_.output("hidden", {kBatch, kWords, kWidth});
    net_.output("pooled", {kBatch, kWidth});
    return net_.bytes();
  }

 private:
  std::string small(int64_t size = kWidth) { return net_.weight({size}, -0.2f, 0.2f); }

  // 0 where a word may be looked at, -10000 elsewhere.
  std::string bias_of(const std::string& mask) {
    const std::string wide = net_.node("Unsqueeze", {mask, net_.integers({1, 2})});
    const std::string real = net_.node("Cast", {wide}, {W::one("to", onnx::TensorProto::FLOAT)});
    return net_.node("Mul", {net_.node("Sub", {net_.number(1), real}), net_.number(-10000)});
  }
  std::string embedded(const std::string& ids, const std::string& types) {
    const std::string words = net_.node("Gather", {net_.weight({kVocabulary, kWidth}, -1, 1), ids});
    const std::string kinds = net_.node("Gather", {net_.weight({2, kWidth}, -1, 1), types});
    const std::string sum = net_.node("Add", {words, kinds});
    return normalized(net_.node("Add", {sum, net_.weight({1, kWords, kWidth}, -1, 1)}));
  }
  std::string normalized(const std::string& x) {
    const auto mean = [&](const std::string& of) {
      return net_.node("ReduceMean", {of}, {W::list("axes", {-1}), W::one("keepdims", 1)});
    };
    const std::string centred = net_.node("Sub", {x, mean(x)});
    const std::string variance = mean(net_.node("Pow", {centred, net_.number(2)}));
    const std::string deviation =
        net_.node("Sqrt", {net_.node("Add", {variance, net_.number(1e-5f)})});
    const std::string unit = net_.node("Div", {centred, deviation});
    return net_.node("Add", {net_.node("Mul", {unit, net_.weight({kWidth}, 0.8f, 1.2f)}), small()});
  }
  std::string linear(const std::string& x, int64_t in, int64_t out) {
    const std::string product = net_.node("MatMul", {x, net_.kernel({in, out}, in, 1)});
    return net_.node("Add", {small(out), product});
  }
  std::string heads(const std::string& x, Dims order) {
    const std::string split =
        net_.node("Reshape", {x, net_.integers({kBatch, kWords, kHeads, kHead})});
    return net_.node("Transpose", {split}, {W::list("perm", std::move(order))});
  }
  std::string attention(const std::string& x, const std::string& bias) {
    const std::string q = heads(linear(x, kWidth, kWidth), {0, 2, 1, 3});
    const std::string k = heads(linear(x, kWidth, kWidth), {0, 2, 3, 1});
    const std::string v = heads(linear(x, kWidth, kWidth), {0, 2, 1, 3});
    const std::string scores = net_.node(
        "Div", {net_.node("MatMul", {q, k}), net_.number(std::sqrt(static_cast<float>(kHead)))});
    const std::string shares =
        net_.node("Softmax", {net_.node("Add", {scores, bias})}, {W::one("axis", 3)});
    const std::string mixed =
        net_.node("Transpose", {net_.node("MatMul", {shares, v})}, {W::list("perm", {0, 2, 1, 3})});
    const std::string joined =
        net_.node("Reshape", {mixed, net_.integers({kBatch, kWords, kWidth})});
    return linear(joined, kWidth, kWidth);
  }
  std::string gelu(const std::string& x) {
    const std::string bent =
        net_.node("Erf", {net_.node("Div", {x, net_.number(std::sqrt(2.0f))})});
    const std::string share = net_.node("Add", {bent, net_.number(1)});
    return net_.node("Mul", {net_.node("Mul", {x, share}), net_.number(0.5f)});
  }
  std::string layer(const std::string& x, const std::string& bias) {
    const std::string y = normalized(net_.node("Add", {attention(x, bias), x}));
    const std::string inner = gelu(linear(y, kWidth, kInner));
    return normalized(net_.node("Add", {linear(inner, kInner, kWidth), y}));
  }

  NetworkWriter net_{"bert", 13, 22};
};

}  // namespace

std::string bert() { return Bert().write(); }

}  // namespace opkit::models
