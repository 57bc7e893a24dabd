// Goal: the stored cases are what the oracle says today, keep what their flags promise, come out
// the same whoever makes them, and are trusted only as long as every byte is the one that was
// written.
#include "harness/campaign/goldens.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>

#include "core/file_bytes.hpp"
#include "fixtures/golden_cases.hpp"
#include "fixtures/hdf5_file.hpp"
#include "fixtures/manifest.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/subjects/catalogue.hpp"
#include "tests/fixtures/own_folder.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

// A copy of the stored goldens that a test may damage.
class StoredGoldens : public testing::Test {
 protected:
  StoredGoldens() { fs::copy(golden_folder(), folder_.path(), fs::copy_options::recursive); }

  // What a campaign over nothing but the goldens dies of.
  [[nodiscard]] std::string error_of_campaign() const {
    return error_of([&] {
      CampaignPlan plan;
      plan.tier = tier_named("smoke");
      plan.subjects = resolve_subjects(std::vector<std::string>{"plain"});
      plan.units = emulated_units();
      plan.golden_folder = folder_.path();
      (void)run_campaign(plan);
    });
  }

  // Writes a golden with a changed answer, manifest and all.
  template <class Change>
  void rewrite(const std::string& name, Change change) {
    Golden golden = read_golden(folder_ / (name + ".h5"));
    change(golden);
    write_golden(folder_ / (name + ".h5"), golden);
    write_manifest(folder_.path());
  }

