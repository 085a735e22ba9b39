import type { Usage } from '@stickler/core'
import { addUsage, keptCallFields, notKept, noUsage, settledStatuses } from '@stickler/core/internal'
import { type FoundRun, firstStatus, type RunFilter, type RunReader } from '@stickler/gateway/internal'
import { labelIn } from '../../recordings/formats/free-form.ts'
import type { Recording, RecordingSource, Unusable } from '../../recordings/recording.ts'
import type { Before } from '../verdict.ts'
import { keptRequest, type RequestNeeds } from './kept-request.ts'

/** The first answer of a run, and what was found in it then. */
export interface ReplayedRun extends Recording {
  readonly before?: Before
}

/** Runs as recordings. */
export interface RunSource extends RecordingSource {
  /** The time of the newest run that was read; 0 without any. */
  readonly newest: number
  /** What further attempts of the runs have really used. */
  readonly retried: { readonly runs: number; readonly usage: Usage }
}

const pageRows = 200

/** Tells what the contract to judge a run by reads of its request; undefined when there is no such contract. */
type NeedsOf = (contract: string) => Promise<RequestNeeds> | undefined

/** Reads runs, newest first. */
export function runSource(
  reader: RunReader,
  filter: RunFilter,
  needsOf: NeedsOf,
  { limit, signal }: { readonly limit: number; readonly signal: AbortSignal },
): RunSource {
  let newest = 0
  let retried: RunSource['retried'] = { runs: 0, usage: noUsage }
  async function* read(): AsyncGenerator<ReplayedRun | Unusable> {
    let next: string | undefined
    let line = 0
    do {
      const page = await reader.listRuns({
        ...filter,
        limit: Math.min(pageRows, limit - line),
        ...(next !== undefined && { before: next }),
      })
      for (const { id } of page.runs) {
        signal.throwIfAborted()
        const run = await reader.getRun(id)
        // It was deleted meanwhile.
        if (run === undefined) continue
        newest = Math.max(newest, run.at)
        const further = run.attempts.slice(1)
        if (further.length > 0)
          retried = { runs: retried.runs + 1, usage: further.reduce((sum, { usage }) => addUsage(sum, usage), retried.usage) }
        yield await readRun(run, ++line, needsOf)
      }
      next = page.next
    } while (next !== undefined && line < limit)
  }
  return {
    format: 'runs of the gateway',
    read,
    get newest() {
      return newest
    },
    get retried() {
      return retried
    },
  }
}

async function readRun(run: FoundRun, line: number, needsOf: NeedsOf): Promise<ReplayedRun | Unusable> {
  const place = { id: run.id, file: 'runs', line }
  const [first] = run.attempts
  if (first === undefined || first.failure !== undefined) return { ...place, reason: 'error' }
  const needs = needsOf(run.contract)
  if (needs === undefined) return { ...place, reason: 'contract unknown' }
  // What a stream was stopped for says nothing about what would have followed.
  if (first.stoppedAt !== undefined) return { ...place, reason: 'stopped early' }
  const { context } = run
  // Versions before kept no context.
  const reason = notKept({ ...first, context: context ?? {} })
  if (reason !== undefined) return { ...place, reason }
  const { text, finishReason, usage, toolCalls } = first
  const read = keptRequest(run, await needs)
  if (read === undefined) return { ...place, reason: 'request not kept' }
  const before = beforeOf(run)
  const label = labelIn(run.label?.label)
  return {
    ...place,
    contract: run.contract,
    model: run.upstreamModel || run.model,
    ...(label && { label }),
    ...(usage && {
      usage: {
        promptTokens: usage.promptTokens,
        completionTokens: usage.completionTokens,
        ...(usage.cost !== undefined && { cost: usage.cost }),
      },
    }),
    fields: {
      text,
      ...keptCallFields(toolCalls, context),
      ...(finishReason !== undefined && { finish_reason: finishReason }),
      ...(run.request !== undefined && run.request !== '' && { prompt: run.request, question: run.request }),
    },
    ...(context && { live: { context: { tools: [], ...context, ...read }, request: { api: run.api, model: run.model } } }),
    ...(before && { before }),
  }
}

/** What was found in the first answer then; undefined for a run without a contract. */
function beforeOf(run: FoundRun): Before | undefined {
  const status = firstStatus(run)
  const known = settledStatuses.find((one) => one === status)
  if (known === undefined || run.contract === '') return undefined
  const errors = run.attempts[0]?.issues.filter(({ severity }) => severity === 'error').map(({ validator, code }) => `${validator}/${code}`)
  return { status: known, errors: known === 'unresolved' ? [...new Set(errors)].sort() : [] }
}
