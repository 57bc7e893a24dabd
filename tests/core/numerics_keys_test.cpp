// Goal: each key of a declaration knows its own values, and says which where it is given another.
#include "core/numerics_keys.hpp"

#include <gtest/gtest.h>

#include "tests/core/refusal.hpp"

namespace attest::numerics_keys_test {
namespace {

TEST(NumericsKeys, PrintNoValueAsUnknown) {
  for (const NumericsKey& key : numerics_key_table()) {
    EXPECT_EQ(key.print(Numerics{}), kUnknownField) << key.key;
    Numerics numerics;
    EXPECT_FALSE(key.read(numerics, kUnknownField)) << key.key;
  }
}

TEST(NumericsKeys, IsRefusedWhereAValueIsNoneOfItsKey) {
  for (const char* entry : {"unit=p100",
                            "scale_at=q",
                            "scale_at=q:fp16",
                            "scale_at=q:e4m3",
                            "scale_at=k:f16",
                            "c=twice",
                            "s_store=f64",
                            "exponent=",
                            "exp2=-0x1p-20",
                            "exp2=1",
                            "exp2=nan",
                            "exp2=inf",
                            "exp2=few",
                            "exp_ftz=true",
                            "p_format=half",
                            "p_truncated=1",
                            "p_normalised=after_pv",
                            "l_from=p",
                            "l_chain=lanes:0",
                            "l_chain=lanes:-4",
                            "l_chain=lanes:",
                            "l_chain=4",
                            "tile_k=0",
                            "tile_k=-64",
                            "tile_k=6 4",
                            "tile_k=99999999999999999999",
                            "max=lazy",
                            "max=lazy:0",
                            "max=lazy:14.5",
                            "max=8",
                            "divide=fast",
                            "o_format=f8",
                            "o_rounding=up",
                            "lse_format=f128",
                            "log=1",
                            "log=exact",
                            "split=f16",
                            "split=normalised",
                            "part_k=0",
                            "combine=sum",
                            "d_source=o",
                            "p_in_ds=f16",
                            "dq_sum=atomic",
                            "dq_sum=ordered:0",
                            "dq_sum=any:64",
                            "group_sum=per_head:half",
                            "ftz=YES",
                            "ftz= yes"}) {
    const std::string text = std::string("ftz=no;") + entry;
    const std::string twice = std::string(entry).substr(0, 4) == "ftz=" ? entry : text;
    const Refusal refusal = refusal_of([&] { (void)parse_numerics(twice); });
    EXPECT_TRUE(refusal.at(twice.rfind('=') + 1)) << entry << ": " << refusal.message;
  }
}

TEST(NumericsKeys, ListsTheKnownValues) {
  const struct {
    std::string text;
    std::string words;
  } refusals[] = {
      {"exponent=fast", "known: difference_first, scaled_max, product_first, fused, unknown"},
      {"ftz=maybe", "known: yes, no, unknown"},
      {"p_format=half", "known: f64, f32, f16, bf16, unknown"},
      {"p_format=e4m3", "known: f64, f32, f16, bf16, unknown"},
      {"unit=p100", "known: fp32-seq, exact-rn, v100, a100, h100, device, unknown"},
      {"dq_sum=sum", "known: one_chain:<keys>, ordered:<keys>, atomic:<keys>, unknown"},
      {"group_sum=f32", "known: one_chain, per_head:<format>, unknown"},
      {"l_chain=4", "known: sequential, lanes:<count>, unknown"},
  };
  for (const auto& [text, words] : refusals) {
    const Refusal refusal = refusal_of([&] { (void)parse_numerics(text); });
    EXPECT_TRUE(refusal.says(words)) << refusal.message;
  }
}

}  // namespace
}  // namespace attest::numerics_keys_test
