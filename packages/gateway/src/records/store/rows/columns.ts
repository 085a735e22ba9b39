import type { Issue } from '@stickler/core'
import type { RunRecord } from '../../run/run-record.ts'
import type { IssuesTable, RepairsTable } from '../engine/tables.ts'
import { type ColumnValue, name, sentence, whole } from './values.ts'

type Columns<Table, Source> = Readonly<Record<keyof Table, (source: Source) => ColumnValue>>

/** A part of a run, with the run it belongs to. */
export interface Part<Of> {
  readonly run: RunRecord
  readonly position: number
  readonly of: Of
}

/** An issue with what the run knows of it. */
export interface IssuePart extends Part<Issue> {
  readonly kind: IssuesTable['kind']
  readonly attempt: number
  readonly leads: boolean
}

/** How the columns of `issues` are filled. */
export const issueColumns: Columns<IssuesTable, IssuePart> = {
  run_id: ({ run }) => run.id,
  position: ({ position }) => position,
  kind: ({ kind }) => kind,
  attempt: ({ attempt }) => attempt,
  at: ({ run }) => whole(run.at),
  validator: ({ of }) => name(of.validator),
  code: ({ of }) => name(of.code),
  severity: ({ of }) => name(of.severity),
  leads: ({ leads }) => (leads ? 1 : 0),
  message: ({ of }) => sentence(of.message),
  detail: ({ of: { hint, span, path, suggestion } }) => {
    const none = hint === undefined && span === undefined && path === undefined && suggestion === undefined
    return none ? null : JSON.stringify({ hint, span, path, suggestion })
  },
}

/** How the columns of `repairs` are filled. */
export const repairColumns: Columns<RepairsTable, Part<RunRecord['repairs'][number]>> = {
  run_id: ({ run }) => run.id,
  position: ({ position }) => position,
  rule: ({ of }) => name(of.rule),
  class: ({ of }) => name(of.class),
  detail: ({ of }) => JSON.stringify(of),
  at: ({ run }) => whole(run.at),
}
