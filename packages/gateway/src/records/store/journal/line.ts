import { compiled } from '../../run/compiled.ts'
import { lineOrder } from '../../run/run-columns.ts'
import { type AuditRow, type RunRecord, runMembers, type ShadowRecord } from '../../run/run-record.ts'
import { countsOf, isKeepable, keptAudit, keptRun, type MaybeKept, type RunCounts } from '../../run/stored-record.ts'
import type { NameTest } from '../../run/text-removal.ts'
import { runRows } from '../rows/run-row.ts'
import { type Entry, shadowRow } from '../rows/table-rows.ts'
import { whole } from '../rows/values.ts'
import { json, memberWriter, writeAttempts } from '../rows/write-json.ts'

/** Which texts may be stored. */
export interface TextPolicy {
  readonly keepText: boolean
  readonly keepAuditText: boolean
  /** Which names in paths may be stored without texts; none when absent. */
  readonly isName?: NameTest
}

/** A line of a journal, and its parsed record. */
export interface Line {
  readonly line: string
  readonly entry: Entry
}

/** A run as it is stored, with the parts that both a line and rows are made of. */
interface WrittenRun {
  readonly run: RunRecord
  readonly counts: RunCounts
  readonly attempts: string
}

interface AuditEntry {
  readonly id: string
  readonly at: number
  readonly row: AuditRow
}

const idLimit = 200

/** Whether an id can be the key of a record. */
export function isRecordId(id: unknown): id is string {
  return typeof id === 'string' && id !== '' && id.length <= idLimit
}

/** Writes the stored form of a run as one line, and as rows; throws if it is not a run. */
export function runLine(record: MaybeKept, keepText: boolean, isName?: NameTest, names = new RunNames()): Line {
  const written = writtenRun(record, keepText, isName)
  return { line: writeRun(written, names), entry: entryOf(written) }
}

/** Writes only the line of a run, for callers that read it back themselves. */
export function lineOfRun(record: MaybeKept, keepText: boolean, isName?: NameTest, names = new RunNames()): Pick<Line, 'line'> {
  return { line: writeRun(writtenRun(record, keepText, isName), names) }
}

function writtenRun(record: MaybeKept, keepText: boolean, isName?: NameTest): WrittenRun {
  // Most runs need no change, so most are not copied.
  const run = isKeepable(record, keepText) ? record : keptRun(record, keepText, isName)
  return { run, counts: countsOf(record), attempts: writeAttempts(run.attempts) }
}

function entryOf({ run, counts, attempts }: WrittenRun): Entry {
  return { kind: 'run', rows: runRows(run, counts, attempts) }
}

/** Writes an audit row as one line. */
export function auditLine({ id, at, row }: AuditEntry): Line {
  const text = JSON.stringify(row)
  return {
    line: `{"audit":{"id":${json(id)},"at":${json(at)},"row":${text}}}`,
    entry: { kind: 'audit', row: [id, whole(at), text] },
  }
}

/** Writes a verdict that is added to a run as one line. */
export function shadowLine(shadow: ShadowRecord): Line {
  return { line: JSON.stringify({ shadow }), entry: { kind: 'shadow', row: shadowRow(shadow) } }
}

/** Reads a line back; undefined when it is broken. Texts that may not be stored are removed again, whichever process wrote the line. */
export function readLine(line: string, { keepText, keepAuditText, isName }: TextPolicy): Entry | undefined {
  try {
    const { run, audit, shadow } = JSON.parse(line) as {
      readonly run?: MaybeKept
      readonly audit?: AuditEntry
      readonly shadow?: ShadowRecord
    }
    if (run && isRecordId(run.id)) return entryOf(writtenRun(run, keepText, isName))
    if (shadow && isRecordId(shadow.id)) return { kind: 'shadow', row: shadowRow(shadow) }
    if (!audit || !isRecordId(audit.id) || typeof audit.row !== 'object' || audit.row === null) return undefined
    return { kind: 'audit', row: [audit.id, whole(audit.at), JSON.stringify(keptAudit(audit.row, keepAuditText))] }
  } catch {
    return undefined
  }
}

const inLine = lineOrder.map((name) => [name, runMembers[name]] as const)
/** The span of the names: from `api` to before `key`. */
const [from, to] = [lineOrder.indexOf('api'), lineOrder.indexOf('key')]
const named = lineOrder.slice(from, to).filter((name) => name !== 'model')
const writeHead = memberWriter(inLine.slice(0, from))
const writeNames = memberWriter(inLine.slice(from, to))
const writeRest = memberWriter(inLine.slice(to))

/** Writes a run as a line, with the JSON of its attempts. */
function writeRun({ run, counts, attempts }: WrittenRun, names: RunNames): string {
  return `{"run":{${writeHead(run)},${names.write(run)},${writeRest(run)},"attempts":${attempts}${writeCounts(counts)}}}`
}

function writeCounts({ attempts, issues, fixed, repairs }: RunCounts): string {
  return `,"counts":{"attempts":${attempts},"issues":${issues},"fixed":${fixed},"repairs":${repairs}}`
}

/** The names of a run, and their text in its line. */
interface WrittenNames {
  readonly names: Partial<RunRecord>
  readonly text: string
}

/** Whether all names are equal, for runs of one model; where code cannot be generated, names are not cached. */
const areSame = compiled<(one: Partial<RunRecord>, other: Partial<RunRecord>) => boolean>(
  'one, other',
  named.map((name) => `one.${name} === other.${name}`).join(' && '),
  {},
  () => false,
)

const mostNames = 64
const longestNames = 1024

/** Writes the names of runs, and caches those of the last run of each model: the next run nearly always has the same. */
export class RunNames {
  readonly #last = new Map<string, WrittenNames>()

  /** The names of a run as members of its line. */
  write(run: RunRecord): string {
    const last = this.#last.get(run.model)
    if (last !== undefined && areSame(last.names, run)) return last.text
    const text = writeNames(run)
    if (text.length > longestNames) return text
    if (this.#last.size >= mostNames) this.#last.clear()
    this.#last.set(run.model, { names: Object.fromEntries(named.map((name) => [name, run[name]])), text })
    return text
  }
}
