import { defined } from '@stickler/core/internal'
import { inOrder } from '../check/in-order.ts'
import { isRecording, type Recording, type Unusable } from '../recordings/recording.ts'
import type { Judged } from './judging/judge.ts'
import type { Generated, Judging, Task, TaskResult } from './judging/judging.ts'
import { answerKey, type VerdictJournal } from './judging/verdict-journal.ts'
import type { Verdict } from './verdict.ts'

/** What was found of a record: the verdicts of all contracts in their order, or why there are none. */
export type Evaluated =
  | { readonly unusable: Unusable }
  | { readonly recording: Recording; readonly problem: string }
  | {
      readonly recording: Recording
      readonly problem?: undefined
      readonly verdicts: readonly Verdict[]
      /** How many of them came from journals. */
      readonly reused: number
      readonly made?: Generated['made']
    }

/** What a pass needs. */
export interface Pass {
  readonly judging: Judging
  /** The journals of the contracts, in their order; undefined for one whose verdicts are not kept. */
  readonly journals: readonly (VerdictJournal | undefined)[]
  readonly signal: AbortSignal
  readonly workers: number
  /** How many records are judged together; 1 when each is a call that costs money. */
  readonly batch?: number
}

const mostOfBatch = { records: 32, bytes: 1024 * 1024 }

/** Judges recordings in batches, several at a time, and yields them in their order; memory does not grow with their number. */
export async function* evaluate(records: AsyncIterable<Recording | Unusable>, pass: Pass): AsyncGenerator<Evaluated> {
  const { judging, journals, signal, workers, batch: size = mostOfBatch.records } = pass
  // Threads must not wait for the next batch; a call that costs money must not be made before it has to.
  const bounds = { items: size === 1 ? workers : 3 * workers, weight: 64 * 1024 * 1024, weigh: ({ bytes }: Batch) => bytes }
  const work = async ({ entries, tasks }: Batch) => ({ entries, results: await judging.judge(tasks) })
  for await (const { entries, results } of inOrder(batches(records, journals, signal, size), work, bounds)) {
    signal.throwIfAborted()
    let at = 0
    for (const { record, known, key, problem } of entries) {
      if (!isRecording(record)) {
        yield { unusable: record }
        continue
      }
      if (problem !== undefined) {
        yield { recording: record, problem }
        continue
      }
      const missing = known.flatMap((verdict, place) => (verdict === undefined ? [place] : []))
      const result: TaskResult | undefined = missing.length > 0 ? results[at++] : { verdicts: [] }
      if (result === undefined || 'problem' in result) {
        yield { recording: record, problem: result?.problem ?? 'no verdict' }
        continue
      }
      const verdicts = known.map((verdict, place) => verdict ?? result.verdicts[missing.indexOf(place)])
      for (const place of missing) {
        const verdict = verdicts[place]
        if (verdict !== undefined) journals[place]?.add(key, verdict)
      }
      const reused = verdicts.length - missing.length
      yield { recording: record, verdicts: verdicts as Verdict[], reused, ...(result.made && { made: result.made }) }
    }
  }
}

interface Batch {
  readonly entries: readonly Entry[]
  readonly tasks: readonly Task[]
  readonly bytes: number
}

interface Entry {
  readonly record: Recording | Unusable
  readonly key: string
  /** What journals know of it, by contract. */
  readonly known: readonly (Verdict | undefined)[]
  /** Why it cannot be judged. */
  readonly problem?: string
}

/** The hash of an answer; undefined if it is too deep to be written. */
function keyOf(judged: Judged): ReturnType<typeof answerKey> | undefined {
  try {
    return answerKey(judged)
  } catch (error) {
    if (error instanceof RangeError) return undefined
    throw error
  }
}

async function* batches(
  records: AsyncIterable<Recording | Unusable>,
  journals: Pass['journals'],
  signal: AbortSignal,
  size: number,
): AsyncGenerator<Batch> {
  let entries: Entry[] = []
  let tasks: Task[] = []
  let bytes = 0
  for await (const record of records) {
    signal.throwIfAborted()
    if (isRecording(record)) {
      const { fields, model, usage, contract, live } = record
      const judged = defined({ fields, model, usage, contract, live })
      const { key, length } = keyOf(judged) ?? { key: '', length: 0 }
      const known = key === '' ? [] : journals.map((journal) => journal?.find(key))
      const contracts = known.flatMap((verdict, place) => (verdict === undefined ? [place] : []))
      entries.push({ record, key, known, ...(key === '' && { problem: 'it is nested too deeply' }) })
      if (contracts.length > 0) tasks.push({ judged, contracts })
      bytes += length
    } else entries.push({ record, key: '', known: [] })
    if (entries.length < size && bytes < mostOfBatch.bytes) continue
    yield { entries, tasks, bytes }
    ;[entries, tasks, bytes] = [[], [], 0]
  }
  if (entries.length > 0) yield { entries, tasks, bytes }
}
