import * as z from 'zod'
import { type IssueDraft, isCode } from '../../../contract/issue.ts'

/** Codes that the engine reports, or goes by. */
const reserved = [
  'TRUNCATED',
  'FINISH_REASON_MISSING',
  'UNCLOSED_REASONING',
  'REFUSED',
  'TOO_COMPLEX',
  'MISSING_TOOL_CALL',
  'UNUSABLE_SCHEMA',
  'UNSAFE_ADDRESS',
  'UNCHECKED',
  'CONTINUATION_MISMATCH',
]

/** What one rule of several may say of itself. */
export const entryFields = () => ({
  message: z.string().min(1).max(500).optional().describe('What the model is told, in place of the usual sentence.'),
  code: z
    .string()
    .refine(isCode, 'must be in capitals, digits and underscores, such as NO_PRICES')
    .refine((code) => !reserved.includes(code), 'is a code of the engine; choose another')
    .optional()
    .describe('The code of its issues, in place of the usual one.'),
  severity: z.enum(['error', 'warning']).optional().describe('warning: what the rule finds never makes an answer invalid.'),
})

/** The text that takes the place of what is not allowed. */
export const replaceField = () =>
  z.string().max(1000).optional().describe('Text that takes its place, a `lossy` repair; empty to remove it.')

/** What one rule says of itself. */
export interface RuleEntry {
  readonly message?: string | undefined
  readonly code?: string | undefined
  readonly severity?: 'error' | 'warning' | undefined
  readonly replace?: string | undefined
}

/** An issue in the words of its rule. */
export function worded<Code extends string>(draft: IssueDraft<Code>, { message, code, severity }: RuleEntry): IssueDraft<Code> {
  // Its own message knows nothing of a hint.
  const { hint, ...rest } = draft
  return {
    ...rest,
    ...(message === undefined ? hint !== undefined && { hint } : { message }),
    ...(code !== undefined && { code: code as Code }),
    ...(severity !== undefined && { severity }),
  }
}

/** The codes that rules give. */
export function codesIn(rules: readonly RuleEntry[]): readonly string[] {
  return rules.flatMap(({ code }) => code ?? [])
}
