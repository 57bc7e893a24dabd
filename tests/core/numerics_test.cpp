// Goal: a declaration of arithmetic crosses every interface as text and arrives as it was, and a
// text that declares something unknown is refused with the known words.
#include "core/numerics.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <bit>
#include <vector>

#include "tests/core/refusal.hpp"

namespace attest::numerics_test {

void showValue(const Numerics& numerics, std::ostream& os) { os << to_string(numerics); }

namespace {

// One of the values, or nothing.
template <class Value, class... Values>
std::optional<Value> one_of(Value first, Values... rest) {
  if (*rc::gen::inRange(0, 5) == 0) return std::nullopt;
  return *rc::gen::elementOf(std::vector<Value>{first, rest...});
}

// Any binary64 in [0, 1).
double any_relative_error() {
  const auto bits = *rc::gen::resize(
      rc::kNominalSize, rc::gen::inRange<std::uint64_t>(0, std::bit_cast<std::uint64_t>(1.0)));
  return std::bit_cast<double>(bits);
}

rc::Gen<Numerics> any_numerics() {
  return rc::gen::exec([] {
    const Index many = *rc::gen::inRange<Index>(2, 5000);
    Numerics n;
    n.unit =
        one_of(Unit::fp32_seq, Unit::exact_rn, Unit::v100, Unit::a100, Unit::h100, Unit::device);
    n.scale_at = one_of(ScaleAt{}, ScaleAt{Format::f64}, ScaleAt{Format::f32}, ScaleAt{Format::f16},
                        ScaleAt{Format::bf16});
    n.c = one_of(ConstantRounding::once, ConstantRounding::log2e_first);
    n.s_store = one_of(ScoreStore::none, ScoreStore::f32, ScoreStore::f16, ScoreStore::bf16);
    n.exponent = one_of(Exponent::difference_first, Exponent::scaled_max, Exponent::product_first,
                        Exponent::fused);
    n.exp2 = one_of(any_relative_error(), 0x1p-22);
    n.exp_ftz = one_of(true, false);
    n.p_format = one_of(Format::f64, Format::f32, Format::f16, Format::bf16);
    n.p_truncated = one_of(true, false);
    n.p_normalised = one_of(PNormalised::after_pv, PNormalised::before_pv);
    n.l_from = one_of(LFrom::unrounded, LFrom::rounded);
    n.l_chain = one_of(LChain{}, LChain{many});
    n.tile_k = one_of(Index{1}, many);
    n.order = one_of(TileOrder::ascending, TileOrder::any);
    n.max = one_of(RowMax{}, RowMax{8}, RowMax{0.5});
    n.divide = one_of(Divide::exact, Divide::reciprocal, Divide::approx);
    n.o_format = one_of(Format::f64, Format::f32, Format::f16, Format::bf16);
    n.o_rounding = one_of(Rounding::nearest_even, Rounding::toward_zero);
    n.lse_format = one_of(Format::f64, Format::f32, Format::f16, Format::bf16);
    n.log = one_of(LogError{}, LogError{.approx = true},
                   LogError{.approx = false, .relative = any_relative_error()});
    n.ftz = one_of(true, false);
    n.o_ftz = one_of(true, false);
    n.split = one_of(SplitKeys{}, SplitKeys{Format::f32}, SplitKeys{Format::bf16});
    n.part_k = one_of(Index{1}, many);
    n.combine = one_of(Combine::divide, Combine::exp_lse);
    n.d_source = one_of(DSource::stored_o, DSource::f32_o, DSource::p_dp);
    n.p_in_ds = one_of(PInDs::f32, PInDs::rounded);
    n.ds_format = one_of(Format::f64, Format::f32, Format::f16, Format::bf16);
    n.dq_sum = one_of(DqSum{DqSum::Kind::one_chain, many}, DqSum{DqSum::Kind::ordered, 1},
                      DqSum{DqSum::Kind::atomic, many});
    n.tile_q = one_of(Index{1}, many);
    n.group_sum = one_of(GroupSum{}, GroupSum{Format::f32}, GroupSum{Format::f16});
    n.dot_order = one_of(DotOrder::ascending, DotOrder::any);
    return n;
  });
}

RC_GTEST_PROP(NumericsLaw, TextReadsBackToTheSameDeclaration, ()) {
  const Numerics numerics = *any_numerics();
  RC_ASSERT(parse_numerics(to_string(numerics)) == numerics);
}

RC_GTEST_PROP(NumericsLaw, EntriesMayComeInAnyOrder, ()) {
  const Numerics numerics = *any_numerics();
  const std::string text = to_string(numerics);
  const std::size_t cut = text.find(';', *rc::gen::inRange<std::size_t>(0, text.size() / 2));
  RC_ASSERT(parse_numerics(text.substr(cut + 1) + ";" + text.substr(0, cut)) == numerics);
}

TEST(Numerics, PrintsEveryFieldEvenTheUnknownOnes) {
  EXPECT_EQ(to_string(Numerics{}),
            "unit=unknown;scale_at=unknown;c=unknown;s_store=unknown;exponent=unknown;"
            "exp2=unknown;exp_ftz=unknown;p_format=unknown;p_truncated=unknown;"
            "p_normalised=unknown;l_from=unknown;l_chain=unknown;tile_k=unknown;order=unknown;"
            "max=unknown;divide=unknown;"
            "o_format=unknown;o_rounding=unknown;lse_format=unknown;log=unknown;ftz=unknown;"
            "o_ftz=unknown;split=unknown;part_k=unknown;combine=unknown;d_source=unknown;"
            "p_in_ds=unknown;ds_format=unknown;dq_sum=unknown;tile_q=unknown;group_sum=unknown;"
            "dot_order=unknown");
}

TEST(Numerics, OfTheInterfacesReadsAsWritten) {
  const Numerics n = parse_numerics("unit=h100;exponent=difference_first");
  EXPECT_EQ(n.unit, Unit::h100);
  EXPECT_EQ(n.exponent, Exponent::difference_first);
  EXPECT_EQ(n.p_format, std::nullopt);
}

TEST(Numerics, AbsentKeysAreUnknown) { EXPECT_EQ(parse_numerics(""), Numerics{}); }

TEST(Numerics, UnitAliasesAreUnderstood) {
  EXPECT_EQ(parse_numerics("unit=b200").unit, Unit::h100);
}

TEST(NumericsText, IsRefusedWhereItsKeyIsUnknownAndListsTheKnownOnes) {
  const Refusal refusal = refusal_of([] { (void)parse_numerics("unit=h100;exponents=fused"); });
  EXPECT_TRUE(refusal.at(10)) << refusal.message;
  EXPECT_TRUE(refusal.says(
      "unknown key 'exponents'; known: unit, scale_at, c, s_store, exponent, "
      "exp2, exp_ftz, p_format, p_truncated, p_normalised, l_from, l_chain, "
      "tile_k, order, max, divide, o_format, o_rounding, lse_format, log, ftz, o_ftz, split, "
      "part_k, combine, d_source, p_in_ds, ds_format, dq_sum, tile_q, group_sum, "
      "dot_order"))
      << refusal.message;
}

TEST(NumericsText, IsRefusedAtAKeyThatComesTwice) {
  for (const char* text : {"unit=h100;ftz=no;unit=a100", "unit=h100;ftz=no;unit=unknown"}) {
    const Refusal refusal = refusal_of([&] { (void)parse_numerics(text); });
    EXPECT_TRUE(refusal.at(17)) << refusal.message;
    EXPECT_TRUE(refusal.says("'unit' comes twice")) << refusal.message;
  }
}

}  // namespace
}  // namespace attest::numerics_test
