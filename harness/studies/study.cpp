#include "harness/studies/study.hpp"

#include "core/error.hpp"
#include "core/key_values.hpp"
#include "harness/studies/accumulator_width.hpp"
#include "harness/studies/rules_in_use.hpp"

namespace attest {
namespace {

constexpr Study kStudies[] = {
    {"accumulator-width", "which accumulators in FP16 does a budget see, and which not?",
     make_accumulator_width},
    {"rules-in-use",
     "which wrong kernels do the rules of other projects reject, which healthy ones?",
     make_rules_in_use, true},
};

}  // namespace

std::span<const Study> studies() { return kStudies; }

const Study& study_named(std::string_view name) {
  std::vector<std::string_view> known;
  for (const Study& study : kStudies) {
    if (study.name == name) return study;
    known.push_back(study.name);
  }
  throw Error(Blame::usage, unknown_name("study", name, known));
}

}  // namespace attest
