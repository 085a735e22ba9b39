"""The loop of the plan, with the gateway as its model."""

import asyncio
import json
import logging
import os
import sys
from types import SimpleNamespace
from urllib.request import Request, urlopen

from backend.llm.response_validator import ResponseValidator, validate_diagnostic_sequence
from backend.tools import ToolRegistry

logging.basicConfig(stream=sys.stdout, format="%(levelname)s %(message)s")
logger = logging.getLogger("techtime.llm.gluellm_wrapper")

NAMES = ["check_adapter_status", "get_ip_config", "ping_gateway", "ping_dns", "test_dns_resolution"]
TOOLS = [{"type": "function", "function": {"name": name, "parameters": {"type": "object", "properties": {}}}} for name in NAMES]


class GlueLLMWrapper:
    def __init__(self, tools):
        self._tools = tools
        self._tool_registry = ToolRegistry(tools)
        self._response_validator: ResponseValidator | None = None

    def _get_validator(self) -> ResponseValidator:
        """Lazy-initialize the response validator."""
        if self._response_validator is None:
            self._response_validator = ResponseValidator(
                tool_registry=self._tool_registry,
                strict_mode=False,  # Warn but allow
            )
        return self._response_validator

    async def chat(self, messages):
        result = await self._call_with_retry(messages)

        # Validate response
        validator = self._get_validator()
        validation = validator.validate_response(result)

        if not validation.is_valid:
            logger.error(f"Response validation failed: {validation.errors}")

        if validation.warnings:
            logger.warning(f"Response validation warnings: {validation.warnings}")

        # Also validate diagnostic sequence
        if hasattr(result, 'tool_calls') and result.tool_calls:
            seq_validation = validate_diagnostic_sequence(result.tool_calls)
            if seq_validation.warnings:
                logger.warning(f"Sequence warnings: {seq_validation.warnings}")

        return result

    async def _call_with_retry(self, messages):
        """Asks the gateway, which asks the model again where the validator rejects its answer."""
        body = json.dumps({"model": "diagnosis", "messages": messages, "tools": self._tools}).encode()
        url = f"http://127.0.0.1:{os.environ.get('PORT', '8787')}/v1/chat/completions"
        request = Request(url, body, {"content-type": "application/json"})
        reply = json.loads(await asyncio.to_thread(lambda: urlopen(request).read()))
        message = reply["choices"][0]["message"]
        return SimpleNamespace(
            tool_calls=message.get("tool_calls"), final_response=message.get("content"), verdict=reply["stickler"]
        )


result = asyncio.run(GlueLLMWrapper(TOOLS).chat([{"role": "user", "content": "Why is the network down?"}]))
print(result.final_response)
for call in result.tool_calls:
    print(f"calls {call['function']['name']}")
print(f"{result.verdict['status']} after {result.verdict['attempts']} attempts")
