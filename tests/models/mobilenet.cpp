#include "network_writer.h"
#include "networks.h"

namespace opkit::models {
namespace {

using W = NetworkWriter;

class MobileNet {
 public:
  std::string write() {
    std::string x = net_.input("x", onnx::TensorProto::FLOAT, {1, 3, 96, 96});
    x = relu6(conv(x, 3, 16, 3, 2));
    x = stage(x, 16, 8, 1, 1, 1);
    x = stage(x, 8, 16, 6, 2, 2);
    x = stage(x, 16, 24, 6, 3, 2);
    x = stage(x, 24, 40, 6, 2, 2);
    x = stage(x, 40, 56, 6, 2, 1);
    x = stage(x, 56, 80, 6, 2, 2);
    x = relu6(conv(x, 80, 256, 1, 1));
    x = net_.node("Flatten", {net_.node("GlobalAveragePool", {x})}, {W::one("axis", 1)});
    const std::string y =
        net_.node("Gemm", {x, net_.kernel({100, 256}, 256, 1), net_.weight({100}, -1, 1)},
                  {W::one("transB", 1)});
    net_.rename(y, "y");
    net_.output("y", {1, 100});
    return net_.bytes();
  }

 private:
  // With its normalization.
  std::string conv(const std::string& x, int64_t in, int64_t out, int64_t size, int64_t stride,
                   int64_t groups = 1) {
    const int64_t pad = size / 2, depth = in / groups;
    const std::string w = net_.kernel({out, depth, size, size}, depth * size * size);
    const std::string y =
        net_.node("Conv", {x, w},
                  {W::list("kernel_shape", {size, size}), W::list("pads", {pad, pad, pad, pad}),
                   W::list("strides", {stride, stride}), W::one("group", groups)});
    return net_.node("BatchNormalization",
                     {y, net_.weight({out}, 0.8f, 1.2f), net_.weight({out}, -0.3f, 0.3f),
                      net_.weight({out}, -0.3f, 0.3f), net_.weight({out}, 0.5f, 1.5f)});
  }
  std::string relu6(const std::string& x) {
    return net_.node("Clip", {x, net_.number(0), net_.number(6)});
  }
  std::string block(const std::string& x, int64_t in, int64_t out, int64_t widen, int64_t stride) {
    const int64_t inner = in * widen;
    std::string y = widen == 1 ? x : relu6(conv(x, in, inner, 1, 1));
    y = relu6(conv(y, inner, inner, 3, stride, inner));
    y = conv(y, inner, out, 1, 1);
    return stride == 1 && in == out ? net_.node("Add", {x, y}) : y;
  }
  std::string stage(std::string x, int64_t in, int64_t out, int64_t widen, int blocks,
                    int64_t stride) {
    x = block(x, in, out, widen, stride);
    for (int i = 1; i < blocks; ++i) x = block(x, out, out, widen, 1);
    return x;
  }

  NetworkWriter net_{"mobilenet", 13, 21};
};

}  // namespace

std::string mobilenet() { return MobileNet().write(); }

}  // namespace opkit::models
