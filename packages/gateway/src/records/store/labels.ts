import type { Engine } from './engine/engine.ts'
import type { RunLabel } from './queries/run-filter.ts'
import type { LabelColumn, Tables } from './rows/tables.ts'
import { name, sentence } from './rows/values.ts'

/** What an operator says of a run. */
interface LabelledRun {
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
  const update = async (id: string, columns: LabelRow): Promise<boolean> =>
    (await db.updateTable('runs').set(columns).where('id', '=', id).returning('id').execute()).length > 0
  return {
    set: (id, { label, note, by }) =>
      update(id, { label, note: note === undefined ? null : sentence(note), labelled_at: now(), labelled_by: name(by) }),
    remove: (id) => update(id, { label: null, note: null, labelled_at: null, labelled_by: null }),
  }
}

type LabelRow = Pick<Tables['runs'], LabelColumn>

/** The label in a row. */
export function labelIn({ label, note, labelled_at, labelled_by }: LabelRow): StoredLabel | undefined {
  if (label === null) return undefined
  return { label: label as RunLabel, ...(note === null ? {} : { note }), by: labelled_by ?? '', at: labelled_at ?? 0 }
}
