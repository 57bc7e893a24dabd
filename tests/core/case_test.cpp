// Goal: any case prints a string that reads back to the same bits, and a damaged string either is
// refused with the place of the damage or names another case just as exactly.
#include "core/case.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/core/arbitrary_case.hpp"
#include "tests/core/refusal.hpp"

namespace attest::case_test {
namespace {

const std::string kProblem =
    "attest1:b=2;hq=6;hk=2;nq=63;nk=130;dqk=64;dv=64;in=f16;out=f16;scale=0x1p-3;left=inf;"
    "right=0;align=br;lq=63,10;lk=130,7;pass=fwd";
const std::string kDrawn = kProblem + ";family=F7;seed=42";

// One query, two keys, one feature and value: q = 1, k = 1 and 2, v = -1 and -2.
const std::string kTiny =
    "attest1:b=1;hq=1;hk=1;nq=1;nk=2;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;right=inf;"
    "align=tl;pass=fwd";
const std::string kLiteral = kTiny + ";data=q:3c00,k:3c004000,v:bc00c000";

Refusal refusal_of_text(const std::string& text) {
  return refusal_of([&] { (void)parse_case(text); });
}

void refuses(const std::string& text, std::size_t offset, const std::string& words) {
  const Refusal refusal = refusal_of_text(text);
  EXPECT_TRUE(refusal.at(offset)) << text << ": " << refusal.message;
  EXPECT_TRUE(refusal.says(words)) << text << ": " << refusal.message;
}

// True if `text` was refused, blaming the user at a place inside it; false if it is a case whose
// own string names it. Anything else is an assertion that fails.
bool refused_or_exact(const std::string& text) {
  try {
    const Case read = parse_case(text);
    RC_ASSERT(parse_case(to_string(read)) == read);
    RC_ASSERT(to_string(parse_case(to_string(read))) == to_string(read));
    return false;
  } catch (const Error& error) {
    const std::string message = error.what();
    const std::size_t at = message.rfind("(at offset ");
    RC_ASSERT(error.blame() == Blame::usage);
    RC_ASSERT(at != std::string::npos);
    RC_ASSERT(std::stoul(message.substr(at + 11)) <= text.size());
    return true;
  }
}

void survives_every_deletion(const Case& c) {
  const std::string text = to_string(c);
  int refused = 0;
  for (std::size_t n = 0; n < text.size(); ++n) {
    refused += refused_or_exact(text.substr(0, n) + text.substr(n + 1));
  }
  // Most characters belong to keys and separators, which nobody can do without.
  RC_ASSERT(refused > 50);
}

RC_GTEST_PROP(CaseLaw, ADrawnCaseReadsBackToItself, ()) {
  const Case c = *any_case(DataForm::family);
  RC_ASSERT(parse_case(to_string(c)) == c);
}

RC_GTEST_PROP(CaseLaw, ACaseInAFileReadsBackToItself, ()) {
  const Case c = *any_case(DataForm::file);
  RC_ASSERT(parse_case(to_string(c)) == c);
}

RC_GTEST_PROP(CaseLaw, ALiteralCaseReadsBackToItsBits, ()) {
  const Case c = *any_case(DataForm::literal);
  RC_ASSERT(parse_case(to_string(c)) == c);
}

RC_GTEST_PROP(CaseLaw, ADrawnCaseSurvivesEveryDeletionOfACharacter, ()) {
  survives_every_deletion(*any_case(DataForm::family));
}

RC_GTEST_PROP(CaseLaw, ACaseInAFileSurvivesEveryDeletionOfACharacter, ()) {
  survives_every_deletion(*any_case(DataForm::file));
}

RC_GTEST_PROP(CaseLaw, ALiteralCaseSurvivesEveryDeletionOfACharacter, ()) {
  survives_every_deletion(*any_case(DataForm::literal));
}

RC_GTEST_PROP(CaseLaw, AnyCaseSurvivesAnyReplacedCharacter, ()) {
  const auto form = *rc::gen::element(DataForm::family, DataForm::file, DataForm::literal);
  const std::string text = to_string(*any_case(form));
  for (std::size_t n = 0; n < text.size(); ++n) {
    std::string damaged = text;
    damaged[n] = static_cast<char>(*between(1, 255));
    (void)refused_or_exact(damaged);
  }
}

TEST(Case, OfTheInterfacesReadsAsWritten) {
  const Case c = parse_case(kDrawn);
  EXPECT_EQ(to_string(c), kDrawn);
  EXPECT_EQ(std::get<FamilyData>(c.data).family, "F7");
  EXPECT_EQ(std::get<FamilyData>(c.data).seed, 42u);
}

TEST(Case, LiteralDataIsRowMajorBitsWithTheMostSignificantDigitFirst) {
  const Case c = parse_case(kLiteral);
  const auto& inputs = std::get<Inputs>(c.data);
  EXPECT_EQ(inputs.q.view().value(0, 0, 0, 0), 1.0);
  EXPECT_EQ(inputs.k.view().value(0, 0, 0, 0), 1.0);
  EXPECT_EQ(inputs.k.view().value(0, 0, 1, 0), 2.0);
  EXPECT_EQ(inputs.v.view().value(0, 0, 0, 0), -1.0);
  EXPECT_EQ(inputs.v.view().value(0, 0, 1, 0), -2.0);
  EXPECT_EQ(to_string(c), kLiteral);
}

TEST(Case, LiteralDataOfEveryFormatReadsBackFromAThreeByFiveProblem) {
  for (const Format format : kFormats) {
    Problem problem;
    problem.heads_q = 4;
    problem.heads_k = 2;
    problem.n_q = 3;
    problem.n_k = 5;
    problem.d_qk = 2;
    problem.in = format;
    Inputs inputs = zero_inputs(problem);
    unsigned char byte = 1;
    for (Tensor* tensor : {&inputs.q, &inputs.k, &inputs.v}) {
      for (std::byte& target : tensor->bytes())
        target = std::byte{byte = static_cast<unsigned char>(byte * 167 + 13)};
    }
    const Case c{problem, inputs};
    EXPECT_EQ(parse_case(to_string(c)), c) << shape_of(format).name;
  }
}

TEST(Case, LiteralDataOfABackwardPassHoldsTheGradientsOfOAndLse) {
  const std::string problem = kTiny.substr(0, kTiny.rfind("fwd")) + "bwd;glse=yes";
  const std::string text = problem + ";data=q:3c00,k:3c004000,v:bc00c000,dout:4200,glse:3f000000";
  const Case c = parse_case(text);
  EXPECT_EQ(to_string(c), text);
  const Inputs& inputs = std::get<Inputs>(c.data);
  EXPECT_EQ(inputs.dout.view().value(0, 0, 0, 0), 3);
  EXPECT_EQ(inputs.glse.view().value(0, 0, 0, 0), 0.5);
  refuses(text.substr(0, text.rfind(",glse")), text.rfind(",glse"), "',' is missing");
}

TEST(Case, LiteralDataMayBeEmpty) {
  Problem problem;
  problem.n_q = 0;
  problem.n_k = 0;
  const Case c{problem, zero_inputs(problem)};
  EXPECT_EQ(to_string(c), to_string(problem) + ";data=q:,k:,v:");
  EXPECT_EQ(parse_case(to_string(c)), c);
}

TEST(Case, LiteralDataEndsAtFourKibibytes) {
  Problem problem;
  problem.d_qk = 512;
  problem.n_q = 3;  // 1536 of q, 512 of k, 1 of v, in f16: two bytes too many
  problem.n_k = 1;
  EXPECT_EQ(bytes_of(zero_inputs(problem)), kLargestLiteral + 2);
  const std::string text = to_string(problem) + ";data=q:" + std::string(4 * 1536, '0') +
                           ",k:" + std::string(4 * 512, '0') + ",v:0000";
  refuses(text, to_string(problem).size() + 1, "is over 4096 bytes");
  EXPECT_DEATH((void)to_string(Case{problem, zero_inputs(problem)}), "broken contract");

  problem.d_qk = 511;
  problem.n_q = 3;
  problem.d_v = 4;  // 4 * 511 + 4 = 2048 elements: just full
  const Case full{problem, zero_inputs(problem)};
  EXPECT_EQ(bytes_of(std::get<Inputs>(full.data)), kLargestLiteral);
  EXPECT_EQ(parse_case(to_string(full)), full);
}

TEST(CaseDeathTest, LiteralDataOfAnotherShapeBreaksTheContract) {
  Problem problem;
  const Inputs inputs = zero_inputs(problem);
  problem.n_k = 2;
  EXPECT_DEATH((void)to_string(Case{problem, inputs}), "broken contract");
}

TEST(CaseText, IsRefusedAtItsEndWhereTheDataIsMissing) {
  refuses(kProblem, kProblem.size(), "key 'family' or 'data' is missing");
  refuses(kProblem + ";family=F7", kProblem.size() + 10, "key 'seed' is missing after 'family'");
}

TEST(CaseText, IsRefusedWhereItsKeyIsUnknownAndListsTheKnownOnes) {
  const std::size_t next = kProblem.size() + 1;
  refuses(kProblem + ";famly=F7;seed=42", next, "unknown key 'famly'; known: family, seed, data");
  refuses(kProblem + ";family=F7;sed=42", next + 10,
          "unknown key 'sed'; known: family, seed, data");
  refuses(kDrawn + ";more=1", kDrawn.size() + 1, "unknown key 'more'");
  refuses(kDrawn + ";seed=42", kDrawn.size() + 1, "'seed'");
  refuses(kDrawn + ";", kDrawn.size() + 1, "'' is not key=value");
  refuses(kLiteral + ";seed=1", kLiteral.size() + 1, "'seed'");
  refuses("attest1:" + kDrawn, 8, "unknown key 'attest1:b'");
}

TEST(CaseText, TakesEverySeedOfSixtyFourBitsAndNoOther) {
  const std::string head = kProblem + ";family=F7;seed=";
  EXPECT_EQ(std::get<FamilyData>(parse_case(head + "18446744073709551615").data).seed,
            18446744073709551615u);
  for (const char* seed : {"18446744073709551616", "-1", "+1", "", " 1", "1 ", "0x1", "1.0"}) {
    refuses(head + seed, head.size(), "is no integer of 64 bits without sign");
  }
}

TEST(CaseText, IsRefusedAtTheDigitThatIsWrong) {
  const std::size_t data = kTiny.size() + 6;  // where the value of "data" starts
  refuses(kTiny + ";data=q:3c0,k:3c004000,v:bc00c000", data + 5,
          "tensor q needs 4 hexadecimal digits, got 3");
  refuses(kTiny + ";data=q:3c00,k:3c004000,v:bc00c00", data + 27,
          "tensor v needs 8 hexadecimal digits, got 7");
  refuses(kTiny + ";data=q:3C00,k:3c004000,v:bc00c000", data + 3, "hexadecimal");
  refuses(kTiny + ";data=q:3c000,k:3c004000,v:bc00c000", data + 6, "',' is missing");
  refuses(kTiny + ";data=k:3c004000,q:3c00,v:bc00c000", data, "'q:' is missing");
  refuses(kTiny + ";data=q:3c00,v:3c004000,k:bc00c000", data + 7, "'k:' is missing");
  refuses(kTiny + ";data=q:3c00,k:3c004000", data + 17, "',' is missing");
  refuses(kLiteral + "00", kLiteral.size(), "text after the data");
  refuses(kLiteral + ",dout:3c00", kLiteral.size(), "text after the data");
}

TEST(CaseText, TakesOnlyADigestOfSixtyFourSmallHexDigits) {
  const std::string head = kTiny + ";data=sha256:";
  const std::string digest(64, 'a');
  EXPECT_EQ(std::get<FileData>(parse_case(head + digest).data).sha256, digest);
  for (const std::string& wrong : {digest + "a", digest.substr(1), std::string(64, 'A'),
                                   std::string(63, 'a') + "g", std::string()}) {
    refuses(head + wrong, head.size(), "no SHA-256 of 64 digits");
  }
}

TEST(CaseText, IsRefusedBeforeDataBeyondCountingIsRead) {
  const std::string most = "2147483648";
  const std::string text = "attest1:b=" + most + ";hq=" + most + ";hk=" + most + ";nq=4;nk=4" +
                           ";dqk=1;dv=1;in=f16;out=f16;scale=0x1p-3;left=inf;right=0;align=br;" +
                           "pass=fwd;data=q:,k:,v:";
  const Refusal refusal = refusal_of_text(text);
  EXPECT_TRUE(refusal.says("elements")) << refusal.message;
  EXPECT_EQ(refusal.blame, Blame::usage);
}

}  // namespace
}  // namespace attest::case_test
