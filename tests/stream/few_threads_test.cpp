// If the system has no more threads (ulimit -u), the existing ones do all frames.

#include <dlfcn.h>
#include <pthread.h>

#include <cerrno>

#include "graph/parallel.h"
#include "tests/stream/sequence.h"

namespace lacuna::test {
namespace {

thread_local int threadsLeft = -1;  // that this one may start; -1: any number

}  // namespace
}  // namespace lacuna::test

// Replaces the C library's.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                              void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (lacuna::test::threadsLeft == 0)
    return EAGAIN;
  lacuna::test::threadsLeft -= lacuna::test::threadsLeft > 0 ? 1 : 0;
  return create(thread, attributes, work, argument);
}

namespace lacuna::test {
namespace {

using FewThreads = StreamTest;

TEST_F(FewThreads, RandomAreEnoughForAllFrames) {
  const Sequence sequence(random_, 7);
  const std::map<int, Words> expected = sequence.oneByOne();
  const auto session = sequence.session();
  for (const int most : {2, 1, 0}) {
    SCOPED_TRACE(most);
    std::map<int, Words> results;
    StreamOptions options = sequence.options(results);
    options.inFlight = 4;
    int reported = 0;
    options.progress = [&](const RunProgress&) { ++reported; };
    threadsLeft = most;
    const RunResult end = stream(*session, options);
    threadsLeft = -1;
    EXPECT_EQ(end.done, 7);
    EXPECT_EQ(reported, 7);
    EXPECT_EQ(results, expected);
  }
}

TEST(Parallel, FewThreadsDoTheWorkOfMany) {
  std::vector<int> done(100, 0);
  threadsLeft = 0;
  inParallel(done.size(), [&](size_t i) { ++done[i]; });
  threadsLeft = -1;
  EXPECT_EQ(done, std::vector<int>(100, 1));
}

}  // namespace
}  // namespace lacuna::test
