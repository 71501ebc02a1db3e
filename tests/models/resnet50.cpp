#include "network_writer.h"
#include "networks.h"

namespace opkit::models {
namespace {

using W = NetworkWriter;

class ResNet50 {
 public:
  explicit ResNet50(int64_t batch) : batch_(batch) {}

  std::string write() {
    std::string x = net_.input("x", onnx::TensorProto::FLOAT, {batch_, 3, 224, 224});
    x = relu(conv(x, 3, 64, 7, 2));
    x = net_.node("MaxPool", {x},
                  {W::list("kernel_shape", {3, 3}), W::list("pads", {1, 1, 1, 1}),
                   W::list("strides", {2, 2})});
    x = stage(x, 64, 64, 3, 1);
    x = stage(x, 256, 128, 4, 2);
    x = stage(x, 512, 256, 6, 2);
    x = stage(x, 1024, 512, 3, 2);
    x = net_.node("Flatten", {net_.node("GlobalAveragePool", {x})}, {W::one("axis", 1)});
    const std::string y =
        net_.node("Gemm", {x, net_.kernel({1000, 2048}, 2048, 1), net_.weight({1000}, -1, 1)},
                  {W::one("transB", 1)});
    net_.rename(y, "y");
    net_.output("y", {batch_, 1000});
    return net_.bytes();
  }

 private:
  // With its normalization. `share`: of the variance that keeps what passes through at its size.
  std::string conv(const std::string& x, int64_t in, int64_t out, int64_t size, int64_t stride,
                   float share = 1) {
    const int64_t pad = size / 2;
    const std::string w = net_.kernel({out, in, size, size}, in * size * size, 2 * share);
    const std::string y =
        net_.node("Conv", {x, w},
                  {W::list("kernel_shape", {size, size}), W::list("pads", {pad, pad, pad, pad}),
                   W::list("strides", {stride, stride})});
    return net_.node("BatchNormalization",
                     {y, net_.weight({out}, 0.8f, 1.2f), net_.weight({out}, -0.3f, 0.3f),
                      net_.weight({out}, -0.3f, 0.3f), net_.weight({out}, 0.5f, 1.5f)});
  }
  std::string relu(const std::string& x) { return net_.node("Relu", {x}); }
  // The stride is that of the 3x3 convolution, as PyTorch has it.
  std::string block(const std::string& x, int64_t in, int64_t inner, int64_t stride) {
    constexpr float kResidual = 0.1f;
    std::string y = relu(conv(x, in, inner, 1, 1));
    y = relu(conv(y, inner, inner, 3, stride));
    y = conv(y, inner, 4 * inner, 1, 1, kResidual);
    const bool same = stride == 1 && in == 4 * inner;
    return relu(net_.node("Add", {y, same ? x : conv(x, in, 4 * inner, 1, stride)}));
  }
  std::string stage(std::string x, int64_t in, int64_t inner, int blocks, int64_t stride) {
    x = block(x, in, inner, stride);
    for (int i = 1; i < blocks; ++i) x = block(x, 4 * inner, inner, 1);
    return x;
  }

  int64_t batch_;
  NetworkWriter net_{"resnet50", 13, 23};
};

}  // namespace

std::string resnet50(int64_t batch) { return ResNet50(batch).write(); }

}  // namespace opkit::models
