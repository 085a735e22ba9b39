import type { Answer } from '../../answer/answer.ts'
import { isLowSurrogate } from '../../answer/characters.ts'
import type { TextSpan } from '../../answer/span.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { Machine, Reading } from '../../contract/machine/machine.ts'
import { prepareMachine } from '../../contract/machine/machine-run.ts'
import { defineValidator } from '../../contract/validator.ts'
import { quoteJson, quoteJsonAtMost } from '../../schema/evaluate/show.ts'
import { foldText } from '../shared/fold-case.ts'
import { type AffixRules, affixesOptions, affixRulesOf, type StartCode, StartMatcher } from './start-matcher.ts'

interface AffixMessages {
  instruct(rules: AffixRules): string
  wrongStart(starts: string, observed: string): string
  wrongEnd(ends: string, observed: string): string
  /** `observed` is how it starts, unless that is right and `isEnd` says so. */
  notWrapped(open: string, close: string, observed: string, isEnd: boolean): string
  hint: { readonly start: string; readonly end: string; readonly wrap: string }
}

/** Both marks; double quotes in quotes would be hard to read. */
const both = (open: string, close: string, and: string, quotes: string): string =>
  open === '"' && close === '"' ? quotes : `${quoteJson(open)} ${and} ${quoteJson(close)}`

/** The wording of `affixes` in both languages. */
const affixMessages: Readonly<Record<Locale, AffixMessages>> = {
  en: {
    instruct: ({ open, close, starts, ends }) =>
      [
        starts === undefined ? [] : `Start the answer with ${quoteJson(starts)}.`,
        ends === undefined ? [] : `End the answer with ${quoteJson(ends)}.`,
        open === undefined || close === undefined ? [] : `Put the whole answer between ${both(open, close, 'and', 'double quotes')}.`,
      ]
        .flat()
        .join(' '),
    wrongStart: (starts, observed) =>
      `Start the answer with ${quoteJson(starts)}; it starts with ${quoteJsonAtMost(observed, longestQuoted)}.`,
    wrongEnd: (ends, observed) => `End the answer with ${quoteJson(ends)}; it ends with ${quoteJson(observed)}.`,
    notWrapped: (open, close, observed, isEnd) =>
      `Put the whole answer between ${both(open, close, 'and', 'double quotes')}; it ${isEnd ? 'ends' : 'starts'} with ${quoteJsonAtMost(observed, longestQuoted)}.`,
    hint: {
      start: 'Write nothing before it, no greeting and no heading.',
      end: 'Write nothing after it.',
      wrap: 'Write nothing before the first and nothing after the last of them.',
    },
  },
  de: {
    instruct: ({ open, close, starts, ends }) =>
      [
        starts === undefined ? [] : `Beginne die Antwort mit ${quoteJson(starts)}.`,
        ends === undefined ? [] : `Beende die Antwort mit ${quoteJson(ends)}.`,
        open === undefined || close === undefined
          ? []
          : `Setze die ganze Antwort zwischen ${both(open, close, 'und', 'doppelte Anführungszeichen')}.`,
      ]
        .flat()
        .join(' '),
    wrongStart: (starts, observed) =>
      `Beginne die Antwort mit ${quoteJson(starts)}; sie beginnt mit ${quoteJsonAtMost(observed, longestQuoted)}.`,
    wrongEnd: (ends, observed) => `Beende die Antwort mit ${quoteJson(ends)}; sie endet mit ${quoteJson(observed)}.`,
    notWrapped: (open, close, observed, isEnd) =>
      `Setze die ganze Antwort zwischen ${both(open, close, 'und', 'doppelte Anführungszeichen')}; sie ${isEnd ? 'endet' : 'beginnt'} mit ${quoteJsonAtMost(observed, longestQuoted)}.`,
    hint: {
      start: 'Schreibe nichts davor, keine Begrüßung und keine Überschrift.',
      end: 'Schreibe nichts dahinter.',
      wrap: 'Schreibe nichts vor das erste und nichts hinter das letzte.',
    },
  },
}

/** So much of an answer is quoted. */
const longestQuoted = 40

/** Fails when the answer does not start or end with a given text, or is not wrapped in one; reasoning does not count. */
export const affixes = defineValidator({
  name: 'affixes',
  summary: 'The answer starts or ends with a given text, or is wrapped in one.',
  get options() {
    return affixesOptions()
  },
  repairs: true,
  codes: {
    WRONG_START: {
      severity: 'error',
      when: 'The answer does not start with `starts`.',
      fix: 'Start with the text; if a guess is allowed, a repair adds it.',
    },
    WRONG_END: {
      severity: 'error',
      when: 'The answer does not end with `ends`.',
      fix: 'End with the text; if a guess is allowed, a repair adds it.',
    },
    NOT_WRAPPED: {
      severity: 'error',
      when: 'The answer does not start and end with `wrappedIn`.',
      fix: 'Wrap the answer; if a guess is allowed, a repair adds what is missing.',
    },
  },
  instruct: (options, locale) => affixMessages[locale].instruct(affixRulesOf(options)),
  prepare: (options) => {
    const rules = affixRulesOf(options)
    return prepareMachine((reading) => new AffixMachine(reading, rules), { repair: (answer) => repairAffixes(answer, rules) })
  },
})

