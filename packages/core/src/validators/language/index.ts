import * as z from 'zod'
import type { Answer } from '../../answer/answer.ts'
import { hasBreak, type Line } from '../../answer/lines.ts'
import type { AnswerOutline } from '../../answer/reader.ts'
import { spanHolds } from '../../answer/span.ts'
import { type Finding, fact, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { defineValidator, type IncrementalCheck, type Progress } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { wordList } from '../../schema/evaluate/show.ts'
import { DecidedLines, type ReadOutline } from '../shared/decided-lines.ts'
import { type Detector, loadDetector } from './detector.ts'
import { languageCodes } from './languages.ts'
import { proseOf } from './prose.ts'
import { LanguageTally } from './tally.ts'

type Code = 'WRONG_LANGUAGE'

/** What is needed to judge a language. */
interface LanguageSetting {
  readonly allowed: readonly string[]
  readonly locale: Locale
  /** Whether an answer whose language is unknown has no verdict. */
  readonly mustBeKnown: boolean
  /** The detector, once it is loaded. */
  detector(): Detector | undefined
  load(): Promise<Detector>
}

/** So many characters that say nothing about a language are held; more are released, since what is in no language cannot be in a wrong one. */
const longestSilence = 300

/** Judges an answer, whole or as it comes; holds a stream until it is known to be in the right language, and fails when the start is in another one. */
class LanguageReading implements IncrementalCheck<Code> {
  readonly #setting: LanguageSetting
  readonly #lines = new DecidedLines()
  #tally: LanguageTally | undefined
  #length = 0
  #safe = 0
  #hasText = false
  /** Whether there has been nothing but code. */
  #isCode = true
  /** How long the line that is not complete must be for the next look at it. */
  #lookFrom = 0
  #failed: Progress<Code> | undefined
  /** Whether text is trusted until a line ends, and what has come since: it need not be read before. */
  #isQuiet = false
  #unread = ''
  /** The same object every time: there may be one for every few characters. */
  readonly #progress = { safe: 0 }

  constructor(setting: LanguageSetting) {
    this.#setting = setting
  }

  push(chunk: string, reader: AnswerOutline): Progress<Code> {
    if (this.#failed) return this.#failed
    this.#length += chunk.length
    // A settled verdict needs no more text; it stays here for the end.
    const isSettled = this.#tally?.settled === true
    if (isSettled || (this.#isQuiet && !hasBreak(chunk))) {
      if (!isSettled) this.#unread += chunk
      this.#progress.safe = this.#length
      return this.#progress
    }
    const detector = this.#setting.detector()
    if (detector) return this.#judge(detector, chunk, reader)
    return { safe: this.#safe, pending: this.#setting.load().then((loaded) => this.#judge(loaded, chunk, reader)) }
  }

  #judge(detector: Detector, chunk: string, reader: AnswerOutline): Progress<Code> {
    this.#tally ??= new LanguageTally(detector, this.#setting.allowed)
    const text = this.#unread + chunk
    this.#unread = ''
    this.#isQuiet = false
    for (const line of this.#lines.push(text, reader)) {
      this.#take(line, this.#tally, reader)
      if (this.#tally.failed) {
        const issues = [this.#wrong(this.#tally.judgement.language)]
        this.#failed = { safe: this.#safe, failure: { at: line.start + line.text.length + 1, issues } }
        return this.#failed
      }
      this.#lookFrom = 0
      this.#isCode &&= line.text.trim() === '' || reader.inFence(line.start)
    }
    if (this.#tally.settled) return { safe: this.#length }
    // Code is in no language, nor are long lists of names.
    const start = this.#lines.first?.start ?? this.#lines.lineStart
    if (this.#isCode || (this.#tally.isSilent && start - reader.bodyStart > longestSilence)) this.#safe = Math.max(this.#safe, start)
    if (!this.#tally.trusted) this.#look(this.#tally, reader)
    if (this.#tally.trusted) {
      this.#safe = this.#length
      // A line feed may still belong to a carriage return.
      this.#isQuiet = this.#lines.first === undefined && !chunk.endsWith('\r')
    }
    return { safe: this.#safe }
  }

  end(answer: Answer): Finding<Code>[] {
    const { locale, mustBeKnown } = this.#setting
    const detector = this.#setting.detector()
    // Nothing has come.
    if (detector === undefined) return [fact('language', 'unknown')]
    this.#tally ??= new LanguageTally(detector, this.#setting.allowed)
    for (const line of this.#lines.push(this.#length === 0 ? answer.text : this.#unread, answer.outline))
      this.#take(line, this.#tally, answer)
    for (const line of this.#lines.end()) this.#take(line, this.#tally, answer)
    const { kind, language } = this.#tally.end()
    const known = fact('language', language)
    if (kind === 'unknown' && this.#hasText && mustBeKnown)
      throw new ValidatorUnavailable(languageMessages[locale].short, undefined, { facts: [known] })
    return kind === 'wrong' ? [known, this.#wrong(language)] : [known]
  }

  #take(line: Line, tally: LanguageTally, outline: ReadOutline): void {
    tally.take(proseIn(line, outline))
    this.#hasText ||= /\p{L}/u.test(line.text) && isText(line.start, outline)
  }

  #wrong(observed: string) {
    const { wrong, hint } = languageMessages[this.#setting.locale]
    return issue('WRONG_LANGUAGE', wrong(this.#setting.allowed, observed), { hint })
  }

  /** Looks at the line that is not complete, at the end of a sentence; each time the line is an eighth longer, so that time stays linear. */
  #look(tally: LanguageTally, reader: AnswerOutline): void {
    const { partial, lineStart: start, first } = this.#lines
    if (partial.length < this.#lookFrom || first !== undefined || reader.decided < start) return
    this.#lookFrom = partial.length + Math.max(16, partial.length / 8)
    const end = sentenceEnd(partial)
    if (end > 0) tally.look(proseIn({ text: partial.slice(0, end), start }, reader))
  }
}

/** Where the last sentence of a line ends that has ended; 0 when none has. */
function sentenceEnd(text: string): number {
  for (let at = text.length - 1; at > 0; at--) {
    if ('。！？।'.includes(text.charAt(at))) return at + 1
    if (text.charAt(at) === ' ' && '.!?…:'.includes(text.charAt(at - 1))) return at
  }
  return 0
}

interface LanguageMessages {
  instruct(allowed: readonly string[]): string
  wrong(allowed: readonly string[], observed: string): string
  hint: string
  short: string
}

function nameOf(code: string, locale: Locale): string {
  return new Intl.DisplayNames([locale], { type: 'language' }).of(code) ?? code
}

function listOf(codes: readonly string[], locale: Locale, or: string): string {
  return wordList(
    codes.map((code) => nameOf(code, locale)),
    or,
  )
}

/** The wording of `language` in both languages. */
const languageMessages: Readonly<Record<Locale, LanguageMessages>> = {
  en: {
    instruct: (allowed) => `Write the whole answer in ${listOf(allowed, 'en', 'or')}.`,
    wrong: (allowed, observed) => `Write the whole answer in ${listOf(allowed, 'en', 'or')}; it is in ${nameOf(observed, 'en')}.`,
    hint: 'Names, code and quotations may stay as they are.',
    short: 'the answer is too short, or too close to several languages, to tell its language',
  },
  de: {
    instruct: (allowed) => `Schreibe die ganze Antwort auf ${listOf(allowed, 'de', 'oder')}.`,
    wrong: (allowed, observed) => `Schreibe die ganze Antwort auf ${listOf(allowed, 'de', 'oder')}; sie ist auf ${nameOf(observed, 'de')}.`,
    hint: 'Namen, Code und Zitate können bleiben, wie sie sind.',
    short: 'die Antwort ist zu kurz oder passt zu mehreren Sprachen, sodass ihre Sprache unbekannt ist',
  },
}

const code = () => z.enum(languageCodes)

/** Fails when the answer is in another language; short answers, code, quotations and reasoning say nothing. */
export const language = defineValidator({
  name: 'language',
  short: 'is',
  summary: 'The answer is in one of the given languages.',
  get options() {
    return z.strictObject({
      is: z
        .union([code(), z.array(code()).min(1)])
        .describe('The language of the answer, or a list of those it may be in, as two-letter codes (ISO 639-1).'),
      short: z
        .enum(['unchecked', 'pass'])
        .default('pass')
        .describe('Whether an answer whose language is unknown, because it is too short or fits several, has no verdict or is valid.'),
    })
  },
  codes: {
    WRONG_LANGUAGE: {
      severity: 'error',
      when: 'More of the answer is in other languages than in the given ones, or at some place 1000 letters more.',
      fix: 'Write the answer in the language that the message names.',
    },
  },
  instruct: ({ is }, locale) => languageMessages[locale].instruct([is].flat()),
  prepare: (options) => {
    const is = [options.is].flat()
    let detector: Detector | undefined
    const load = async (): Promise<Detector> => {
      detector ??= await loadDetector()
      return detector
    }
    const read = (locale: Locale): LanguageReading =>
      new LanguageReading({ allowed: is, locale, mustBeKnown: options.short === 'unchecked', detector: () => detector, load })
    return {
      async *check(answer, { locale, uncounted }) {
        const loading = load()
        await (uncounted?.(loading) ?? loading)
        yield* read(locale).end(answer)
      },
      incremental: ({ locale }) => read(locale),
    }
  },
})

/** The prose of a line; none where it is part of code or front matter. */
function proseIn({ text, start }: Pick<Line, 'text' | 'start'>, outline: ReadOutline): string {
  return isText(start, outline) ? proseOf(text) : ''
}

function isText(start: number, outline: ReadOutline): boolean {
  return !outline.inFence(start) && !spanHolds(outline.frontMatters, start)
}
