import type { CodeEntry } from '../../contract/validator.ts'

/** What may be wrong with JSON. */
export const jsonCodes = {
  MISSING_JSON: {
    severity: 'error',
    when: 'Nothing in the answer is written as a JSON value where one is read, and it calls no tool.',
    fix: 'Answer with one JSON value, alone, in a code block tagged `json`, or on lines of its own.',
    repaired: false,
  },
  TRUNCATED: {
    severity: 'error',
    when: 'The answer ends before its JSON value does, and the finish reason says that it was cut off, or there is none.',
    fix: 'Raise the limit, or ask for less; what was cut off is never completed by a repair.',
    repaired: false,
  },
  INVALID_JSON: {
    severity: 'error',
    when: 'The value is not valid JSON, or has a number out of range, such as 1e400; the message has the position of the first error.',
    fix: 'Correct the syntax; repairs fix quotes, commas, comments, literals and closers. A value that ends where the text ends is never closed.',
  },
  AMBIGUOUS_JSON: {
    severity: 'error',
    when: 'The answer contains a second JSON value that differs from the first: after it, in another code block, or in prose.',
    fix: 'Answer with one value; if a guess is allowed, a repair keeps the first, or the one that matches the schema.',
  },
  JSON_NOT_BARE: {
    severity: 'error',
    when: 'Only the value is to be delivered, and there is prose, a fence or reasoning around it.',
    fix: 'Answer with the value alone; a repair removes what is around it.',
  },
  DUPLICATE_KEY: {
    severity: 'warning',
    when: 'An object of the value has a duplicate key with different values.',
    fix: 'Write the key once; equal values are accepted. With `duplicateKeys: error` this is an error.',
  },
  SCHEMA_MISMATCH: {
    severity: 'error',
    when: 'The value does not match the schema; one issue per location, with its path.',
    fix: 'Correct the value; repairs convert values to the type of the schema if that is exact.',
  },
} as const satisfies Record<string, CodeEntry>
