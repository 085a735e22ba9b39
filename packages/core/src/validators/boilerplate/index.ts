import * as z from 'zod'
import type { TextSpan } from '../../answer/span.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { Machine, Reading } from '../../contract/machine/machine.ts'
import { prepareMachine } from '../../contract/machine/machine-run.ts'
import { defineValidator } from '../../contract/validator.ts'
import { quoteJson } from '../../schema/evaluate/show.ts'
import { endsQuoted } from '../shared/open-quotation.ts'
import { beginnings, type ProseMatch, ProseMatches } from '../shared/prose-matches.ts'
import { ClosingWatch } from './closing.ts'
import { type Preamble, readOpening } from './opening.ts'
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

/** So many disclaimers say enough of one answer. */
const mostDisclaimers = 20

/** Reads the start, the end and what is between them; holds only what may be boilerplate. */
class BoilerplateMachine implements Machine {
  readonly reach: number | undefined
  safe = Number.POSITIVE_INFINITY
  readonly #reading: Reading<Code>
  readonly #kinds: ReadonlySet<Kind>
  readonly #model: ProseMatches | undefined
  /** The start of the text, until it is known how that begins. */
  #head: string | undefined = ''
  #closing: ClosingWatch | undefined
  /** Where the opening ends that is wrong: it counts before all that follows. */
  #opened = 0
  #disclaimers = 0

  constructor(reading: Reading<Code>, kinds: ReadonlySet<Kind>) {
    this.#reading = reading
    this.#kinds = kinds
    if (!kinds.has('ai') || reading.isEditing) return
    const judge = (match: ProseMatch): void => this.#disclaim(match)
    this.#model = new ProseMatches(reading, {
      pattern: model,
      begins: modelBeginnings,
      unfinished: unfinishedModel,
      reach: 80,
      code: false,
      judge,
    })
    this.reach = this.#model.reach
  }

  read(piece: string, at: number, isEnd: boolean): void {
    if (this.#head === undefined) this.#follow(piece, at, isEnd)
    else {
      // White space before the answer has no end of its own.
      this.#head = this.#head === '' ? piece.trimStart() : this.#head + piece
      const start = at + piece.length - this.#head.length
      this.#begin(this.#head, start, isEnd)
      if (this.#head !== undefined) {
        this.safe = this.#head === '' ? Number.POSITIVE_INFINITY : start
        return
      }
    }
    if (isEnd) this.#close()
    else this.safe = Math.min(this.#closing?.open ?? Number.POSITIVE_INFINITY, this.#model?.safe ?? Number.POSITIVE_INFINITY)
  }

  /** Reports what the text begins with, once that is known, and goes on behind a preamble. */
  #begin(head: string, start: number, isEnd: boolean): void {
    if (head === '' && !isEnd) return
    const { locale } = this.#reading
    const has = (kind: Kind): boolean => this.#kinds.has(kind)
    const opening = has('preamble') || has('refusal') ? readOpening(head, isEnd) : {}
    if (opening === undefined) return
    const preamble = has('preamble') ? opening.preamble : undefined
    const refusal = has('refusal') ? opening.refusal : undefined
    const issues: IssueDraft<Code>[] = []
    if (preamble) {
      issues.push(found('PREAMBLE', said(preamble, head), moved(preamble.span, start), locale))
      if (!preamble.isAll)
        this.#reading.fix({ rule: 'drop-preamble', class: 'lossy', span: moved(preamble.span, start), after: preamble.after })
    }
    if (refusal) issues.push(found('REFUSAL', head.slice(refusal.start, refusal.end), moved(refusal, start), locale))
    const last = issues.at(-1)?.span
    if (last) {
      this.#opened = last.end
      const wrong = { start: issues[0]?.span?.start ?? start, at: last.end, issue: () => issues }
      this.#reading.wrong(refusal ? wrong : { ...wrong, repair: 'lossy' })
    }
    this.#head = undefined
    const from = preamble?.span.end ?? 0
    if (has('offer')) this.#closing = new ClosingWatch(start + from)
    this.#model?.read(head, start, isEnd)
    this.#closing?.push(head.slice(from))
  }

  #follow(piece: string, at: number, isEnd: boolean): void {
    this.#model?.read(piece, at, isEnd)
    this.#closing?.push(piece)
  }

  #disclaim(match: ProseMatch): void {
    if (!isSaid(match) || this.#disclaimers++ >= mostDisclaimers) return
    const { found: text, span } = match
    const issue = () => found('AI_DISCLAIMER', text, span, this.#reading.locale)
    this.#reading.wrong({ start: span.start, at: Math.max(span.end, this.#opened + 1), issue })
  }

  /** Reports what the text ends with. */
  #close(): void {
    const closing = this.#closing?.end()
    if (closing === undefined || this.#reading.inCode(closing.visible)) return
    const { span: whole, visible } = closing
    const span = { start: visible, end: whole.end }
    const issue = (text: string) => found('CLOSING_OFFER', text.slice(span.start, span.end), span, this.#reading.locale)
    this.#reading.wrong({ start: whole.start, at: Number.POSITIVE_INFINITY, repair: 'lossy', issue })
    this.#reading.fix({ rule: 'drop-offer', class: 'lossy', span: whole, after: '' })
  }
}

function moved({ start, end }: TextSpan, by: number): TextSpan {
  return { start: start + by, end: end + by }
}

/** A preamble without the first letter of the answer. */
function said({ span, after }: Preamble, text: string): string {
  return text.slice(span.start, span.end - after.length)
}

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
  repairs: true,
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
    return prepareMachine<Code>((reading) => new BoilerplateMachine(reading, kinds), {
      ...((kinds.has('preamble') || kinds.has('offer')) && { edits: 'lossy' }),
      ...(remove && { allow: ['lossy'], optedIn: true }),
    })
  },
})
