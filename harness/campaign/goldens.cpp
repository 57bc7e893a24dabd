#include "harness/campaign/goldens.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>

#include "core/error.hpp"
#include "fixtures/golden_cases.hpp"
#include "fixtures/manifest.hpp"
#include "harness/campaign/check_case.hpp"
#include "harness/subjects/catalogue.hpp"
#include "oracle/enclose_forward.hpp"

namespace attest {
namespace {

constexpr std::string_view kSuffix = ".h5";

[[noreturn]] void fail(const NamedGolden& golden, const std::string& problem) {
  throw Error(Blame::ours, "golden " + golden.name + ": " + problem);
}

void confirm(const NamedGolden& golden, std::string_view tensor,
             const std::vector<OutputClass>& stored_classes, const std::vector<Enclosure>& stored,
             const std::vector<OutputClass>& classes, const std::vector<Enclosure>& today) {
  for (std::size_t n = 0; n < today.size(); ++n) {
    const std::string element = std::string(tensor) + " element " + std::to_string(n);
    if (stored_classes[n] != classes[n]) fail(golden, element + " has another class today");
    if (classes[n] != OutputClass::finite) continue;
    if (today[n].lo > stored[n].hi || stored[n].lo > today[n].hi) {
      fail(golden, element + ": the stored enclosure and today's do not meet");
    }
  }
}

Golden answer_golden(const GoldenCase& row) {
  const Case c = make_case(row);
  const auto& inputs = std::get<Inputs>(c.data);
  const Answer answer = enclose_forward(c.problem, inputs);
  Golden golden;
  golden.problem = c.problem;
  golden.inputs = inputs;
  golden.case_text = to_string(c);
  golden.flags.assign(row.flags.begin(), row.flags.end());
  golden.hunts = row.hunts;
  const int bits = answer.bits.empty() ? 0 : std::ranges::max(answer.bits);
  golden.provenance = "attest golden make; schema " + std::to_string(kGoldenSchema) +
                      "; oracle at " + std::to_string(bits) + " bits";
  golden.o = answer.o;
  golden.o_class = answer.o_class;
  golden.lse = answer.lse;
  golden.lse_class = answer.lse_class;
  return golden;
}

// The canaries that the flags name; a flag that names none is the file's fault, not the user's.
std::vector<const Subject*> flagged(const NamedGolden& named) {
  if (named.golden.flags.empty()) return {};  // to the catalogue, nothing would mean "bundled"
  try {
    std::vector<const Subject*> subjects = resolve_subjects(named.golden.flags);
    if (std::ranges::find(subjects, &control()) != subjects.end()) {
      fail(named, "flagged with the control");
    }
    return subjects;
  } catch (const Error& error) {
    if (error.blame() == Blame::ours) throw;
    fail(named, error.what());
  }
}

}  // namespace

std::filesystem::path golden_folder() {
  const char* chosen = std::getenv("ATTEST_GOLDEN_DIR");
  return chosen != nullptr && *chosen != '\0' ? chosen : ATTEST_BUILT_IN_GOLDEN_DIR;
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

Exact confirmed_answer(const NamedGolden& named) {
  const Golden& golden = named.golden;
  Exact exact = enclose(golden.problem, golden.inputs);
  const Answer& answer = exact.answer;
  confirm(named, "o", golden.o_class, golden.o, answer.o_class, answer.o);
  confirm(named, "lse", golden.lse_class, golden.lse, answer.lse_class, answer.lse);
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
  std::vector<const Subject*> subjects = flagged(named);
  subjects.push_back(&control());
  const Case c{named.golden.problem, named.golden.inputs};
  const CaseResult result = check_case(c, named.golden.inputs, confirmed_answer(named), subjects,
                                       every_law(), {emulated_units(), 0});
  for (const SubjectResult& run : result.subjects) {
    const bool is_control = run.subject == &control();
    if (run.unsupported) fail(named, run.subject->name() + " declines it: " + *run.unsupported);
    if (is_control && verdict_of(run) != Verdict::accept) fail(named, "the control is rejected");
    if (!is_control && verdict_of(run) != Verdict::reject) {
      fail(named, "flagged with " + run.subject->name() + ", which is not rejected");
    }
  }
}

}  // namespace attest
