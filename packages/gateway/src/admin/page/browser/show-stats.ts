import type { Stats } from '../../../records/store/queries/stats.ts'
import type { Format } from './create-format.ts'
import type { Grouping } from './create-grouping.ts'
import type { View } from './create-view.ts'
import type { PageElement, PageHost } from './page-host.ts'

/** Shows totals, the strip of bars and the failing codes. */
export function showStats({ document }: Pick<PageHost, 'document'>, view: View, format: Format, grouping: Grouping, stats: Stats): void {
  const { make, at, name } = view
  const height = 40

  const shape = (tag: 'g' | 'rect' | 'title', attributes: Readonly<Record<string, string | number>> = {}): PageElement => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
    for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, String(value))
    return element
  }

  const totals = grouping.totals(stats)
  const tile = (label: string, value: string, more: string, kind: string) =>
    make('li', { class: `tile ${kind}` }, make('strong', {}, value), make('span', {}, label), make('span', { class: 'quiet' }, more))
  at('totals').replaceChildren(
    tile('runs', format.number(totals.runs), `${format.number(totals.retries)} retries`, 'all'),
    ...totals.statuses.map(([status, runs]) =>
      tile(name(status, 20), format.number(runs), format.share(runs, totals.runs), grouping.kindOf(status)),
    ),
  )
  const { promptTokens, completionTokens, cost, repairs } = totals
  const usage = format.usage(cost > 0 ? { promptTokens, completionTokens, cost } : { promptTokens, completionTokens })
  at('usage').textContent = `Tokens: ${usage}. Repairs: ${format.number(repairs)}.`

  const bars = grouping.bars(stats, height)
  const busiest = bars.reduce((most, { runs }) => Math.max(most, runs), 0)
  const strip = at('strip')
  strip.setAttribute('viewBox', `0 0 ${Math.max(1, bars.length)} ${height}`)
  const over = `${format.duration(stats.bucketMs)} each`
  strip.setAttribute('aria-label', `Runs over time, ${bars.length} bars of ${over}: ${totals.runs} in all, ${busiest} at most in one.`)
  strip.replaceChildren(
    ...bars.map(({ x, at: begin, runs, parts }) => {
      const bar = shape('g')
      const title = shape('title')
      title.textContent = `${format.clock(begin)}: ${runs}`
      bar.append(title)
      // The whole height reacts to the pointer.
      bar.append(shape('rect', { class: 'ground', x, y: 0, width: 1, height }))
      for (const part of parts) bar.append(shape('rect', { class: part.kind, x: x + 0.1, y: part.y, width: 0.8, height: part.height }))
      return bar
    }),
  )

  at('no-codes').hidden = stats.codes.length > 0
  at('codes').replaceChildren(
    ...stats.codes.map(({ code, validator, runs }) =>
      make('li', {}, make('code', {}, name(code)), ` ${name(validator)} `, make('strong', {}, format.number(runs))),
    ),
  )
}
