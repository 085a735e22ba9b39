import type { Engine } from './engine/engine.ts'
import type { RunLabel } from './queries/run-filter.ts'
import { name, sentence } from './rows/values.ts'

/** What an operator says of a run. */
export interface LabelledRun {
  readonly label: RunLabel
  readonly note?: string
  /** Name of the operator's key; empty without keys. */
  readonly by: string
}

/** A stored label. */
export interface StoredLabel extends LabelledRun {
  /** Milliseconds since 1970. */
  readonly at: number
}

/** The labels of runs; they are deleted with their runs. */
export interface RunLabels {
  /** Labels a run, in place of its earlier label; returns whether there is such a run. */
  set(id: string, label: LabelledRun): Promise<boolean>
  /** Removes a label; returns whether there is such a run. */
  remove(id: string): Promise<boolean>
}

/** Labels in the database. */
export function createLabels({ db }: Engine, now: () => number): RunLabels {
  return {
    async set(id, { label, note, by }) {
      const run = await db.selectFrom('runs').select(['id', 'at']).where('id', '=', id).executeTakeFirst()
      if (run === undefined) return false
      const row = { label, note: note === undefined ? null : sentence(note), labelled_at: now(), labelled_by: name(by) }
      await db
        .insertInto('labels')
        .values({ run_id: run.id, at: run.at, ...row })
        .onConflict((conflict) => conflict.column('run_id').doUpdateSet(row))
        .execute()
      return true
    },
    async remove(id) {
      const run = await db.selectFrom('runs').select('id').where('id', '=', id).executeTakeFirst()
      if (run === undefined) return false
      await db.deleteFrom('labels').where('run_id', '=', id).execute()
      return true
    },
  }
}

/** Reads the label of a run. */
export async function labelOf({ db }: Engine, id: string): Promise<StoredLabel | undefined> {
  const row = await db.selectFrom('labels').selectAll().where('run_id', '=', id).executeTakeFirst()
  if (row === undefined) return undefined
  return { label: row.label as RunLabel, ...(row.note === null ? {} : { note: row.note }), by: row.labelled_by, at: row.labelled_at }
}
