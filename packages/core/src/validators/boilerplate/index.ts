import * as z from 'zod'
import type { Answer } from '../../answer/answer.ts'
import type { AnswerReader } from '../../answer/reader.ts'
import { ReasoningSkipper } from '../../answer/reasoning.ts'
import type { TextSpan } from '../../answer/span.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { defineValidator, type IncrementalCheck, type Progress, type StreamContract } from '../../contract/validator.ts'
import { quoteJson } from '../../schema/evaluate/show.ts'
import { endsQuoted } from '../shared/open-quotation.ts'
import { beginnings, type ProseMatch, type ProseRules, ProseStream, searchProse } from '../shared/prose-matches.ts'
import { ClosingWatch } from './closing.ts'
import { type Opening, type Preamble, readOpening } from './opening.ts'
import { anyOf } from './phrases.ts'

/** The kinds of boilerplate. */
const boilerplateKinds = ['preamble', 'offer', 'ai', 'refusal'] as const

type Kind = (typeof boilerplateKinds)[number]
type Code = 'PREAMBLE' | 'CLOSING_OFFER' | 'AI_DISCLAIMER' | 'REFUSAL'

interface BoilerplateMessages {
  instruct(kinds: ReadonlySet<Kind>): string
  readonly found: Readonly<Record<Code, (text: string) => string>>
}

/** What the messages on boilerplate say, by language. */
const boilerplateMessages: Readonly<Record<Locale, BoilerplateMessages>> = {
  en: {
    instruct: (kinds) =>
      [
        ...(kinds.has('preamble') ? ['Begin with the answer itself, without words such as "Sure, here is".'] : []),
        ...(kinds.has('offer') ? ['End with the answer itself, without an offer of further help.'] : []),
        ...(kinds.has('ai') ? ['Do not mention that you are an AI.'] : []),
        ...(kinds.has('refusal') ? ['Answer the request; do not refuse it.'] : []),
      ].join(' '),
    found: {
      PREAMBLE: (text) => `Begin with the answer itself; leave out ${quoteJson(text)}.`,
      CLOSING_OFFER: (text) => `End with the answer itself; leave out ${quoteJson(text)}.`,
      AI_DISCLAIMER: (text) => `Do not write about yourself; leave out ${quoteJson(text)}.`,
      REFUSAL: (text) => `Answer the request; ${quoteJson(text)} refuses it.`,
    },
  },
  de: {
    instruct: (kinds) =>
      [
        ...(kinds.has('preamble') ? ['Beginne mit der Antwort selbst, ohne Worte wie „Gerne, hier ist“.'] : []),
        ...(kinds.has('offer') ? ['Schließe mit der Antwort selbst, ohne weitere Hilfe anzubieten.'] : []),
        ...(kinds.has('ai') ? ['Erwähne nicht, dass du eine KI bist.'] : []),
        ...(kinds.has('refusal') ? ['Beantworte die Anfrage; lehne sie nicht ab.'] : []),
      ].join(' '),
    found: {
      PREAMBLE: (text) => `Beginne mit der Antwort selbst; lass ${quoteJson(text)} weg.`,
      CLOSING_OFFER: (text) => `Schließe mit der Antwort selbst; lass ${quoteJson(text)} weg.`,
      AI_DISCLAIMER: (text) => `Schreibe nicht über dich selbst; lass ${quoteJson(text)} weg.`,
      REFUSAL: (text) => `Beantworte die Anfrage; ${quoteJson(text)} lehnt sie ab.`,
    },
  },
}

function found(code: Code, text: string, span: TextSpan, locale: Locale): IssueDraft<Code> {
  return issue(code, boilerplateMessages[locale].found[code](text.trim()), { span })
}

/** A line that somebody says in a dialogue; a note speaks to the reader. */
const speaker = /^[\s>*_-]*\p{Lu}[\p{L}.' ’]{0,30}[*_]{0,3}:/u
const note = /^[\s>*_-]*(?:note|disclaimer|important|answer|response|in short|in summary|hinweis|wichtig|antwort|kurz)/i

/** Whether a match is said by the model, and not by somebody that it quotes. */
function isSaid({ before }: ProseMatch): boolean {
  return !endsQuoted(before) && !/^\s*>/.test(before) && (!speaker.test(before) || note.test(before))
}

// backtracks: each part is bounded
const model = new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyOf('model')})`, 'giu')
/** What a model may say of itself begins like this, and ends with its sentence at the latest. */
const begun = {
  name: '(?: (?:[al][^.!?\\n\\r]*)?)?',
  said: '(?: (?:ju?s?t?|on?l?y?|me?r?e?l?y?|si?m?p?l?y?|ac?t?u?a?l?l?y?)?)?',
}
// backtracks: at most 80 characters
const unfinishedModel = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:as?(?: (?:an?${begun.name})?)?|I(?:['’]m?| (?:am?)?)?${begun.said}(?: (?:an?${begun.name})?)?|` +
    'als?(?: (?:[egks][^.!?\\n\\r]*)?)?|i(?:ch?)?(?: b?i?n?(?: [neblk][^.!?\\n\\r]*)?)?|my?(?: (?:[lkt][^.!?\\n\\r]*)?)?|mei?n?e?[msnr]?(?: (?:[lwt][^.!?\\n\\r]*)?)?)$',
  'iu',
)

