// Goal: on a GPU, the bundled kernels are the ones that the emulator runs. Where its unit is
// modelled exactly the bits agree; everywhere the laws hold; and the models' products are the
// hardware's own. Without a GPU each of these says so, and is not run.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <sstream>

#include "harness/campaign/check_case.hpp"
#include "harness/subjects/device_subject.hpp"
#include "kernels/attention/materialising.hpp"
#include "kernels/attention/split.hpp"
#include "kernels/attention/tiled.hpp"
#include "kernels/device/forms.hpp"
#include "kernels/device/product_lines.hpp"
#include "kernels/machine/emulator.hpp"
#include "properties/draw.hpp"
#include "properties/execution.hpp"
#include "tests/fixtures/own_folder.hpp"
#include "tests/kernels/machine/products.hpp"

namespace attest::device_run_test {
namespace {

constexpr std::uint64_t kSeed = 20;
constexpr std::uint64_t kCases = 120;

// $ATTEST_DEVICE_PROGRAM may name another, so that this test itself can be tried without a GPU: on
// the stand-in it must pass, and with $ATTEST_STAND_IN_UNIT=a100, which its probe denies, fail.
std::string program_path() {
  const char* const chosen = std::getenv("ATTEST_DEVICE_PROGRAM");
  return chosen == nullptr ? ATTEST_BUILT_DEVICE_PROGRAM : chosen;
}

DeviceProgram& program() {
  static DeviceProgram the_program(program_path());
  return the_program;
}

#define SKIP_WITHOUT_DEVICE() \
  if (const auto reason = program().unavailable()) GTEST_SKIP() << *reason

std::string said_by(const std::filesystem::path& a_program, const std::vector<std::string>& words) {
  ChildProcess child(a_program, words);
  return child.read_all(std::chrono::steady_clock::now() + kDevicePatience);
}

// Kernels run on device 0, whatever else there is.
std::string line_of_first_device() {
  std::istringstream lines(said_by(program_path(), {"probe"}));
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("device 0:")) return line;
  }
  return "";
}

// The unit whose model this device should reproduce bit for bit.
std::optional<Unit> unit_of_device() {
  const std::string probe = line_of_first_device();
  if (probe.find("sm_80") != std::string::npos) return Unit::a100;
  if (probe.find("sm_90") != std::string::npos) return Unit::h100;
  return std::nullopt;
}

#define SKIP_WITHOUT_A_MODEL(unit) \
  if (!(unit)) GTEST_SKIP() << "no unit models this device bit for bit: neither sm_80 nor sm_90"

std::vector<std::unique_ptr<Subject>> subjects_on_device() {
  std::vector<std::unique_ptr<Subject>> all;
  const auto add = [&](std::vector<DescribedSubject> made) {
    for (DescribedSubject& each : made) {
      if (!form_named(each.subject->name())) continue;
      all.push_back(with_device(std::move(each.subject), program()));
    }
  };
  add(tiled_subjects());
  add(materialising_subjects());
  add(split_subjects());
  return all;
}

// NaNs of binary32 made alike: which NaN a GPU gives carries no meaning.
Tensor with_one_nan(Tensor tensor) {
  if (tensor.format() != Format::f32) return tensor;
  for (std::size_t at = 0; at < tensor.bytes().size(); at += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, tensor.bytes().data() + at, sizeof value);
    if (std::isnan(value)) value = std::numeric_limits<float>::quiet_NaN();
    std::memcpy(tensor.bytes().data() + at, &value, sizeof value);
  }
  return tensor;
}

bool declares_portable_functions(const Subject& subject) {
  return subject.name().find("approx") == std::string::npos;
}

TEST(OnDevice, KernelsGiveTheBitsOfTheModelledUnit) {
  SKIP_WITHOUT_DEVICE();
  const std::optional<Unit> unit = unit_of_device();
  SKIP_WITHOUT_A_MODEL(unit);
  const auto subjects = subjects_on_device();
  ASSERT_EQ(subjects.size(), static_cast<std::size_t>(kDeviceFormCount));
  for (const auto& subject : subjects) {
    if (!declares_portable_functions(*subject)) continue;
    int compared = 0;
    for (std::uint64_t index = 0; index < kCases; ++index) {
      const Case c = draw(kSeed, index);
      if (subject->unsupported(c.problem, Unit::device)) continue;
      const Inputs inputs = materialise(c);
      const Execution there = execute(*subject, c.problem, inputs, {.unit = Unit::device});
      const Execution here = execute(*subject, c.problem, inputs, {.unit = *unit});
      ASSERT_EQ(there.outcome.kind, RunOutcome::Kind::ran) << there.outcome.detail;
      EXPECT_EQ(with_one_nan(there.outputs.o), with_one_nan(here.outputs.o))
          << subject->name() << ' ' << to_string(c);
      EXPECT_EQ(with_one_nan(there.outputs.lse), with_one_nan(here.outputs.lse))
          << subject->name() << ' ' << to_string(c);
      ++compared;
    }
    // Decode takes few of the shapes.
    const bool narrow = subject->name() == kDecodeForm.name;
    EXPECT_GT(compared, narrow ? 0 : static_cast<int>(kCases) / 2) << subject->name();
  }
}

