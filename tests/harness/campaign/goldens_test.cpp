// Goal: the stored cases are what the oracle says today, keep what their flags promise, come out
// the same whoever makes them, and are trusted only as long as every byte is the one that was
// written.
#include "harness/campaign/goldens.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <set>

#include "core/file_bytes.hpp"
#include "fixtures/golden_cases.hpp"
#include "fixtures/hdf5_file.hpp"
#include "fixtures/manifest.hpp"
#include "harness/campaign/campaign.hpp"
#include "harness/subjects/catalogue.hpp"
#include "tests/fixtures/own_folder.hpp"

namespace attest::goldens_test {
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
      plan.cases = 0;
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

  // For tests that read the folder hundreds of times.
  void leave_only(const std::set<std::string>& names) {
    for (const NamedGolden& golden : load_goldens(folder_.path())) {
      if (!names.contains(golden.name)) fs::remove(folder_ / (golden.name + ".h5"));
    }
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

TEST_F(StoredGoldens, FlagEveryCanaryOfTheCatalogue) {
  std::set<std::string> flagged;
  for (const NamedGolden& golden : load_goldens(folder_.path())) {
    flagged.insert(golden.golden.flags.begin(), golden.golden.flags.end());
  }
  std::set<std::string> all;
  for (const CatalogueEntry& entry : catalogue()) {
    if (entry.is_canary()) all.insert(entry.name);
  }
  EXPECT_EQ(flagged, all);
}

// As their sentences tell, and as anybody can work out.
TEST_F(StoredGoldens, EncloseTheGradientsThatWereWorkedByHand) {
  const auto check = [this](const std::string& name, std::vector<double> dq, std::vector<double> dk,
                            std::vector<double> dv) {
    const Golden golden = read_golden(folder_ / (name + ".h5"));
    const auto holds = [&](const StoredAnswer& answer, const std::vector<double>& worked) {
      ASSERT_EQ(answer.values.size(), worked.size()) << name;
      for (std::size_t n = 0; n < worked.size(); ++n) {
        EXPECT_EQ(answer.classes[n], OutputClass::finite) << name << n;
        EXPECT_LE(answer.values[n].lo, worked[n]) << name << n;
        EXPECT_GE(answer.values[n].hi, worked[n]) << name << n;
        // Two binary64 neighbours on either side say that nothing but this number is meant.
        EXPECT_LE(answer.values[n].hi - answer.values[n].lo, 0x1p-50 * std::fabs(worked[n]));
      }
    };
    ASSERT_TRUE(golden.gradients) << name;
    holds(golden.gradients->dq, dq);
    holds(golden.gradients->dk, dk);
    holds(golden.gradients->dv, dv);
  };
  check("backward-delta-cancellation", {0, -0.5}, {-0.5, 0, 0.5, 0}, {0.5, 0.5});
  check("backward-gradients-past-f16", std::vector<double>(64), {0}, {65536});
  check("backward-group-sum", {0, -2, 0, -4}, {-3, 0, 3, 0}, {3, 3});
  check("backward-lse-gradient-alone", {0, 6}, {1.5, 0, 1.5, 0}, {0, 0});
  check("backward-lse-gradient-one-key", {6}, {4}, {7});
  check("backward-minus-100", {0}, {0}, {1});
  check("backward-minus-16-f16", {0}, {0}, {1, 1});
  check("backward-one-key", {0}, {0}, {4, 8});
  check("backward-second-tile", {0.96875}, std::vector<double>(32),
        std::vector<double>(32, 0.03125));
  check("backward-tiny-dout", std::vector<double>(64), {0, 0}, {0x1p-19, 0x1p-19});
  check("backward-two-keys", {0, -2, 0, 4}, {1, 0, -1, 0}, {-1, -1});
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
  leave_only({"no-keys", "one-key"});
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
  leave_only({"backward-one-key", "no-keys", "one-key"});
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
    for (Enclosure& e : golden.o.values) e = {e.lo + 0.25, e.hi + 0.25};
  });
  EXPECT_EQ(error_of_campaign(),
            "ours: golden one-key: o element 0: the stored enclosure and today's do not meet");
}

