import { Answer } from '../../../answer/answer.ts'
import type { TextSpan } from '../../../answer/span.ts'
import type { ToolCall } from '../../../answer/tool-calls.ts'
import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import type { Certificate } from '../../../contract/certificate.ts'
import { applyCertificates } from '../../../repairs/apply.ts'
import type { SuggestionRules } from '../../shared/suggest-tool.ts'
import { tokenPattern } from '../dialects/marks.ts'
import { isBlank, isBlankAround, keyOf, type TextToolCalls } from './fenced.ts'
import { type CallsInAnswer, findTextToolCalls } from './find.ts'
import { isOffered } from './places.ts'

/** What calls in the text are judged by. */
export interface TextCallRules {
  readonly offered: readonly ToolDefinition[]
  readonly aliases: SuggestionRules['aliases']
  /** Whether the contract says that the model writes calls in this dialect. */
  readonly trusts: (dialect: string) => boolean
  /** What is wrong with a call. */
  readonly faultsOf: (call: ToolCall) => readonly { readonly code: string }[]
  readonly isError: (code: string) => boolean
  /** Whether everything that looks like a call of a tool is reported. */
  readonly isStrict: boolean
  /** What would make a call right. */
  readonly changesOf: (call: ToolCall) => Iterable<Certificate>
}

/** `right`: as it is, or with other names and types; `doubtful`: only with other values; `wrong`: in no way. */
type Verdict = 'right' | 'doubtful' | 'wrong'

/** Changes after which a call has other values than the text. */
const otherValues = new Set(['match-enum', 'drop-null', 'fill-default'])

function verdictOn(call: ToolCall, isTrusted: boolean, { faultsOf, isError, changesOf }: TextCallRules): Verdict {
  const faults = faultsOf(call)
  if (faults.length === 0) return 'right'
  // A real call with a value of another type would be delivered too; where the contract names the dialect, it is one, whatever else is odd.
  const isSmall = ({ code }: { readonly code: string }): boolean => !isError(code) && (isTrusted || code === 'WRONG_TYPE')
  const changes = [...changesOf(call)]
  if (changes.length === 0 || isTrusted) if (faults.every(isSmall)) return 'right'
  if (changes.length === 0) return 'wrong'
  const [repaired] = applyCertificates(new Answer('', { toolCalls: [call] }), changes)?.toolCalls ?? []
  if (repaired === undefined || !faultsOf(repaired).every(isSmall)) return 'wrong'
  return changes.every(keepsValues) ? 'right' : 'doubtful'
}

function keepsValues({ rule, class: kind }: Certificate): boolean {
  return rule === 'rename-key' || (kind === 'lossless' && !otherValues.has(rule))
}

/** A call in a text, or what looks like one. */
export interface CallInText {
  readonly span: TextSpan
  /** Whether the text ends within it. */
  readonly isCut: boolean
  /** The offered tools that it names. */
  readonly names: readonly string[]
}

/** The calls in a text: those that are meant, and what should be calls whatever is in it. */
export function callsInText(answer: Answer, rules: TextCallRules): readonly CallInText[] {
  if (rules.offered.length === 0) return []
  const offered = new Set(rules.offered.map(({ name }) => name))
  const describe = ({ span, isCut = false, calls = [] }: Found): CallInText => {
    return { span, isCut, names: [...new Set(calls.map(({ name }) => name))].filter((name) => offered.has(name)) }
  }
  const calls = findTextToolCalls(answer, rules.offered, rules)
  const { found, shown, doubtful, lookalikes, unread } = calls
  const meant = callsToMake(answer, calls, rules, ['right', 'doubtful'])
  if (meant.length > 0) return meant.map(describe)
  const marked = unread ?? found.find(({ marks }) => marks)
  if (marked) return [describe(marked)]
  // Where only some of it is a call that could be made, none may get lost.
  const right = [...found, ...doubtful].find((one) => one.calls.some((call) => verdictOn(call, false, rules) !== 'wrong'))
  const strict = rules.isStrict ? [...found, ...shown, ...lookalikes.filter(isOffered)] : []
  const first = right ?? strict.sort((a, b) => a.span.start - b.span.start)[0]
  return first ? [describe(first)] : []
}

