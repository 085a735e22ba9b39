import type { CodeEntry } from '../../contract/validator.ts'

/** What may be wrong with tool calls. */
export const toolCallCodes = {
  UNKNOWN_TOOL: {
    severity: 'error',
    when: 'A call names a tool that was not offered or that `tool_choice` excludes, or cannot be recognised as a call.',
    fix: 'Use one of the tools that the message lists; use `aliases` for names that a model keeps getting wrong.',
  },
  PARALLEL_CALLS: {
    severity: 'error',
    when: 'The answer has several calls, but the request forbids parallel calls.',
    fix: 'Make one call, and wait for its result.',
    repaired: false,
  },
  INVALID_ARGUMENTS_JSON: {
    severity: 'error',
    when: 'The arguments of a call are not valid JSON, or have a number out of range, such as 1e400; the message has the position.',
    fix: 'Write them as one JSON object, with nothing around it.',
  },
  ARGUMENTS_NOT_OBJECT: {
    severity: 'error',
    when: 'The arguments of a call are a JSON array, string, number, boolean or `null`, not an object.',
    fix: 'Name each argument in one object.',
  },
  DUPLICATE_KEY: {
    severity: 'error',
    when: 'An object in the arguments has a duplicate key with different values: whatever runs the call may use the other one.',
    fix: 'Write the key once; equal values are accepted.',
  },
  MISSING_ARGUMENT: {
    severity: 'error',
    when: 'A required argument, or a required property inside one, is missing.',
    fix: 'Give the argument; it is never invented.',
  },
  INVALID_ENUM: {
    severity: 'error',
    when: 'A value is not among those that the schema lists.',
    fix: 'Use one of the values that the message lists.',
  },
  WRONG_TYPE: {
    severity: 'warning',
    when: 'A value does not have the type of the schema; `true` is not a number, 1.0 is an integer, 1.5 is not.',
    fix: 'Give the value in the type that the message names; with `strict` this is an error.',
  },
  UNKNOWN_ARGUMENT: {
    severity: 'warning',
    when: 'The tool, or an object inside its arguments, has no property of that name.',
    fix: 'Leave it out, or use the name in the hint; with `strict` this is an error.',
  },
  INVALID_ARGUMENT: {
    severity: 'error',
    when: 'A value violates another rule of the schema: a limit, a length, a pattern, a condition, and with `strict` a format.',
    fix: 'Give a value within the limit that the message names.',
  },
  TRUNCATED: {
    severity: 'error',
    when: 'The arguments of a call end inside a value, or lack their closing brackets when the finish reason says that the answer was cut off, or there is none; or a call that is written as text is cut off.',
    fix: 'Ask again with a higher limit; truncated arguments are never completed by a repair.',
    repaired: false,
  },
  TOOL_CALL_IN_TEXT: {
    severity: 'error',
    when: 'The answer has a valid call of an offered tool, written as text, or marks of a call, such as `<tool_call>`, that are not quoted; with `strict`, anything that looks like a call of an offered tool.',
    fix: 'Call the tool; if a guess is allowed, a repair turns the text into the calls if every one of them is valid.',
  },
  EMPTY_CONTENT: {
    severity: 'warning',
    when: 'The answer has neither text nor a tool call; reasoning does not count as text.',
    fix: 'Ask again; with `strict` this is an error.',
    repaired: false,
  },
} as const satisfies Record<string, CodeEntry>
