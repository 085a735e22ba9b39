import type { CodeEntry } from './validator.ts'

/** What may be wrong with an answer, or with the request, where the request itself asks for JSON or a call. */
export const requestCodes = {
  MISSING_TOOL_CALL: {
    severity: 'error',
    when: 'The request forces the call of one tool, and the answer calls none.',
    fix: 'Call the tool; a text that is nothing but JSON that may be its arguments is turned into the call.',
  },
  UNUSABLE_SCHEMA: {
    severity: 'warning',
    when: 'The schema of the request cannot be used, or only its types, members and names, or no answer can keep it and that of the contract; the message says why.',
    fix: 'Correct the schema, or leave out what is not supported, such as references to other documents.',
    repaired: false,
  },
} as const satisfies Record<string, CodeEntry>
