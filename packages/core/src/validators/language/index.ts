import * as z from 'zod'
import { hasBreak, type Line, LineSplitter } from '../../answer/lines.ts'
import type { AnswerReader } from '../../answer/reader.ts'
import { spanHolds } from '../../answer/span.ts'
import { fact, type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { defineValidator, type IncrementalCheck, type Progress } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { DecidedLines, type ReadOutline } from '../shared/decided-lines.ts'
import { type Detector, loadDetector } from './detector.ts'
import { languageCodes } from './languages.ts'
import { proseOf } from './prose.ts'
import { LanguageTally } from './tally.ts'

type Code = 'WRONG_LANGUAGE'

/** What a stream needs to judge a language. */
interface LanguageSetting {
  readonly allowed: readonly string[]
  /** The detector, once it is loaded. */
  detector(): Detector | undefined
  load(): Promise<Detector>
  tell(observed: string): IssueDraft<Code>
}

/** So many characters that say nothing about a language are held; more are released, since what is in no language cannot be in a wrong one. */
const longestSilence = 300

/** Holds the text until it is known to be in the right language; fails when the start is in another one. */
class LanguageStream implements IncrementalCheck<Code> {
  readonly #setting: LanguageSetting
  readonly #lines = new DecidedLines()
  #tally: LanguageTally | undefined
  #length = 0
  #safe = 0
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

  push(chunk: string, reader: AnswerReader): Progress<Code> {
    this.#length += chunk.length
    if (this.#isQuiet && !hasBreak(chunk)) {
      this.#unread += chunk
      this.#progress.safe = this.#length
      return this.#progress
    }
    const detector = this.#setting.detector()
    if (detector) return this.#judge(detector, chunk, reader)
    return { safe: this.#safe, pending: this.#setting.load().then((loaded) => this.#judge(loaded, chunk, reader)) }
  }

  #judge(detector: Detector, chunk: string, reader: AnswerReader): Progress<Code> {
    if (this.#failed) return this.#failed
    this.#tally ??= new LanguageTally(detector, this.#setting.allowed)
    const text = this.#unread + chunk
    this.#unread = ''
    this.#isQuiet = false
    for (const line of this.#lines.push(text, reader)) {
      this.#tally.take(proseIn(line, reader))
      if (this.#tally.failed) {
        const issues = [this.#setting.tell(this.#tally.judgement.language)]
        this.#failed = { safe: this.#safe, failure: { at: line.start + line.text.length + 1, issues } }
        return this.#failed
      }
      this.#lookFrom = 0
      this.#isCode &&= line.text.trim() === '' || reader.inFence(line.start)
    }
    if (this.#tally.settled) return { safe: Number.POSITIVE_INFINITY }
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

  /** Looks at the line that is not complete, at the end of a sentence; each time the line is an eighth longer, so that time stays linear. */
  #look(tally: LanguageTally, reader: AnswerReader): void {
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
  return codes.map((code) => nameOf(code, locale)).join(` ${or} `)
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
    const tell = (observed: string, locale: keyof typeof languageMessages) =>
      issue('WRONG_LANGUAGE', languageMessages[locale].wrong(is, observed), { hint: languageMessages[locale].hint })
    return {
      async *check(answer, { locale, uncounted }) {
        const loading = load()
        const tally = new LanguageTally(await (uncounted?.(loading) ?? loading), is)
        let hasText = false
        const lines = new LineSplitter((text, start) => {
          tally.take(proseIn({ text, start }, answer))
          hasText ||= /\p{L}/u.test(text) && isText(start, answer)
        }, answer.bodyStart)
        lines.push(answer.text.slice(answer.bodyStart))
        lines.end()
        const { kind, language } = tally.end()
        yield fact('language', language)
        if (kind === 'wrong') yield tell(language, locale)
        if (kind === 'unknown' && hasText && options.short === 'unchecked')
          throw new ValidatorUnavailable(languageMessages[locale].short, undefined, { facts: [fact('language', language)] })
      },
      incremental: ({ locale }) =>
        new LanguageStream({ allowed: is, detector: () => detector, load, tell: (observed) => tell(observed, locale) }),
    }
  },
})

/** The prose of a line of text. */
function proseIn({ text, start }: Pick<Line, 'text' | 'start'>, outline: ReadOutline): string {
  return isText(start, outline) ? proseOf(text) : ''
}

/** Whether a line is not part of code or front matter. */
function isText(start: number, outline: ReadOutline): boolean {
  return !outline.inFence(start) && !spanHolds(outline.frontMatters, start)
}
