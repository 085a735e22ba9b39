import type { Answer } from '../../answer/answer.ts'
import { type ToolCall, writeToolCalls } from '../../answer/tool-calls.ts'
import { isFields } from '../../answer/tool-shapes/fields.ts'
import type { Certificate } from '../../contract/certificate.ts'
import type { Issue } from '../../contract/issue.ts'
import type { Report, Unchecked } from '../check/report.ts'
import type { Decision } from '../decide/decide.ts'
import type { Answered, ResultOf } from '../results/result-methods.ts'

/** What every answer that was settled has; names that an `Outcome` has too mean the same. */
export interface SettledBase {
  /** What the enforcement loop would do with the answer in the end. */
  readonly decision: Decision
  /** On the answer as it was given. */
  readonly found: Report
  /** The text as it would be delivered. */
  readonly text: string
  readonly toolCalls: readonly ToolCall[]
  /** What remains: warnings, and errors when the status is `unresolved`. */
  readonly issues: readonly Issue[]
  /** What was wrong and has been repaired. */
  readonly fixed: readonly Issue[]
  readonly repairs: readonly Certificate[]
  /** Validators that could not run, with the cause. */
  readonly unchecked: readonly Unchecked[]
  /** What validators learnt, by validator. */
  readonly facts: Report['facts']
  /** Names of the checks that do not apply to the request, by their `when`; absent when all do. */
  readonly skipped?: readonly string[]
  /** The verdict in the words that the contract's preset declares; absent when it declares none. */
  readonly validationStatus?: string
}

/** An answer that keeps the contract. */
export interface KeptSettled extends SettledBase {
  readonly status: 'valid' | 'repaired'
  /** Whether the decision delivers the answer. */
  readonly delivered: true
}

/** An answer that breaks the contract, or could not be checked in full. */
export interface OpenSettled extends SettledBase {
  readonly status: 'unresolved' | 'unchecked'
  /** Whether the decision still delivers the answer. */
  readonly delivered: boolean
}

/** A settled answer that keeps the contract, with its value. */
export type AnsweredSettled<Value> = KeptSettled & Answered<Value>

/** The result for an answer when no model can be asked again, discriminated by `status` as in an `Outcome`. */
export type Settled<Value = unknown> = ResultOf<KeptSettled, OpenSettled, Value>

/** Facts with these names are results of their own. */
const lifted = ['value', 'citations', 'scores'] as const

const issueKeys = ['code', 'severity', 'validator', 'message', 'hint', 'span', 'path', 'suggestion']
const repairKeys = ['rule', 'span', 'path', 'before', 'after', 'class']

/** The result as plain data: `status`, `issues`, `repairs`, and other fields that apply, in that order. */
export function settledData(settled: Settled, given: Answer, rawToolCalls?: readonly unknown[]): Readonly<Record<string, unknown>> {
  const { status, issues, repairs, fixed, text, unchecked, validationStatus, skipped } = settled
  const written = (all: readonly Issue[]) => all.map((issue) => pick(issue, issueKeys))
  const { facts, ...top } = sortFacts(settled.facts)
  const toolCalls = settled.toolCalls === given.toolCalls && rawToolCalls ? rawToolCalls : writtenCalls(settled, rawToolCalls)
  return {
    status,
    ...(validationStatus === undefined ? {} : { validation_status: validationStatus }),
    issues: written(issues),
    ...(fixed.length > 0 ? { fixed: written(fixed) } : {}),
    repairs: repairs.map(certificateData),
    ...(text === given.text ? {} : { text }),
    ...(toolCalls && toolCalls.length > 0 ? { tool_calls: toolCalls } : {}),
    ...pick(top, lifted),
    ...(Object.keys(facts).length > 0 ? { facts } : {}),
    ...(unchecked.length > 0 ? { unchecked } : {}),
    ...(skipped && { skipped }),
  }
}

/** Calls in the shape they came in, or in that of OpenAI when they were text before. */
function writtenCalls({ toolCalls }: Pick<Settled, 'toolCalls'>, raw: readonly unknown[] | undefined): readonly unknown[] {
  const written = raw?.length === toolCalls.length ? writeToolCalls(raw, toolCalls) : undefined
  return Array.isArray(written) ? written : toolCalls.map(asOpenAi)
}

/** A change as data. */
export function certificateData(certificate: Certificate): Readonly<Record<string, unknown>> {
  return pick(certificate, repairKeys)
}

interface SortedFacts {
  readonly facts: Record<string, Record<string, unknown>>
  value?: unknown
  citations?: unknown
  scores?: unknown
}

function sortFacts(byValidator: Report['facts']): SortedFacts {
  const sorted: SortedFacts = { facts: {} }
  for (const [validator, facts] of Object.entries(byValidator)) {
    for (const [name, value] of Object.entries(facts)) {
      const top = lifted.find((one) => one === name)
      if (top) sorted[top] = join(sorted[top], value)
      else sorted.facts[validator] = { ...sorted.facts[validator], [name]: value }
    }
  }
  return sorted
}

/** Several validators may report scores or citations: lists are concatenated, scores merged. */
function join(before: unknown, value: unknown): unknown {
  if (before === undefined) return value
  if (Array.isArray(before) && Array.isArray(value)) return [...before, ...value]
  return isFields(before) && isFields(value) ? { ...before, ...value } : before
}

function asOpenAi({ id, name, arguments: given }: ToolCall): unknown {
  return { ...(id === undefined ? {} : { id }), type: 'function', function: { name, arguments: given } }
}

function pick(object: object, keys: readonly string[]): Record<string, unknown> {
  const entries = keys.map((key) => [key, (object as Record<string, unknown>)[key]] as const)
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}
