import * as z from 'zod'
import { isNames } from '../../answer/past-context.ts'
import { type PastCall, readTranscript } from '../../answer/transcript.ts'
import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import { judgedAtEnd } from '../../contract/machine/at-end.ts'
import { type CodeEntry, defineValidator } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { compilePattern, type LinearPattern } from '../../schema/patterns/pattern.ts'
import { matches, SequenceAutomaton, type SequenceRules, scopes, type Violation } from './automaton.ts'
import { compareCalls, type Difference } from './compare.ts'
import { sequenceMessages } from './messages.ts'

export { legalNext } from './automaton.ts'

const names = () => z.array(z.string())

const codes = {
  OUT_OF_ORDER: {
    severity: 'warning',
    when: 'A tool is called after a later one of `order`, before one that it needs (`before`, `requires`), or in another order than expected.',
    fix: 'Call the tool that the message names first; with `strict` this is an error.',
  },
  UNEXPECTED_CALL: {
    severity: 'warning',
    when: 'A call is not among the expected ones, is never allowed, or is one too many.',
    fix: 'Leave the call out; with `strict` this is an error.',
  },
  MISSING_CALL: {
    severity: 'warning',
    when: 'An expected call was not made.',
    fix: 'Make the call; with `strict` this is an error.',
  },
} as const satisfies Record<SequenceCode, CodeEntry>

/** Warns, or with `strict` fails, when tools are called in the wrong order, too often, or not at all. */
export const toolSequence = defineValidator({
  name: 'tool_sequence',
  summary: 'Tools are called in a declared order, or as expected, counting the earlier calls in `context.transcript`.',
  judges: 'calls',
  get options() {
    return z.strictObject({
      scope: z
        .enum(scopes)
        .default('conversation')
        .describe(
          'What `order` and `expect` look at: all calls of the conversation, or those since the user last said more than a short reply.',
        ),
      order: names().optional().describe('A tool must not be called after a later one of this list; other tools are ignored.'),
      expect: z
        .union([names(), z.literal('context')])
        .optional()
        .describe(
          'The expected calls, in addition to those of `context.expected_sequence`, which are matched as a prefix. With `context`, only the latter.',
        ),
      match: z
        .enum(matches)
        .default('exact')
        .describe('How calls match `expect`: exactly, as a prefix, in order with other calls in between, or in any order.'),
      before: z
        .array(z.tuple([z.string(), z.string()]))
        .optional()
        .describe('Pairs; the second tool needs an earlier call of the first one.'),
      requires: z
        .record(z.string(), names())
        .optional()
        .describe('By tool: the tools that must have succeeded in the transcript before it is called.'),
      failure: z
        .string()
        .optional()
        .describe(
          'Regular expression: a result that matches it, in its first 2000 characters, did not succeed, in addition to those that report an error.',
        ),
      never: names().optional().describe('Tools that must not be called.'),
      at_most: z.record(z.string(), z.int().nonnegative()).optional().describe('By tool: how often it may be called.'),
      strict: z.boolean().default(false).describe('All issues are errors, not warnings.'),
    })
  },
  codes,
  instruct: ({ expect, failure: _failure, ...rules }, locale) =>
    sequenceMessages[locale].instruct({ ...rules, expect: expect === 'context' ? [] : expect }),
  reads: 'all',
  machine: ({ strict, expect, failure, ...rest }) => {
    const { match: _match, scope: _scope, ...given } = rest
    const failed = failure === undefined ? undefined : compilePattern(failure)
    if (expect === undefined && Object.values(given).every((rule) => Object.keys(rule ?? {}).length === 0))
      throw new Error('tool_sequence has no rule; give order, expect, before, requires, never or at_most')
    const dependsOnPast = expect !== undefined || Object.entries(given).some(([name, rule]) => name !== 'never' && rule !== undefined)
    const rules = { ...rest, expect: expect === 'context' ? undefined : expect }
    return (reading) =>
      judgedAtEnd(reading, ({ toolCalls }) => {
        const { context, locale } = reading
        const calls = toolCalls.map(({ name }) => name)
        const { expected_sequence: expected } = context
        if (expected !== undefined && !isNames(expected))
          throw new ValidatorUnavailable('`context.expected_sequence` must be a list of names')
        if (calls.length === 0 && rules.expect === undefined && expected === undefined) return []
        const { calls: past, gap, unread } = readTranscript(dependsOnPast || expected ? context.transcript : undefined)
        if (gap !== undefined) throw new ValidatorUnavailable(`a part of the conversation is kept elsewhere: ${gap}`)
        if (unread !== undefined) throw new ValidatorUnavailable(`a part of the conversation cannot be read: ${unread}`)
        const transcript = failed ? past.map((call) => withFailure(call, failed)) : past
        const found = [...inspectSequence(calls, transcript, rules, locale, expected)]
        return strict ? found.map((one) => ({ ...one, severity: 'error' as const })) : found
      })
  },
})

function withFailure(call: PastCall, failed: LinearPattern): PastCall {
  return call.ok === true && call.result !== undefined && failed.test(call.result) ? { ...call, ok: false } : call
}

/** The codes of issues with the order of calls. */
type SequenceCode = Difference['code']

type Draft = IssueDraft<SequenceCode>

/** Yields what is wrong with the order of the calls in an answer, after those that were made before it. */
function* inspectSequence(
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