/** "As an AI", "I am", "my knowledge", and the same in German. */
const modelBeginnings = beginnings('', 'AaIiMm')

function modelRules(locale: Locale): ProseRules<Code> {
  return {
    pattern: model,
    begins: modelBeginnings,
    unfinished: unfinishedModel,
    reach: 80,
    code: false,
    judge: (match) => (isSaid(match) ? found('AI_DISCLAIMER', match.found, match.span, locale) : undefined),
  }
}

/** Reads the start, the end and what is between them; holds only what may be boilerplate. */
class BoilerplateStream implements IncrementalCheck<Code> {
  readonly #kinds: ReadonlySet<Kind>
  readonly #locale: Locale
  readonly #told: StreamContract | undefined
  readonly #reasoning = new ReasoningSkipper()
  readonly #model: ProseStream<Code> | undefined
  #length = 0
  /** The start of the text, until it is known how that begins. */
  #head: string | undefined = ''
  #closing: ClosingWatch | undefined
  #failed: Progress<Code> | undefined

  constructor(kinds: ReadonlySet<Kind>, locale: Locale, told: StreamContract | undefined) {
    this.#kinds = kinds
    this.#locale = locale
    this.#told = told
    this.#model = kinds.has('ai') ? new ProseStream(modelRules(locale)) : undefined
  }

