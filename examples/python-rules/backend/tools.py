"""The tools of a request, as the validator wants them."""

from types import SimpleNamespace


class ToolRegistry:
    def __init__(self, tools):
        self._definitions = {one.name: one for one in map(definition, tools)}

    def get_all_definitions(self):
        return list(self._definitions.values())

    def get_definition(self, name):
        return self._definitions.get(name)


def definition(tool):
    function = tool.get("function", tool)
    schema = function.get("parameters") or function.get("input_schema") or {}
    required = schema.get("required", [])
    parameters = [
        SimpleNamespace(name=name, type=one.get("type"), required=name in required, enum=one.get("enum"))
        for name, one in schema.get("properties", {}).items()
    ]
    return SimpleNamespace(name=function["name"], parameters=parameters)
