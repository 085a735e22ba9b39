import * as z from 'zod'

/** Longer names would not fit where names are shown. */
const nameForm = /^[a-z][a-z0-9_]{0,63}$/

/** The options that every rule outside of this process has. */
export const ruleOptions = () => ({
  name: z
    .string()
    .regex(nameForm, 'must be a name in snake case, such as polite_tone')
    .describe('Name of the rule in issues, traces, `only`, metrics and the dashboard.'),
  instruct: z.string().min(1).max(2000).optional().describe('The sentence that tells the model the rule up front.'),
  options: z.record(z.string(), z.json()).optional().describe('Sent to the rule as `options` with every answer.'),
  context: z
    .array(z.string())
    .optional()
    .describe(
      'Fields of the context to send to the rule, such as `question` or `sources`; by default all of them but `prompt`, what the model is asked.',
    ),
  trusted: z
    .boolean()
    .default(false)
    .describe(
      'Messages and hints of the rule are instructions to the model, without quotes; only for a rule that never repeats the answer in them.',
    ),
  timeoutMs: z
    .int()
    .positive()
    .max(600_000)
    .default(2000)
    .describe('Timeout of one call of the rule, in milliseconds; the `timeoutMs` of the contract may end it earlier.'),
})

/** What the shared part of a rule does not pass on to its port. */
export interface AskedRule {
  readonly name: string
  readonly instruct?: string | undefined
  readonly options?: Readonly<Record<string, unknown>> | undefined
  readonly context?: readonly string[] | undefined
  readonly trusted: boolean
}
