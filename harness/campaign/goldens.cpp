#include "harness/campaign/goldens.hpp"

#include <algorithm>
#include <cstdlib>
#include <span>

#include "core/error.hpp"
#include "fixtures/golden_cases.hpp"
#include "fixtures/manifest.hpp"
#include "harness/campaign/check_case.hpp"
#include "harness/subjects/catalogue.hpp"
#include "harness/subjects/program_files.hpp"

namespace attest {
namespace {

constexpr std::string_view kSuffix = ".h5";

[[noreturn]] void fail(const NamedGolden& golden, const std::string& problem) {
  throw Error(Blame::ours, "golden " + golden.name + ": " + problem);
}

StoredAnswer stored(const GradientAnswer& answer) { return {answer.values, answer.classes}; }

void confirm(const NamedGolden& golden, std::string_view tensor, const StoredAnswer& stored,
             const StoredAnswer& today) {
  for (std::size_t n = 0; n < today.values.size(); ++n) {
    const std::string element = std::string(tensor) + " element " + std::to_string(n);
    if (stored.classes[n] != today.classes[n]) fail(golden, element + " has another class today");
    if (today.classes[n] != OutputClass::finite) continue;
    if (today.values[n].lo > stored.values[n].hi || stored.values[n].lo > today.values[n].hi) {
      fail(golden, element + ": the stored enclosure and today's do not meet");
    }
  }
}

Golden answer_golden(const GoldenCase& row) {
  const Case c = make_case(row);
  const auto& inputs = std::get<Inputs>(c.data);
  const Exact exact = enclose(c.problem, inputs);
  const Answer& answer = exact.answer;
  Golden golden;
  golden.problem = c.problem;
  golden.inputs = inputs;
  golden.case_text = to_string(c);
  golden.flags.assign(row.flags.begin(), row.flags.end());
  golden.hunts = row.hunts;
  int bits = answer.bits.empty() ? 0 : std::ranges::max(answer.bits);
  if (exact.gradients) bits = std::max(bits, exact.gradients->bits);
  golden.provenance = "attest golden make; schema " + std::to_string(kGoldenSchema) +
                      "; oracle at " + std::to_string(bits) + " bits";
  golden.o = {answer.o, answer.o_class};
  golden.lse = {answer.lse, answer.lse_class};
  if (const auto& gradients = exact.gradients) {
    golden.gradients = {stored(gradients->dq), stored(gradients->dk), stored(gradients->dv)};
  }
  return golden;
}

// What the flags name; a flag that names nothing is the file's fault, not the user's.
std::vector<const Subject*> flagged(const NamedGolden& named) {
  if (named.golden.flags.empty()) return {};  // to the catalogue, nothing would mean "bundled"
  try {
    return resolve_subjects(named.golden.flags);
  } catch (const Error& error) {
    fail(named, error.what());
  }
}

// canary/none, and what is right where a flagged canary is wrong.
std::vector<const Subject*> controls_of(std::span<const Subject* const> subjects) {
  std::vector<const Subject*> controls = {&control()};
  for (const Subject* subject : subjects) {
    const auto entry = std::ranges::find(catalogue(), subject->name(), &CatalogueEntry::name);
    if (!entry->is_canary()) continue;
    const Subject* own = &control_of(*entry);
    if (std::ranges::find(controls, own) == controls.end()) controls.push_back(own);
  }
  return controls;
}

void verify_rejected(const NamedGolden& named, const SubjectResult& run) {
  if (run.unsupported) fail(named, run.subject->name() + " declines it: " + *run.unsupported);
  if (verdict_of(run) != Verdict::reject) {
    fail(named, "flagged with " + run.subject->name() + ", which is not rejected");
  }
}

// canary/none may decline what another control takes.
void verify_accepted(const NamedGolden& named, const SubjectResult& run) {
  const std::string& name = run.subject->name();
  if (run.unsupported && run.subject == &control()) return;
  if (run.unsupported) fail(named, name + " declines it: " + *run.unsupported);
  if (verdict_of(run) != Verdict::accept) {
    fail(named, "the control " + name + " is not accepted");
  }
}

}  // namespace

std::filesystem::path golden_folder() {
  const char* chosen = std::getenv("ATTEST_GOLDEN_DIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : companion_data("golden");
}

std::vector<NamedGolden> load_goldens(const std::filesystem::path& folder) {
  verify_manifest(folder);
  std::vector<NamedGolden> goldens;
  for (const ManifestEntry& entry : read_manifest(folder)) {
    const std::string name = entry.file.substr(0, entry.file.size() - kSuffix.size());
    goldens.push_back({name, read_golden(folder / entry.file)});
  }
  std::ranges::sort(goldens, {}, &NamedGolden::name);
  return goldens;
}

Exact confirmed_answer(const NamedGolden& named, const OracleMemory& oracle) {
  const Golden& golden = named.golden;
  Exact exact = enclose(golden.problem, golden.inputs, oracle);
  const Answer& answer = exact.answer;
  confirm(named, "o", golden.o, {answer.o, answer.o_class});
  confirm(named, "lse", golden.lse, {answer.lse, answer.lse_class});
  if (exact.gradients) {
    confirm(named, "dq", golden.gradients->dq, stored(exact.gradients->dq));
    confirm(named, "dk", golden.gradients->dk, stored(exact.gradients->dk));
    confirm(named, "dv", golden.gradients->dv, stored(exact.gradients->dv));
  }
  return exact;
}

void make_goldens(const std::filesystem::path& folder) {
  std::filesystem::create_directories(folder);
  for (const GoldenCase& row : golden_cases()) {
    const NamedGolden named{std::string(row.name), answer_golden(row)};
    verify_flags(named);  // validates first, writes after
    write_golden(folder / (named.name + std::string(kSuffix)), named.golden);
  }
  write_manifest(folder);
}

void verify_flags(const NamedGolden& named) {
  const std::vector<const Subject*> wrong = flagged(named);
  const std::vector<const Subject*> right = controls_of(wrong);
  std::vector<const Subject*> subjects = wrong;
  subjects.insert(subjects.end(), right.begin(), right.end());
  const Case c{named.golden.problem, named.golden.inputs};
  const CaseResult result = check_case(c, named.golden.inputs, confirmed_answer(named), subjects,
                                       every_law(), {emulated_units(), 0});
  const auto runs = std::span(result.subjects);
  for (const SubjectResult& run : runs.first(wrong.size())) verify_rejected(named, run);
  for (const SubjectResult& run : runs.subspan(wrong.size())) verify_accepted(named, run);
}

}  // namespace attest
