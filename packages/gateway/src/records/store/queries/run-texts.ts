import { isFields, parseJson } from '@stickler/core/internal'
import { sql } from 'kysely'
import type { KeptCall } from '../../run/kept-calls.ts'
import type { RunRecord } from '../../run/run-record.ts'
import { type WrittenAnswer, writtenAnswer } from '../../run/written-answer.ts'
import type { Engine } from '../engine/engine.ts'

/** What an export has of a run besides its row in a list. */
export interface RunTexts extends WrittenAnswer {
  /** The question, if texts are kept. */
  readonly question?: string
  /** What checks knew of the request. */
  readonly context?: Readonly<Record<string, unknown>>
  /** What an operator wrote beside the label. */
  readonly note?: string
}

interface TextsRow {
  readonly id: string
  readonly request: string | null
  readonly text: string | null
  readonly attempts: string | null
  readonly status: RunRecord['status']
  readonly tool_calls: string | null
  readonly context: string | null
  readonly repair_count: number
  readonly fallback: number | null
  readonly note: string | null
}

/** Reads the texts of some runs, by id. */
export async function runTexts({ db }: Engine, runs: readonly { readonly id: string }[]): Promise<ReadonlyMap<string, RunTexts>> {
  if (runs.length === 0) return new Map()
  const { rows } =
    await sql<TextsRow>`select runs.id, runs.request, runs.text, runs.attempts, runs.status, runs.tool_calls, runs.context, runs.repair_count, runs.fallback, runs.note
    from runs where runs.id in (${sql.join(runs.map(({ id }) => id))})`.execute(db)
  return new Map(rows.map((row) => [row.id, textsOf(row)]))
}

function textsOf({ request, text, attempts, status, tool_calls, context: told, repair_count, fallback, note }: TextsRow): RunTexts {
  const [read, calls, context] = [attempts, tool_calls, told].map((json) => (json === null ? undefined : parseJson(json)))
  return {
    ...(request === null ? {} : { question: request }),
    ...writtenAnswer({
      attempts: Array.isArray(read) ? read.filter(isFields) : [],
      text: text ?? undefined,
      toolCalls: Array.isArray(calls) ? (calls as readonly KeptCall[]) : undefined,
      status,
      ...(isFields(context) ? { context } : {}),
      isChanged: repair_count > 0 || fallback === 1,
    }),
    ...(isFields(context) ? { context } : {}),
    ...(note === null ? {} : { note }),
  }
}
