import type { RunSummary } from '@stickler/gateway/internal'
import type { Paint } from '../terminal/paint.ts'
import { clip, table } from '../terminal/text.ts'

const longestCell = 40
/** The latest millisecond that a Date can represent. */
const lastTime = 8.64e15

/** Runs as a table with a header; empty without runs. */
export function describeRuns(runs: readonly RunSummary[], paint: Paint): string {
  if (runs.length === 0) return ''
  const rows = runs.map((run) => [
    moment(run.at),
    clip(run.id, 80),
    clip(run.status, longestCell),
    cell(run.contract),
    cell(run.model),
    cell(run.key),
    String(run.attempts),
    `${Math.round(run.ms)}`,
    money(run.usage?.cost),
    clip(reasonOf(run), longestCell),
  ])
  const [head = '', ...lines] = table([['at', 'id', 'status', 'contract', 'model', 'key', 'attempts', 'ms', 'usd', 'why'], ...rows], '')
  return `${[paint.bold(head), ...lines].join('\n')}\n`
}

/** A moment, to the second. */
export function moment(at: number): string {
  return typeof at === 'number' && Math.abs(at) <= lastTime ? new Date(at).toISOString().replace(/\.\d+Z$/, 'Z') : '?'
}

/** An amount of money, with enough digits to distinguish small amounts; empty when unknown. */
export function money(usd: number | undefined): string {
  return usd === undefined ? '' : usd >= 100 ? usd.toFixed(2) : String(Number(usd.toPrecision(3)))
}

/** A name in a table; a dash when there is none. */
export function cell(name: string): string {
  return name === '' ? '-' : clip(name, longestCell)
}

function reasonOf({ reason, failure }: RunSummary): string {
  return failure === undefined ? reason : `${reason}: ${failure.kind}`
}