TEST(OnDevice, EveryKernelKeepsEveryLaw) {
  SKIP_WITHOUT_DEVICE();
  const auto subjects = subjects_on_device();
  std::vector<const Subject*> all;
  for (const auto& subject : subjects) all.push_back(subject.get());
  ASSERT_EQ(all.size(), static_cast<std::size_t>(kDeviceFormCount));
  const std::vector<const Law*> laws = every_law();
  int judged = 0;
  for (std::uint64_t index = 0; index < kCases; ++index) {
    const Case c = draw(kSeed + 1, index);
    for (const SubjectResult& result :
         check_case(c, materialise(c), all, laws, {.units = {Unit::device}}).subjects) {
      if (result.unsupported) continue;
      ++judged;
      EXPECT_EQ(verdict_of(result), Verdict::accept)
          << result.subject->name() << ' ' << to_string(c) << ' ' << result.trouble.detail;
    }
  }
  EXPECT_GT(judged, static_cast<int>(kCases));
}

template <class Element>
std::vector<Element> row_major(const Element* values, int count) {
  return {values, values + count};
}

// Some products as lines, and what the unit's model makes of them.
template <class Element>
void add_products(const std::string& element, const MatrixUnit& unit, std::ostream& lines,
                  std::vector<std::string>& modelled) {
  std::mt19937 engine(kSeed);
  constexpr int kEach = 250;
  constexpr Draw kDraws[] = {{0, 0, 0}, {0, 6, 0}, {-8, 2, -4, true}, {0, -1, 0}};
  for (const Draw& draw : kDraws) {
    for (int n = 0; n < kEach; ++n) {
      const auto product = draw_product<Element>(engine, draw);
      lines << element << ' ' << hex_of_values(row_major(&product.a[0][0], 16 * 16)) << ' '
            << hex_of_values(row_major(&product.b[0][0], 16 * 8)) << ' '
            << hex_of_values(row_major(&product.c[0][0], 16 * 8)) << '\n';
      const Sums sums = multiply(product, unit);
      modelled.push_back(hex_of_values(row_major(&sums.value[0][0], 16 * 8)));
    }
  }
}

// Which NaN comes out carries no meaning.
std::string with_one_nan(const std::string& hex) {
  std::vector<float> values = values_of_hex<float>(hex, hex.size() / 8);
  for (float& value : values) {
    if (std::isnan(value)) value = std::numeric_limits<float>::quiet_NaN();
  }
  return hex_of_values(values);
}

TEST(OnDevice, UnitModelsAgreeWithTheHardwaresOwnProducts) {
  SKIP_WITHOUT_DEVICE();
  const std::optional<Unit> unit = unit_of_device();
  SKIP_WITHOUT_A_MODEL(unit);
  const OwnFolder folder;
  std::vector<std::string> modelled;
  {
    std::ofstream lines(folder / "tiles");
    add_products<Fp16>("f16", *matrix_unit_of(*unit), lines, modelled);
    add_products<Bf16>("bf16", *matrix_unit_of(*unit), lines, modelled);
  }
  std::istringstream answers(
      said_by("/bin/sh", {"-c", R"(exec "$0" products < "$1")", program_path(), folder / "tiles"}));
  std::size_t compared = 0, different = 0;
  for (std::string line; std::getline(answers, line); ++compared) {
    ASSERT_LT(compared, modelled.size());
    ASSERT_EQ(line.size(), modelled[compared].size()) << line;
    different += with_one_nan(line) != with_one_nan(modelled[compared]);
  }
  EXPECT_EQ(compared, modelled.size());
  EXPECT_EQ(different, 0u) << "products that " << name_of(*unit) << " does not reproduce";
}

}  // namespace
}  // namespace attest::device_run_test
