#include "harness/bundle/bundle.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cctype>
#include <span>
#include <system_error>

#include "core/error.hpp"
#include "core/file_bytes.hpp"
#include "harness/bundle/environment.hpp"
#include "harness/bundle/judged_outputs.hpp"
#include "harness/bundle/reproducer.hpp"
#include "harness/report/failing_report.hpp"
#include "harness/subjects/plugin_subject.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDataName = "bundle.h5";

void write_text(const fs::path& file, const std::string& text) {
  replace_file(file, std::as_bytes(std::span(text)));
}

// "canary-m23-f16-accumulator.accuracy.f16.fp32-seq"
std::string folder_name(const Failure& f) {
  std::string name = fmt::format("{}.{}.{}.{}", f.subject->name(), f.law,
                                 shape_of(f.shrunk.smallest.problem.in).name, name_of(f.unit));
  for (char& letter : name) {
    const bool plain = std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '-' ||
                       letter == '_' || letter == '.';
    if (!plain) letter = '-';
  }
  return name;
}

// A plug-in is found again from any folder.
std::string portable_spec(const std::string& name) {
  if (!name.starts_with(kPluginScheme)) return name;
  const std::string library = name.substr(kPluginScheme.size());
  return std::string(kPluginScheme) + fs::absolute(library).lexically_normal().string();
}

std::map<std::string, std::string> about(const Failure& f, const JudgedOutputs& judged) {
  std::map<std::string, std::string> text = {
      {"subject", portable_spec(f.subject->name())},
      {"unit", std::string(name_of(f.unit))},
      {"schedule_seed", std::to_string(f.schedule_seed)},
      {"law", f.law},
      {"numerics", to_string(numerics_of(f))},
      {"semantics", to_string(f.subject->semantics())},
      {"provenance", fmt::format("attest {}", attest_version())}};
  if (!judged.view.empty()) text["view"] = judged.view;
  if (!f.configuration.empty()) text["configuration"] = f.configuration;
  if (f.calling.isolated) text["isolate"] = "yes";
  if (!f.calling.patience.empty()) text["patience"] = f.calling.patience;
  return text;
}

std::string environment_of(const Failure& f, const BundlePlan& plan, const BundleFile& file) {
  std::string text = environment_text();
  text += fmt::format("subject       {}\nunit          {}\nlaw           {}\n", f.subject->name(),
                      name_of(f.unit), f.law);
  text +=
      fmt::format("seed          {}\n", plan.seed ? std::to_string(*plan.seed) : "none: a replay");
  text += fmt::format("schedule seed {}\n", f.schedule_seed);
  if (!f.configuration.empty()) text += fmt::format("configuration {}\n", f.configuration);
  text += fmt::format("numerics      {}\nsemantics     {}\n", file.about.at("numerics"),
                      file.about.at("semantics"));
  return text + fmt::format("found on      {}\n", to_string(f.original.problem));
}

std::string readme(const Failure& f, bool reproducible) {
  std::string text = fmt::format(
      "{} fails the law {}.\n\n"
      "Again, in this folder:\n\n  attest replay .\n\n"
      "or from anywhere, by the case string in case.txt:\n\n  {}\n\n"
      "report.txt       the report: what is wrong, where, and what the failure still needs\n"
      "case.txt         the case, as one string\n"
      "bundle.h5        values, outputs, enclosures, errors, and budgets term by term\n"
      "environment.txt  versions, build, machine, seeds, what the subject declares\n",
      f.subject->name(), f.law, replay_command(f));
  if (reproducible) {
    text +=
        "reproduce.cpp    the kernel on these numbers, as a program; its first lines say how to\n"
        "                 build it from the sources of attest, wherever they are\n";
  } else {
    text +=
        "\nThere is no reproduce.cpp: the subject's source is not attest's, or the case is "
        "large.\n";
  }
  return text;
}

// What has been written goes if the rest cannot be.
class PartFolder {
 public:
  explicit PartFolder(const fs::path& target)
      : path_(target.string() + ".part" + std::to_string(getpid())) {
    std::error_code error;
    fs::create_directories(path_, error);
    if (error) {
      throw Error(Blame::ours, "folder " + path_.string() + " cannot be made: " + error.message());
    }
  }
  PartFolder(const PartFolder&) = delete;
  PartFolder& operator=(const PartFolder&) = delete;
  ~PartFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  [[nodiscard]] const fs::path& path() const { return path_; }

  void rename_to(const fs::path& target) const {
    std::error_code error;
    if (fs::exists(target, error)) {
      throw Error(Blame::ours, "bundle " + target.string() + " is there already");
    }
    fs::rename(path_, target, error);
    if (error) {
      throw Error(Blame::ours, "bundle " + target.string() + ": " + error.message());
    }
  }

 private:
  fs::path path_;
};

}  // namespace

void require_bundle_folder(const fs::path& folder) {
  std::error_code error;
  const auto status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) return;
  const auto refuse = [&](const std::string& why) {
    throw Error(Blame::usage, "bundle folder " + folder.string() + ": " + why);
  };
  if (!fs::is_directory(status)) refuse("is no folder");
  const bool is_empty = fs::is_empty(folder, error);
  if (error) refuse(error.message());
  if (!is_empty) refuse("is not empty, and nothing in it is overwritten");
}

fs::path write_bundle(const Failure& f, const BundlePlan& plan) {
  const Case& c = f.shrunk.smallest;
  const Inputs inputs = inputs_of(c, plan.state_folder);
  JudgedOutputs judged = judge_outputs(f, inputs, plan.oracle);
  const fs::path target = plan.folder / folder_name(f);
  const PartFolder part(target);
  BundleFile file{c.problem, inputs, f.smallest_text, about(f, judged), std::move(judged.tensors)};
  write_bundle_file(part.path() / kDataName, file);
  write_text(part.path() / "case.txt", f.smallest_text + "\n");
  write_text(part.path() / "report.txt", failing_report(f, {}));
  write_text(part.path() / "environment.txt", environment_of(f, plan, file));
  const auto program = reproducer(f, inputs, plan.oracle);
  if (program) write_text(part.path() / "reproduce.cpp", *program);
  write_text(part.path() / "README.txt", readme(f, program.has_value()));
  part.rename_to(target);
  return target;
}

BundledRun read_bundle(const fs::path& folder) {
  BundleFile file = read_bundled_case(folder / kDataName);
  const auto text = [&](const char* name) {
    const auto found = file.about.find(name);
    if (found == file.about.end()) {
      throw Error(Blame::ours, "bundle " + folder.string() + " lacks its " + name);
    }
    return found->second;
  };
  const Calling calling{file.about.contains("isolate"), file.about["patience"]};
  return {{file.problem, std::move(file.inputs)},
          text("subject"),
          text("unit"),
          text("schedule_seed"),
          file.about.contains("configuration") ? text("configuration") : "",
          calling};
}

}  // namespace attest
