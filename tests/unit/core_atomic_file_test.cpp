// SPDX-License-Identifier: Apache-2.0
#include <hprof/core/base/atomic_file.h>

#include <doctest/doctest.h>

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

using namespace hprof;
namespace fs = std::filesystem;

namespace {

struct TemporaryFolder {
  TemporaryFolder() {
    char name[] = "/tmp/hprof-test-XXXXXX";
    path = mkdtemp(name);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  [[nodiscard]] std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(path), {}));
  }
  std::string path;
};

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

}  // namespace

TEST_CASE("an atomic file has its name only after commit") {
  TemporaryFolder folder;
  const std::string path = folder.path + "/out";
  auto file = AtomicFile::create(path);
  REQUIRE(file);
  CHECK(file->write("hello"));
  CHECK_FALSE(fs::exists(path));
  CHECK(file->commit());
  CHECK(text_of(path) == "hello");
  CHECK(folder.entries() == 1);
}

TEST_CASE("an atomic file that is dropped leaves nothing and keeps the old file") {
  TemporaryFolder folder;
  const std::string path = folder.path + "/out";
  std::ofstream(path) << "old";
  {
    auto file = AtomicFile::create(path);
    REQUIRE(file);
    CHECK(file->write(std::string(1 << 20, 'x')));
  }
  CHECK(text_of(path) == "old");
  CHECK(folder.entries() == 1);
}

TEST_CASE("an atomic file replaces the old one, through a symbolic link") {
  TemporaryFolder folder;
  std::ofstream(folder.path + "/real") << "old";
  fs::create_symlink("real", folder.path + "/link");
  auto file = AtomicFile::create(folder.path + "/link");
  REQUIRE(file);
  CHECK(file->write("new"));
  CHECK(file->commit());
  CHECK(text_of(folder.path + "/real") == "new");
  CHECK(fs::is_symlink(folder.path + "/link"));
  CHECK(folder.entries() == 2);
}

TEST_CASE("an atomic file that must not replace says that the name is taken") {
  TemporaryFolder folder;
  const std::string path = folder.path + "/out";
  std::ofstream(path) << "old";
  auto file = AtomicFile::create(path, {.replace = false});
  REQUIRE(file);
  CHECK(file->write("new"));
  CHECK_FALSE(file->commit());
  CHECK(file->name_taken());
  CHECK(text_of(path) == "old");
}

TEST_CASE("an atomic file has the mode that was asked for, less the umask") {
  TemporaryFolder folder;
  const mode_t before = umask(027);
  auto file = AtomicFile::create(folder.path + "/out", {.mode = 0666});
  umask(before);
  REQUIRE(file);
  CHECK(file->commit());
  struct stat there = {};
  REQUIRE(stat((folder.path + "/out").c_str(), &there) == 0);
  CHECK((there.st_mode & 0777) == 0640);
}

TEST_CASE("a device is written to, never replaced; a folder and a missing folder are errors") {
  auto null = AtomicFile::create("/dev/null");
  REQUIRE(null);
  CHECK(null->write("x"));
  CHECK(null->commit());
  CHECK(fs::is_character_file("/dev/null"));

  CHECK_FALSE(AtomicFile::create("/tmp"));
  const auto missing = AtomicFile::create("/tmp/no-such-folder-here/out");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().kind == ErrorKind::failed);
  CHECK(missing.error().message ==
        "/tmp/no-such-folder-here/out: cannot create: No such file or directory");
}

TEST_CASE("a full device is an error of write or commit, not a short file") {
  auto full = AtomicFile::create("/dev/full");
  REQUIRE(full);
  auto wrote = full->write("x");
  auto committed = full->commit();
  CHECK((!wrote || !committed));
}
