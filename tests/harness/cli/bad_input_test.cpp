// Goal: whatever a user types wrongly ends with the documented status and one clear line on stderr
// that names the offending word.
#include <gtest/gtest.h>

#include <algorithm>

#include "core/file_bytes.hpp"
#include "fixtures/hdf5_file.hpp"
#include "fixtures/manifest.hpp"
#include "harness/campaign/goldens.hpp"
#include "tests/harness/cli/process.hpp"
#include "tests/harness/report/text_lines.hpp"

namespace attest::bad_input_test {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

const std::string kProblem =
    "attest1:b=1;hq=1;hk=1;nq=2;nk=3;dqk=1;dv=1;in=f16;out=f16;scale=0x1p+0;left=inf;right=inf;"
    "align=br;pass=fwd";
const std::string kCase = kProblem + ";family=F0;seed=1";

// The case with one piece of its text exchanged.
std::string with(const std::string& was, const std::string& now) {
  std::string text = kCase;
  return text.replace(text.find(was), was.size(), now);
}

// One line on stderr, with these words, and this status.
void expect_refusal(const Ran& ran, int status, const std::string& words) {
  EXPECT_EQ(ran.status, status) << ran.err;
  EXPECT_TRUE(ran.err.starts_with("attest: ")) << ran.err;
  EXPECT_EQ(std::ranges::count(ran.err, '\n'), 1) << ran.err;
  EXPECT_TRUE(holds(ran.err, words)) << ran.err << "should say: " << words;
  EXPECT_FALSE(holds(ran.out, "ACCEPTED")) << ran.out;
}

struct Row {
  Arguments arguments;
  const char* words;
};

TEST(BadInput, OnTheCommandLineIsAMatterOfUsage) {
  const Attest attest;
  const Row rows[] = {
      {{}, "A subcommand is required"},
      {{"chekc"}, "'chekc' means nothing here"},
      {{"check", "--subject", "plian"}, "unknown subject 'plian'; did you mean 'plain'?"},
      {{"check", "--subject", "./libmine.so"}, "a library of your own is plugin:./libmine.so"},
      {{"check", "--subject", "variant/none*"}, "no subject matches 'variant/none*'"},
      {{"check", "--html", "x.html"}, "--html"},
      {{"check", "now"}, "now"},
      {{"check", "--tier", "huge"}, "unknown tier 'huge'; known: smoke, standard, full, soak"},
      {{"check", "--unit", "h900"}, "unknown unit 'h900'; known: fp32-seq, exact-rn, "},
      {{"check", "--cases", "-1"}, "--cases: Value -1 not in range"},
      {{"check", "--cases", "many"}, "--cases: Value many"},
      {{"check", "--cases", "99999999999999999999"}, "--cases"},
      {{"check", "--budget", "5x"}, "--budget '5x' is not a time like 90s, 30m or 2h"},
      {{"check", "--budget", "0"}, "--budget '0' is not a time"},
      {{"check", "--budget", "-3m"}, "--budget '-3m' is not a time"},
      {{"check", "--seed", "x"}, "--seed 'x' is neither a number nor 'auto'"},
      {{"check", "--seed", "-1"}, "--seed '-1'"},
      {{"check", "--pass", "backward"}, "unknown pass 'backward'; known: fwd, bwd, both"},
      {{"check", "--filter", "law=speed"}, "unknown law 'speed'; known: accuracy, "},
      {{"check", "--filter", "family=F99"}, "unknown family 'F99'; known: F0, F1, "},
      {{"check", "--filter", "nk>=64;famly=F7"}, "unknown key 'famly'; known: b, hq, "},
      {{"check", "--filter", "nk>=x"}, "'>=' compares with one number (at offset 2)"},
      {{"check", "--json", "missing/report.json"}, "report file missing/report.json"},
      {{"check", "--junit", "missing/report.xml"}, "report file missing/report.xml"},
      {{"check", "--against", "missing.json"}, "earlier report missing.json: file missing.json"},
      {{"canaries", "--junit", "missing/report.xml"}, "report file missing/report.xml"},
      {{"canaries", "--subject", "plain"}, "subject 'plain' is no canary"},
      {{"canaries", "--tier", "huge"}, "unknown tier 'huge'"},
      {{"canaries", "--json", "missing/report.json"}, "report file missing/report.json"},
      {{"replay"}, "case is required"},
      {{"replay", kCase, "--subject", "plian"}, "unknown subject 'plian'"},
      {{"replay", kCase, "--unit", "h900"}, "unknown unit 'h900'"},
      {{"list"}, "list what? canaries, coverage, "},
      {{"judge", "."}, ". is not a regular file"},
      {{"list", "colours"},
       "unknown list 'colours'; known: canaries, coverage, families, laws, machine-faults, "
       "numerics, subjects"},
      {{"golden"}, "A subcommand is required"},
      {{"golden", "show", "nothing"}, "unknown golden 'nothing'; known: backward-causal-chunk, "},
  };
  for (const auto& [arguments, words] : rows) {
    SCOPED_TRACE(testing::PrintToString(arguments));
    expect_refusal(attest.run(arguments), 2, words);
  }
}

// A way that ends nowhere for root, too, as a forbidden folder does for all others.
TEST(BadInput, OfAReportThatCannotBeReachedIsAMatterOfUsage) {
  const Attest attest;
  fs::create_symlink("circle", attest.folder() / "circle");
  const std::string path = "circle/report.json";
  expect_refusal(attest.run({"check", "--json", path}), 2, "report file " + path + ": ");
  expect_refusal(attest.run({"canaries", "--json", path}), 2, "report file " + path + ": ");
  expect_refusal(attest.run({"check", "--json", "circle"}), 2, "report file circle: ");
}

TEST(BadInput, InACaseStringIsShownWithItsPlace) {
  const Attest attest;
  const struct {
    std::string text;
    const char* words;
  } rows[] = {
      {"nonsense", "starts with 'attest1:'"},
      {"attest2:b=1", "(at offset 0)"},
      {kProblem, "key 'family' or 'data' is missing (at offset 107)"},
      {with("nk=3", "nkeys=3"), "nkeys"},
      {with("nk=3", "nk=three"), "(at offset 30)"},
      {with("nk=3", "nk=-1"), "nk"},
      {with("nk=3", "nk=99999999999"), "nk=99999999999 is outside"},
      {with("nk=3;dqk=1", "nk=2147483648;dqk=2147483648"), "more than 2^33 elements"},
      {with("hq=1;hk=1", "hq=3;hk=2"), "hq=3 is no multiple of hk=2 (at offset 12)"},
      {with("in=f16", "in=f17"), "unknown format 'f17'; known: f64, f32, f16, bf16"},
      {with("scale=0x1p+0", "scale=nan"), "scale 'nan' is not a positive finite binary32"},
      {with("scale=0x1p+0", "scale=-0x1p+0"), "scale '-0x1p+0' is not a positive finite"},
      {with("scale=0x1p+0", "scale=inf"), "scale 'inf' is not a positive finite"},
      {with("align=br", "align=middle"), "middle"},
      {with("seed=1", "sed=1"), "unknown key 'sed'; known: family, seed, data (at offset 118)"},
      {with("seed=1", "seed=1;lk=3"), "lk"},
      {with("pass=fwd", "pass=up"), "up"},
      {with("pass=fwd", "pass=fwd;glse=yes"), "glse=yes needs pass=bwd"},
      {with("pass=fwd", "pass=bwd;glse=maybe"), "unknown glse 'maybe'"},
      {with("family=F0", "family=F99"), "unknown family 'F99'; known: F0, F1, "},
      {kProblem + ";data=q:3c,k:3c00,v:3c00", "tensor q needs 8 hexadecimal digits, got 2"},
  };
  for (const auto& [text, words] : rows) {
    for (const char* command : {"replay", "oracle"}) {
      SCOPED_TRACE(command + (" " + text));
      expect_refusal(attest.run({command, text}), 2, words);
    }
  }
}

TEST(BadInput, OfAMissingDataFileIsAMatterOfUsage) {
  const Attest attest;
  const std::string digest(64, 'a');
  const Ran ran = attest.run({"replay", kProblem + ";data=sha256:" + digest});
  expect_refusal(ran, 2, (attest.state() / (digest + ".h5")).string() + " does not exist");
}

TEST(BadInput, InTheCounterexampleListIsShownWithItsLine) {
  const Attest attest;
  fs::create_directories(attest.state());
  std::ofstream(attest.state() / "counterexamples.txt") << "# a comment\n" << kCase << " plain\n";
  expect_refusal(attest.run({"check", "--subject", "plain", "--cases", "0"}), 2,
                 "counterexamples.txt:2: ");
}

TEST(Unsupported, IsNeitherUsageNorAcceptance) {
  const Attest attest;
  const Arguments rows[] = {
      {"replay", with("in=f16", "in=f64")},
      {"replay", with("out=f16", "out=f64"), "--subject", "canary/none"},
      {"replay", kCase, "--subject", "plain", "--unit", "h100"},
      {"check", "--subject", "plain", "--unit", "h100", "--cases", "4"},
      {"check", "--unit", "device", "--cases", "4"},
  };
  for (const Arguments& arguments : rows) {
    const Ran ran = attest.run(arguments);
    EXPECT_EQ(ran.status, 5) << testing::PrintToString(arguments) << ran.out << ran.err;
    EXPECT_EQ(ran.err, "");
    EXPECT_FALSE(holds(ran.out, "ACCEPTED")) << ran.out;
  }
}

// Goldens are ours, so whatever is wrong with them is our fault: status 4.
class BadGoldens : public testing::Test {
 protected:
  BadGoldens() : goldens_(attest_.folder() / "goldens") {
    fs::copy(golden_folder(), goldens_, fs::copy_options::recursive);
    attest_.set("ATTEST_GOLDEN_DIR", goldens_.string());
  }

