import * as z from 'zod/mini'
import { repairClasses } from './certificate.ts'
import { locales } from './locale.ts'

const count = z.int().check(z.nonnegative())

/** One budget over all attempts of a run. */
const budgetSchema = z.strictObject({
  attempts: z.optional(z.int().check(z.positive())).check(z.describe('Maximum calls of the model.')),
  tokens: z.optional(z.int().check(z.positive())).check(z.describe('Maximum tokens over all attempts, prompt and completion together.')),
  money: z.optional(z.number().check(z.positive())).check(z.describe('Maximum cost over all attempts, in the currency of the price list.')),
  deadlineMs: z.optional(z.int().check(z.positive())).check(z.describe('Maximum milliseconds from the first call to the last byte.')),
})

function isWritable(value: unknown): boolean {
  try {
    return value !== null && JSON.stringify(value) !== undefined
  } catch {
    return false
  }
}

/** What a contract does about the issues that its validators find. */
export const policySchema = z.strictObject({
  mode: z
    ._default(z.enum(['strict', 'lenient', 'shadow']), 'strict')
    .check(
      z.describe(
        'strict: an invalid answer is not delivered; lenient: delivered with its issues; shadow: checked and recorded, never changed.',
      ),
    ),
  retries: z._default(count, 2).check(z.describe('Maximum number of retries.')),
  repair: z
    ._default(z.enum(['first', 'last', 'never']), 'first')
    .check(z.describe('Repair before a retry, after the last retry, or never.')),
  allow: z
    .optional(z.array(z.enum(repairClasses)))
    .check(
      z.describe(
        'Classes of repair that may be applied; no validator applies another one. By default `lossless`, and the one that an option asks for by name, such as `redact`.',
      ),
    ),
  lastResort: z
    ._default(z.array(z.enum(repairClasses)), [])
    .check(
      z.describe(
        'Further classes for an answer that would be given up otherwise, where the validator has such repairs: `json`, and `tool_calls` for calls written as text. An `allow` over that of a preset replaces this one too.',
      ),
    ),
  budget: z._default(budgetSchema, {}).check(z.describe('Limits over all attempts.')),
  stream: z
    ._default(z.enum(['verified', 'hold', 'pass']), 'verified')
    .check(
      z.describe(
        'verified: release text that is known to be safe; hold: release nothing before the verdict; pass: release everything, report afterwards.',
      ),
    ),
  stop: z
    .optional(z.enum(['early', 'end']))
    .check(
      z.describe(
        'When mode strict stops a stream that only the model can correct. early: at once; end: never, so that all issues are known. By default end with stream: hold, early with stream: verified.',
      ),
    ),
  unchecked: z
    .optional(z.enum(['withhold', 'deliver']))
    .check(
      z.describe(
        'What mode strict does with an answer that could not be checked in full; its status is unchecked either way. By default it is withheld, and delivered when it has nothing that could be read, such as audio alone.',
      ),
    ),
  unresolved: z
    ._default(z.enum(['withhold', 'deliver']), 'withhold')
    .check(
      z.describe(
        'What mode strict does with an answer that is still invalid when no attempt is left; its status is unresolved either way. deliver: streams are never stopped early.',
      ),
    ),
  fallback: z
    .optional(z.unknown().check(z.refine(isWritable, 'must be a text or a JSON value other than null')))
    .check(
      z.describe(
        'The text or JSON value that is delivered instead of an error, unless some of the answer has been shown; the status is unresolved.',
      ),
    ),
  truncated: z
    ._default(z.enum(['error', 'warning']), 'error')
    .check(
      z.describe(
        'Severity of an answer cut off at the length limit. error: the answer is invalid; warning: the text received is checked. It is never repaired.',
      ),
    ),
  locale: z._default(z.enum(locales), 'en').check(z.describe('Language of messages and feedback.')),
  timeoutMs: z._default(z.int().check(z.positive()), 5000).check(z.describe('Time limit of each validator.')),
  askAgain: z
    ._default(z.enum(['continue', 'anew']), 'continue')
    .check(
      z.describe(
        'continue: the feedback follows the rejected answer; anew: it comes before the original prompt, and the rejected answer is left out.',
      ),
    ),
  requestSchema: z
    ._default(z.enum(['enforce', 'ignore']), 'enforce')
    .check(
      z.describe(
        'What is done with the schema that a request itself has, in its format or as the only tool that it may call. enforce: answers must match it too; ignore: only the provider is given it.',
      ),
    ),
  instruct: z
    ._default(z.literal(['schema', true, false]), 'schema')
    .check(
      z.describe(
        'What the model is told before its first attempt. schema: the JSON Schema of `json`, unless its request has a schema already; true: also the sentences of all checks; false: nothing.',
      ),
    ),
  strict: z.optional(z.boolean()).check(z.describe('Sets the option `strict` of every check that has one and does not set it itself.')),
})

/** What a contract does about the issues that its validators find. */
export type Policy = Readonly<z.output<typeof policySchema>>

/** Whether a stream that only the model can correct is stopped before its end. */
export function stopsEarly({ mode, stream, stop, unresolved }: Pick<Policy, 'mode' | 'stream' | 'stop' | 'unresolved'>): boolean {
  // What may be delivered in the end is read to its end.
  const mayStop = mode === 'strict' && stream !== 'pass' && unresolved === 'withhold'
  return mayStop && (stop ?? (stream === 'hold' ? 'end' : 'early')) === 'early'
}

/** A policy as it is written: everything has a default. */
export type PolicyInput = z.input<typeof policySchema>
