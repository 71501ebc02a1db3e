// Steps that run bodies, with bodies that the test stands in for.
#include "opkit/model/run/control_step.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "opkit/graph/bodies.h"

namespace opkit::model_run {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

model::ModelTensor described(const std::string& name, DType dtype, Shape shape) {
  model::ModelTensor tensor;
  tensor.desc = {name, dtype, std::move(shape), Format::kND};
  tensor.bytes = bytes_of(dtype, static_cast<uint64_t>(tensor.desc.shape.elements()));
  return tensor;
}

// A tensor with memory of its own.
struct Held {
  model::ModelTensor tensor;
  std::vector<std::byte> bytes;

  explicit Held(model::ModelTensor described) : tensor(std::move(described)), bytes(tensor.bytes) {}
  template <typename T>
  void set(std::vector<T> values) {
    std::memcpy(bytes.data(), values.data(), bytes.size());
  }
  template <typename T>
  std::vector<T> get() const {
    std::vector<T> values(bytes.size() / sizeof(T));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    return values;
  }
  Located at() { return {&tensor, bytes.data()}; }
};

// y, all = Loop(n, go, x) whose body adds 1 and gives what it had, `limit` times.
class OneLoop {
 public:
  Status run(int64_t trips, bool goes, int64_t limit) {
    n_.set<int64_t>({trips});
    go_.set<uint8_t>({goes});
    x_.set<float>({1, 2});
    const std::vector<BodyEnds> bodies = {
        {&body_,
         {i_.bytes.data(), v_.bytes.data()},
         {on_.bytes.data(), w_.bytes.data(), part_.bytes.data()}}};
    return run_control(step_, {n_.at(), go_.at(), x_.at()}, {y_.at(), all_.at()}, bodies,
                       [&](size_t, uint64_t iteration) -> Status {
                         const std::vector<float> v = v_.get<float>();
                         EXPECT_EQ(i_.get<int64_t>()[0], static_cast<int64_t>(iteration));
                         on_.set<uint8_t>({static_cast<int64_t>(iteration) + 1 < limit});
                         w_.set<float>({v[0] + 1, v[1] + 1});
                         part_.set<float>(v);
                         return {};
                       });
  }

  OneLoop() {
    step_.kind = model::StepKind::kControl;
    step_.name = "loop";
    step_.node.op_type = "Loop";
    step_.node.attributes[graph::kCaptured] = int64_t{0};
    step_.in = {{0, 1, 2}};
    step_.out = {{3, 4}};
    for (const Held* one : {&i_, &v_, &on_, &w_, &part_}) body_.tensors.push_back(one->tensor);
    body_.inputs = {0, 1};
    body_.outputs = {2, 3, 4};
  }

  Held n_{described("n", DType::kInt64, {})}, go_{described("go", DType::kBool, {})},
      x_{described("x", DType::kFloat32, {2})}, y_{described("y", DType::kFloat32, {2})},
      all_{described("all", DType::kFloat32, {3, 2})}, i_{described("i", DType::kInt64, {})},
      v_{described("v", DType::kFloat32, {2})}, on_{described("on", DType::kBool, {})},
      w_{described("w", DType::kFloat32, {2})}, part_{described("part", DType::kFloat32, {2})};
  model::Step step_;
  model::Plan body_;
};

TEST(ControlStep, CarriesAndStacks) {
  OneLoop loop;
  const Status done = loop.run(3, true, 3);
  ASSERT_TRUE(done.ok()) << done.error().to_string();
  EXPECT_THAT(loop.y_.get<float>(), ElementsAre(4, 5));
  EXPECT_THAT(loop.all_.get<float>(), ElementsAre(1, 2, 2, 3, 3, 4));
}

TEST(ControlStep, RefusesAnotherCountThanItHasRoomFor) {
  EXPECT_THAT(OneLoop().run(2, true, 9).error().to_string(),
              HasSubstr("OPK-OM-008: step 'loop' has stacked results of 3 iterations, and its body "
                        "ended behind 2"));
  EXPECT_THAT(OneLoop().run(3, true, 1).error().to_string(), HasSubstr("ended behind 1"));
  EXPECT_THAT(OneLoop().run(4, true, 9).error().to_string(), HasSubstr("went on behind 4"));
  EXPECT_THAT(OneLoop().run(3, false, 9).error().to_string(), HasSubstr("ended behind 0"));
}

}  // namespace
}  // namespace opkit::model_run
