// journal.hpp - the folder from which a campaign that was cut off goes on (--resume).
//
//   campaign.json        what the campaign is: conditions.hpp; written last, so that a folder with
//                        it is whole
//   counterexamples.txt  the user's list as it was at the start: the campaign itself adds to it
//   cases.jsonl          finished cases in their order (case_record.hpp); grows by whole lines
//
// The process may be killed at any moment. A line that it did not finish is cut off, and its case
// runs again; a campaign.json is there whole or not at all.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "harness/campaign/conditions.hpp"

namespace attest {

class Journal {
 public:
  // Goes on in the folder, or begins in one that is empty or missing. `list` is the user's list of
  // counterexamples; it may be missing. Throws Error (usage) where the folder belongs to another
  // campaign, naming the first difference, holds other files, or is in use by another process;
  // Error (ours) where it cannot be written.
  Journal(std::filesystem::path folder, const Conditions& conditions,
          const std::filesystem::path& list);
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;
  ~Journal();

  [[nodiscard]] std::filesystem::path counterexamples() const;

  // The lines of finished cases, in order, each with its end. Before the first append. An Error
  // that `take` throws gets the file's name and the line's number.
  void replay(const std::function<void(std::string_view line)>& take) const;

  // Adds a whole line. Throws Error (ours) when it cannot be written.
  void append(std::string_view line) const;

 private:
  void begin(const Conditions& conditions, const std::filesystem::path& list) const;
  void cut_torn_line() const;
  [[nodiscard]] std::filesystem::path cases() const;

  std::filesystem::path folder_;
  int lock_ = -1;
  int cases_ = -1;
};

// The seed of the campaign in the folder; nothing where none has begun there. Throws Error (usage)
// where its campaign.json is not one.
[[nodiscard]] std::optional<std::uint64_t> seed_of_journal(const std::filesystem::path& folder);

}  // namespace attest
