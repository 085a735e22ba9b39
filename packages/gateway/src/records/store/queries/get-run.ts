import type { Certificate, Issue, Unchecked } from '@stickler/core'
import type { Selectable } from 'kysely'
import { readNodes } from '../../run/kept-nodes.ts'
import type { KeptRun } from '../../run/kept-record.ts'
import type { AttemptRecord } from '../../run/run-record.ts'
import type { Engine } from '../engine/engine.ts'
import type { AttemptsTable, IssuesTable } from '../engine/tables.ts'
import { ownedBy } from './owned-by.ts'
import { runSummary, usageOf } from './run-summary.ts'

/** Reads one run with everything that is kept of it. */
export async function getRun({ db }: Engine, id: string, owner?: string): Promise<KeptRun | undefined> {
  const row = await db.selectFrom('runs').selectAll().where('id', '=', id).where(ownedBy(owner)).executeTakeFirst()
  if (!row) return undefined
  const issues = await db.selectFrom('issues').selectAll().where('run_id', '=', id).orderBy('position').execute()
  const repairs = await db.selectFrom('repairs').select('detail').where('run_id', '=', id).orderBy('position').execute()
  const ofKind = (kind: IssuesTable['kind'], attempt = 0) =>
    issues.filter((issue) => issue.kind === kind && issue.attempt === attempt).map(issueOf)
  const summary = runSummary(row)
  return {
    ...summary,
    attempts: row.attempts === null ? await earlierAttempts(db, id, ofKind) : (JSON.parse(row.attempts) as AttemptRecord[]),
    issues: ofKind('remaining'),
    fixed: ofKind('fixed'),
    repairs: repairs.map(({ detail }) => JSON.parse(detail) as Certificate),
    unchecked: row.unchecked === null ? [] : (JSON.parse(row.unchecked) as Unchecked[]),
    ...(row.request === null ? {} : { request: row.request }),
    ...(row.text === null ? {} : { text: row.text }),
    ...pipelineOf(row.pipeline),
    counts: { attempts: summary.attempts, issues: summary.issues, fixed: summary.fixed, repairs: summary.repairs },
  }
}

function pipelineOf(kept: string | null): Pick<KeptRun, 'pipeline'> {
  const nodes = kept === null ? undefined : readNodes(kept)
  return nodes === undefined ? {} : { pipeline: nodes }
}

/** Runs from before the column have their attempts in a table. */
async function earlierAttempts(
  db: Engine['db'],
  id: string,
  ofKind: (kind: 'attempt', attempt: number) => readonly Issue[],
): Promise<readonly AttemptRecord[]> {
  const attempts = await db.selectFrom('attempts').selectAll().where('run_id', '=', id).orderBy('position').execute()
  return attempts.map((attempt) => attemptOf(attempt, ofKind('attempt', attempt.number)))
}

function attemptOf(row: Selectable<AttemptsTable>, issues: readonly Issue[]): AttemptRecord {
  return {
    number: row.number,
    call: row.call as AttemptRecord['call'],
    ms: row.ms,
    ...(row.finish_reason === null ? {} : { finishReason: row.finish_reason }),
    ...(row.prompt_tokens === null ? {} : { usage: usageOf(row) }),
    issues,
    ...(row.stopped_at === null ? {} : { stoppedAt: row.stopped_at }),
    ...(row.decision === null ? {} : { decision: row.decision }),
    ...(row.text === null ? {} : { text: row.text }),
    ...(row.feedback === null ? {} : { feedback: row.feedback }),
  }
}

function issueOf({ code, severity, validator, message, detail }: Selectable<IssuesTable>): Issue {
  const issue = { code, severity: severity as Issue['severity'], validator, message }
  return detail === null ? issue : { ...issue, ...(JSON.parse(detail) as Partial<Issue>) }
}
