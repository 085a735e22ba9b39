import type { ToolCall } from '../../answer/tool-calls.ts'
import type { Contract } from '../../contract/contract.ts'
import type { Issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { RejectedCalls } from '../runner.ts'
import { callFeedback, describedIssues, furtherOnes, goOnFrom, mostCallFeedbackBytes } from './feedback.ts'
import { feedbackFor } from './validator-feedback.ts'

/** The most calls of an answer that a model is shown again. */
const mostCallsShown = 16
/** Ids, names and the fields around them, of a call and its result. */
const bytesAroundCall = 500

/** The most bytes that calls add to a retry beside their arguments and the feedback. */
export function mostCallBytes(locale: Locale): number {
  return mostCallsShown * (bytesAroundCall + mostCallFeedbackBytes(locale))
}

/** The feedback on an answer with calls: what is said in the place of each result, and what belongs to none of them, with further lines. */
export function feedbackOnCalls(
  contract: Contract,
  toolCalls: readonly ToolCall[],
  issues: readonly Issue[],
  delivered: string,
  more: readonly string[],
): RejectedCalls {
  const { locale } = contract.policy
  const wrong = new Map<number, Issue[]>()
  const others: Issue[] = []
  const isShown = shownCalls(toolCalls.length, issues)
  const isWrong = new Set(issues.map(callOf))
  for (const issue of describedIssues(issues)) {
    const at = callOf(issue)
    if (at === undefined || !isShown.has(at)) others.push(issue)
    else wrong.set(at, [...(wrong.get(at) ?? []), issue])
  }
  const calls = [...isShown]
    .sort((a, b) => a - b)
    .map((at) => ({ ...(toolCalls[at] as ToolCall), error: callFeedback(wrong.get(at) ?? [], locale, isWrong.has(at)) }))
  const left = toolCalls.length - calls.length
  const last = calls.at(-1)
  if (left > 0 && last !== undefined) calls[calls.length - 1] = { ...last, error: `${last.error}\n\n${furtherOnes(left, locale)}` }
  const rest = others.length > 0 ? feedbackFor(contract, others, delivered, more) : delivered === '' ? '' : goOnFrom(delivered, locale)
  return { calls, rest }
}

/** Calls as text. */
export function inWords(toolCalls: readonly ToolCall[]): string {
  return toolCalls.map(({ name, arguments: given }) => `\n${name}(${given})`).join('')
}

/** The calls that are shown: all, or of many the first, and before them those that are wrong. */
function shownCalls(count: number, issues: readonly Issue[]): ReadonlySet<number> {
  const shown = new Set<number>()
  const add = (at: number | undefined): void => {
    if (at !== undefined && at < count && shown.size < mostCallsShown) shown.add(at)
  }
  if (count > mostCallsShown) for (const issue of issues) add(callOf(issue))
  for (let at = 0; at < Math.min(count, mostCallsShown); at++) add(at)
  return shown
}

/** The number of the call that an issue is about. */
function callOf({ path }: Issue): number | undefined {
  return path?.[0] === 'tool_calls' && typeof path[1] === 'number' ? path[1] : undefined
}
