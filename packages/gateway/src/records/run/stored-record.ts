import { nodeNames } from '@stickler/ask/internal'
import type { NodeTrace } from '@stickler/ask/pipeline'
import type { Issue } from '@stickler/core'
import { clamp, sentenceOfCodes } from '@stickler/core/internal'
import { compiled } from './compiled.ts'
import { isGroup, isList } from './run-columns.ts'
import {
  type AttemptRecord,
  type AuditRow,
  attemptMembers,
  type Column,
  type Group,
  type Kind,
  type List,
  type Members,
  type RunRecord,
  runMembers,
} from './run-record.ts'
import { keptReason } from './stored-names.ts'
import { stderrWithoutWords } from './stored-stderr.ts'
import {
  failureWithoutWords,
  issueWithoutWords,
  type NameTest,
  noNames,
  repairWithoutWords,
  uncheckedWithoutWords,
  type WhenReported,
} from './text-removal.ts'

/** Limits for the stored path through a graph. */
const most = { nodes: 32, chunks: 50, name: 512, words: 500 } as const

/** Replaces words that other services may have chosen. */
const unsaid = 'not kept'

/** Limits nodes for storage, and without texts removes words of queries and services. Names of passages stay. */
export function keptNodes(nodes: readonly NodeTrace[], keepText: boolean): readonly NodeTrace[] {
  return nodes.slice(0, most.nodes).map((node) => keptNode(node, keepText))
}

function keptNode(trace: NodeTrace, keepText: boolean): NodeTrace {
  const { query, chunks, relevance, degraded, ...rest } = trace
  const words = (text: string): string => (keepText ? clamp(text, most.words) : sentenceOfCodes(rest.codes) || unsaid)
  return {
    ...rest,
    ...(query !== undefined && keepText ? { query: words(query) } : {}),
    ...(chunks === undefined
      ? {}
      : { chunks: chunks.slice(0, most.chunks).map(({ urn, score }) => ({ urn: clamp(urn, most.name), score })) }),
    ...(relevance === undefined
      ? {}
      : { relevance: relevance.fallback === undefined ? relevance : { ...relevance, fallback: words(relevance.fallback) } }),
    ...(degraded === undefined ? {} : { degraded: words(degraded) }),
  }
}

/** Reads stored nodes; undefined for any other value, such as rows of a later version. */
export function readNodes(json: string): readonly NodeTrace[] | undefined {
  try {
    const nodes = JSON.parse(json) as unknown
    return Array.isArray(nodes) ? (nodes as NodeTrace[]).filter(({ node }) => nodeNames.includes(node)) : undefined
  } catch {
    return undefined
  }
}

/** The fact of a run that has the declared verdict; an empty verdict is not stored. */
export const keptValidation = 'validation_status'

/** Limits for one stored run; what exceeds them is dropped, counts stay true. */
export const recordLimits = {
  attempts: 100,
  /** Limit of each list: found in one attempt, remaining, fixed. */
  issues: 200,
  repairs: 200,
  unchecked: 100,
} as const

/** The full lengths of lists that may have been shortened. */
export interface RunCounts {
  readonly attempts: number
  readonly issues: number
  readonly fixed: number
  readonly repairs: number
}

/** A run as it is stored, with the full lengths of its lists. */
export interface KeptRun extends RunRecord {
  readonly counts: RunCounts
}

/** A run, stored before or new. */
export type MaybeKept = RunRecord & Partial<Pick<KeptRun, 'counts'>>

/** The lengths of the lists of a run before any was shortened. */
export function countsOf({ attempts, issues, fixed, repairs, counts }: MaybeKept): RunCounts {
  return counts ?? { attempts: attempts.length, issues: issues.length, fixed: fixed.length, repairs: repairs.length }
}

/** Whether a run can be stored unchanged: no list is too long, and it has no text that must be dropped. */
export function isKeepable(record: RunRecord, keepText: boolean): boolean {
  const { attempts, issues, fixed, repairs, unchecked, pipeline } = record
  if (pipeline !== undefined || attempts.length > recordLimits.attempts) return false
  for (const attempt of attempts) {
    if (keepText ? attempt.issues.length > recordLimits.issues : attemptHasWords(attempt)) return false
  }
  if (!keepText) return !runHasWords(record)
  return (
    issues.length <= recordLimits.issues &&
    fixed.length <= recordLimits.issues &&
    repairs.length <= recordLimits.repairs &&
    unchecked.length <= recordLimits.unchecked
  )
}

/** Limits the lists of a run; without texts, drops everything worded by a model, a prompt, a provider or a validator. */
export function keptRun(record: MaybeKept, keepText: boolean, isName: NameTest = noNames): KeptRun {
  const { attempts, issues, fixed, repairs, unchecked, pipeline } = record
  const counts = countsOf(record)
  const bounded = {
    ...record,
    attempts: firstOf(attempts, recordLimits.attempts).map(boundedAttempt),
    issues: firstOf(issues, recordLimits.issues),
    fixed: firstOf(fixed, recordLimits.issues),
    repairs: firstOf(repairs, recordLimits.repairs),
    unchecked: firstOf(unchecked, recordLimits.unchecked),
    ...(pipeline === undefined ? {} : { pipeline: keptNodes(pipeline, keepText) }),
    counts,
  }
  if (keepText) return bounded
  const known: Known = {
    isName: (name) => isName(record.contract, name),
    whenReported: (validator, code) => isName.whenReported?.(record.contract, validator, code),
  }
  return { ...withoutWords(runMembers, bounded, runWays, known), counts }
}

