// A cache on a failing disk: it keeps nothing, or the older file, without a message.

#include <cerrno>
#include <cstring>

#include "graph/shader/cache_file.h"
#include "tests/shader/body_support.h"
#include "tests/support/file_faults.h"

namespace lacuna::test {
namespace {

TEST(Cache, FailingDisksCostTimeAndNothingElse) {
  const Folder folder;
  const CacheFile file(folder.path(), "kind", "key");
  const std::vector<std::byte> older(20000, std::byte{1});
  std::vector<std::byte> newer(20000);
  for (size_t i = 0; i < newer.size(); ++i)
    newer[i] = static_cast<std::byte>(i * i >> 3U);  // more than a stream's buffer, compressed too
  std::map<std::string, int> calls;
  {
    FileFaults faults(folder.path());
    file.write(newer);
    calls = faults.calls;
  }
  EXPECT_EQ(file.read(), newer);
  EXPECT_EQ(calls["rename"], 1);
  EXPECT_GE(calls["write"] + calls["writev"], 1);
  int failed = 0;
  for (const auto& [function, count] : calls) {
    for (int at = 0; at < count; ++at) {
      for (const int error : {EIO, ENOSPC}) {
        SCOPED_TRACE(function + ": " + std::strerror(error));
        file.write(older);
        FileFaults faults(folder.path());
        faults.function = function;
        faults.failAt = at;
        faults.error = error;
        file.write(newer);
        EXPECT_TRUE(faults.happened);
        faults.function = "";
        const auto found = file.read();
        EXPECT_TRUE(found == older || found == newer);
        failed += found == older ? 1 : 0;
        EXPECT_EQ(std::distance(fs::directory_iterator(folder.file("kind")), {}), 1) << "a part is left";
      }
    }
  }
  EXPECT_GE(failed, 6);
}

}  // namespace
}  // namespace lacuna::test