  void expect_refusals(const std::string& words) const {
    expect_refusal(attest_.run({"check", "--subject", "plain", "--cases", "1"}), 4, words);
    expect_refusal(attest_.run({"golden", "verify"}), 4, words);
  }

  Attest attest_;
  fs::path goldens_;
};

TEST_F(BadGoldens, WithAFlippedByteAreRefused) {
  flip_byte(goldens_ / "one-key.h5", 2000);
  expect_refusals("one-key.h5 has SHA-256 ");
}

TEST_F(BadGoldens, OfWhichOneIsMissingAreRefused) {
  fs::remove(goldens_ / "one-key.h5");
  expect_refusals("one-key.h5");
}

TEST_F(BadGoldens, WithoutTheirFolderAreRefused) {
  fs::remove_all(goldens_);
  expect_refusals((goldens_ / "MANIFEST").string() + " does not exist");
}

TEST_F(BadGoldens, OfANewerSchemaAreRefused) {
  const fs::path file = goldens_ / "one-key.h5";
  Hdf5Contents contents = read_hdf5(read_file(file, Blame::ours), "one-key");
  contents.integers["schema"] = 2;
  write_hdf5(file, contents, "one-key");
  write_manifest(goldens_);
  expect_refusals("one-key.h5 has schema 2, this attest reads up to 1");
}

}  // namespace
}  // namespace attest::bad_input_test
