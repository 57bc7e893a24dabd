// Goal: the list of kernels names each once, for every form, element and head dimension, and both
// compilers' spellings of a kernel's type meet.
#include "kernels/device/registry.hpp"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <set>
#include <tuple>

#include "kernels/attention/tile_plan.hpp"
#include "kernels/device/forms.hpp"

namespace attest::registry_test {
namespace {

// How many kernels a form has for each element and each padded head dimension.
int kernels_a_head_dim(int form) {
  if (form < kFirstMaterialising) return 1;
  if (form < kFirstSplit) return 2;
  return form == kFirstSplit || form == kDecode ? 1 : 0;  // the other forms of split share these
}
// And for each element, whatever the head dimension: the softmax of short and of long rows, and the
// merge of parts.
int kernels_of_any_head_dim(int form) {
  if (form < kFirstMaterialising) return 0;
  if (form < kFirstSplit) return 2;
  return form == kFirstSplit ? 1 : 0;
}

TEST(Registry, HoldsEveryKernelOfEveryFormElementAndHeadDimensionOnce) {
  std::map<std::tuple<int, std::string_view, int>, int> count;
  std::set<std::string> types;
  for (const DeviceKernel& kernel : device_kernels()) {
    EXPECT_TRUE(types.insert(kernel.type).second) << kernel.type;
    ++count[{kernel.form, kernel.element, kernel.head_dim}];
  }
  std::size_t in_forms = 0;
  for (int form = 0; form < kDeviceFormCount; ++form) {
    for (const char* element : {"f16", "bf16"}) {
      for (const int head_dim : kHeadDims) {
        EXPECT_EQ((count[{form, element, head_dim}]), kernels_a_head_dim(form))
            << name_of_form(form) << ' ' << element << ' ' << head_dim;
      }
      EXPECT_EQ((count[{form, element, kAnyHeadDim}]), kernels_of_any_head_dim(form));
      in_forms += std::size(kHeadDims) * static_cast<std::size_t>(kernels_a_head_dim(form)) +
                  static_cast<std::size_t>(kernels_of_any_head_dim(form));
    }
  }
  static_assert(kDeviceFormCount <= kBackward);
  for (const DqBy dq : kWaysToSumDq) {
    const bool atomic = dq == DqBy::atomic_sums;
    const int form = kBackward + static_cast<int>(dq);
    for (const char* element : {"f16", "bf16"}) {
      for (const int head_dim : kHeadDims) {
        EXPECT_EQ((count[{form, element, head_dim}]), atomic ? 1 : 2) << form;
      }
      EXPECT_EQ((count[{form, element, kAnyHeadDim}]), atomic ? 2 : 1) << form;
      in_forms += std::size(kHeadDims) * (atomic ? 1 : 2) + (atomic ? 2 : 1);
    }
  }
  constexpr std::size_t kMeasurements = 3;
  EXPECT_EQ(types.size(), in_forms + kMeasurements);
}

TEST(Registry, NamesEveryFormOnce) {
  std::set<std::string_view> names;
  for (int form = 0; form < kDeviceFormCount; ++form) {
    EXPECT_TRUE(names.insert(name_of_form(form)).second) << name_of_form(form);
  }
}

TEST(Registry, SpellsATypeAlikeForBothCompilers) {
  constexpr const char* kPlain = "Kernel<Fp16, 64, Config{(Exponent)0, false, 4}>";
  EXPECT_EQ(plain_kernel_type("attest::cpu::Kernel<attest::Fp16, 64, "
                              "attest::Config{(attest::Exponent)0, false, 4}>"),
            kPlain);
  EXPECT_EQ(plain_kernel_type("void attest::gpu::run_kernel<attest::gpu::Kernel<attest::Fp16, 64, "
                              "attest::Config{(attest::Exponent)0, false, 4, (attest::Fault)0, "
                              "false, 0}> >(attest::gpu::Kernel<attest::Fp16, 64, "
                              "attest::Config{(attest::Exponent)0, false, 4, (attest::Fault)0, "
                              "false, 0}>)"),
            kPlain);
}

TEST(Registry, SpellsATypeWithoutArgumentsAlikeToo) {
  EXPECT_EQ(
      plain_kernel_type("void attest::gpu::run_kernel<attest::gpu::Kernel>(attest::gpu::Kernel)"),
      plain_kernel_type("attest::cpu::Kernel"));
}

TEST(Registry, KeepsWhatIsNotZeroApart) {
  EXPECT_NE(plain_kernel_type("Kernel<Config{4, 1}>"), plain_kernel_type("Kernel<Config{4}>"));
  EXPECT_NE(plain_kernel_type("Kernel<Config{4, 10}>"), plain_kernel_type("Kernel<Config{4, 1}>"));
  EXPECT_NE(plain_kernel_type("Kernel<Config{(E)2}>"), plain_kernel_type("Kernel<Config{(E)1}>"));
}

}  // namespace
}  // namespace attest::registry_test
