import type { Answer } from '../../answer/answer.ts'
import { isLowSurrogate } from '../../answer/characters.ts'
import type { TextSpan } from '../../answer/span.ts'
import type { Certificate } from '../../contract/certificate.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { reportAtEnd } from '../../contract/machine/at-end.ts'
import type { Machine, Reading } from '../../contract/machine/machine.ts'
import { prepareMachine } from '../../contract/machine/machine-run.ts'
import { defineValidator } from '../../contract/validator.ts'
import { quoteJson, quoteJsonAtMost } from '../../schema/evaluate/show.ts'
import { foldText } from '../shared/fold-case.ts'
import { type AffixRules, affixesOptions, affixRulesOf, type StartCode, StartMatcher } from './start-matcher.ts'

type Code = StartCode | 'WRONG_END'

/** The wording of one language: by code what is asked for, and what helps; and what follows. */
interface AffixWords extends Readonly<Record<Code, readonly [demand: string, hint: string]>> {
  readonly starts: string
  readonly ends: string
  readonly and: string
  readonly doubleQuotes: string
}

/** The wording of `affixes` in both languages. */
const affixWords: Readonly<Record<Locale, AffixWords>> = {
  en: {
    WRONG_START: ['Start the answer with', 'Write nothing before it, no greeting and no heading.'],
    WRONG_END: ['End the answer with', 'Write nothing after it.'],
    NOT_WRAPPED: ['Put the whole answer between', 'Write nothing before the first and nothing after the last of them.'],
    starts: 'it starts with',
    ends: 'it ends with',
    and: 'and',
    doubleQuotes: 'double quotes',
  },
  de: {
    WRONG_START: ['Beginne die Antwort mit', 'Schreibe nichts davor, keine Begrüßung und keine Überschrift.'],
    WRONG_END: ['Beende die Antwort mit', 'Schreibe nichts dahinter.'],
    NOT_WRAPPED: ['Setze die ganze Antwort zwischen', 'Schreibe nichts vor das erste und nichts hinter das letzte.'],
    starts: 'sie beginnt mit',
    ends: 'sie endet mit',
    and: 'und',
    doubleQuotes: 'doppelte Anführungszeichen',
  },
}

/** What is asked for whose absence has this code, without a full stop. */
function demandOf(code: Code, { open = '', close = '', starts = '', ends = '' }: AffixRules, say: AffixWords): string {
  const [demand] = say[code]
  if (code !== 'NOT_WRAPPED') return `${demand} ${quoteJson(code === 'WRONG_START' ? starts : ends)}`
  // Double quotes in quotes would be hard to read.
  return `${demand} ${open === '"' && close === '"' ? say.doubleQuotes : `${quoteJson(open)} ${say.and} ${quoteJson(close)}`}`
}

/** What the model is told up front. */
function instructionOf(rules: AffixRules, say: AffixWords): string {
  const codes = { WRONG_START: rules.starts, WRONG_END: rules.ends, NOT_WRAPPED: rules.open }
  return (Object.keys(codes) as Code[]).flatMap((code) => (codes[code] === undefined ? [] : `${demandOf(code, rules, say)}.`)).join(' ')
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
  instruct: (options, locale) => instructionOf(affixRulesOf(options), affixWords[locale]),
  prepare: (options) => {
    const rules = affixRulesOf(options)
    return prepareMachine((reading) => new AffixMachine(reading, rules), { repair: (answer) => repairAffixes(answer, rules) })
  },
})

/** Holds the start until it is right, and stops at the first character that makes it wrong; the end is judged at the end. */
class AffixMachine implements Machine {
  safe = 0
  readonly #reading: Reading<Code>
  readonly #rules: AffixRules
  readonly #matcher: StartMatcher
  /** How far before the end of the text a repair may add to it; undefined where it may not. */
  readonly #reach: number | undefined
  #start = -1
  /** White space at the end; a repair may insert before it. */
  #spaces = 0

  constructor(reading: Reading<Code>, rules: AffixRules) {
    const { ends, close } = rules
    this.#reading = reading
    this.#rules = rules
    this.#matcher = new StartMatcher(rules)
    // A missing end is put before what the answer is wrapped in.
    const before = ends === undefined ? 0 : (close?.length ?? 0)
    this.#reach = (ends ?? close) !== undefined && reading.allow.includes('guess') ? before : undefined
  }

