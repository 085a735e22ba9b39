import * as z from 'zod/mini'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { KeptText } from '../../contract/machine/kept-text.ts'
import { defineValidator, type IncrementalCheck, type Progress } from '../../contract/validator.ts'
import { quoteJson } from '../../schema/evaluate/show.ts'
import { type FoundLoop, LoopFinder, longestSample } from './loop-finder.ts'
import type { LoopLimits } from './period-finder.ts'

type Code = FoundLoop['code']

interface RepetitionMessages {
  readonly instruct: string
  found(code: Code, sample: string, line: number): string
  readonly hint: string
}

/** What the messages on repetition say, by language. */
const repetitionMessages: Readonly<Record<Locale, RepetitionMessages>> = {
  en: {
    instruct: 'Do not repeat sentences, lines or passages.',
    found: (code, sample, line) =>
      sample === ''
        ? `Write no long stretches of blank lines and spaces; there is nothing else after line ${line}.`
        : code === 'LOOP'
          ? `Write each passage once; ${quoteJson(sample)} is repeated in a row from line ${line} on.`
          : `Write each sentence once; those that have been written before, such as ${quoteJson(sample)}, are repeated from line ${line} on.`,
    hint: 'Go on with something new, or end the answer',
  },
  de: {
    instruct: 'Wiederhole keine Sätze, Zeilen oder Abschnitte.',
    found: (code, sample, line) =>
      sample === ''
        ? `Schreibe keine langen Folgen von Leerzeilen und Leerzeichen; nach Zeile ${line} kommt nichts anderes.`
        : code === 'LOOP'
          ? `Schreibe jeden Abschnitt einmal; ${quoteJson(sample)} wiederholt sich ab Zeile ${line} in einem fort.`
          : `Schreibe jeden Satz einmal; ab Zeile ${line} wiederholen sich frühere Sätze wie ${quoteJson(sample)}.`,
    hint: 'Fahre mit etwas Neuem fort, oder beende die Antwort',
  },
}

/** Follows a stream, and stops it when it has become a loop. */
class RepetitionStream implements IncrementalCheck<Code> {
  readonly #finder: LoopFinder
  readonly #locale: Locale
  readonly #kept = new KeptText()
  #length = 0
  #safe = 0
  #failed: Progress<Code> | undefined

  constructor(limits: LoopLimits, locale: Locale) {
    this.#finder = new LoopFinder(limits)
    this.#locale = locale
  }

  push(chunk: string): Progress<Code> {
    if (this.#failed) return this.#failed
    this.#kept.dropTo(this.#length - 2 * longestSample)
    this.#kept.push(chunk)
    this.#length += chunk.length
    this.#finder.push(chunk)
    const { found, heldFrom } = this.#finder
    if (found === undefined) {
      this.#safe = Math.max(this.#safe, Math.min(this.#length, heldFrom))
      return { safe: this.#safe }
    }
    const issues = [issueOf(found, this.#kept.slice(found.sample), this.#locale)]
    this.#failed = { safe: Math.max(this.#safe, found.span.start), failure: { at: found.span.end, issues } }
    return this.#failed
  }
}

function issueOf({ code, span, line, turn }: FoundLoop, sample: string, locale: Locale): IssueDraft<Code> {
  const { found, hint } = repetitionMessages[locale]
  return issue(code, found(code, code === 'LOOP' ? oneTurn(sample, turn) : sample.trim(), line), { hint, span })
}

/** A turn of a loop from the start of a sentence or line, where it has one. */
function oneTurn(turns: string, length: number): string {
  // backtracks: samples have at most 400 characters
  const start = /[.!?。！？\n]\s*(?=[^\s.!?。！？])/.exec(turns.slice(0, -length))
  const from = start === null ? 0 : start.index + start[0].length
  return turns.slice(from, from + length).trim()
}

/** Fails when the answer repeats passages in a row, or goes on in sentences that it has written before; a stream ends there. */
export const repetition = defineValidator({
  name: 'repetition',
  summary: 'The answer does not loop: no passage is written over and over.',
  get options() {
    return z.strictObject({
      times: z
        ._default(z.int().check(z.minimum(2), z.maximum(1000)), 3)
        .check(z.describe('How often the same text must be written to be a repetition.')),
      characters: z
        ._default(z.int().check(z.minimum(50), z.maximum(100_000)), 500)
        .check(z.describe('How many characters of repeated text make a loop; in code, tables and drawings it takes eight times as many.')),
    })
  },
  codes: {
    LOOP: {
      severity: 'error',
      when: 'The same text is written several times in a row, or there is nothing but white space for long.',
      fix: 'Write it once; if your answers do repeat themselves, raise `times` or `characters`.',
    },
    REPEATED_SENTENCES: {
      severity: 'error',
      when: 'The answer goes on in sentences or lines that it has written before, with little that is new.',
      fix: 'Write each of them once; if your answers do repeat themselves, raise `times` or `characters`.',
    },
  },
  instruct: (_options, locale) => repetitionMessages[locale].instruct,
  prepare: (limits) => ({
    *check({ text }, { locale }) {
      const finder = new LoopFinder(limits)
      finder.push(text)
      const found = finder.end()
      if (found) yield issueOf(found, text.slice(found.sample.start, found.sample.end), locale)
    },
    incremental: ({ locale }) => new RepetitionStream(limits, locale),
  }),
})
