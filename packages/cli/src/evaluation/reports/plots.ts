import { escapeMarkup, settledStatuses } from '@stickler/core/internal'
import type { Evaluation } from '../evaluation.ts'
import type { Interval } from '../statistics.ts'
import type { StatusCounts } from '../summary.ts'

const width = 640
const left = 170

/** The shares of statuses as bars, for the contract and what it is compared with, by model where there are several. */
export function statusPlot({ contract, against, statuses, reference, comparison, models }: Evaluation): string {
  const before = reference?.statuses ?? (comparison && sums(comparison.matrix))
  const bars: (readonly [string, StatusCounts])[] = [
    ...(before ? [[`before: ${against ?? ''}`, before] as const] : []),
    [before ? `after: ${contract}` : contract, statuses],
    ...(models.length > 1 ? models.slice(0, 10).map((one) => [one.model || 'unknown model', one.statuses] as const) : []),
  ]
  const drawn = bars.map(([name, counts], at) => bar(name, counts, at * 26)).join('')
  const legend = settledStatuses
    .map(
      (status, at) =>
        `<rect class="${status}" x="${left + at * 110}" y="${bars.length * 26 + 6}" width="10" height="10"/><text x="${left + at * 110 + 16}" y="${bars.length * 26 + 15}">${status}</text>`,
    )
    .join('')
  return `<svg viewBox="0 0 ${width} ${bars.length * 26 + 24}" width="${width}" role="img" aria-label="Shares of statuses">${drawn}${legend}</svg>`
}

/** The shares of answers that pass, with the ranges in which they lie for other answers. */
export function intervalPlot({ intervals }: Evaluation): string {
  const rows = [
    ...(intervals.before ? [['before', intervals.before] as const] : []),
    ...(intervals.passed ? [[intervals.before ? 'after' : 'passes', intervals.passed] as const] : []),
  ]
  if (rows.length === 0) return ''
  const height = rows.length * 26 + 20
  const ticks = [0, 0.25, 0.5, 0.75, 1]
    .map(
      (share) =>
        `<line class="axis" x1="${x(share)}" x2="${x(share)}" y1="0" y2="${height - 18}"/><text x="${x(share, -12)}" y="${height - 4}">${share * 100} %</text>`,
    )
    .join('')
  return `<svg viewBox="0 0 ${width + 30} ${height}" width="${width + 30}" role="img" aria-label="Shares of answers that pass, with 95 % intervals">${ticks}${rows.map(([name, interval], at) => whisker(name, interval, at * 26 + 12)).join('')}</svg>`
}

function whisker(name: string, { share, low, high }: Interval, y: number): string {
  return `<text x="0" y="${y + 4}">${name}</text><line class="range" x1="${x(low)}" x2="${x(high)}" y1="${y}" y2="${y}"/><circle class="repaired" cx="${x(share)}" cy="${y}" r="4"/>`
}

function bar(name: string, counts: StatusCounts, y: number): string {
  const all = settledStatuses.reduce((sum, status) => sum + counts[status], 0)
  let from = left
  const parts = settledStatuses.map((status) => {
    const long = all === 0 ? 0 : ((width - left) * counts[status]) / all
    const part = `<rect class="${status}" x="${from.toFixed(2)}" y="${y + 2}" width="${long.toFixed(2)}" height="18"><title>${status}: ${counts[status]}</title></rect>`
    from += long
    return part
  })
  const shown = name.length > 26 ? `${name.slice(0, 25)}…` : name
  return `<text x="0" y="${y + 16}">${escapeMarkup(shown)}</text>${parts.join('')}`
}

function x(share: number, shift = 0): string {
  return (left + (width - left) * share + shift).toFixed(2)
}

function sums(matrix: NonNullable<Evaluation['comparison']>['matrix']): StatusCounts {
  const sum = (from: (typeof settledStatuses)[number]): number => settledStatuses.reduce((all, to) => all + matrix[from][to], 0)
  return { valid: sum('valid'), repaired: sum('repaired'), unresolved: sum('unresolved'), unchecked: sum('unchecked') }
}
