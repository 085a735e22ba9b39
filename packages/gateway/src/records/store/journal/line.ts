import type { AuditRow, RunRecord, ShadowRecord, ShadowVerdict } from '../../run/run-record.ts'
import { countsOf, keptAudit, keptRun, type MaybeKept } from '../../run/stored-record.ts'
import type { NameTest } from '../../run/text-removal.ts'
import { type Entry, type Row, readEntry, runEntry, shadowEntry } from '../rows/entry.ts'
import { readRun } from '../rows/read-run.ts'
import { whole } from '../rows/values.ts'

/** Which texts may be stored. */
export interface TextPolicy {
  readonly keepText: boolean
  readonly keepAuditText: boolean
  /** Which names in paths may be stored without texts; none when absent. */
  readonly isName?: NameTest
}

const idLimit = 200

/** Whether an id can be the key of a record. */
export function isRecordId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= idLimit
}

/** The rows of a run as it is stored. */
export function entryOfRun(record: MaybeKept, { keepText, isName }: Pick<TextPolicy, 'keepText' | 'isName'>): Entry {
  return runEntry(keptRun(record, keepText, isName), countsOf(record))
}

interface Audit {
  readonly id: string
  readonly at: number
  readonly row: AuditRow
}

/** The row of an audit row as it is stored. */
export function entryOfAudit({ id, at, row }: Audit, { keepAuditText }: Pick<TextPolicy, 'keepAuditText'>): Entry {
  return { audits: [{ id, at: whole(at), row: JSON.stringify(keptAudit(row, keepAuditText)) }] }
}

/** What a line of an earlier version holds. */
interface Earlier {
  readonly run?: RunRecord
  readonly shadow?: ShadowRecord
  readonly audit?: Audit
}

/** Reads a line back; undefined when it is broken. With a policy, texts that may not be stored are removed again, whichever process wrote the line. */
export function readLine(line: string, policy?: TextPolicy): Entry | undefined {
  try {
    if (policy === undefined) return readEntry(line)
    const entry = JSON.parse(line) as Entry & Earlier
    const [row, verdict, written] = [entry.runs?.[0], entry.verdicts?.[0], entry.audits?.[0]]
    const run = row === undefined ? entry.run : readRun(row, entry.issues ?? [], entry.repairs ?? [])
    if (run !== undefined) return isRecordId(run.id) ? entryOfRun(run, policy) : undefined
    if (verdict !== undefined) return isRecordId(verdict.id) ? shadowEntry(readVerdict(verdict)) : undefined
    if (entry.shadow !== undefined) return isRecordId(entry.shadow.id) ? shadowEntry(entry.shadow) : undefined
    const audit = written === undefined ? entry.audit : readAudit(written)
    const isAudit = isRecordId(audit?.id) && typeof audit.row === 'object' && audit.row !== null
    return isAudit ? entryOfAudit(audit, policy) : undefined
  } catch {
    return undefined
  }
}

/** Any values: they may be another version's. */
function readVerdict({ id, at, ...row }: Row): ShadowRecord {
  const { shadow_contract: contract, shadow_status: status, live_status: liveStatus, shadow_codes: codes, live_codes: liveCodes } = row
  return { id: String(id), at: whole(at), verdict: { contract, status, liveStatus, codes, liveCodes } as ShadowVerdict }
}

function readAudit({ id, at, row }: Row): Audit {
  return { id: String(id), at: whole(at), row: JSON.parse(String(row)) as AuditRow }
}