type Found = Pick<CallInText, 'span'> & Partial<Pick<CallInText, 'isCut'> & Pick<TextToolCalls, 'calls'>>

/** A line before calls that says not to make them. */
const denial =
  // backtracks: at most 200 characters
  /(?:\bnever\b|(?:\bnot|n['’]t) (?:do|call|run|use|make|execute|invoke|send|try)\b|\b(?:instead of|rather than|avoid)\b|\b(?:nie|niemals|nicht) (?:so|tun|machen|aufrufen|ausführen|verwenden)\b|\bstatt\b)[^\n]{0,80}$/i

/** Yields the changes that turn tool calls in the text into real ones; none unless every one of them is right, and the answer ends with them. */
export function* turnTextIntoCalls(answer: Answer, rules: TextCallRules): Generator<Certificate> {
  const all = findTextToolCalls(answer, rules.offered, rules)
  const found = callsToMake(answer, all, rules, ['right'])
  if (denial.test(wordsBefore(answer.text, all.start, found).trimEnd().slice(-200))) return
  const change = (span: TextSpan, kind: Certificate['class']): Certificate => ({
    rule: 'text-to-tool-call',
    class: kind,
    span,
    before: answer.text.slice(span.start, span.end),
    after: '',
  })
  let at = all.start
  // Text is never certain to be a call, unless the contract says how the model writes them; words around one without marks may be about it.
  const isAlone = isBlankAround(answer.text, at, found)
  const isSure = ({ dialect, marks, isFenced }: TextToolCalls): boolean =>
    rules.trusts(dialect) && (isAlone || isFenced || marks !== undefined)
  // One class for all: those of one that is not allowed stay text with the others.
  const kind = found.every(isSure) ? 'lossless' : 'guess'
  for (const { span, calls, marks } of found) {
    if (marks) for (const token of tokensIn(answer.text, at, span.start)) yield change(token, kind)
    yield { ...change(span, kind), calls }
    at = span.end
    if (marks && span === found.at(-1)?.span) for (const token of tokensIn(answer.text, at, answer.text.length)) yield change(token, kind)
  }
}

/** The text before and between calls. */
function wordsBefore(text: string, start: number, found: readonly TextToolCalls[]): string {
  return found.map(({ span }, index) => text.slice(found[index - 1]?.span.end ?? start, span.start)).join('')
}

/** The tokens around messages in a part of a text; before calls only those that a stream is held from. */
function tokensIn(text: string, start: number, end: number): TextSpan[] {
  return Array.from(text.slice(start, end).matchAll(tokenPattern()))
    .filter(({ 0: token }) => end === text.length || /^<[|｜]/.test(token))
    .map(({ index, 0: token }) => ({ start: start + index, end: start + index + token.length }))
}

/** The calls of an answer: all of them, each with such a verdict, or none. */
function callsToMake(
  { text }: Answer,
  { found, shown, lookalikes, unread, hasQuoted, isAnswered }: CallsInAnswer,
  rules: TextCallRules,
  verdicts: readonly Verdict[],
): readonly TextToolCalls[] {
  if (unread || hasQuoted || isAnswered || shown.length > 0 || lookalikes.length > 0) return []
  const isGood = ({ calls, marks }: TextToolCalls): boolean =>
    calls.every((call) => verdicts.includes(verdictOn(call, marks !== undefined && rules.trusts(marks.name), rules)))
  if (!found.every(isGood) || repeats(text, found)) return []
  // Words after plain marks may say that the call is not to be made; after tokens of the model they do not.
  const last = found.at(-1)
  return last?.marks === undefined || last.marks.own || isBlank(text.slice(last.span.end)) ? found : []
}

/** Whether a call is repeated below other words, which may speak of it again or make it twice. */
function repeats(text: string, found: readonly TextToolCalls[]): boolean {
  const [above, near] = [new Set<string>(), new Set<string>()]
  return found.some(({ span, calls }, index) => {
    if (index > 0 && !isBlank(text.slice(found[index - 1]?.span.end, span.start))) {
      for (const key of near) above.add(key)
      near.clear()
    }
    const keys = calls.map(keyOf)
    for (const key of keys) near.add(key)
    return keys.some((key) => above.has(key))
  })
}
