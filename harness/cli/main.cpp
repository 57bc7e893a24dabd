#include "harness/cli/commands.hpp"

int main(int argc, char** argv) { return attest::run_program(argc, argv); }
