import { type KeptRun, keptAudit, keptRun } from '../../record/kept-record.ts'
import type { AuditRow } from '../../record/run-record.ts'
import { runRows } from '../rows/run-rows.ts'
import { whole } from '../rows/values.ts'
import type { Entry } from '../rows/write-entries.ts'

/** Which texts may be kept. */
export interface TextPolicy {
  readonly keepText: boolean
  readonly keepAuditText: boolean
}

/** An audit row with what makes it one that can be found again. */
export interface AuditEntry {
  readonly id: string
  readonly at: number
  readonly row: AuditRow
}

const idLimit = 200

/** Whether an id can be the key of a record. */
export function isRecordId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= idLimit
}

/** Writes a run as one line. */
export function runLine(run: KeptRun): string {
  return `{"run":${JSON.stringify(run)}}`
}

/** Writes an audit row as one line. */
export function auditLine(audit: AuditEntry): string {
  return `{"audit":${JSON.stringify(audit)}}`
}

/** Reads a line back; nothing when it is broken. Texts that may not be kept are taken out again, whoever wrote the line. */
export function readLine(line: string, { keepText, keepAuditText }: TextPolicy): Entry | undefined {
  try {
    const { run, audit } = JSON.parse(line) as { readonly run?: KeptRun; readonly audit?: AuditEntry }
    if (run && isRecordId(run.id)) return { kind: 'run', rows: runRows(keptRun(run, keepText)) }
    if (!audit || !isRecordId(audit.id) || typeof audit.row !== 'object' || audit.row === null) return undefined
    return { kind: 'audit', row: [audit.id, whole(audit.at), JSON.stringify(keptAudit(audit.row, keepAuditText))] }
  } catch {
    return undefined
  }
}
