import * as z from 'zod'
import type { Answer } from '../../answer/answer.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { Constant } from '../../contract/configuration/constant.ts'
import { fact, type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { InputOf } from '../../contract/standard-schema.ts'
import { type Check, defineValidator, type IncrementalCheck } from '../../contract/validator.ts'
import { type ValueMatch, Values } from './match.ts'
import { oneOfMessages } from './messages.ts'
import { OneOfStream } from './stream.ts'

const nothingSafe = { safe: 0 }

const definition = defineValidator({
  name: 'one_of',
  summary: 'The answer is exactly one of the given values.',
  get options() {
    return z.strictObject({
      values: z
        .array(z.string().max(1000).regex(/\S/, 'a value needs a visible character'))
        .min(1)
        .refine((values) => new Set(values.map((value) => value.trim())).size === values.length, 'a value is there twice')
        .describe('Values that the answer may be.'),
      caseSensitive: z.boolean().default(true).describe('Whether upper and lower case differ.'),
    })
  },
  codes: {
    NOT_ONE_OF: {
      severity: 'error',
      when: 'The answer is none of the values.',
      fix: 'Answer with one value and nothing else; a repair removes quotes and corrects case, and if a guess is allowed uses the closest value.',
    },
  },
  instruct: ({ values }, locale) => oneOfMessages[locale].instruct(values),
  prepare: ({ values, caseSensitive }) => {
    const known = new Values(values, caseSensitive)
    return {
      *check({ text, bodyStart, isBetween }, { locale }) {
        const body = text.slice(bodyStart)
        // The value may follow once the tools have answered.
        if (isBetween && body.trim() === '') return
        const match = known.match(body)
        if (match?.kind === 'same') yield fact('value', match.value)
        else yield notOneOf(values, body.trim(), match, locale)
      },
      incremental: ({ locale }, told): IncrementalCheck<'NOT_ONE_OF'> =>
        // A guess is made from all of the answer.
        told?.allow.includes('guess')
          ? { push: () => nothingSafe }
          : new OneOfStream(known, (observed) => notOneOf(values, observed, undefined, locale)),
      repair: (answer) => takeValue(answer, known),
    }
  },
})

/** The validator, which infers the type of the value from the values that it is given. */
export interface OneOfValidator extends Pick<typeof definition, 'definition'> {
  <const Value extends string>(options: OneOfOptions & { readonly values: readonly Value[] }): Check<Trimmed<Value>>
}

/** The options of the validator as they are written. */
export type OneOfOptions = Constant<InputOf<(typeof definition.definition)['options']>>

/** A text without white space around it, as a type. */
export type Trimmed<Text extends string> = Text extends `${Space}${infer Rest}` | `${infer Rest}${Space}` ? Trimmed<Rest> : Text

type Space = ' ' | '\n' | '\t' | '\r'

/** Fails when the answer is not exactly one of the given values; reasoning does not count. */
export const oneOf: OneOfValidator = definition

function notOneOf(values: readonly string[], observed: string, match: ValueMatch | undefined, locale: Locale): IssueDraft<'NOT_ONE_OF'> {
  const say = oneOfMessages[locale]
  if (match === undefined) return issue('NOT_ONE_OF', say.other(values, observed), { hint: say.hint })
  return issue('NOT_ONE_OF', say.other(values, observed), { hint: `${say.meant(match.value)} ${say.hint}`, suggestion: match.value })
}

/** Puts the value that was meant in place of the answer. */
function* takeValue({ text, bodyStart }: Answer, known: Values): Generator<Certificate> {
  const match = known.match(text.slice(bodyStart))
  if (match === undefined || match.kind === 'same') return
  const start = bodyStart + text.slice(bodyStart).length - text.slice(bodyStart).trimStart().length
  const before = text.slice(start).trimEnd()
  yield {
    rule: match.kind === 'lossless' ? 'plain-value' : 'closest-value',
    class: match.kind,
    span: { start, end: start + before.length },
    before,
    after: match.value,
  }
}
