import { nodeNames } from '@stickler/ask/internal'
import type { NodeTrace } from '@stickler/ask/pipeline'
import type { Issue } from '@stickler/core'
import { clamp, sentenceOfCodes } from '@stickler/core/internal'
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

/** Limits the lists of a run; without texts, drops everything worded by a model, a prompt, a provider or a validator. */
export function keptRun(record: MaybeKept, keepText: boolean, isName: NameTest = noNames): RunRecord {
  const bounded = isWithinLimits(record) ? record : withinLimits(record)
  const { contract, pipeline } = bounded
  if (keepText) return pipeline === undefined ? bounded : { ...bounded, pipeline: keptNodes(pipeline, true) }
  return runWithoutWords(bounded, {
    isName: (name) => isName(contract, name),
    whenReported: (validator, code) => isName.whenReported?.(contract, validator, code),
  })
}

function isWithinLimits({ attempts, issues, fixed, repairs, unchecked }: RunRecord): boolean {
  const { attempts: mostAttempts, issues: mostIssues } = recordLimits
  if (attempts.length > mostAttempts || attempts.some((attempt) => attempt.issues.length > mostIssues)) return false
  if (issues.length > mostIssues || fixed.length > mostIssues) return false
  return repairs.length <= recordLimits.repairs && unchecked.length <= recordLimits.unchecked
}

function withinLimits(record: RunRecord): RunRecord {
  return {
    ...record,
    attempts: firstOf(record.attempts, recordLimits.attempts).map(boundedAttempt),
    issues: firstOf(record.issues, recordLimits.issues),
    fixed: firstOf(record.fixed, recordLimits.issues),
    repairs: firstOf(record.repairs, recordLimits.repairs),
    unchecked: firstOf(record.unchecked, recordLimits.unchecked),
  }
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

const worded: ReadonlySet<Kind> = new Set(['sentence', 'text', 'json'])

/** Whether a member may have words of a model, a client or a service. */
function mayHaveWords(member: Column | Group | List): boolean {
  return isList(member) || (isGroup(member) ? Object.values(member.parts).some(mayHaveWords) : worded.has(member.kind))
}

type Way = (value: never, known: Known) => unknown

/** Makes the function that removes the texts of an object: members that may have words and no way to remove them are dropped, or emptied if they are required. */
function wordRemoval<Of extends object>(members: Members, own: Ways<Of> = {}): (object: Of, known: Known) => Of {
  const worded = Object.entries(members).filter(([key, member]) => key in own || mayHaveWords(member))
  const ways = worded.map(([key, member]) => [key, (own[key as keyof Of] ?? removal(member)) as Way] as const)
  return (object, known) => {
    const kept = { ...object } as Record<string, unknown>
    for (const [key, way] of ways) {
      const value = kept[key]
      if (value !== undefined && value !== null) kept[key] = way(value as never, known)
    }
    return kept as Of
  }
}

function removal(member: Column | Group | List): Way {
  if (isGroup(member)) return wordRemoval(member.parts)
  if (isList(member) || (member.kind === 'json' && !member.optional)) return () => []
  return () => (member.optional ? undefined : '')
}

const attemptWithoutWords = wordRemoval<AttemptRecord>(attemptMembers, {
  finishReason: keptReason,
  issues: issuesWithoutWords,
  stderr: stderrWithoutWords,
})

const runWithoutWords = wordRemoval<RunRecord>(runMembers, {
  attempts: (attempts, known) => attempts.map((attempt) => attemptWithoutWords(attempt, known)),
  issues: issuesWithoutWords,
  fixed: issuesWithoutWords,
  repairs: (repairs, { isName }) => repairs.map((repair) => repairWithoutWords(repair, isName)),
  unchecked: (unchecked) => unchecked.map(uncheckedWithoutWords),
  failure: failureWithoutWords,
  pipeline: (nodes) => keptNodes(nodes, false),
  timeline: (timeline) => (/^[\d :]*$/.test(timeline) ? timeline : ''),
})

function firstOf<Item>(list: readonly Item[], limit: number): readonly Item[] {
  return list.length <= limit ? list : list.slice(0, limit)
}
