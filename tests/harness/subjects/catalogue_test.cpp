// Goal: a SPEC picks what it names and nothing else, and above all never a canary by accident.
#include "harness/subjects/catalogue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/attention/tiled.hpp"
#include "kernels/canaries/canary.hpp"
#include "kernels/canaries/plain.hpp"
#include "tests/core/refusal.hpp"

namespace attest::catalogue_test {
namespace {

std::vector<std::string> picked(std::vector<std::string> specs) {
  std::vector<std::string> names;
  for (const Subject* subject : resolve_subjects(specs)) names.push_back(subject->name());
  return names;
}

bool any_wrong(const std::vector<std::string>& names) {
  return std::ranges::any_of(
      names, [](const std::string& name) { return kind_of(name) != SubjectKind::healthy; });
}

std::vector<std::string> all_names(SubjectKind kind) {
  std::vector<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) {
    if (kind_of(entry.name) == kind) names.push_back(entry.name);
  }
  return names;
}

TEST(Catalogue, NamesEverySubjectOnceAsTheSubjectNamesItself) {
  std::set<std::string> names;
  for (const CatalogueEntry& entry : catalogue()) {
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_EQ(entry.subject->name(), entry.name);
    EXPECT_FALSE(entry.about.empty()) << entry.name;
  }
  EXPECT_TRUE(names.contains("plain"));
}

TEST(Catalogue, HoldsEveryCanaryWithItsLawAndLimit) {
  for (const Canary& canary : canaries()) {
    const auto entry = std::ranges::find(catalogue(), canary.name, &CatalogueEntry::name);
    ASSERT_NE(entry, catalogue().end()) << canary.name;
    EXPECT_EQ(entry->law, canary.law);
    EXPECT_EQ(entry->most_keys, canary.most_keys);
    EXPECT_EQ(entry->is_canary(), !canary.law.empty());
  }
  EXPECT_EQ(all_names(SubjectKind::canary).size(), canaries().size() + tiled_canaries().size());
}

TEST(Catalogue, KnowsTheControl) { EXPECT_EQ(control().name(), "canary/none"); }

// The reasons of all units in one.
std::string reasons_to_decline(const Subject& subject, Format in, Format out) {
  Problem problem;
  problem.in = in;
  problem.out = out;
  std::string reasons;
  for (const Unit unit : kUnits) {
    const auto reason = subject.unsupported(problem, unit);
    if (!reason) return "";
    reasons += *reason + "; ";
  }
  return reasons;
}

TEST(Catalogue, HoldsNoSubjectThatTakesAFormatInWhichNoneComputes) {
  for (const CatalogueEntry& entry : catalogue()) {
    for (const Format format : {Format::f64, Format::tf32, Format::e4m3, Format::e5m2}) {
      const std::string name(shape_of(format).name);
      for (const Format in : {format, Format::f16}) {
        const std::string reasons = reasons_to_decline(*entry.subject, in, format);
        EXPECT_NE(reasons.find("not " + name), std::string::npos) << entry.name << ": " << reasons;
      }
    }
  }
}

TEST(Spec, NoneMeansEveryHealthySubject) {
  EXPECT_EQ(picked({}), all_names(SubjectKind::healthy));
  EXPECT_EQ(picked({"bundled"}), all_names(SubjectKind::healthy));
  EXPECT_GE(picked({}).size(), 6U);
}

TEST(Spec, NamesOne) {
  EXPECT_EQ(picked({"plain"}), std::vector<std::string>{"plain"});
  EXPECT_EQ(picked({"canary/none"}), std::vector<std::string>{"canary/none"});
}

TEST(Spec, PicksNoCanaryByAGlobThatDoesNotBeginWithTheirPrefix) {
  for (const char* spec : {"*", "*a*", "*none", "*/*", "c*", "canar*", "canary*", "*y/m05*"}) {
    try {
      EXPECT_FALSE(any_wrong(picked({spec}))) << spec;
    } catch (const Error& error) {
      EXPECT_EQ(error.blame(), Blame::usage) << spec;  // it names nothing, which is right as well
    }
  }
  EXPECT_EQ(picked({"*"}), all_names(SubjectKind::healthy));
}

TEST(Spec, PicksCanariesByAGlobThatBeginsWithTheirPrefix) {
  EXPECT_EQ(picked({"canary/*"}), all_names(SubjectKind::canary));
  EXPECT_EQ(picked({"canary/m05*"}), std::vector<std::string>{"canary/m05-poisoned-v-tail"});
}

// A list as it will be: one subject of each kind.
std::vector<CatalogueEntry> one_of_each() {
  std::vector<CatalogueEntry> entries;
  for (const char* name : {"tiled", "canary/m11", "machine-fault/race"}) {
    entries.push_back({name, "about", make_plain(name), {}, 0});
  }
  return entries;
}

TEST(Spec, PicksAMachineFaultOnlyIfItBeginsWithTheirPrefix) {
  const std::vector<CatalogueEntry> entries = one_of_each();
  const auto first = [&](const std::string& spec) {
    const std::vector<const Subject*> subjects =
        resolve_subjects(entries, std::vector<std::string>{spec});
    return subjects.size() == 1 ? subjects[0]->name() : "several";
  };
  for (const char* spec : {"bundled", "*", "*i*", "t*"}) EXPECT_EQ(first(spec), "tiled") << spec;
  for (const char* spec : {"machine-fault/*", "machine-fault/race", "machine-fault/r*"}) {
    EXPECT_EQ(first(spec), "machine-fault/race") << spec;
  }
  EXPECT_EQ(first("canary/*"), "canary/m11");
  for (const char* spec : {"machine*", "*/race", "m*", "canary/race", "machine-fault/m11"}) {
    EXPECT_EQ(refusal_of([&] { (void)first(spec); }).blame, Blame::usage) << spec;
  }
  EXPECT_EQ(resolve_subjects(entries, {}).size(), 1U);
}

TEST(Spec, SeveralPickEachSubjectOnceInTheCataloguesOrder) {
  EXPECT_EQ(picked({"variant/plain-fused", "canary/none", "plain", "plain"}),
            (std::vector<std::string>{"plain", "variant/plain-fused", "canary/none"}));
  EXPECT_EQ(picked({"variant/*", "bundled"}), all_names(SubjectKind::healthy));
}

TEST(Spec, ThatNamesNothingIsRefusedWithWhatMayHaveBeenMeant) {
  const struct {
    const char* spec;
    const char* words;
  } rows[] = {
      {"plian", "unknown subject 'plian'; did you mean 'plain'?; `attest list subjects`"},
      {"", "unknown subject ''; `attest list subjects`"},
      {"variant/", "unknown subject 'variant/'; `attest list subjects`"},
      {"plain-fusd", "did you mean 'variant/plain-fused'?"},
      {"canary/m99*", "no subject matches 'canary/m99*'; `attest list canaries`"},
      {"canary/m23-f16-accumulator2", "did you mean 'canary/m23-f16-accumulator'?"},
      {"machine-fault/x", "`attest list machine-faults`"},
      {"Plain", "did you mean 'plain'?"},
  };
  for (const auto& [spec, words] : rows) {
    const Refusal refusal = refusal_of([&] { (void)picked({"plain", spec}); });
    EXPECT_TRUE(refusal.says(words)) << refusal.message;
    EXPECT_EQ(refusal.blame, Blame::usage);
  }
}

}  // namespace
}  // namespace attest::catalogue_test
