import { compiled } from '../../run/compiled.ts'
import { isGroup, isList, lineOrder, type PlacedColumn, runColumns } from '../../run/run-columns.ts'
import { attemptMembers, type Column, type Group, type Kind, type List, runMembers, type ShadowRecord } from '../../run/run-record.ts'
import type { KeptRun } from '../../run/stored-record.ts'
import { type Row, runRows } from './run-row.ts'
import { type Entry, shadowRow } from './table-rows.ts'
import { columnValues, whole } from './values.ts'
import { writeAttempts } from './write-json.ts'

/** A text without escapes. */
const anyText = '"[^"\\\\]*"'
const anyNumber = '\\d+(?:\\.\\d+)?'
const anyNames = `\\{${anyText}:${anyText}(?:,${anyText}:${anyText})*\\}`

/** Patterns of values in plain lines; the quotes of a text are not captured. */
const plain: Readonly<Partial<Record<Kind, { readonly taken: string; readonly any: string }>>> = {
  name: { taken: '"([^"\\\\]*)"', any: anyText },
  text: { taken: '"([^"\\\\]*)"', any: anyText },
  whole: { taken: `(${anyNumber})`, any: anyNumber },
  real: { taken: `(${anyNumber})`, any: anyNumber },
  flag: { taken: '(true|false)', any: '(?:true|false)' },
  mark: { taken: '(true)', any: 'true' },
  names: { taken: `(${anyNames})`, any: anyNames },
}

/** The columns whose values are read from a line, in order. */
const taken: string[] = []

/** The pattern of an object whose lists are empty, without members that only other lines have. */
function objectPattern(members: readonly (readonly [string, Column | Group | List])[], take: boolean): string {
  return members
    .map(([key, member], index) => {
      const value = valuePattern(member, take)
      const whole = `${index === 0 ? '' : ','}"${key}":${value}`
      return value === undefined ? '' : isList(member) || !member.optional ? whole : `(?:${whole})?`
    })
    .join('')
}

function valuePattern(member: Column | Group | List, take: boolean): string | undefined {
  if (isList(member)) return '\\[\\]'
  if (isGroup(member)) return take && member.optional ? undefined : `\\{${objectPattern(Object.entries(member.parts), take)}\\}`
  // A list that every run has.
  if (member.kind === 'json') return member.optional ? undefined : '\\[\\]'
  const value = plain[member.kind]
  if (take && value !== undefined) taken.push(member.column)
  return take ? value?.taken : value?.any
}

const run = objectPattern(
  lineOrder.map((name) => [name, runMembers[name]]),
  true,
)
const attempt = `\\{${objectPattern(Object.entries(attemptMembers), false)}\\}`
taken.push('attempts', 'attempt_count')
const counts = `"counts":\\{"attempts":(${anyNumber}),"issues":0,"fixed":0,"repairs":0\\}`

/** The pattern of a run without issues and escapes, like most runs. */
// backtracks: nowhere, each part ends with a character that it does not contain
const plainRun = new RegExp(`^\\{"run":\\{${run},"attempts":(\\[${attempt}(?:,${attempt})*\\]),${counts}\\}\\}$`)

/** A shorter line has no name that must be cut. */
const longestFacts = 256

const factsAt = taken.indexOf('facts') + 1

/** Code that reads the value of a column from a line. */
function takenCode({ column, kind, list, isNullable }: PlacedColumn): string {
  const at = taken.indexOf(column) + 1
  if (at === 0) return isNullable ? 'null' : '0'
  const found = `found[${at}]`
  if (list === 'packed' || kind === 'names') return `(${found} ?? null)`
  const value =
    kind === 'whole' || kind === 'real' ? `Number(${found})` : kind === 'flag' || kind === 'mark' ? `${found} === "true"` : found
  return isNullable ? `(${found} === undefined ? null : ${kind}(${value}))` : `${kind}(${value})`
}

const rowOf = compiled<((found: RegExpExecArray) => Row) | undefined>('found', `[${runColumns.map(takenCode)}]`, columnValues, undefined)

/** The row of a run without issues, directly from its line in a fifth of the time of JSON; undefined for other lines. */
export function readPlain(line: string): Row | undefined {
  const found = rowOf && plainRun.exec(line)
  if (!found || (found[factsAt] ?? '').length > longestFacts) return undefined
  return rowOf(found)
}

/** The record in one line of a journal. */
export interface LineContent {
  readonly run?: KeptRun
  readonly shadow?: ShadowRecord
  readonly audit?: { readonly id: string; readonly at: number; readonly row: object }
}

/** Reads a line that this process wrote under the current settings, so that no text must be removed; throws for any other line. */
export function readWritten(line: string): Entry {
  const plain = readPlain(line)
  return plain === undefined ? readAny(line) : { kind: 'run', rows: { run: plain, issues: none, repairs: none } }
}

const none: readonly never[] = []

/** Reads any line as JSON. */
export function readAny(line: string): Entry {
  const { run, audit, shadow } = JSON.parse(line) as LineContent
  if (run !== undefined) return { kind: 'run', rows: runRows(run, run.counts, writeAttempts(run.attempts)) }
  if (shadow !== undefined) return { kind: 'shadow', row: shadowRow(shadow) }
  if (audit === undefined) throw new TypeError('a line holds a run, a verdict of a shadow contract, or an audit row')
  return { kind: 'audit', row: [audit.id, whole(audit.at), JSON.stringify(audit.row)] }
}
