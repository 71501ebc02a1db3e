// The helpers of programs that keep frames in flight.
#include "opkit_app/pipeline.h"

#include <gmock/gmock.h>

#include <atomic>
#include <chrono>
#include <cstring>
#include <string>

#include "opkit_app/input_block.h"
#include "tests/unit/acl/schedulers.h"

namespace opkit::acl {
namespace {

using ::testing::HasSubstr;

// The numbers below `count`, one per call.
auto numbers(int count) {
  return [count, next = 0]() mutable {
    return next < count ? std::optional<int>(next++) : std::nullopt;
  };
}

// Threads that wait here go on when there are two of them; false: the other never came.
class Meeting {
 public:
  bool join() {
    std::unique_lock<std::mutex> lock(mutex_);
    if (++here_ == 2) changed_.notify_all();
    return changed_.wait_for(lock, std::chrono::seconds(60), [&] { return here_ >= 2; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int here_ = 0;
};

TEST(Pipelines, GiveResultsInTheOrderOfTheFrames) {
  opkit_app::Pipeline pipeline(
      3, [](int i) { return i * i; }, [](int square) { return std::to_string(square); });
  for (int run = 0; run < 2; ++run) {
    std::vector<std::string> got;
    pipeline.run(numbers(100), [&](std::string text) { got.push_back(std::move(text)); });
    ASSERT_EQ(got.size(), 100u);
    for (size_t i = 0; i < got.size(); ++i) EXPECT_EQ(got[i], std::to_string(i * i));
  }
  int none = 0;
  pipeline.run(numbers(0), [&](const std::string&) { ++none; });
  EXPECT_EQ(none, 0);
}

TEST(Pipelines, StagesWorkOnFramesOfTheirOwnAtOnce) {
  Meeting meeting;
  std::atomic<bool> met{true};
  // The first stage is at frame 1 while the second is at frame 0.
  opkit_app::Pipeline pipeline(
      2,
      [&](int i) {
        if (i == 1) met = met && meeting.join();
        return std::make_unique<int>(i);
      },
      [&](std::unique_ptr<int> i) {
        if (*i == 0) met = met && meeting.join();
        return *i;
      });
  int sum = 0;
  pipeline.run(numbers(5), [&](int i) { sum += i; });
  EXPECT_TRUE(met);
  EXPECT_EQ(sum, 10);
}

TEST(Pipelines, TakeNoMoreFramesThanMayBeInFlight) {
  for (const int most : {1, 4}) {
    std::atomic<int> in_flight{0}, highest{0};
    auto next = numbers(50);
    const auto source = [&] {
      const auto frame = next();
      if (frame) highest = std::max(highest.load(), ++in_flight);
      return frame;
    };
    opkit_app::Pipeline pipeline(
        static_cast<size_t>(most), [](int i) { return i; }, [](int i) { return i; });
    pipeline.run(source, [&](int) { --in_flight; });
    EXPECT_LE(highest, most);
    EXPECT_EQ(in_flight, 0);
  }
  EXPECT_THROW(opkit_app::Pipeline(0, [](int i) { return i; }), std::invalid_argument);
}

// Whoever throws: the results before it are handed over, and the run ends.
TEST(Pipelines, ThrowWhatAPartOfThemThrows) {
  for (const std::string wrong : {"source", "first", "second", "sink"}) {
    const auto may_throw = [wrong](const char* here, int i) {
      if (wrong == here && i == 7) throw std::runtime_error(wrong);
      return i;
    };
    opkit_app::Pipeline pipeline(
        4, [&](int i) { return may_throw("first", i); },
        [&](int i) { return may_throw("second", i); });
    auto next = numbers(1'000'000);
    int results = 0;
    try {
      pipeline.run([&] { return std::optional<int>(may_throw("source", *next())); },
                   [&](int i) {
                     may_throw("sink", i);
                     ++results;
                   });
      ADD_FAILURE() << "nothing was thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_EQ(error.what(), wrong);
    }
    EXPECT_EQ(results, 7) << wrong;
  }
}

// One copy per frame; threads work in the program's context.
TEST(Pipelines, RunOnTheDeviceWithOneCopyForAllInputs) {
  ASSERT_EQ(aclrtSetDevice(0), ACL_SUCCESS);
  aclrtContext context = nullptr;
  ASSERT_EQ(aclrtCreateContext(&context, 0), ACL_SUCCESS);
  aclrtStream stream = nullptr;
  ASSERT_EQ(aclrtCreateStream(&stream), ACL_SUCCESS);
  {
    opkit_app::InputBlock block({1, 100, 64});
    ASSERT_EQ(block.allocate(), ACL_SUCCESS);
    EXPECT_EQ(block.bytes(), 64u + 128 + 64);
    const auto fill = [&](int i) {
      for (size_t input = 0; input < 3; ++input)
        *static_cast<char*>(block.host(input)) = static_cast<char>(i + static_cast<int>(input));
      EXPECT_EQ(block.copy_in(stream), ACL_SUCCESS) << said();
      EXPECT_EQ(aclrtSynchronizeStream(stream), ACL_SUCCESS);
      return i;
    };
    const auto read = [&](int i) {
      int sum = 0;
      for (size_t input = 0; input < 3; ++input) {
        char back = 0;
        EXPECT_EQ(aclrtMemcpy(&back, 1, block.device(input), 1, ACL_MEMCPY_DEVICE_TO_HOST),
                  ACL_SUCCESS);
        sum += back;
      }
      return sum - 3 * i;
    };
    opkit_app::Pipeline pipeline(1, fill, read);
    pipeline.on_start([&] { EXPECT_EQ(aclrtSetCurrentContext(context), ACL_SUCCESS); });
    int frames = 0;
    pipeline.run(numbers(20), [&](int sum) { frames += sum == 3; });
    EXPECT_EQ(frames, 20);
  }
  EXPECT_EQ(aclrtDestroyStream(stream), ACL_SUCCESS);
  EXPECT_EQ(aclrtDestroyContext(context), ACL_SUCCESS);
  ASSERT_EQ(aclrtResetDevice(0), ACL_SUCCESS);
}

}  // namespace
}  // namespace opkit::acl
