// Frames that go through several stages at once, each stage in a thread of its own: reading and
// decoding, a model, what is made of its outputs.
//
//   opkit_app::Pipeline pipeline(4, decode, infer, best_five);
//   pipeline.run(next_path, [](const Classes& classes) { ... });
#ifndef OPKIT_INCLUDE_OPKIT_APP_PIPELINE_H_
#define OPKIT_INCLUDE_OPKIT_APP_PIPELINE_H_

#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace opkit_app {
namespace detail {

// What one stage hands to the next. Room bounds what is in it.
template <typename T>
class Channel {
 public:
  void put(T value) {
    const std::lock_guard<std::mutex> lock(mutex_);
    values_.push_back(std::move(value));
    changed_.notify_one();
  }
  // Nothing comes behind what was put; error: why, or null.
  void end(std::exception_ptr error) {
    const std::lock_guard<std::mutex> lock(mutex_);
    over_ = true;
    error_ = std::move(error);
    changed_.notify_one();
  }
  // Waits. Nothing: the end, or what went wrong, which is thrown.
  std::optional<T> take() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return over_ || !values_.empty(); });
    if (values_.empty()) {
      if (error_) std::rethrow_exception(error_);
      return std::nullopt;
    }
    std::optional<T> value(std::move(values_.front()));
    values_.pop_front();
    return value;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<T> values_;
  bool over_ = false;
  std::exception_ptr error_;
};

// How many more frames may be taken.
class Room {
 public:
  explicit Room(size_t frames) : frames_(frames) {}
  // Waits. False: the run is over.
  bool take() {
    std::unique_lock<std::mutex> lock(mutex_);
    changed_.wait(lock, [&] { return over_ || frames_ != 0; });
    if (over_) return false;
    --frames_;
    return true;
  }
  void give() {
    const std::lock_guard<std::mutex> lock(mutex_);
    ++frames_;
    changed_.notify_one();
  }
  void close() {
    const std::lock_guard<std::mutex> lock(mutex_);
    over_ = true;
    changed_.notify_one();
  }
  bool over() {
    const std::lock_guard<std::mutex> lock(mutex_);
    return over_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  size_t frames_;
  bool over_ = false;
};

// The threads of one run, which end with it.
class Crew {
 public:
  explicit Crew(Room& room) : room_(room) {}
  ~Crew() {
    room_.close();
    for (std::thread& thread : threads_) thread.join();
  }
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // work(out) in a thread of its own; behind it nothing comes out any more.
  template <typename T, typename Work>
  void add(std::shared_ptr<Channel<T>> out, Work work) {
    std::function<void()> run = [out, work = std::move(work)]() mutable {
      try {
        work(*out);
        out->end(nullptr);
      } catch (...) {
        out->end(std::current_exception());
      }
    };
    threads_.reserve(threads_.size() + 1);
    threads_.emplace_back(std::move(run));
  }

 private:
  Room& room_;
  std::vector<std::thread> threads_;
};

}  // namespace detail

// Results come in the order of the frames. At most in_flight frames have been taken and not been
// handed over, so that a fast source does not fill the memory.
template <typename... Stages>
class Pipeline {
 public:
  // A stage is called with what the one before returned, by one thread at a time.
  explicit Pipeline(size_t in_flight, Stages... stages)
      : in_flight_(in_flight), stages_(std::move(stages)...) {
    if (in_flight == 0)
      throw std::invalid_argument(
          "opkit_app::Pipeline: in_flight is 0, it counts frames from 1 on");
  }

  // What each thread does first: aclrtSetCurrentContext, for one.
  void on_start(std::function<void()> start) { start_ = std::move(start); }

  // source() gives an optional with the next frame, or nothing at the end; sink(result) is called
  // in this thread. An exception of any of them ends the run: it is thrown here, behind the results
  // before it, when calls that are under way have ended.
  template <typename Source, typename Sink>
  void run(Source&& source, Sink&& sink) {
    using Frame = typename std::decay_t<std::invoke_result_t<Source&>>::value_type;
    detail::Room room(in_flight_);
    detail::Crew crew(room);
    const auto frames = std::make_shared<detail::Channel<Frame>>();
    crew.add(frames, [&](detail::Channel<Frame>& out) {
      start();
      while (room.take()) {
        std::optional<Frame> frame = source();
        if (!frame) return;
        out.put(std::move(*frame));
      }
    });
    go_on<0>(room, crew, frames, sink);
  }

 private:
  void start() const {
    if (start_) start_();
  }

  template <size_t stage, typename In, typename Sink>
  void go_on(detail::Room& room, detail::Crew& crew, std::shared_ptr<detail::Channel<In>> in,
             Sink& sink) {
    if constexpr (stage == sizeof...(Stages)) {
      while (std::optional<In> result = in->take()) {
        sink(std::move(*result));
        room.give();
      }
    } else {
      auto& call = std::get<stage>(stages_);
      using Out = std::decay_t<std::invoke_result_t<decltype(call), In>>;
      const auto out = std::make_shared<detail::Channel<Out>>();
      crew.add(out, [this, &room, &call, in](detail::Channel<Out>& to) {
        start();
        while (std::optional<In> value = in->take()) {
          if (room.over()) return;
          to.put(call(std::move(*value)));
        }
      });
      go_on<stage + 1>(room, crew, out, sink);
    }
  }

  size_t in_flight_;
  std::tuple<Stages...> stages_;
  std::function<void()> start_;
};

}  // namespace opkit_app

#endif  // OPKIT_INCLUDE_OPKIT_APP_PIPELINE_H_