/** An audit row as it is stored: without texts, the words of question, answer and provider are dropped. */
export function keptAudit(row: AuditRow, keepText: boolean): AuditRow {
  if (keepText) return row
  const { answer: _answer, question: _question, ...kept } = row
  const { errors, failure } = row
  return {
    ...kept,
    ...(Array.isArray(errors) ? { errors: errors.map((error) => withoutDetail(error)) } : {}),
    ...(failure === undefined ? {} : { failure: withoutDetail(failure) }),
  }
}

/** The description of a code is Stickler's own sentence. */
function withoutDetail(told: unknown): unknown {
  return typeof told === 'object' && told !== null && 'detail' in told && !('code' in told) ? { ...told, detail: '' } : told
}

function boundedAttempt(attempt: AttemptRecord): AttemptRecord {
  return attempt.issues.length <= recordLimits.issues ? attempt : { ...attempt, issues: firstOf(attempt.issues, recordLimits.issues) }
}

/** Values that are never words of a model. */
interface Known {
  readonly isName: (name: string) => boolean
  readonly whenReported: WhenReported
}

/** How texts are removed from members that are useful without them. */
type Ways<Of> = { readonly [Name in keyof Of]?: (value: NonNullable<Of[Name]>, known: Known) => NonNullable<Of[Name]> }

function issuesWithoutWords(issues: readonly Issue[], { isName, whenReported }: Known): readonly Issue[] {
  return issues.map((issue) => issueWithoutWords(issue, isName, whenReported))
}

const attemptWays: Ways<AttemptRecord> = { finishReason: keptReason, issues: issuesWithoutWords, stderr: stderrWithoutWords }

const runWays: Ways<RunRecord> = {
  attempts: (attempts, known) => attempts.map((attempt) => withoutWords(attemptMembers, attempt, attemptWays, known)),
  issues: issuesWithoutWords,
  fixed: issuesWithoutWords,
  repairs: (repairs, { isName }) => repairs.map((repair) => repairWithoutWords(repair, isName)),
  unchecked: (unchecked) => unchecked.map(uncheckedWithoutWords),
  failure: failureWithoutWords,
  pipeline: (nodes) => keptNodes(nodes, false),
  timeline: (timeline) => (/^[\d :]*$/.test(timeline) ? timeline : ''),
}

const worded: ReadonlySet<Kind> = new Set(['sentence', 'text', 'json'])

/** Whether a member may have words of a model, a client or a service. */
function mayHaveWords(member: Column | Group | List): boolean {
  return isList(member) || (isGroup(member) ? Object.values(member.parts).some(mayHaveWords) : worded.has(member.kind))
}

/** An object without texts: members that may have words and no way to remove them are dropped, or emptied if they are required. */
function withoutWords<Of extends object>(members: Members, object: Of, ways: Ways<Of>, known: Known): Of {
  const kept: Record<string, unknown> = {}
  for (const [key, member] of Object.entries(members)) {
    const value = object[key as keyof Of]
    const way = ways[key as keyof Of]
    if (value === undefined || value === null) continue
    if (way !== undefined) kept[key] = way(value, known)
    else if (!mayHaveWords(member)) kept[key] = value
    else if (isGroup(member)) kept[key] = withoutWords(member.parts, value, {}, known)
    else if (isList(member) || !member.optional) kept[key] = isList(member) || member.kind === 'json' ? [] : ''
  }
  return kept as Of
}

/** Makes the test whether an object has texts; where code cannot be generated, every object counts as having some. */
function wordTest<Of>(members: Members, ways: Ways<Of>): (object: Of) => boolean {
  const tests = Object.entries(members).flatMap(([key, member]) => {
    const value = `object.${key}`
    const way = key in ways ? `ways.${key}` : undefined
    if (way === undefined && !mayHaveWords(member)) return []
    if (isList(member) || (!isGroup(member) && member.kind === 'json' && !member.optional)) return `${value}.length > 0`
    if (way !== undefined && !isGroup(member) && member.kind !== 'json') return `${value} != null && ${way}(${value}) !== ${value}`
    return `${value} != null`
  })
  return compiled('object', tests.join(' || '), { ways }, () => true)
}

const attemptHasWords = wordTest(attemptMembers, attemptWays)
// Attempts are tested separately.
const { attempts: _attempts, ...besideAttempts } = runMembers
const runHasWords = wordTest(besideAttempts, runWays)

function firstOf<Item>(list: readonly Item[], limit: number): readonly Item[] {
  return list.length <= limit ? list : list.slice(0, limit)
}
