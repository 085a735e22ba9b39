import type { Certificate, Issue } from '@stickler/core'
import type { Selectable } from 'kysely'
import { readNodes } from '../../run/kept-nodes.ts'
import type { KeptRun } from '../../run/kept-record.ts'
import type { AttemptRecord } from '../../run/run-record.ts'
import type { Engine } from '../engine/engine.ts'
import type { IssueKind } from '../rows/run-row.ts'
import type { Tables } from '../rows/tables.ts'
import { ownedBy } from './owned-by.ts'
import { runDetails, runSummary } from './run-summary.ts'

/** Reads one run with all stored details. */
export async function getRun({ db }: Engine, id: string, owner?: string): Promise<KeptRun | undefined> {
  const row = await db.selectFrom('runs').selectAll().where('id', '=', id).where(ownedBy(owner)).executeTakeFirst()
  if (!row) return undefined
  const found = await db.selectFrom('issues').selectAll().where('run_id', '=', id).orderBy('position').execute()
  const repairs = await db.selectFrom('repairs').select('detail').where('run_id', '=', id).orderBy('position').execute()
  const ofKind = (kind: IssueKind) => found.filter((issue) => issue.kind === kind).map(issueOf)
  const summary = runSummary(row)
  const pipeline = row.pipeline === null ? undefined : readNodes(row.pipeline)
  const { attempts, issues, fixed, repairs: changes } = summary
  return {
    ...summary,
    attempts: JSON.parse(row.attempts ?? '[]') as AttemptRecord[],
    issues: ofKind('remaining'),
    fixed: ofKind('fixed'),
    repairs: repairs.map(({ detail }) => JSON.parse(detail) as Certificate),
    ...runDetails({ ...row, pipeline: null }),
    ...(pipeline && { pipeline }),
    counts: { attempts, issues, fixed, repairs: changes },
  }
}

function issueOf({ code, severity, validator, message, detail }: Selectable<Tables['issues']>): Issue {
  const issue = { code, severity: severity as Issue['severity'], validator, message }
  return detail === null ? issue : { ...issue, ...(JSON.parse(detail) as Partial<Issue>) }
}