  read(piece: string, at: number): void {
    const { answer, locale } = this.#reading
    if (answer) {
      reportAtEnd(this.#reading, wrongAffixes(answer, this.#rules, locale))
      return
    }
    if (this.#start < 0) this.#start = at
    const visible = piece.trimEnd().length
    this.#spaces = visible === 0 ? this.#spaces + piece.length : piece.length - visible
    if (!this.#matcher.isRight) this.#match(piece)
    if (!this.#matcher.isRight) return
    this.safe = this.#reach === undefined ? Number.POSITIVE_INFINITY : Math.max(0, at + piece.length - this.#spaces - this.#reach)
  }

  #match(piece: string): void {
    this.#matcher.push(piece)
    const { wrong, hasFailed, length } = this.#matcher
    if (wrong === undefined) return
    const { allow, locale } = this.#reading
    const isAdded = allow.includes('guess')
    // A start in another case can be corrected.
    const isRecased = !isAdded && allow.includes('lossless')
    if (isRecased && !hasFailed) return
    const start = this.#start
    const observed = (text: string): string => `${text.slice(start, start + wrong.length).trimStart()}…`
    const issue = (text: string) => wrongAffix(wrong.code, observed(text), this.#rules, locale)
    this.#reading.wrong({ start: 0, at: start + (isRecased ? length : wrong.length), ...(isAdded && { repair: 'guess' }), issue })
  }
}

/** What is wrong with an answer. */
function wrongAffixes(answer: Answer, rules: AffixRules, locale: Locale): IssueDraft<Code>[] {
  const faults = inspectAffixes(answer, rules)
  const { start, end } = faults
  const issues = start === undefined ? [] : [wrongAffix(start, headOf(answer, faults), rules, locale)]
  if (end === undefined || end === start) return issues
  const { shown, span } = endOf(answer, faults)
  const issue = wrongAffix(end, shown, rules, locale, true)
  return [...issues, end === 'WRONG_END' ? { ...issue, span } : issue]
}

/** Says what is wrong with the start, or with the end. */
function wrongAffix(code: Code, observed: string, rules: AffixRules, locale: Locale, isEnd = false): IssueDraft<Code> {
  const say = affixWords[locale]
  const [, hint] = say[code]
  const message = `${demandOf(code, rules, say)}; ${isEnd ? say.ends : say.starts} ${quoteJsonAtMost(observed, longestQuoted)}.`
  return issue(code, message, { hint })
}

/** The end of an answer, from the start of a word where one is near, with a mark where more comes before it. */
function endOf({ text }: Answer, { body }: AffixFaults): { readonly shown: string; readonly span: TextSpan } {
  const cut = body.end - longestQuoted + 1
  if (cut < body.start) return { shown: text.slice(body.start, body.end), span: body }
  const word = text.slice(cut - 1, body.end).search(/\s\S/)
  const whole = isLowSurrogate(text.charCodeAt(cut)) ? cut + 1 : cut
  const start = word >= 0 && word < longestQuoted / 2 ? cut + word : whole
  return { shown: `…${text.slice(start, body.end)}`, span: { start, end: body.end } }
}

function headOf({ text }: Answer, { body }: AffixFaults): string {
  return text.slice(body.start, Math.min(body.end, body.start + 2 * longestQuoted))
}

/** Adds what is missing at both ends, a guess at what the model meant; a start in another case is corrected. */
function* repairAffixes(answer: Answer, rules: AffixRules): Generator<Certificate> {
  // There is nothing to put anything around.
  if (!answer.visible) return
  const { body, matcher, start, end } = inspectAffixes(answer, rules)
  if (start !== undefined) yield* repairStart(answer, rules, body.start, matcher)
  if (end === undefined) return
  const { close, ends } = rules
  // It may be right but for what it is wrapped in.
  const lacksEnd = inspectAffixes(answer, { ...rules, close: undefined }).end !== undefined
  const ending = ends !== undefined && (end === 'WRONG_END' || lacksEnd) ? `${gapBefore(ends)}${ends}` : ''
  const isInside = close !== undefined && end === 'WRONG_END'
  const at = isInside ? body.end - close.length : body.end
  yield insert('add-end', at, `${ending}${close !== undefined && !isInside ? close : ''}`)
}

function* repairStart({ text }: Answer, rules: AffixRules, at: number, matcher: StartMatcher): Generator<Certificate> {
  const { open = '', starts = '' } = rules
  if (matcher.isThere) {
    const span = { start: at, end: at + matcher.length }
    const before = text.slice(span.start, span.end)
    // White space between the pieces stays.
    const after = `${open}${before.slice(open.length, before.length - starts.length)}${starts}`
    yield { rule: 'correct-case', class: 'lossless', span, before, after }
    return
  }
  if (matcher.missing === 'WRONG_START') {
    yield insert('add-start', at + open.length, `${starts}${gapBehind(starts)}`)
    return
  }
  const inner = new StartMatcher({ ...rules, open: undefined })
  inner.push(text.slice(at))
  yield insert('add-start', at, inner.isRight || starts === '' ? open : `${open}${starts}${gapBehind(starts)}`)
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
  readonly matcher: StartMatcher
  readonly start: StartCode | undefined
  readonly end: 'NOT_WRAPPED' | 'WRONG_END' | undefined
}

/** Looks at both ends of an answer. */
function inspectAffixes({ text, bodyStart, isBetween }: Answer, rules: AffixRules): AffixFaults {
  const rest = text.slice(bodyStart)
  const start = bodyStart + rest.length - rest.trimStart().length
  const body = text.slice(start).trimEnd()
  const matcher = new StartMatcher(rules)
  matcher.push(body)
  return {
    body: { start, end: start + body.length },
    matcher,
    // What is not wrong yet may follow once the tools have answered.
    start: isBetween ? matcher.wrong?.code : matcher.missing,
    end: isBetween ? undefined : inspectEnd(body, rules),
  }
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
