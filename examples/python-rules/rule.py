"""The adapter: one answer of the gateway per line in, the verdict of the validator per line out."""

import json
import sys

from backend.llm.response_validator import ResponseValidator, validate_diagnostic_sequence
from backend.tools import ToolRegistry


def judge(answer):
    calls = answer.get("tool_calls", [])
    validator = ResponseValidator(ToolRegistry(answer.get("tools", [])))
    response = {"content": answer["text"], "tool_calls": calls}
    results = [validator.validate_response(response, answer.get("expected_sequence")), validate_diagnostic_sequence(calls)]
    errors = [{"severity": "error", "message": text} for one in results for text in one.errors]
    return errors + [{"severity": "warning", "message": text} for one in results for text in one.warnings]


for line in sys.stdin:
    answer = json.loads(line)
    try:
        reply = {"issues": judge(answer)}
    except Exception as failure:  # A validator that crashed has not judged the answer.
        reply = {"error": repr(failure)}
    print(json.dumps({"id": answer["id"], **reply}), flush=True)
