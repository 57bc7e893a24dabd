// stand_in_device.hpp - the device program's stand-in (tests/kernels/device/stand_in_program.cpp),
// told by its environment how to behave.
#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include "harness/subjects/device_program.hpp"
#include "tests/fixtures/own_folder.hpp"

namespace attest {

// Lives as long as a test; programs started meanwhile see its wishes.
class StandInDevice {
 public:
  StandInDevice() = default;
  StandInDevice(const StandInDevice&) = delete;
  StandInDevice& operator=(const StandInDevice&) = delete;
  ~StandInDevice() {
    for (const char* name : {kUnit, kFault, kOnce, kProbe}) unsetenv(name);
  }

  [[nodiscard]] static std::filesystem::path path() { return ATTEST_DEVICE_STAND_IN; }

  void computes_as(const std::string& unit) { setenv(kUnit, unit.c_str(), 1); }
  void finds_no_device(const std::string& says) { setenv(kProbe, says.c_str(), 1); }
  // The next time that this fault is possible, and never again.
  void goes_wrong_once(const std::string& fault) {
    std::ofstream(folder_ / "once") << "due";
    setenv(kFault, fault.c_str(), 1);
    setenv(kOnce, (folder_ / "once").c_str(), 1);
  }
  [[nodiscard]] bool went_wrong() const { return !std::filesystem::exists(folder_ / "once"); }

 private:
  static constexpr const char* kUnit = "ATTEST_STAND_IN_UNIT";
  static constexpr const char* kFault = "ATTEST_STAND_IN_FAULT";
  static constexpr const char* kOnce = "ATTEST_STAND_IN_ONCE";
  static constexpr const char* kProbe = "ATTEST_STAND_IN_PROBE";

  OwnFolder folder_;
};

}  // namespace attest