  push(chunk: string, reader: AnswerReader): Progress<Code> {
    if (this.#failed) return this.#failed
    this.#length += chunk.length
    const model = this.#model?.push(chunk, reader)
    const body = this.#reasoning.push(chunk)
    let edits: Certificate[] | undefined
    if (this.#head !== undefined) {
      // White space before the answer has no end of its own.
      this.#head = this.#head === '' ? body.trimStart() : this.#head + body
      if (this.#head === '') return { safe: this.#length }
      const start = this.#length - this.#head.length
      const opening = this.#kinds.has('preamble') || this.#kinds.has('refusal') ? readOpening(this.#head, false) : {}
      if (opening === undefined) return { safe: start }
      edits = []
      const failed = this.#open(this.#head, start, opening, edits)
      if (failed) {
        this.#failed = failed
        return failed
      }
    } else this.#closing?.push(body)
    if (model?.failure) {
      this.#failed = model
      return edits === undefined ? model : { ...model, edits }
    }
    const safe = Math.min(this.#length, this.#closing?.open ?? this.#length, model?.safe ?? this.#length)
    return edits !== undefined && edits.length > 0 ? { safe, edits } : { safe }
  }

  /** Takes what the text begins with: the preamble is edited out, or a failure. */
  #open(head: string, start: number, { preamble, refusal }: Opening, edits: Certificate[]): Progress<Code> | undefined {
    const removed = this.#kinds.has('preamble') && preamble ? moved(preamble.span, start) : undefined
    const issues: IssueDraft<Code>[] = []
    if (removed && preamble) {
      if (this.#told?.edits) edits.push(removal(preamble, head, start))
      else issues.push(found('PREAMBLE', said(preamble, head), removed, this.#locale))
    }
    const isFinal = (refusal && this.#kinds.has('refusal')) || this.#told?.allow.includes('lossy') !== true
    if (refusal && this.#kinds.has('refusal'))
      issues.push(found('REFUSAL', head.slice(refusal.start, refusal.end), moved(refusal, start), this.#locale))
    if (issues.length > 0) {
      const last = issues.at(-1)?.span ?? { start, end: start }
      const safe = issues[0]?.span?.start ?? start
      return { safe, failure: { at: last.end, issues, ...(isFinal && { final: true as const }) } }
    }
    this.#head = undefined
    if (!this.#kinds.has('offer')) return undefined
    const from = removed && preamble ? preamble.span.end : 0
    this.#closing = new ClosingWatch(start + from)
    this.#closing.push(head.slice(from))
    return undefined
  }
}

function moved({ start, end }: TextSpan, by: number): TextSpan {
  return { start: start + by, end: end + by }
}

/** A preamble without the first letter of the answer. */
function said({ span, after }: Preamble, text: string): string {
  return text.slice(span.start, span.end - after.length)
}

function removal({ span, after }: Preamble, text: string, by: number): Certificate {
  return { rule: 'drop-preamble', class: 'lossy', span: moved(span, by), before: text.slice(span.start, span.end), after }
}

interface Ends {
  readonly body: string
  readonly opening: Opening
  readonly closing: ReturnType<ClosingWatch['end']>
}

/** How an answer begins and ends. */
function endsOf(answer: Answer, kinds: ReadonlySet<Kind>): Ends {
  const { text, bodyStart } = answer
  const body = text.slice(bodyStart)
  const { preamble, refusal } = readOpening(body, true) ?? {}
  const opening: Opening = {
    ...(preamble && kinds.has('preamble') && { preamble }),
    ...(refusal && kinds.has('refusal') && { refusal }),
  }
  const from = opening.preamble?.span.end ?? 0
  const watch = new ClosingWatch(bodyStart + from)
  if (kinds.has('offer')) watch.push(body.slice(from))
  const closing = watch.end()
  return { body, opening, closing: closing && answer.inCode(closing.visible) ? undefined : closing }
}

/** So many disclaimers say enough of one answer. */
const mostIssues = 20

/** Fails when the answer begins or ends with boilerplate, speaks of the model, or refuses. */
export const boilerplate = defineValidator({
  name: 'boilerplate',
  summary: 'The answer has no preamble, closing offer, mention of being an AI, or refusal.',
  get options() {
    return z.strictObject({
      kinds: z
        .array(z.enum(boilerplateKinds))
        .min(1)
        .default([...boilerplateKinds])
        .describe('Kinds to look for: "Sure, here is …", "Let me know if …", "As an AI …", "I cannot help with …".'),
      remove: z.boolean().default(false).describe('Remove a preamble and a closing offer, which is a lossy repair.'),
    })
  },
  codes: {
    PREAMBLE: {
      severity: 'error',
      when: 'The answer begins with words that only announce it, such as "Sure, here is the list:".',
      fix: 'Begin with the answer; with `remove`, or if the contract allows lossy repairs, the words are removed.',
    },
    CLOSING_OFFER: {
      severity: 'error',
      when: 'The answer ends with sentences that only offer more, such as "Let me know if you have questions."',
      fix: 'End with the answer; with `remove`, or if the contract allows lossy repairs, the sentences are removed.',
    },
    AI_DISCLAIMER: {
      severity: 'error',
      when: 'The answer speaks of the model, such as "As an AI language model, I …"; quotes, dialogue and code do not count.',
      fix: 'Leave the clause out.',
      repaired: false,
    },
    REFUSAL: {
      severity: 'error',
      when: 'The first sentence refuses the request, such as "I cannot help with that."',
      fix: 'Answer the request, or remove `refusal` from `kinds` where refusals are right.',
      repaired: false,
    },
  },
  instruct: ({ kinds }, locale) => boilerplateMessages[locale].instruct(new Set(kinds)),
  prepare: ({ kinds: chosen, remove }) => {
    const kinds: ReadonlySet<Kind> = new Set(chosen)
    return {
      ...((kinds.has('preamble') || kinds.has('offer')) && { edits: 'lossy' as const }),
      ...(remove && { allow: ['lossy'] as const, optedIn: true as const }),
      *check(answer, { locale }) {
        const { bodyStart, text } = answer
        const { body, opening, closing } = endsOf(answer, kinds)
        const { preamble, refusal } = opening
        if (preamble) yield found('PREAMBLE', said(preamble, body), moved(preamble.span, bodyStart), locale)
        if (refusal) yield found('REFUSAL', body.slice(refusal.start, refusal.end), moved(refusal, bodyStart), locale)
        if (kinds.has('ai')) {
          let count = 0
          for (const one of searchProse(answer, modelRules(locale))) if (count++ < mostIssues) yield one
        }
        if (closing) {
          const span = { start: closing.visible, end: closing.span.end }
          yield found('CLOSING_OFFER', text.slice(span.start, span.end), span, locale)
        }
      },
      incremental: ({ locale }, told) => new BoilerplateStream(kinds, locale, told),
      *repair(answer) {
        const { body, opening, closing } = endsOf(answer, kinds)
        if (opening.preamble && !opening.preamble.isAll) yield removal(opening.preamble, body, answer.bodyStart)
        if (closing) {
          const { span } = closing
          yield { rule: 'drop-offer', class: 'lossy', span, before: answer.text.slice(span.start, span.end), after: '' }
        }
      },
    }
  },
})
