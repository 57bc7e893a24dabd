#include "harness/campaign/explaining.hpp"

#include <algorithm>

#include "harness/subjects/plugin_subject.hpp"

namespace attest {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kForward = "accuracy";
constexpr std::string_view kStageWise = "stage_accuracy";

// Where both laws reject, the first says more of the defect, whatever their order of checking: its
// view is narrower, or its setting plainer.
struct Sharper {
  std::string_view law;
  std::string_view other;
};
constexpr Sharper kSharper[] = {
    {kStageWise, "gradient_accuracy"}, {"two_calls", "one_key"}, {"layout", "big_offsets"}};

// Of these the stored O and LSE are the beginning, or part of it.
bool is_of_backward(std::string_view law) {
  return law != kRunItself && law_named(law).passes == Passes::bwd;
}

// One subject's rejections, told one after the other.
class Telling {
 public:
  Telling(std::vector<const Rejection*> rejections, const ExplainingPlan& plan, Index before)
      : rejections_(std::move(rejections)), plan_(plan), explained_(before) {
    std::ranges::stable_sort(rejections_, {},
                             [](const Rejection* one) { return directness(one->law); });
    for (const Rejection* one : rejections_) {
      if (is_told_in_full(*one)) told_.push_back({in_full(*one)});
    }
  }

  std::vector<Failure> run() {
    std::vector<const Rejection*> others;
    for (const Rejection* one : rejections_) {
      if (!is_told_in_full(*one)) others.push_back(one);
    }
    const Clock::time_point end = Clock::now() + plan_.time();
    for (std::size_t n = 0; n < others.size(); ++n) {
      const auto share = (end - Clock::now()) / static_cast<int>(others.size() - n);
      add_beside(*others[n], Clock::now() + share);
    }
    std::vector<Failure> failures;
    for (auto& group : told_) std::ranges::move(group, std::back_inserter(failures));
    return failures;
  }

 private:
  [[nodiscard]] bool is_told_in_full(const Rejection& one) const {
    const Rejection* first = rejections_.front();
    return plan_.all || &one == first || (one.law == kStageWise && first->law == kForward);
  }

  [[nodiscard]] Failure in_full(const Rejection& one) {
    begin_one();
    return with_calling(shrink_and_probe(one.c, one.values(), *one.subject, one.settings, one.law,
                                         plan_.folder, plan_.time(), plan_.oracle));
  }

  void begin_one() {
    if (plan_.on_progress) plan_.on_progress(explained_);
    ++explained_;
  }

  // Plug-ins are isolated without being asked.
  [[nodiscard]] Failure with_calling(Failure failure) const {
    failure.calling = plan_.calling;
    if (failure.subject->name().starts_with(kPluginScheme)) failure.calling.isolated = false;
    return failure;
  }

  void add_beside(const Rejection& one, Clock::time_point deadline) {
    begin_one();
    std::vector<Failure>& group = is_of_backward(one.law) ? told_.back() : told_.front();
    const Failure& told = group.front();
    std::optional<Failure> failure;
    // On another unit it would be told in a row of the report that does not have it.
    if (told.unit == one.settings.unit) {
      failure = explain_by(told, one.c, one.law, plan_.folder, plan_.oracle);
    }
    if (!failure) {
      failure = explain_failure(one.c, one.values(), *one.subject, one.settings, one.law,
                                plan_.folder, deadline, plan_.oracle);
    }
    failure->beside = told.law;
    group.push_back(with_calling(std::move(*failure)));
  }

  std::vector<const Rejection*> rejections_;
  const ExplainingPlan& plan_;
  Index explained_;
  std::vector<std::vector<Failure>> told_;  // in full, each with those beside it
};

}  // namespace

int directness(std::string_view law) {
  if (law == kRunItself) return 0;
  for (const auto& [sharper, other] : kSharper) {
    if (law == sharper) return directness(other) - 1;
  }
  const auto all = laws();
  const auto at = std::ranges::find(all, law, &Law::name);
  const auto place = static_cast<int>(at - all.begin());
  const auto behind = static_cast<int>(all.size());
  return 2 * (1 + place + (at->reruns ? behind : 0));
}

std::vector<Failure> explain(std::span<const Rejection> rejections, const ExplainingPlan& plan) {
  std::vector<const Subject*> subjects;
  for (const Rejection& one : rejections) {
    if (std::ranges::find(subjects, one.subject) == subjects.end()) subjects.push_back(one.subject);
  }
  std::vector<Failure> failures;
  for (const Subject* subject : subjects) {
    std::vector<const Rejection*> of_subject;
    for (const Rejection& one : rejections) {
      if (one.subject == subject) of_subject.push_back(&one);
    }
    Telling telling(std::move(of_subject), plan, static_cast<Index>(failures.size()));
    std::ranges::move(telling.run(), std::back_inserter(failures));
  }
  return failures;
}

}  // namespace attest
