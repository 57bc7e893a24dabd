// Goal: no two headers define types of one name, which would link and crash. The rule is tried on
// planted headers first.
#include "tests/project/type_names.hpp"

#include <gtest/gtest.h>

namespace attest::project::type_names_test {
namespace {

std::vector<std::string> names_in(std::string_view text) {
  std::vector<std::string> names;
  for (const DefinedType& type : types_defined_in(text)) names.push_back(type.name);
  return names;
}

using Names = std::vector<std::string>;

TEST(TypeNames, AreFoundAtTheScopeOfANamespace) {
  EXPECT_EQ(names_in("namespace attest {\n"
                     "struct A { struct Inner { int x; }; };\n"
                     "class [[nodiscard]] B final : public A { class C {}; };\n"
                     "enum class D : int { one };\n"
                     "namespace deep::er { union E { int x; }; }\n"
                     "template <class T, struct U> struct F { T t; };\n"
                     "struct alignas(16) G { float x[4]; };\n"
                     "}\n"
                     "struct H {};\n"),
            (Names{"attest::A", "attest::B", "attest::D", "attest::deep::er::E", "attest::F",
                   "attest::G", "H"}));
}

TEST(TypeNames, AreNotThoseThatAreOnlyDeclaredOrUsed) {
  EXPECT_EQ(names_in("namespace attest {\n"
                     "class A;\n"
                     "enum class B : int;\n"
                     "struct sigaction action {};\n"
                     "inline void f(struct C* c) { struct D { int x; } d; }\n"
                     "template <> struct hash<A> { int x; };\n"
                     "namespace { struct E {}; }\n"
                     "namespace fs = std::filesystem;\n"
                     "}\n"
                     "// struct F {};\n"),
            Names{});
}

TEST(TypeNames, OfTwoHeadersMayNotBeAlike) {
  const std::string text = "namespace attest {\nstruct A {};\n}\n";
  const auto found = twin_types({{"core/a.hpp", text}, {"oracle/b.hpp", text}});
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0], "oracle/b.hpp:2: attest::A is defined in core/a.hpp, too");
  EXPECT_TRUE(twin_types({{"core/a.hpp", text}, {"core/a.cpp", text}}).empty());
  EXPECT_TRUE(twin_types({{"core/a.hpp", text}, {"core/a.cuh", text}}).empty());
  EXPECT_TRUE(twin_types({{"core/a.hpp", text + text}}).empty());
}

TEST(TypeNames, OfTheProjectDiffer) {
  const auto found = twin_types(project_files());
  EXPECT_TRUE(found.empty()) << lines(found);
}

}  // namespace
}  // namespace attest::project::type_names_test
