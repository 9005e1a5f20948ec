// SPDX-License-Identifier: Apache-2.0
#include "cli/unified_diff.h"

#include <doctest/doctest.h>

using hprof::cli::unified_diff;

TEST_CASE("equal texts have no diff") {
  CHECK(unified_diff("a\n", "a\n", "x", "y").empty());
}

TEST_CASE("an insertion has three lines around it") {
  CHECK(unified_diff("1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\n+\n5\n6\n7\n8\n", "f", "f") ==
        "--- f\n+++ f\n@@ -2,6 +2,7 @@\n 2\n 3\n 4\n++\n 5\n 6\n 7\n");
}

TEST_CASE("a missing newline at the end is marked") {
  CHECK(unified_diff("1", "1\n2\n", "f", "f") ==
        "--- f\n+++ f\n@@ -1 +1,2 @@\n-1\n\\ No newline at end of file\n+1\n+2\n");
}

TEST_CASE("a new file starts from an empty range") {
  CHECK(unified_diff("", "a\nb\n", "/dev/null", "f") ==
        "--- /dev/null\n+++ f\n@@ -0,0 +1,2 @@\n+a\n+b\n");
}
