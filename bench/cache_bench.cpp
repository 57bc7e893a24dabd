// What an answer costs to find again, beside what it costs to compute: `seconds_a_byte` and
// `least_seconds` of KeepRule stand on these numbers.
//
// `of_found` is the ratio to the peer, measured in the same run: the same answer found in a store.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <functional>

#include "bench/heads.hpp"
#include "harness/cache/oracle_memory.hpp"
#include "oracle/enclose_in_binary64.hpp"

namespace attest {
namespace {

class OwnFolder {
 public:
  OwnFolder()
      : path_(std::filesystem::temp_directory_path() /
              ("attest-cache-bench-" + std::to_string(getpid()))) {}
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  ~OwnFolder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  [[nodiscard]] double bytes() const {
    double bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator(path_)) {
      bytes += static_cast<double>(entry.file_size());
    }
    return bytes;
  }

 private:
  std::filesystem::path path_;
};

template <class Ask>
void report(benchmark::State& state, const Ask& ask, const std::function<void()>& binary64) {
  const OwnFolder folder;
  ContentStore store(folder.path());
  const OracleMemory memory(store, {0, 0});
  double computed = 0, found = 0;
  for (auto _ : state) {
    computed = best_seconds(1, [&] { ask(OracleMemory()); });
    ask(memory);
    found = best_seconds(10, [&] { ask(memory); });
  }
  state.counters["found_ms"] = 1e3 * found;
  state.counters["found_ns_a_byte"] = 1e9 * found / folder.bytes();
  state.counters["multiprecision_of_found"] = computed / found;
  if (binary64) state.counters["binary64_of_found"] = best_seconds(10, binary64) / found;
}

void forward(benchmark::State& state) {
  const GaussianHead head(state.range(0), Pass::fwd);
  const auto ask = [&](const OracleMemory& oracle) {
    benchmark::DoNotOptimize(oracle.enclose_forward(head.problem, head.inputs));
  };
  report(state, ask,
         [&] { benchmark::DoNotOptimize(enclose_in_binary64(head.problem, head.inputs)); });
}
BENCHMARK(forward)->ArgName("n")->Arg(16)->Arg(64)->Arg(256)->Iterations(1);

void backward(benchmark::State& state) {
  const GaussianHead head(state.range(0), Pass::bwd);
  const auto ask = [&](const OracleMemory& oracle) {
    benchmark::DoNotOptimize(oracle.enclose_backward(head.problem, head.inputs));
  };
  report(state, ask, nullptr);
}
BENCHMARK(backward)->ArgName("n")->Arg(16)->Arg(64)->Arg(256)->Iterations(1);

}  // namespace
}  // namespace attest
