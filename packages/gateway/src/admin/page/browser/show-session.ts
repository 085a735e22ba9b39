import type { RunSummary } from '../../../records/run/run-record.ts'
import type { SessionDetail } from '../../../records/store/queries/session-queries.ts'
import type { Format } from './create-format.ts'
import type { Grouping } from './create-grouping.ts'
import type { View } from './create-view.ts'

/** A session as the API returns it. */
export interface ShownSession extends Omit<SessionDetail, 'newest'> {
  readonly newest: { readonly items: readonly RunSummary[] }
}

/** Shows the state of one session, the history of its steps, and its newest runs. */
export function showSession(view: View, format: Format, grouping: Grouping, session: ShownSession, open: (id: string) => void): void {
  const { make, at, name, text, facts, time, button } = view
  const { steps, newest, firstRequest } = session
  const moment = (when: number) => time(when, format.day(when))
  at('run').replaceChildren(
    facts([
      ['Session', name(session.session, 300)],
      ['Status', session.status],
      ['Step', name(session.step ?? '')],
      ['First run', moment(session.firstAt)],
      ['Last run', moment(session.lastAt)],
      ['Runs', format.number(session.runs)],
    ]),
    make('h3', {}, 'Steps'),
    steps.length === 0
      ? make('p', { class: 'quiet' }, 'No step is stored.')
      : make('ol', {}, ...steps.map((one) => make('li', {}, `${name(one.step)} `, moment(one.at)))),
    make('h3', {}, 'First request'),
    firstRequest === undefined
      ? make('p', { class: 'quiet' }, 'Not stored: there was none, or store.keepText is off.')
      : text(firstRequest),
    make('h3', {}, 'Newest runs'),
    make(
      'ul',
      {},
      ...newest.items.map((run) =>
        make(
          'li',
          {},
          make('span', { class: `badge ${grouping.kindOf(run.status)}` }, name(run.status, 20)),
          ' ',
          button(format.day(run.at), () => open(run.id), { class: 'link' }),
        ),
      ),
    ),
  )
}
