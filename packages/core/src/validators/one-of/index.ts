import * as z from 'zod'
import type { Answer } from '../../answer/answer.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { Constant } from '../../contract/configuration/constant.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { Machine, Reading } from '../../contract/machine/machine.ts'
import { prepareMachine } from '../../contract/machine/machine-run.ts'
import { quote } from '../../contract/quote.ts'
import type { InputOf } from '../../contract/standard-schema.ts'
import { type Check, defineValidator } from '../../contract/validator.ts'
import { quoteJsonAtMost } from '../../schema/evaluate/show.ts'
import { type ValueMatch, Values } from './match.ts'

/** Holds the answer to its end, since only then is it a value; fails with the first character that no value has. */
class OneOfMachine implements Machine {
  readonly safe = 0
  readonly #reading: Reading<'NOT_ONE_OF'>
  readonly #known: Values
  readonly #tell: (observed: Observed, match?: ValueMatch) => IssueDraft<'NOT_ONE_OF'>
  #start = -1
  #text = ''

  constructor(reading: Reading<'NOT_ONE_OF'>, known: Values, tell: (observed: Observed, match?: ValueMatch) => IssueDraft<'NOT_ONE_OF'>) {
    this.#reading = reading
    this.#known = known
    this.#tell = tell
  }

  read(piece: string, at: number, isEnd: boolean): void {
    if (this.#start < 0) this.#start = at
    if (isEnd) this.#judge(this.#reading.slice({ start: this.#start, end: at + piece.length }))
    // A guess is made from all of the answer.
    else if (!this.#reading.allow.includes('guess')) this.#look(piece, at)
  }

  #look(piece: string, start: number): void {
    let at = start
    for (const character of piece) {
      at += character.length
      if (this.#text === '' && character.trim() === '') continue
      this.#text += character
      if (this.#known.isPossible(this.#text)) continue
      const issue = this.#tell({ ...observe(`${this.#text}…`), isAll: false })
      this.#reading.wrong({ start: 0, at, issue: () => issue })
      return
    }
  }

  #judge(body: string): void {
    // The value may follow once the tools have answered.
    if (this.#reading.answer?.isBetween && body.trim() === '') return
    const match = this.#known.match(body)
    if (match?.kind === 'same') this.#reading.fact('value', match.value)
    else this.#reading.wrong({ start: 0, at: Number.POSITIVE_INFINITY, issue: () => this.#tell(observe(body.trim()), match) })
  }
}

/** What a message shows of an answer: the beginning of its first line, and whether that is all of it. */
interface Observed {
  readonly start: string
  readonly isAll: boolean
}

/** The most characters of an answer in a message. */
const mostShown = 60

function observe(answer: string): Observed {
  const line = answer.split(/[\r\n]/, 1)[0] ?? ''
  return { start: quoteJsonAtMost(line, mostShown), isAll: line === answer && line.length <= mostShown }
}

interface OneOfMessages {
  instruct(values: readonly string[]): string
  other(values: readonly string[], observed: Observed): string
  hint: string
  meant(value: string): string
}

/** So many values are named. */
const mostNamed = 20

function listOf(values: readonly string[], or: string, more: string): string {
  const named = values.slice(0, mostNamed).map(quote)
  if (values.length > mostNamed) return `${named.join(', ')} ${or} ${values.length - mostNamed} ${more}`
  return named.length === 1 ? `${named[0]}` : `${named.slice(0, -1).join(', ')} ${or} ${named.at(-1)}`
}

/** The wording of `one_of` in both languages. */
const oneOfMessages: Readonly<Record<Locale, OneOfMessages>> = {
  en: {
    instruct: (values) => `Answer with exactly ${listOf(values, 'or', 'others')}, and nothing else.`,
    other: (values, { start, isAll }) =>
      `Answer with exactly ${listOf(values, 'or', 'others')}; the answer ${isAll ? 'is' : 'begins with'} ${start}.`,
    hint: 'Write nothing before or after it: no explanation, no quotes, no full stop.',
    meant: (value) => `Probably meant: ${quote(value)}.`,
  },
  de: {
    instruct: (values) => `Antworte genau mit ${listOf(values, 'oder', 'anderen')} und mit nichts sonst.`,
    other: (values, { start, isAll }) =>
      `Antworte genau mit ${listOf(values, 'oder', 'anderen')}; die Antwort ${isAll ? 'ist' : 'beginnt mit'} ${start}.`,
    hint: 'Schreibe nichts davor oder dahinter: keine Erklärung, keine Anführungszeichen, keinen Punkt.',
    meant: (value) => `Vermutlich gemeint: ${quote(value)}.`,
  },
}

const definition = defineValidator({
  name: 'one_of',
  short: 'values',
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
  repairs: true,
  codes: {
    NOT_ONE_OF: {
      severity: 'error',
      when: 'The answer is none of the values.',
      fix: 'Answer with one value and nothing else; a repair removes quotes and corrects case, and if a guess is allowed uses the value that the answer names, or the closest one.',
    },
  },
  instruct: ({ values }, locale) => oneOfMessages[locale].instruct(values),
  prepare: ({ values, caseSensitive }) => {
    const known = new Values(values, caseSensitive)
    return prepareMachine(
      (reading) => new OneOfMachine(reading, known, (observed, match) => notOneOf(values, observed, match, reading.locale)),
      { repair: (answer) => takeValue(answer, known) },
    )
  },
})

/** The validator, which infers the type of the value from the values that it is given. */
export interface OneOfValidator extends Pick<typeof definition, 'definition'> {
  (options: OneOfOptions, terms: Pick<Check, 'name' | 'severity' | 'when'>): Check<never>
  <const Value extends string>(values: readonly Value[]): Check<Trimmed<Value>>
  <const Value extends string>(options: OneOfOptions & { readonly values: readonly Value[] }): Check<Trimmed<Value>>
}

/** The options of the validator as they are written. */
export type OneOfOptions = Constant<InputOf<(typeof definition.definition)['options']>>

/** A text without white space around it, as a type. */
export type Trimmed<Text extends string> = Text extends `${Space}${infer Rest}` | `${infer Rest}${Space}` ? Trimmed<Rest> : Text

type Space = ' ' | '\n' | '\t' | '\r'

/** Fails when the answer is not exactly one of the given values; reasoning does not count. */
export const oneOf: OneOfValidator = definition

function notOneOf(values: readonly string[], observed: Observed, match: ValueMatch | undefined, locale: Locale): IssueDraft<'NOT_ONE_OF'> {
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
