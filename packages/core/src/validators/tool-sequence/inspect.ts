import type { PastCall } from '../../answer/transcript.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { SequenceAutomaton, type SequenceRules, type Violation } from './automaton.ts'
import { compareCalls, type Difference } from './compare.ts'
import { sequenceMessages } from './messages.ts'

/** The codes of issues with the order of calls. */
export type SequenceCode = Difference['code']

type Draft = IssueDraft<SequenceCode>

/** Yields what is wrong with the order of the calls in an answer, after those that were made before it. */
export function* inspectSequence(
  names: readonly string[],
  transcript: readonly PastCall[],
  rules: SequenceRules,
  locale: Locale,
  expected?: readonly string[],
): Generator<Draft> {
  const automaton = new SequenceAutomaton(rules)
  for (const call of transcript) automaton.advance(call)
  const past = pastOrder(automaton, rules, transcript)
  for (const [index, name] of names.entries()) {
    for (const found of automaton.violations(name))
      if (found.rule === 'order' && past.late.has(name)) yield describeLate(name, index, found.later, past.legal, locale)
      else if (found.rule !== 'expect') yield describeViolation(name, index, found, locale)
    // Its result is not known yet, so it satisfies no rule that asks for one.
    automaton.advance({ name })
  }
  const told = new Set<string>()
  const counted = rules.scope === 'question' ? transcript.filter(({ earlier }) => !earlier) : transcript
  if (rules.expect)
    for (const found of compare(names, counted, rules.expect, rules, locale)) {
      told.add(found.message)
      yield found
    }
  // The expectations of a request apply beside the rules, and are reported where the rules have not.
  if (expected)
    for (const found of compare(names, counted, expected, { match: 'prefix' }, locale)) if (!told.has(found.message)) yield found
}

interface PastOrder {
  /** Tools whose turn has passed before this answer: nothing in it can put them in order. */
  readonly late: ReadonlySet<string>
  /** Those of the order that may be called now. */
  readonly legal: readonly string[]
}

function pastOrder(automaton: SequenceAutomaton, { order = [] }: SequenceRules, transcript: readonly PastCall[]): PastOrder {
  if (transcript.length === 0) return { late: new Set(), legal: [] }
  const isLate = (name: string): boolean => automaton.violations(name).some(({ rule }) => rule === 'order')
  return { late: new Set(order.filter(isLate)), legal: order.filter((name) => automaton.violations(name).length === 0) }
}

function describeLate(name: string, index: number, later: string, legal: readonly string[], locale: Locale): Draft {
  const say = sequenceMessages[locale]
  return issue('OUT_OF_ORDER', say.late(name, later), { path: ['tool_calls', index], hint: say.legal(legal) })
}

function describeViolation(name: string, index: number, found: Exclude<Violation, { rule: 'expect' }>, locale: Locale): Draft {
  const code = found.rule === 'never' || found.rule === 'at_most' ? 'UNEXPECTED_CALL' : 'OUT_OF_ORDER'
  return issue(code, sequenceMessages[locale].violation(name, found), { path: ['tool_calls', index] })
}

/** The expected calls are explained as a whole: which is missing, too much, or misplaced says more than where the first difference is. */
function* compare(
  names: readonly string[],
  transcript: readonly PastCall[],
  expect: readonly string[],
  { match = 'exact' }: SequenceRules,
  locale: Locale,
): Generator<Draft> {
  const say = sequenceMessages[locale]
  const all = [...transcript.map(({ name }) => name), ...names]
  for (const found of compareCalls(all, expect, match)) {
    const tool = 'tool' in found ? found.tool : (all[found.index] ?? '')
    const index = 'tool' in found ? undefined : found.index - transcript.length
    // What went wrong earlier cannot be corrected by this answer.
    if (index !== undefined && index < 0) continue
    yield issue(found.code, say.difference(tool, found), {
      path: index === undefined ? ['tool_calls'] : ['tool_calls', index],
      hint: say.expected(expect),
    })
  }
}
