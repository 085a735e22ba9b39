import { Answer } from '../../../answer/answer.ts'
import type { TextSpan } from '../../../answer/span.ts'
import type { ToolCall } from '../../../answer/tool-calls.ts'
import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import type { Certificate } from '../../../contract/certificate.ts'
import { applyCertificates } from '../../../repairs/apply.ts'
import type { SuggestionRules } from '../../shared/suggest-tool.ts'
import { tokenPattern } from '../dialects/marks.ts'
import { isBlank, type TextToolCalls } from './fenced.ts'
import { type CallsInAnswer, findTextToolCalls } from './find.ts'

/** What calls in the text are judged by. */
export interface TextCallRules {
  readonly offered: readonly ToolDefinition[]
  readonly aliases: SuggestionRules['aliases']
  /** Whether the contract says that the model writes calls in this dialect. */
  readonly trusts: (dialect: string) => boolean
  /** What is wrong with a call. */
  readonly faultsOf: (call: ToolCall) => readonly { readonly code: string }[]
  readonly isError: (code: string) => boolean
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
  if (repaired === undefined || faultsOf(repaired).length > 0) return 'wrong'
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
}

/** The calls in a text: those that are meant, and marks that should be calls whatever is in them. */
export function callsInText(answer: Answer, rules: TextCallRules): readonly CallInText[] {
  if (rules.offered.length === 0) return []
  const calls = findTextToolCalls(answer, rules.offered, rules)
  const meant = callsThatEnd(answer, calls, rules, ['right', 'doubtful']).map(({ span }) => ({ span, isCut: false }))
  if (meant.length > 0) return meant
  const marked = calls.unread ?? calls.found.find(({ marks }) => marks)
  return marked ? [{ span: marked.span, isCut: 'isCut' in marked && marked.isCut }] : []
}

/** A line before calls that says not to make them. */
const denial =
  // backtracks: at most 200 characters
  /(?:\bnever\b|(?:\bnot|n['’]t) (?:do|call|run|use|make|execute|invoke|send|try)\b|\b(?:instead of|rather than|avoid)\b|\b(?:nie|niemals|nicht) (?:so|tun|machen|aufrufen|ausführen|verwenden)\b|\bstatt\b)[^\n]{0,80}$/i

/** Yields the changes that turn tool calls in the text into real ones; none unless every one of them is right, and the answer ends with them. */
export function* turnTextIntoCalls(answer: Answer, rules: TextCallRules): Generator<Certificate> {
  const all = findTextToolCalls(answer, rules.offered, rules)
  const found = callsThatEnd(answer, all, rules, ['right'])
  if (denial.test(wordsBefore(answer.text, all.start, found).trimEnd().slice(-200))) return
  const change = (span: TextSpan, kind: Certificate['class']): Certificate => ({
    rule: 'text-to-tool-call',
    class: kind,
    span,
    before: answer.text.slice(span.start, span.end),
    after: '',
  })
  let at = all.start
  for (const { span, calls, dialect, marks } of found) {
    // Text is never certain to be a call, unless the contract says how the model writes them.
    const kind = rules.trusts(dialect) ? 'lossless' : 'guess'
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

/** The calls that an answer ends with; none unless every one of them has such a verdict. */
function callsThatEnd(
  { text }: Answer,
  { found, unread, hasQuoted }: CallsInAnswer,
  rules: TextCallRules,
  verdicts: readonly Verdict[],
): readonly TextToolCalls[] {
  if (unread || hasQuoted || found.length === 0) return []
  if (
    !found.every(({ calls, marks }) =>
      calls.every((call) => verdicts.includes(verdictOn(call, marks !== undefined && rules.trusts(marks.name), rules))),
    )
  )
    return []
  // Words after a call may say that it is not to be made; after tokens of the model they do not.
  const isOver = found.at(-1)?.marks?.own === true || isBlank(text.slice(found.at(-1)?.span.end))
  return isOver ? found : []
}