  static std::string text_of(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  OwnFolder folder_;
};

TEST_F(StoredGoldens, AreThoseOfTheTable) {
  const std::vector<NamedGolden> goldens = load_goldens(folder_.path());
  EXPECT_GE(goldens.size(), 10U);
  ASSERT_EQ(goldens.size(), golden_cases().size());
  for (std::size_t n = 0; n < goldens.size(); ++n) {
    EXPECT_EQ(goldens[n].name, golden_cases()[n].name);
    EXPECT_EQ(parse_case(goldens[n].golden.case_text), make_case(golden_cases()[n]));
    EXPECT_FALSE(goldens[n].golden.flags.empty()) << goldens[n].name;
  }
}

TEST_F(StoredGoldens, KeepTheirFlagsAndAcceptTheControl) {
  for (const NamedGolden& golden : load_goldens(folder_.path())) {
    EXPECT_EQ(error_of([&] { verify_flags(golden); }), "nothing") << golden.name;
  }
}

TEST_F(StoredGoldens, ComeOutTheSameByteForByteWhenMadeAnew) {
  const fs::path made = folder_ / "made";
  make_goldens(made);
  std::size_t files = 0;
  for (const auto& entry : fs::directory_iterator(golden_folder())) {
    const std::string name = entry.path().filename().string();
    EXPECT_EQ(text_of(made / name), text_of(entry.path())) << name;
    ++files;
  }
  EXPECT_EQ(files, golden_cases().size() + 1);  // and MANIFEST
  EXPECT_EQ(std::distance(fs::directory_iterator(made), {}), static_cast<long>(files));
}

TEST_F(StoredGoldens, BetrayAnyFlippedByteToACampaign) {
  // Every seventh byte of one file; every byte of one file is flipped in tests/fixtures.
  const fs::path file = folder_ / "one-key.h5";
  const auto size = static_cast<std::size_t>(fs::file_size(file));
  for (std::size_t at = 0; at < size; at += 7) {
    flip_byte(file, at);
    const std::string error = error_of([&] { (void)load_goldens(folder_.path()); });
    ASSERT_TRUE(error.starts_with("ours: ")) << "byte " << at << ": " << error;
    ASSERT_NE(error.find("one-key.h5"), std::string::npos) << error;
    flip_byte(file, at);
  }
  flip_byte(file, size / 2);
  EXPECT_TRUE(error_of_campaign().starts_with("ours: "));
}

TEST_F(StoredGoldens, BetrayAFlippedByteOfTheManifest) {
  const fs::path manifest = folder_ / "MANIFEST";
  const auto size = static_cast<std::size_t>(fs::file_size(manifest));
  for (std::size_t at = 0; at < size; at += 13) {
    flip_byte(manifest, at);
    const std::string error = error_of([&] { (void)load_goldens(folder_.path()); });
    ASSERT_TRUE(error.starts_with("ours: ")) << "byte " << at << ": " << error;
    flip_byte(manifest, at);
  }
  EXPECT_EQ(error_of_campaign(), "nothing");
}

TEST_F(StoredGoldens, AreMissedWhenOneOrAllOfThemAreGone) {
  fs::remove(folder_ / "one-key.h5");
  EXPECT_TRUE(error_of_campaign().starts_with("ours: "));
  EXPECT_NE(error_of_campaign().find("one-key.h5"), std::string::npos);
  fs::remove_all(folder_.path());
  EXPECT_TRUE(error_of_campaign().starts_with("ours: ")) << error_of_campaign();
  EXPECT_NE(error_of_campaign().find(folder_.path().string()), std::string::npos);
}

TEST_F(StoredGoldens, AreRefusedWhereTheirEnclosureContradictsTheOracle) {
  rewrite("one-key", [](Golden& golden) {
    for (Enclosure& e : golden.o) e = {e.lo + 0.25, e.hi + 0.25};
  });
  EXPECT_EQ(error_of_campaign(),
            "ours: golden one-key: o element 0: the stored enclosure and today's do not meet");
}

TEST_F(StoredGoldens, AreRefusedWhereAnLseIsOffByLessThanAnyBudget) {
  rewrite("worked-eight-scores", [](Golden& golden) {
    const double above = std::nextafter(golden.lse[0].hi, 100.0);
    golden.lse[0] = {std::nextafter(above, 100.0), std::nextafter(above, 100.0) + 1};
  });
  const std::string error = error_of_campaign();
  EXPECT_NE(error.find("golden worked-eight-scores: lse element 0"), std::string::npos) << error;
}

TEST_F(StoredGoldens, AreRefusedWhereAClassIsAnotherToday) {
  rewrite("no-keys", [](Golden& golden) { golden.o_class[0] = OutputClass::finite; });
  EXPECT_NE(error_of_campaign().find("golden no-keys: o element 0 has another class today"),
            std::string::npos)
      << error_of_campaign();
}

TEST_F(StoredGoldens, AreTakenWhereTheirEnclosureIsMerelyWider) {
  rewrite("one-key", [](Golden& golden) {
    for (Enclosure& e : golden.o) e = {e.lo - 1, e.hi + 1};
  });
  EXPECT_EQ(error_of_campaign(), "nothing");
}

TEST_F(StoredGoldens, AreRefusedWithAFlagThatTheyDoNotKeep) {
  NamedGolden golden = load_goldens(folder_.path()).front();
  const auto error_with = [&](const char* flag) {
    golden.golden.flags = {flag};
    return error_of([&] { verify_flags(golden); });
  };
  const std::string start = "ours: golden " + golden.name + ": ";
  EXPECT_EQ(error_with("canary/m23-f16-accumulator"),
            start + "flagged with canary/m23-f16-accumulator, which is not rejected");
  EXPECT_EQ(error_with("plain"), start + "flagged with plain, which is not rejected");
  EXPECT_EQ(error_with("canary/none"), start + "flagged with the control");
  EXPECT_TRUE(error_with("canary/m99").starts_with(start + "unknown subject 'canary/m99'"));
}

TEST_F(StoredGoldens, WithoutAFlagAskForTheControlAlone) {
  NamedGolden golden = load_goldens(folder_.path()).front();
  golden.golden.flags.clear();
  EXPECT_EQ(error_of([&] { verify_flags(golden); }), "nothing");
}

TEST_F(StoredGoldens, OfANewerSchemaAreRefusedByItsNumber) {
  const fs::path file = folder_ / "one-key.h5";
  Hdf5Contents contents = read_hdf5(read_file(file, Blame::ours), "one-key");
  contents.integers["schema"] = kGoldenSchema + 1;
  contents.strings["comes_with_schema_2"] = "unknown today";
  write_hdf5(file, contents, "one-key");
  write_manifest(folder_.path());
  const std::string error = error_of_campaign();
  EXPECT_TRUE(error.starts_with("ours: ")) << error;
  EXPECT_NE(error.find("one-key.h5 has schema 2, this attest reads up to 1"), std::string::npos)
      << error;
}

TEST(GoldenFolder, IsTheBuiltInOneUnlessTheEnvironmentSaysOtherwise) {
  unsetenv("ATTEST_GOLDEN_DIR");
  const fs::path built_in = golden_folder();
  EXPECT_TRUE(fs::exists(built_in / "MANIFEST"));
  setenv("ATTEST_GOLDEN_DIR", "/nowhere/goldens", 1);
  EXPECT_EQ(golden_folder(), "/nowhere/goldens");
  setenv("ATTEST_GOLDEN_DIR", "", 1);
  EXPECT_EQ(golden_folder(), built_in);
  unsetenv("ATTEST_GOLDEN_DIR");
}

}  // namespace
}  // namespace attest
