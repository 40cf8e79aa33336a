// How long each test takes.
#pragma once

namespace lacuna::test {

// Appends a line a test to the file that the variable LACUNA_TEST_TIMES names: processor seconds, its
// programs' included, wall seconds, program, test.
void writeTestTimes();

}  // namespace lacuna::test
