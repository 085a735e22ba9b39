import type { RunSummary } from '../../../records/run/run-record.ts'
import type { Format } from './create-format.ts'
import type { Grouping } from './create-grouping.ts'
import type { View } from './create-view.ts'
import type { PageElement } from './page-host.ts'

/** Makes the table of runs; existing rows keep their place, and so does the focus. */
export function createRunsTable(
  view: View,
  format: Format,
  grouping: Grouping,
  open: (id: string) => void,
  openSession: (session: string) => void,
) {
  const { make, at, name, button, time } = view
  const rows = new Map<string, PageElement>()

  const rowOf = (run: RunSummary): PageElement => {
    const found = `${run.issues} left, ${run.fixed} fixed`
    const { promptTokens, completionTokens } = run.usage
    const { session } = run
    return make(
      'tr',
      {},
      make(
        'th',
        { scope: 'row' },
        button('', () => open(run.id), { class: 'link', 'aria-haspopup': 'dialog' }),
      ),
      make('td', {}, make('span', { class: `badge ${grouping.kindOf(run.status)}` }, name(run.status, 20))),
      make('td', { class: 'name wide' }, name(run.contract, 60)),
      make('td', { class: 'name' }, name(run.model, 60)),
      make('td', { class: 'number wide' }, format.number(run.attempts)),
      make('td', { class: 'wide' }, run.issues + run.fixed === 0 ? '–' : found),
      make('td', { class: 'number' }, format.duration(run.ms)),
      make('td', { class: 'number wide' }, format.number(promptTokens + completionTokens)),
      make(
        'td',
        { class: 'name wide' },
        session === undefined ? '–' : button(name(session, 40), () => openSession(session), { class: 'link', 'aria-haspopup': 'dialog' }),
      ),
    )
  }

  const made = (run: RunSummary): PageElement => {
    const row = rowOf(run)
    row.firstElementChild?.firstElementChild?.append(time(run.at, format.clock(run.at)))
    rows.set(run.id, row)
    return row
  }

  return {
    show(runs: readonly RunSummary[]): void {
      const body = at('runs')
      const wanted = new Set(runs.map(({ id }) => id))
      for (const [id, row] of rows) {
        if (wanted.has(id)) continue
        row.remove()
        rows.delete(id)
      }
      let place = body.firstElementChild
      for (const run of runs) {
        const row = rows.get(run.id) ?? made(run)
        if (row === place) place = place.nextElementSibling
        else body.insertBefore(row, place)
      }
    },
  }
}
