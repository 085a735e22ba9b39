import { isFields, parseJson } from '@stickler/core/internal'
import type { Judged } from '../judging/judge.ts'
import type { TaskResult } from '../judging/judging.ts'
import { answerKey, isVerdict } from '../judging/verdict-journal.ts'
import type { Verdict } from '../verdict.ts'
import type { QueueDatabase } from './queue-database.ts'
import { type RunStatement, schema } from './queue-tables.ts'

/** What one contract says of one answer. */
export type QueueResult = { readonly verdict: Verdict } | { readonly problem: string }

/** Whose results are meant: those of a contract that any evaluation may use, and those of one run. */
export interface ResultScope {
  /** The identity of the contract. */
  readonly contract: string
  /** Results that say nothing beyond this run: without a verdict, or of checks that may end differently another time. */
  readonly run: string
  /** Whether verdicts are kept for later runs; those with a check that could not run never are. */
  readonly isKept: boolean
}

/** By what the result of an answer is found: its hash as base64url. */
export function resultKey(judged: Judged): string {
  return answerKey(judged).key
}

/** Finds results by the keys of answers; a verdict that is kept wins over a result of this run. */
export async function findResults(
  run: RunStatement,
  scope: Pick<ResultScope, 'contract' | 'run'>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, QueueResult>> {
  if (keys.length === 0) return new Map()
  const rows = await run<{ readonly answer: Buffer; readonly result: string }>(
    `select answer, result from ${schema}.verdicts where contract = $1 and answer = any($2::bytea[]) and run in ('', $3)
     order by run desc`,
    [scope.contract, keys.map(bytesOf), scope.run],
  )
  return new Map(rows.map(({ answer, result }) => [answer.toString('base64url'), parseResult(result)]))
}

/** Adds results; those that are there already stay as they are. */
export async function addResults(run: RunStatement, scope: ResultScope, results: ReadonlyMap<string, QueueResult>): Promise<void> {
  const entries = [...results]
  if (entries.length === 0) return
  const runs = entries.map(([, result]) => (scope.isKept && 'verdict' in result && result.verdict.unchecked.length === 0 ? '' : scope.run))
  await run(
    `insert into ${schema}.verdicts (contract, answer, run, result)
     select $1, answer, run, result from unnest($2::bytea[], $3::text[], $4::text[]) as t (answer, run, result)
     order by answer on conflict do nothing`,
    // JSON escapes what PostgreSQL cannot hold in a text.
    [scope.contract, entries.map(([key]) => bytesOf(key)), runs, entries.map(([, result]) => JSON.stringify(result))],
  )
}

/** Rows are removed in pieces, so that no statement takes long. */
const pieceRows = 20_000

/** Removes rows of a table. */
export async function removeRows(
  { query }: Pick<QueueDatabase, 'query'>,
  from: string,
  where: string,
  values: readonly unknown[],
): Promise<void> {
  for (;;) {
    const [count] = await query<{ readonly removed: number }>(
      `with gone as (delete from ${schema}.${from} where ctid = any(array(select ctid from ${schema}.${from} where ${where} limit ${pieceRows})) returning 1)
       select count(*) as removed from gone`,
      values,
    )
    if ((count?.removed ?? 0) < pieceRows) return
  }
}

/** The result of a task from those of its contracts, in their order. */
export function combineResults(results: readonly (QueueResult | undefined)[]): TaskResult {
  const verdicts: Verdict[] = []
  for (const result of results) {
    if (result === undefined) return { problem: 'no verdict' }
    if ('problem' in result) return result
    verdicts.push(result.verdict)
  }
  return { verdicts }
}

function bytesOf(key: string): Buffer {
  return Buffer.from(key, 'base64url')
}

/** Anyone who has the database can write anything: what is not a verdict is a fault. */
function parseResult(text: string): QueueResult {
  const result = parseJson(text)
  if (isFields(result) && typeof result.problem === 'string') return { problem: result.problem }
  if (isFields(result) && isVerdict(result.verdict)) return { verdict: result.verdict }
  return { problem: 'the queue has a result that is not a verdict' }
}
