"""Check a Rules Submission, and the same one with a seat too many."""

import pitboss

text = pitboss.template("four-card-poker", "2024-06-01")
for filed in (text, text.replace("\nseats = 7", "\nseats = 8")):
    findings = pitboss.check_submission(pitboss.load_submission(filed))
    print(len(findings), "findings, of them errors:")
    print(*(f"  {finding}" for finding in findings if finding.severity == "error"), sep="\n")
