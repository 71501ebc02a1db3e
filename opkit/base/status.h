// Error, Result<T>: how opkit says no. Nothing in opkit throws; what a library throws is caught in
// the .cpp that hides it.
//
// An error has a stable code ("OPK-CONTRACT-014"), a sentence that holds the values, the place it
// points to, the op and constraint when there is one, and one suggested action.
#ifndef OPKIT_BASE_STATUS_H_
#define OPKIT_BASE_STATUS_H_

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "opkit/base/cause.h"

namespace opkit {

// A position in a text file. line and column count from 1; 0 = unknown.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;

  // "file:line:col", without what is unknown; empty when nothing is known.
  std::string to_string() const;
};

enum class Severity { kInfo, kWarning, kError };

struct Error {
  std::string code;
  std::string message;
  Location where;
  std::string op;          // op type, or empty
  std::string constraint;  // "C3", or empty
  std::string action;      // one suggested action, or empty
  Severity severity = Severity::kError;
  std::vector<std::string> trail;  // outer context, innermost first: "node conv1", "model m.onnx"

  // Stand in status.cpp: every function that may fail makes, moves and destroys errors.
  Error();
  Error(std::string_view code, std::string message, std::string_view action = {});
  Error(const Error&);
  Error(Error&&) noexcept;
  Error& operator=(const Error&);
  Error& operator=(Error&&) noexcept;
  ~Error();

  Error&& at(Location place) && { return where = std::move(place), std::move(*this); }
  Error&& of(std::string op_type) && { return op = std::move(op_type), std::move(*this); }
  Error&& by(std::string label) && { return constraint = std::move(label), std::move(*this); }
  Error&& with(std::string context) && {
    return trail.push_back(std::move(context)), std::move(*this);
  }

  bool is(Cause cause) const { return has_cause(code, cause); }

  // "file:line:col: error CODE: Op C3: message\n  in node conv1\n  try: action"
  std::string to_string() const;
};

using Errors = std::vector<Error>;

// A value or an Error.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::move(value)) {}
  Result(Error error) : state_(std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  // REQUIRES: ok().
  T& value() & { return std::get<0>(state_); }
  const T& value() const& { return std::get<0>(state_); }
  T&& value() && { return std::get<0>(std::move(state_)); }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  // REQUIRES: !ok().
  Error& error() & { return std::get<1>(state_); }
  const Error& error() const& { return std::get<1>(state_); }
  Error&& error() && { return std::get<1>(std::move(state_)); }

 private:
  std::variant<T, Error> state_;
};

// Success or an Error.
class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(Error error) : error_(std::move(error)) {}

  bool ok() const { return !error_; }
  explicit operator bool() const { return ok(); }
  Error& error() & { return *error_; }
  const Error& error() const& { return *error_; }
  Error&& error() && { return std::move(*error_); }

 private:
  std::optional<Error> error_;
};

#define OPKIT_CONCAT_(a, b) a##b
#define OPKIT_CONCAT(a, b) OPKIT_CONCAT_(a, b)

// OPKIT_TRY(auto x, f()): x = the value, or returns the error from the enclosing function.
#define OPKIT_TRY(declaration, expression) \
  OPKIT_TRY_(OPKIT_CONCAT(opkit_try_, __LINE__), declaration, expression)
#define OPKIT_TRY_(temporary, declaration, expression)      \
  auto temporary = (expression);                            \
  if (!temporary.ok()) return std::move(temporary).error(); \
  declaration = std::move(temporary).value()

// OPKIT_CHECK(f()): returns the error of a Status from the enclosing function.
#define OPKIT_CHECK(expression)                                     \
  do {                                                              \
    auto opkit_status = (expression);                               \
    if (!opkit_status.ok()) return std::move(opkit_status).error(); \
  } while (false)

}  // namespace opkit

#endif  // OPKIT_BASE_STATUS_H_
