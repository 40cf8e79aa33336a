// Which tests of a program run.
#pragma once

namespace lacuna::test {

// Of the tests that gtest's filter chooses, those that fit LACUNA_TEST_ONLY and don't fit LACUNA_TEST_EXCEPT
// (patterns with colons between them). With LACUNA_TEST_CORE=1, also without those that tests/slow lists.
void selectTests();

}  // namespace lacuna::test
