#!/usr/bin/env python3
"""Plants the mutants of mutants.txt into a copy of the tree, all at once, and checks each.

  mutants.py plant TREE            rewrites the kernels of TREE: ATTEST_MUTANT=n then selects one
  mutants.py run PROGRAM [ID...] [-- OPTION...]
                                   checks each mutant (with options of attest check) until a case
                                   is not accepted, for $LIMIT seconds at most; a line of CSV each

A mutant is an expression or a statement of a kernel and what stands in its place. In the planted
tree every such place asks which mutant is on, so that one build serves all of them.
"""

import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SWITCH = """// Which mutant is on: $ATTEST_MUTANT, or 0 for none.
#pragma once

#include <cstdlib>

namespace attest {
inline const int kMutant = std::getenv("ATTEST_MUTANT") ? std::atoi(std::getenv("ATTEST_MUTANT")) : 0;
inline bool mutant(int n) { return kMutant == n; }
}  // namespace attest
"""


def read_table(path):
    """Blocks of id, @ code with the part to replace in @[ ]@, > replacement, # what it stands for."""
    mutants, subject, passes, file, block = [], None, None, None, []
    for line in open(path).read().split("\n") + [""]:
        if line.startswith("= "):
            subject, passes, file = line[2:].split()
        elif line.strip():
            block.append(line)
        elif block:
            name, code, to, about = block
            assert code[:2] == "@ " and to[:2] == "> " and about[:2] == "# ", block
            mutants.append(dict(id=name, n=len(mutants) + 1, subject=subject, passes=passes,
                                file=file, code=code[2:], to=to[2:], about=about[2:]))
            block = []
    names = [m["id"] for m in mutants]
    twice = {n for n in names if names.count(n) > 1}
    assert not twice, f"two mutants of one name: {sorted(twice)}"
    return mutants


def pattern_of(code):
    return r"\s*".join(re.escape(word) for word in code.split())


def span_of(mutant, text):
    before, rest = mutant["code"].split("@[")
    inside, after = rest.split("]@")
    parts = [pattern_of(p) for p in (before, inside, after)]
    found = list(re.finditer(r"{}\s*({})\s*{}".format(*parts), text))
    assert len(found) == 1, f"{mutant['id']}: its code stands {len(found)} times in {mutant['file']}"
    return found[0].span(1)


def replaced(text, start, end, spans):
    """text[start:end] with every span inside it turned into a choice."""
    out, at = [], start
    inner = [s for s in spans if start <= s[0] and s[1] <= end]
    outermost = [s for s in inner
                 if not any(o != s and o[0] <= s[0] and s[1] <= o[1] for o in inner)]
    for span in sorted(outermost):
        assert at <= span[0], f"mutants overlap: {[m['id'] for m in spans[span]]}"
        out.append(text[at:span[0]])
        within = {s: spans[s] for s in inner if s != span}
        body = replaced(text, span[0], span[1], within)
        for m in spans[span]:
            if text[span[1] - 1] in ";":
                body = f"if (::attest::mutant({m['n']})) {{ {m['to']} }} else {{ {body} }}"
            else:
                body = f"(::attest::mutant({m['n']}) ? ({m['to']}) : ({body}))"
        out.append(body)
        at = span[1]
    out.append(text[at:end])
    return "".join(out)


def plant(mutants, tree):
    with open(os.path.join(tree, "kernels/mutant_switch.hpp"), "w") as f:
        f.write(SWITCH)
    for file in sorted({m["file"] for m in mutants}):
        text = open(os.path.join(HERE, "../..", file)).read()
        spans = {}
        for m in mutants:
            if m["file"] == file:
                spans.setdefault(span_of(m, text), []).append(m)
        text = replaced(text, 0, len(text), spans)
        include = '#include "kernels/mutant_switch.hpp"\n'
        if "#pragma once\n" in text:
            text = text.replace("#pragma once\n", "#pragma once\n" + include, 1)
        else:
            text = include + text
        path = os.path.join(tree, file)
        if open(path).read() != text:
            open(path, "w").write(text)


def check(program, mutant, extra, limit):
    """The first case that is not accepted, and by which law."""
    with tempfile.TemporaryDirectory() as state:
        env = dict(os.environ, ATTEST_MUTANT=str(mutant["n"]), ATTEST_STATE_DIR=state)
        command = [program, "check", "--subject", mutant["subject"], "--pass", mutant["passes"],
                   "--seed", "1", "--shrink-time", "1s", "--jsonl", "/dev/stdout"] + extra
        start = time.time()
        job = subprocess.Popen(["timeout", str(limit)] + command, env=env, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        cases, fate, law, case, ratio = 0, "", "", "", ""
        for line in job.stdout:
            if not line.startswith('{"schema":"attest.case'):
                continue
            record = json.loads(line)
            for s in record["subjects"]:
                if "unsupported" in s:
                    continue
                cases += 1
                if s["verdict"] == "accept" or fate:
                    continue
                failed = {l: v for l, v in s.get("laws", {}).items() if v["verdict"] != "accept"}
                fate = s.get("ending", s["verdict"])
                law, case = "+".join(failed) or fate, record["case"]
                ratios = [float.fromhex(t["worst_ratio"]) for v in failed.values()
                          for t in v.get("judged", {}).values() if "worst_ratio" in t]
                ratio = f"{max(ratios):.3g}" if ratios else ""
            if fate:
                break
        job.terminate()
        job.stdout.close()
        status = job.wait()
        if not fate and status == 124:
            fate = "endless"
        elif not fate and status not in (0,):
            fate = f"status {status}"
        return dict(id=mutant["id"], fate=fate or "accepted", law=law, cases=cases,
                    ratio=ratio, seconds=round(time.time() - start, 1), case=case)


def main():
    mutants = read_table(os.path.join(HERE, "mutants.txt"))
    if sys.argv[1:2] == ["plant"] and len(sys.argv) == 3:
        plant(mutants, sys.argv[2])
        return
    if sys.argv[1:2] == ["run"] and len(sys.argv) >= 3:
        options = sys.argv[3:]
        extra = options[options.index("--") + 1:] if "--" in options else []
        wanted = options[:options.index("--")] if "--" in options else options
        out = csv.DictWriter(sys.stdout, ["id", "fate", "law", "cases", "ratio", "seconds", "case"])
        out.writeheader()
        for m in mutants:
            if not wanted or m["id"] in wanted:
                out.writerow(check(sys.argv[2], m, extra, os.environ.get("LIMIT", "300")))
                sys.stdout.flush()
        return
    sys.exit(__doc__)


if __name__ == "__main__":
    main()
