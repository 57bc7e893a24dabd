#include "harness/campaign/journal.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <nlohmann/json.hpp>
#include <span>
#include <system_error>
#include <utility>

#include "core/error.hpp"
#include "core/file_bytes.hpp"

namespace attest {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kSchema = "attest.campaign/1";
constexpr std::string_view kCampaign = "campaign.json";
constexpr std::string_view kList = "counterexamples.txt";
constexpr std::string_view kCases = "cases.jsonl";

[[noreturn]] void refuse(const fs::path& place, const std::string& why) {
  throw Error(Blame::usage, "--resume " + place.string() + ": " + why);
}

[[noreturn]] void fail(const fs::path& place, int error) {
  throw Error(Blame::ours, place.string() + ": " + std::system_category().message(error));
}

std::string text_of(const fs::path& file) {
  const std::vector<std::byte> bytes = read_file(file, Blame::usage);
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

void write_text(const fs::path& file, const std::string& text) {
  replace_file(file, std::as_bytes(std::span(text)));
}

Conditions read_conditions(const fs::path& file) {
  try {
    const Json json = Json::parse(text_of(file));
    if (json.at("schema") != kSchema) refuse(file, "its schema is not " + std::string(kSchema));
    Conditions conditions;
    for (const auto& [name, value] : json.at("conditions").items()) {
      conditions.push_back({name, value.get<std::string>()});
    }
    return conditions;
  } catch (const Json::exception& error) {
    refuse(file, error.what());
  }
}

// Ours, or what a killed process left of ours (PartFile).
bool is_own(const std::string& name) {
  return std::ranges::any_of(std::initializer_list<std::string_view>{kCampaign, kList, kCases},
                             [&](std::string_view own) {
                               return name == own || name.starts_with(std::string(own) + ".part");
                             });
}

void require_own_files(const fs::path& folder) {
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    if (!is_own(name)) refuse(folder, "holds '" + name + "', which is of no campaign");
  }
}

int open_or_fail(const fs::path& file, int flags) {
  const int opened = open(file.c_str(), flags | O_CLOEXEC, 0666);
  if (opened < 0) fail(file, errno);
  return opened;
}

}  // namespace

Journal::Journal(fs::path folder, const Conditions& conditions, const fs::path& list)
    : folder_(std::move(folder)) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (!fs::is_directory(folder_)) refuse(folder_, "cannot be a folder");
  lock_ = open_or_fail(folder_, O_RDONLY | O_DIRECTORY);
  try {
    if (flock(lock_, LOCK_EX | LOCK_NB) != 0) refuse(folder_, "another process is at work there");
    if (fs::exists(folder_ / kCampaign)) {
      const std::string difference =
          difference_between(read_conditions(folder_ / kCampaign), conditions);
      if (!difference.empty()) refuse(folder_, "is of another campaign: " + difference);
    } else {
      begin(conditions, list);
    }
    cases_ = open_or_fail(cases(), O_RDWR | O_CREAT | O_APPEND);
    cut_torn_line();
  } catch (...) {
    if (cases_ >= 0) close(cases_);
    close(lock_);
    throw;
  }
}

Journal::~Journal() {
  close(cases_);
  close(lock_);
}

fs::path Journal::counterexamples() const { return folder_ / kList; }

fs::path Journal::cases() const { return folder_ / kCases; }

void Journal::begin(const Conditions& conditions, const fs::path& list) const {
  require_own_files(folder_);
  write_text(counterexamples(), !list.empty() && fs::exists(list) ? text_of(list) : "");
  write_text(cases(), "");
  Json json = {{"schema", kSchema}, {"conditions", Json::object()}};
  for (const Condition& one : conditions) json["conditions"][one.name] = one.value;
  write_text(folder_ / kCampaign, json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
}

// A process that is killed while it writes leaves the beginning of a line.
void Journal::cut_torn_line() const {
  constexpr off_t kStep = 1 << 16;
  off_t end = lseek(cases_, 0, SEEK_END);
  std::string block;
  while (end > 0) {
    const off_t start = std::max<off_t>(0, end - kStep);
    block.resize(static_cast<std::size_t>(end - start));
    if (pread(cases_, block.data(), block.size(), start) != end - start) fail(cases(), errno);
    if (const std::size_t at = block.rfind('\n'); at != std::string::npos) {
      end = start + static_cast<off_t>(at) + 1;
      break;
    }
    end = start;
  }
  if (ftruncate(cases_, end) != 0) fail(cases(), errno);
}

void Journal::replay(const std::function<void(std::string_view)>& take) const {
  std::ifstream in(cases(), std::ios::binary);
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    line += '\n';
    try {
      take(line);
    } catch (const Error& error) {
      throw Error(error.blame(),
                  cases().string() + " line " + std::to_string(number) + ": " + error.what());
    }
  }
}

void Journal::append(std::string_view line) const {
  while (!line.empty()) {
    const ssize_t written = write(cases_, line.data(), line.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail(cases(), errno);
    line.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::optional<std::uint64_t> seed_of_journal(const fs::path& folder) {
  const fs::path file = folder / kCampaign;
  std::error_code unknown;
  if (!fs::exists(file, unknown)) return std::nullopt;
  for (const Condition& one : read_conditions(file)) {
    if (one.name != "seed") continue;
    std::uint64_t seed = 0;
    const char* end = one.value.data() + one.value.size();
    const auto [stop, error] = std::from_chars(one.value.data(), end, seed);
    if (error == std::errc{} && stop == end) return seed;
  }
  refuse(file, "names no seed");
}

}  // namespace attest
