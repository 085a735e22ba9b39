import { parseJson } from '@stickler/core/internal'
import { sql } from 'kysely'
import type { Engine } from '../engine/engine.ts'

/** What an export has of a run besides its row in a list. */
export interface RunTexts {
  /** The question, if texts are kept. */
  readonly question?: string
  /** The last text, if texts are kept. */
  readonly text?: string
  /** Why the provider ended the answer. */
  readonly finishReason?: string
  /** What an operator wrote beside the label. */
  readonly note?: string
}

interface TextsRow {
  readonly id: string
  readonly request: string | null
  readonly text: string | null
  readonly attempts: string | null
  readonly note: string | null
}

/** Reads the texts of some runs, by id. */
export async function runTexts(
  { db }: Engine,
  runs: readonly { readonly id: string; readonly at: number }[],
): Promise<ReadonlyMap<string, RunTexts>> {
  if (runs.length === 0) return new Map()
  const times = runs.map(({ at }) => at)
  const { rows } = await sql<TextsRow>`select runs.id, runs.request, runs.text, runs.attempts, labels.note from runs
    left join labels on labels.run_id = runs.id and labels.at = runs.at
    where runs.id in (${sql.join(runs.map(({ id }) => id))}) and runs.at >= ${Math.min(...times)} and runs.at <= ${Math.max(...times)}`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, textsOf(row)]))
}

function textsOf({ request, text, attempts, note }: TextsRow): RunTexts {
  const read = attempts === null ? undefined : parseJson(attempts)
  const finishReason: unknown = Array.isArray(read) ? read.at(-1)?.finishReason : undefined
  return {
    ...(request === null ? {} : { question: request }),
    ...(text === null ? {} : { text }),
    ...(typeof finishReason === 'string' ? { finishReason } : {}),
    ...(note === null ? {} : { note }),
  }
}
