import { Answer } from '../../../answer/answer.ts'
import type { TextSpan } from '../../../answer/span.ts'
import type { ToolCall } from '../../../answer/tool-calls.ts'
import type { ToolDefinition } from '../../../answer/tool-shapes/tool-definition.ts'
import type { Certificate } from '../../../contract/certificate.ts'
import { applyCertificates } from '../../../repairs/apply.ts'
import type { SuggestionRules } from '../../shared/suggest-tool.ts'
import { findCallTag, findTextToolCalls, hasCallTag, type TextToolCalls } from './find.ts'

/** What calls in the text are judged by. */
export interface TextCallRules {
  readonly offered: readonly ToolDefinition[]
  readonly aliases: SuggestionRules['aliases']
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

function verdictOn(call: ToolCall, { faultsOf, isError, changesOf }: TextCallRules): Verdict {
  const faults = faultsOf(call)
  if (faults.length === 0) return 'right'
  const changes = [...changesOf(call)]
  // A real call with a value of another type would be delivered too.
  if (changes.length === 0) return faults.every(({ code }) => code === 'WRONG_TYPE' && !isError(code)) ? 'right' : 'wrong'
  const [repaired] = applyCertificates(new Answer('', { toolCalls: [call] }), changes)?.toolCalls ?? []
  if (repaired === undefined || faultsOf(repaired).length > 0) return 'wrong'
  return changes.every(keepsValues) ? 'right' : 'doubtful'
}

function keepsValues({ rule, class: kind }: Certificate): boolean {
  return rule === 'rename-key' || (kind === 'lossless' && !otherValues.has(rule))
}

/** The calls in a text: those that are meant, and tags that should be calls whatever is in them. */
export function callsInText(answer: Answer, rules: TextCallRules): readonly TextSpan[] {
  if (rules.offered.length === 0) return []
  const meant = callsThatEnd(answer, rules, ['right', 'doubtful']).map(({ span }) => span)
  if (meant.length > 0) return meant
  const tag = findCallTag(answer)
  return tag ? [tag] : []
}

/** A line before calls that says not to make them. */
const denial =
  // backtracks: at most 200 characters
  /(?:\bnever\b|(?:\bnot|n['’]t) (?:do|call|run|use|make|execute|invoke|send|try)\b|\b(?:instead of|rather than|avoid)\b|\b(?:nie|niemals|nicht) (?:so|tun|machen|aufrufen|ausführen|verwenden)\b|\bstatt\b)[^\n]{0,80}$/i

/** Yields the changes that turn tool calls in the text into real ones; none unless every one of them is right, and the answer ends with them. */
export function* turnTextIntoCalls(answer: Answer, rules: TextCallRules): Generator<Certificate> {
  const found = callsThatEnd(answer, rules, ['right'])
  if (found.length === 0 || denial.test(textAround(answer, found).before.trimEnd().slice(-200))) return
  for (const { span, calls } of found) {
    // Text is never certain to be a call: whether one was meant is always a guess.
    yield { rule: 'text-to-tool-call', class: 'guess', span, before: answer.text.slice(span.start, span.end), after: '', calls }
  }
}

/** The calls that an answer ends with; none unless every one of them has such a verdict. */
function callsThatEnd(answer: Answer, rules: TextCallRules, verdicts: readonly Verdict[]): readonly TextToolCalls[] {
  const found = findTextToolCalls(answer, rules.offered, rules.aliases)
  if (found.length === 0 || !found.every(({ calls }) => calls.every((call) => verdicts.includes(verdictOn(call, rules))))) return []
  const rest = textAround(answer, found)
  // Words after a call may say that it is not to be made.
  return rest.behind.trim() !== '' || hasCallTag(rest.before) ? [] : found
}

/** The text before and between the calls, and after the last one. */
function textAround(
  { text, bodyStart }: Answer,
  found: readonly { readonly span: TextSpan }[],
): { readonly before: string; readonly behind: string } {
  let before = ''
  let at = bodyStart
  for (const { span } of found) {
    before += text.slice(at, span.start)
    at = span.end
  }
  return { before, behind: text.slice(at) }
}
