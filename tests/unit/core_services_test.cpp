// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/services/service_manager.h>

#include <doctest/doctest.h>

using namespace hprof;

namespace {

/// Writes what happens to it into a shared journal.
class FakeService final : public Service {
 public:
  FakeService(std::string name, std::string& journal, bool fails_start = false,
              bool fails_stop = false)
      : name_(std::move(name)),
        journal_(journal),
        fails_start_(fails_start),
        fails_stop_(fails_stop) {}

  [[nodiscard]] std::string name() const override { return name_; }
  Result<void> start() override {
    journal_ += "+" + name_;
    if (fails_start_) return Error{ErrorKind::permission, "forbidden", "ask"};
    state_ = ServiceState::running;
    return {};
  }
  Result<void> stop() override {
    journal_ += "-" + name_;
    state_ = ServiceState::stopped;
    if (fails_stop_) return Error{ErrorKind::failed, "full", {}};
    return {};
  }
  [[nodiscard]] ServiceState state() const override { return state_; }
  [[nodiscard]] std::string status() const override { return "about " + name_; }

 private:
  std::string name_;
  std::string& journal_;
  bool fails_start_;
  bool fails_stop_;
  ServiceState state_ = ServiceState::stopped;
};

}  // namespace

TEST_CASE("services start in order and stop in reverse, and may start again") {
  std::string journal;
  ServiceManager manager;
  REQUIRE(manager.add(std::make_unique<FakeService>("a", journal)));
  REQUIRE(manager.add(std::make_unique<FakeService>("b", journal)));
  REQUIRE(manager.start());
  CHECK(manager.running());
  CHECK_FALSE(manager.start());
  CHECK(manager.status()[1].name == "b");
  CHECK(manager.status()[1].state == ServiceState::running);
  CHECK(manager.status()[1].detail == "about b");
  REQUIRE(manager.stop());
  REQUIRE(manager.stop());
  CHECK(journal == "+a+b-b-a");
  REQUIRE(manager.start());
  CHECK(journal == "+a+b-b-a+a+b");
}

TEST_CASE("a start that fails takes back those before it and says which service it was") {
  std::string journal;
  ServiceManager manager;
  REQUIRE(manager.add(std::make_unique<FakeService>("a", journal)));
  REQUIRE(manager.add(std::make_unique<FakeService>("b", journal)));
  REQUIRE(manager.add(std::make_unique<FakeService>("c", journal, true)));
  const Result<void> done = manager.start();
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "cannot start service c: forbidden");
  CHECK(done.error().kind == ErrorKind::permission);
  CHECK(journal == "+a+b+c-b-a");
  CHECK_FALSE(manager.running());
}

TEST_CASE("a stop that fails does not keep the others from stopping") {
  std::string journal;
  ServiceManager manager;
  REQUIRE(manager.add(std::make_unique<FakeService>("a", journal)));
  REQUIRE(manager.add(std::make_unique<FakeService>("b", journal, false, true)));
  REQUIRE(manager.start());
  const Result<void> done = manager.stop();
  REQUIRE_FALSE(done);
  CHECK(done.error().message == "cannot stop service b: full");
  CHECK(journal == "+a+b-b-a");
}

TEST_CASE("a manager refuses a second service of one name, and any while it runs") {
  std::string journal;
  ServiceManager manager;
  REQUIRE(manager.add(std::make_unique<FakeService>("a", journal)));
  CHECK_FALSE(manager.add(std::make_unique<FakeService>("a", journal)));
  REQUIRE(manager.start());
  CHECK_FALSE(manager.add(std::make_unique<FakeService>("b", journal)));
  CHECK(manager.find("a") != nullptr);
  CHECK(manager.find("b") == nullptr);
}

TEST_CASE("a manager that goes stops what runs") {
  std::string journal;
  {
    ServiceManager manager;
    REQUIRE(manager.add(std::make_unique<FakeService>("a", journal)));
    REQUIRE(manager.start());
  }
  CHECK(journal == "+a-a");
  CHECK(service_state_name(ServiceState::failed) == "failed");
}
