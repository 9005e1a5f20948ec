// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <hprof/core/base/error.h>

#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace hprof {

/// A value or the Error that stands in its place; names follow std::expected.
/// Dropping one is a compiler warning. Reading the absent side ends the process.
template <typename T>
class [[nodiscard]] Result {
  static_assert(!std::is_same_v<T, bool>, "a bool in a Result invites mix-ups; use an enum");

 public:
  using value_type = T;

  // Implicit on purpose: `return value;` and `return Error{...};` are how functions end.
  Result(T value)  // NOLINT(google-explicit-constructor)
      : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error)  // NOLINT(google-explicit-constructor)
      : state_(std::in_place_index<1>, std::move(error)) {}

  [[nodiscard]] bool has_value() const { return state_.index() == 0; }
  explicit operator bool() const { return has_value(); }

  [[nodiscard]] T& value() & { return (HPROF_CHECK(has_value()), *std::get_if<0>(&state_)); }
  [[nodiscard]] const T& value() const& {
    return (HPROF_CHECK(has_value()), *std::get_if<0>(&state_));
  }
  [[nodiscard]] T&& value() && {
    return (HPROF_CHECK(has_value()), std::move(*std::get_if<0>(&state_)));
  }
  [[nodiscard]] Error& error() & { return (HPROF_CHECK(!has_value()), *std::get_if<1>(&state_)); }
  [[nodiscard]] const Error& error() const& {
    return (HPROF_CHECK(!has_value()), *std::get_if<1>(&state_));
  }
  [[nodiscard]] Error&& error() && {
    return (HPROF_CHECK(!has_value()), std::move(*std::get_if<1>(&state_)));
  }

  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  template <typename U>
  [[nodiscard]] T value_or(U&& fallback) && {
    return has_value() ? std::move(*this).value() : static_cast<T>(std::forward<U>(fallback));
  }

 private:
  std::variant<T, Error> state_;
};

template <>
class [[nodiscard]] Result<void> {
 public:
  using value_type = void;

  Result() = default;
  Result(Error error)  // NOLINT(google-explicit-constructor)
      : error_(std::move(error)) {}

  [[nodiscard]] bool has_value() const { return !error_; }
  explicit operator bool() const { return has_value(); }
  void value() const { HPROF_CHECK(has_value()); }
  [[nodiscard]] const Error& error() const& { return (HPROF_CHECK(error_.has_value()), *error_); }
  [[nodiscard]] Error&& error() && {
    return (HPROF_CHECK(error_.has_value()), std::move(*error_));
  }

 private:
  std::optional<Error> error_;
};

}  // namespace hprof

#define HPROF_CONCAT_INNER(a, b) a##b
#define HPROF_CONCAT(a, b) HPROF_CONCAT_INNER(a, b)

/// Returns the error of a Result-valued expression from the enclosing function, if it has one.
#define HPROF_TRY(expression)                                             \
  do {                                                                    \
    if (auto hprof_try = (expression); !hprof_try) {                      \
      return std::move(hprof_try).error();                                \
    }                                                                     \
  } while (false)

#define HPROF_ASSIGN_INNER(hidden, target, expression) \
  auto hidden = (expression);                          \
  if (!(hidden)) {                                     \
    return std::move(hidden).error();                  \
  }                                                    \
  target = *std::move(hidden)

/// `HPROF_ASSIGN(auto x, f())`: x is f()'s value, or the enclosing function returns f()'s error.
#define HPROF_ASSIGN(target, expression) \
  HPROF_ASSIGN_INNER(HPROF_CONCAT(hprof_assign_, __COUNTER__), target, expression)