type Code = StartCode | 'WRONG_END'

/** Holds the start until it is right, and stops at the first character that makes it wrong; the end is judged at the end. */
class AffixMachine implements Machine {
  safe = 0
  readonly #reading: Reading<Code>
  readonly #rules: AffixRules
  readonly #exact: StartMatcher
  /** Distinguished from the exact one only where case matters: a start in another case can be repaired. */
  readonly #folded: StartMatcher
  #start = -1
  /** The start as it was read. */
  #read = ''
  /** White space at the end; a repair may insert before it. */
  #spaces = 0

  constructor(reading: Reading<Code>, rules: AffixRules) {
    this.#reading = reading
    this.#rules = rules
    this.#exact = new StartMatcher(rules, !rules.caseSensitive)
    this.#folded = new StartMatcher(rules, true)
  }

  read(piece: string, at: number): void {
    if (this.#start < 0) this.#start = at
    const end = at + piece.length
    if (this.#reading.answer) {
      this.#judge(this.#reading.answer)
      return
    }
    const visible = piece.trimEnd().length
    this.#spaces = visible === 0 ? this.#spaces + piece.length : piece.length - visible
    if (!this.#exact.done) this.#match(piece, at)
    if (this.#exact.done) this.safe = this.#isAdded ? Math.max(0, end - this.#spaces - this.#added) : Number.POSITIVE_INFINITY
  }

  /** Whether a repair may add what is missing at the end. */
  get #isAdded(): boolean {
    return (this.#rules.ends !== undefined || this.#rules.close !== undefined) && this.#reading.allow.includes('guess')
  }

  /** A missing end is put before what the answer is wrapped in. */
  get #added(): number {
    return this.#rules.ends === undefined ? 0 : (this.#rules.close?.length ?? 0)
  }

  #match(piece: string, at: number): void {
    const { allow, locale } = this.#reading
    const hadFailed = this.#exact.failed !== undefined
    const end = this.#exact.push(piece)
    const foldedEnd = this.#folded.push(piece)
    if (!hadFailed) this.#read = (this.#read + piece.slice(0, end)).trimStart()
    const code = this.#exact.failed
    const isAdded = allow.includes('guess')
    if (code === undefined || (!isAdded && allow.includes('lossless') && this.#folded.failed === undefined)) return
    const issue = wrongStart(code, `${this.#read}…`, this.#rules, locale)
    const decided = at + Math.max(hadFailed ? 0 : end, isAdded ? 0 : foldedEnd)
    this.#reading.wrong({ start: 0, at: decided, ...(isAdded && { repair: 'guess' as const }), issue: () => issue })
  }

  #judge(answer: BodyText): void {
    const { locale } = this.#reading
    const faults = inspectAffixes(answer, this.#rules)
    const report = (issue: IssueDraft<Code>): void => this.#reading.wrong({ start: 0, at: Number.POSITIVE_INFINITY, issue: () => issue })
    if (faults.start !== undefined) report(wrongStart(faults.start, headOf(answer, faults), this.#rules, locale))
    if (faults.end === 'NOT_WRAPPED' && faults.start !== 'NOT_WRAPPED')
      report(wrongStart('NOT_WRAPPED', endOf(answer, faults).shown, this.#rules, locale, true))
    if (faults.end === 'WRONG_END') report(wrongEnd(answer, faults, this.#rules, locale))
  }
}

/** What is looked at of an answer. */
type BodyText = Pick<Answer, 'text' | 'bodyStart' | 'isBetween'>

function wrongStart(
  code: StartCode,
  observed: string,
  { open = '', close = '', starts = '' }: AffixRules,
  locale: Locale,
  isEnd = false,
): IssueDraft<StartCode> {
  const say = affixMessages[locale]
  if (code === 'NOT_WRAPPED') return issue(code, say.notWrapped(open, close, observed, isEnd), { hint: say.hint.wrap })
  return issue(code, say.wrongStart(starts, observed), { hint: say.hint.start })
}

function wrongEnd(answer: BodyText, faults: AffixFaults, { ends = '' }: AffixRules, locale: Locale): IssueDraft<'WRONG_END'> {
  const say = affixMessages[locale]
  const { shown, span } = endOf(answer, faults)
  return issue('WRONG_END', say.wrongEnd(ends, shown), { hint: say.hint.end, span })
}

/** The end of an answer, from the start of a word where one is near, with a mark where more comes before it. */
function endOf({ text }: BodyText, { body }: AffixFaults): { readonly shown: string; readonly span: TextSpan } {
  const cut = body.end - longestQuoted + 1
  if (cut < body.start) return { shown: text.slice(body.start, body.end), span: body }
  const word = text.slice(cut - 1, body.end).search(/\s\S/)
  const whole = isLowSurrogate(text.charCodeAt(cut)) ? cut + 1 : cut
  const start = word >= 0 && word < longestQuoted / 2 ? cut + word : whole
  return { shown: `…${text.slice(start, body.end)}`, span: { start, end: body.end } }
}

function headOf({ text }: BodyText, { body }: AffixFaults): string {
  return text.slice(body.start, Math.min(body.end, body.start + 2 * longestQuoted))
}

/** Adds what is missing at both ends, a guess at what the model meant; a start in another case is corrected. */
function* repairAffixes(answer: Answer, rules: AffixRules): Generator<Certificate> {
  // There is nothing to put anything around.
  if (!answer.visible) return
  const { body, start, end } = inspectAffixes(answer, rules)
  if (start !== undefined) yield* repairStart(answer, rules, body.start, start === 'NOT_WRAPPED')
  if (end === undefined) return
  const { close, ends } = rules
  const ending = ends !== undefined && (end === 'WRONG_END' || !inspectsEnd(answer, rules)) ? `${gapBefore(ends)}${ends}` : ''
  const isInside = close !== undefined && end === 'WRONG_END'
  const at = isInside ? body.end - close.length : body.end
  yield insert('add-end', at, `${ending}${close !== undefined && !isInside ? close : ''}`)
}

/** Whether the end is right but for what it is wrapped in. */
function inspectsEnd(answer: Answer, rules: AffixRules): boolean {
  return inspectAffixes(answer, { ...rules, close: undefined }).end === undefined
}

function* repairStart({ text }: Answer, rules: AffixRules, at: number, isUnwrapped: boolean): Generator<Certificate> {
  const { open = '', starts = '' } = rules
  const folded = new StartMatcher(rules, true)
  const length = folded.push(text.slice(at))
  if (folded.done) {
    const before = text.slice(at, at + length)
    yield { rule: 'correct-case', class: 'lossless', span: { start: at, end: at + length }, before, after: recased(before, open, starts) }
    return
  }
  if (!isUnwrapped) {
    yield insert('add-start', at + open.length, `${starts}${gapBehind(starts)}`)
    return
  }
  const inner = new StartMatcher({ ...rules, open: undefined }, !rules.caseSensitive)
  inner.push(text.slice(at))
  yield insert('add-start', at, inner.done || starts === '' ? open : `${open}${starts}${gapBehind(starts)}`)
}

/** What was read, in the case that is asked for; white space between the pieces stays. */
function recased(before: string, open: string, starts: string): string {
  return `${open}${before.slice(open.length, before.length - starts.length)}${starts}`
}

function insert(rule: string, at: number, after: string): Certificate {
  return { rule, class: 'guess', span: { start: at, end: at }, before: '', after }
}

/** A sentence is a paragraph of its own; anything else is in the same line. */
function gapBehind(starts: string): string {
  return /[.!?:]$/.test(starts) ? '\n\n' : ' '
}

function gapBefore(ends: string): string {
  if (/^\p{Lu}/u.test(ends)) return '\n\n'
  return /^[\p{L}\p{N}]/u.test(ends) ? ' ' : ''
}

/** What is wrong with the start and the end of an answer. */
interface AffixFaults {
  /** The body without white space at both ends. */
  readonly body: TextSpan
  readonly start: StartCode | undefined
  readonly end: 'NOT_WRAPPED' | 'WRONG_END' | undefined
}

/** Looks at both ends of an answer. */
function inspectAffixes({ text, bodyStart, isBetween }: BodyText, rules: AffixRules): AffixFaults {
  const rest = text.slice(bodyStart)
  const start = bodyStart + rest.length - rest.trimStart().length
  const body = text.slice(start).trimEnd()
  const matcher = new StartMatcher(rules, !rules.caseSensitive)
  matcher.push(body)
  // What is not wrong yet may follow once the tools have answered.
  const wrongStart = isBetween ? matcher.failed : matcher.missing
  return { body: { start, end: start + body.length }, start: wrongStart, end: isBetween ? undefined : inspectEnd(body, rules) }
}

function inspectEnd(body: string, { open, close, ends, caseSensitive }: AffixRules): AffixFaults['end'] {
  const endsIn = (text: string, ending: string): boolean =>
    caseSensitive ? text.endsWith(ending) : foldText(text.slice(-2 * ending.length)).endsWith(foldText(ending))
  if (close !== undefined && !(body.length >= (open?.length ?? 0) + close.length && endsIn(body, close))) return 'NOT_WRAPPED'
  if (ends === undefined) return undefined
  const inner = close === undefined ? body : body.slice(0, -close.length).trimEnd()
  return endsIn(inner, ends) || endsIn(withoutQuotes(inner), ends) ? undefined : 'WRONG_END'
}

/** Without the double quotes at the end, so that an answer in quotes ends with what it says. */
function withoutQuotes(text: string): string {
  let end = text.length
  while (end > 0 && text.charCodeAt(end - 1) === 34) end--
  return text.slice(0, end)
}
