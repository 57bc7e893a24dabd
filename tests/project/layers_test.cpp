// Goal: no source of a layer includes what LAYERS does not allow it, on any machine, and every
// third-party library is used behind its one door. The rules themselves are tried on planted
// violations first, a .cu file among them.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/project/layer_rules.hpp"

namespace attest::project {
namespace {

const std::vector<Layer> kSample = parse_layers(
    "core:\n"
    "oracle: core\n"
    "kernels/machine: core\n"
    "kernels/attention: core kernels/machine\n"
    "harness/cli: core oracle\n");

std::vector<std::string> violations(const std::string& path, const std::string& text) {
  return include_violations(kSample, {path, text});
}

// Exactly one violation, and it says `words`.
::testing::AssertionResult refuses(const std::string& path, const std::string& text,
                                   const std::string& words) {
  const auto found = violations(path, text);
  if (found.size() == 1 && found[0].find(words) != std::string::npos) {
    return ::testing::AssertionSuccess();
  }
  return ::testing::AssertionFailure() << found.size() << " violations:" << lines(found);
}

TEST(LayerRules, SeeAnIncludeOfALayerThatIsNotAllowed) {
  EXPECT_TRUE(refuses("core/a.hpp", "#include \"oracle/b.hpp\"\n", "core may not include oracle"));
  EXPECT_TRUE(
      refuses("oracle/a.cpp", "\n\n#include \"kernels/machine/b.hpp\"\n", "oracle/a.cpp:3:"));
  EXPECT_TRUE(refuses("kernels/machine/a.h", "#include \"kernels/attention/b.hpp\"\n",
                      "kernels/machine may not include kernels/attention"));
}

TEST(LayerRules, SeeItInCudaSourcesToo) {
  for (const char* path : {"kernels/attention/a.cu", "kernels/attention/deep/a.cuh"}) {
    EXPECT_TRUE(refuses(path, "#if __CUDACC__\n#include \"oracle/b.hpp\"\n#endif\n",
                        "kernels/attention may not include oracle"));
  }
}

TEST(LayerRules, SeeItInAFileOnDisk) {
  const std::filesystem::path root = std::filesystem::path(::testing::TempDir()) / "planted";
  std::filesystem::create_directories(root / "kernels/machine");
  std::ofstream(root / "kernels/machine/a.cu") << "#include \"oracle/b.hpp\"\n";
  std::ofstream(root / "kernels/machine/a.md") << "#include \"oracle/b.hpp\"\n";
  std::filesystem::create_directories(root / "build/core");
  std::ofstream(root / "build/CMakeCache.txt") << "";
  std::ofstream(root / "build/core/a.hpp") << "#include \"oracle/b.hpp\"\n";
  std::vector<std::string> found;
  for (const ProjectFile& file : files_below(root)) {
    for (const auto& violation : include_violations(kSample, file)) found.push_back(violation);
  }
  std::filesystem::remove_all(root);
  ASSERT_EQ(found.size(), 1u) << lines(found);
  EXPECT_EQ(found[0],
            "kernels/machine/a.cu:1: kernels/machine may not include oracle (\"oracle/b.hpp\")");
}

TEST(LayerRules, AllowALayerItsOwnFilesAndWhatItsRowNames) {
  EXPECT_EQ(violations("kernels/attention/a.cu",
                       "#include \"kernels/attention/b.cuh\"\n#include \"kernels/machine/c.hpp\"\n"
                       "#include \"core/d.hpp\"\n#include <vector>\n#include <cuda_fp16.h>\n"),
            std::vector<std::string>{});
}

TEST(LayerRules, LetNobodyWalkAroundThem) {
  EXPECT_TRUE(refuses("core/a.hpp", "#include <oracle/b.hpp>\n", "belongs in quotes"));
  EXPECT_TRUE(refuses("core/a.hpp", "#include \"../oracle/b.hpp\"\n", "names no layer"));
  EXPECT_TRUE(refuses("core/a.hpp", "#include \"b.hpp\"\n", "names no layer"));
  EXPECT_TRUE(refuses("core/a.hpp", "#include ORACLE\n", "names a macro"));
  EXPECT_TRUE(refuses("core/a.hpp", "#include \"tests/core/b.hpp\"\n", "nothing includes"));
  EXPECT_TRUE(refuses("core/a.hpp", "#include \"bench/b.hpp\"\n", "nothing includes"));
  EXPECT_TRUE(refuses("judge/a.hpp", "", "no row in LAYERS"));
  EXPECT_TRUE(refuses("corex/a.cu", "", "no row in LAYERS"));
  EXPECT_TRUE(refuses("kernels/a.hpp", "", "no row in LAYERS"));
}

TEST(LayerRules, LeaveTestsBenchmarksAndStudiesFree) {
  for (const char* path : {"tests/core/a.cpp", "bench/a.cpp", "studies/a.cu"}) {
    EXPECT_EQ(violations(path, "#include \"oracle/b.hpp\"\n#include <rapidcheck.h>\n"),
              std::vector<std::string>{});
  }
}

TEST(LayerRules, KeepEachLibraryBehindItsDoor) {
  const std::vector<Layer> all = parse_layers(
      "core:\noracle:\nfixtures:\nproperties:\n"
      "kernels/machine:\nharness/report:\n");
  const struct {
    std::string header;
    std::string door;
    std::string elsewhere;
  } doors[] = {
      {"boost/multiprecision/mpfr.hpp", "oracle/a.cpp", "core/a.cpp"},
      {"mpfr.h", "oracle/a.hpp", "harness/report/a.cpp"},
      {"hdf5.h", "fixtures/hdf5_file.cpp", "fixtures/manifest.cpp"},
      {"rapidcheck.h", "properties/rapidcheck_bridge.hpp", "properties/law.hpp"},
      {"rapidcheck/gtest.h", "properties/rapidcheck_bridge.hpp", "core/a.hpp"},
      {"nlohmann/json.hpp", "harness/report/a.cpp", "fixtures/golden_file.cpp"},
      {"boost/context/fiber.hpp", "kernels/machine/a.cpp", "harness/report/a.cpp"},
      {"Random123/philox.h", "core/random.cpp", "properties/a.cpp"},
      {"cuda_fp16.h", "kernels/machine/a.cuh", "kernels/machine/a.hpp"},
      {"cuda_runtime.h", "kernels/machine/a.cu", "core/format.cpp"},
  };
  for (const auto& [header, door, elsewhere] : doors) {
    const std::string text = "#include <" + header + ">\n";
    EXPECT_EQ(include_violations(all, {door, text}), std::vector<std::string>{});
    EXPECT_EQ(include_violations(all, {elsewhere, text}).size(), 1u) << header;
  }
}

TEST(LayerRules, SeeATableThatIsUnsound) {
  EXPECT_TRUE(defects_of(kSample).empty());
  EXPECT_FALSE(defects_of(parse_layers("a:\na:\n")).empty());
  EXPECT_FALSE(defects_of(parse_layers("a: b\n")).empty());
  EXPECT_FALSE(defects_of(parse_layers("a: a\n")).empty());
  EXPECT_FALSE(defects_of(parse_layers("a: b\nb: c\nc: a\n")).empty());
  EXPECT_TRUE(defects_of(parse_layers("a: b c\nb: d\nc: d\nd:\n")).empty());
}

TEST(Layers, OfTheProjectAreSound) {
  const auto layers = parse_layers(text_of("LAYERS"));
  EXPECT_FALSE(layers.empty());
  EXPECT_TRUE(defects_of(layers).empty()) << lines(defects_of(layers));
}

TEST(Layers, AreKeptByEveryIncludeOfTheProject) {
  const auto layers = parse_layers(text_of("LAYERS"));
  int sources = 0;
  std::vector<std::string> found;
  for (const ProjectFile& file : project_files()) {
    sources += is_cpp(file.path);
    for (const auto& violation : include_violations(layers, file)) found.push_back(violation);
  }
  EXPECT_GT(sources, 30);
  EXPECT_TRUE(found.empty()) << lines(found);
}

}  // namespace
}  // namespace attest::project