TEST_F(StoredGoldens, AreRefusedWhereAnLseIsOffByLessThanAnyBudget) {
  rewrite("worked-eight-scores", [](Golden& golden) {
    const double above = std::nextafter(golden.lse.values[0].hi, 100.0);
    golden.lse.values[0] = {std::nextafter(above, 100.0), std::nextafter(above, 100.0) + 1};
  });
  const std::string error = error_of_campaign();
  EXPECT_NE(error.find("golden worked-eight-scores: lse element 0"), std::string::npos) << error;
}

TEST_F(StoredGoldens, AreRefusedWhereAClassIsAnotherToday) {
  rewrite("no-keys", [](Golden& golden) { golden.o.classes[0] = OutputClass::finite; });
  EXPECT_NE(error_of_campaign().find("golden no-keys: o element 0 has another class today"),
            std::string::npos)
      << error_of_campaign();
}

TEST_F(StoredGoldens, AreRefusedWhereAGradientContradictsTheOracle) {
  const NamedGolden kept{"backward-one-key", read_golden(folder_ / "backward-one-key.h5")};
  const auto error_after = [&](auto change) {
    NamedGolden golden = kept;
    change(*golden.golden.gradients);
    return error_of([&] { (void)confirmed_answer(golden); });
  };
  const std::string start = "ours: golden backward-one-key: ";
  const std::string apart = ": the stored enclosure and today's do not meet";
  EXPECT_EQ(error_after([](StoredGradients& g) {
              g.dq.values[0] = {0x1p-1074, 1};
            }),
            start + "dq element 0" + apart);
  EXPECT_EQ(error_after([](StoredGradients& g) { g.dk.classes[0] = OutputClass::dead; }),
            start + "dk element 0 has another class today");
  EXPECT_EQ(error_after([](StoredGradients& g) {
              g.dv.values[1] = {4, 4};
            }),
            start + "dv element 1" + apart);
  EXPECT_EQ(error_after([](StoredGradients&) {}), "nothing");
}

// A canary with a control of its own needs that one to be right, whatever canary/none does.
TEST_F(StoredGoldens, AskForTheControlOfEachFlaggedCanary) {
  NamedGolden golden{"split-empty-entry", read_golden(folder_ / "split-empty-entry.h5")};
  golden.golden.flags = {"canary/m08-merge-without-guard"};
  EXPECT_EQ(error_of([&] { verify_flags(golden); }), "nothing");
  // The emulated machine takes 16-bit inputs only, and so do a canary of its and that one's
  // control.
  NamedGolden wide{"backward-f32", read_golden(folder_ / "backward-f32.h5")};
  wide.golden.flags = {"canary/p-spilled"};
  const std::string error = error_of([&] { verify_flags(wide); });
  EXPECT_TRUE(error.starts_with("ours: golden backward-f32: canary/p-spilled declines it: "))
      << error;
}

TEST_F(StoredGoldens, AreTakenWhereTheirEnclosureIsMerelyWider) {
  rewrite("one-key", [](Golden& golden) {
    for (Enclosure& e : golden.o.values) e = {e.lo - 1, e.hi + 1};
  });
  EXPECT_EQ(error_of_campaign(), "nothing");
}

TEST_F(StoredGoldens, AreRefusedWithAFlagThatTheyDoNotKeep) {
  NamedGolden golden{"one-key", read_golden(folder_ / "one-key.h5")};
  const auto error_with = [&](const char* flag) {
    golden.golden.flags = {flag};
    return error_of([&] { verify_flags(golden); });
  };
  const std::string start = "ours: golden " + golden.name + ": ";
  EXPECT_EQ(error_with("canary/m23-f16-accumulator"),
            start + "flagged with canary/m23-f16-accumulator, which is not rejected");
  EXPECT_EQ(error_with("canary/m16-unpadded-readback"),
            start + "flagged with canary/m16-unpadded-readback, which is not rejected");
  EXPECT_EQ(error_with("plain"), start + "flagged with plain, which is not rejected");
  EXPECT_EQ(error_with("canary/none"), start + "flagged with canary/none, which is not rejected");
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
}  // namespace attest::goldens_test
