import { useState } from 'preact/hooks'
import type { Session } from '../../api/session-types.ts'
import { readFilters } from '../../app/filters.ts'
import { momentsOf, readPeriod } from '../../app/period.ts'
import { pathOf } from '../../app/router.ts'
import { useServices } from '../../app/services.ts'
import { usePages } from '../../app/use-pages.ts'
import { Text } from '../../components/code.tsx'
import { FilterBar } from '../../components/filter-bar.tsx'
import { Link } from '../../components/link.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { Empty, Failure, Skeleton, useFirstCurl } from '../../components/state.tsx'
import { StatusBar } from '../../components/status-bar.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Ago } from '../../components/time.tsx'

/** The filters that sessions have: one of their runs must fit. */
const kept = ['status', 'contract', 'model', 'upstream', 'key', 'api']

/** The sessions that clients named, the last active first. */
export function SessionsPage() {
  const { format, router, now } = useServices()
  const { query } = router.place.value
  const { since, until } = momentsOf(readPeriod(query), now.value)
  const isRelative = 'range' in readPeriod(query)
  const chosen = String(new URLSearchParams([...readFilters(query)].filter(([name]) => kept.includes(name))))
  // A period that ends now has no end, so that new sessions belong to it.
  const pages = usePages<Session>(`sessions?since=${since}${isRelative ? '' : `&until=${until}`}${chosen === '' ? '' : `&${chosen}`}`)
  const columns: readonly Column<Session>[] = [
    { name: 'session', title: 'Session', cell: ({ session }) => <SessionName name={session} /> },
    { name: 'statuses', title: 'Answers', cell: ({ statuses }) => <StatusBar counts={statuses} /> },
    { name: 'runs', title: 'Runs', isNumber: true, cell: ({ runs }) => format.number(runs) },
    {
      name: 'length',
      title: 'Length',
      isNumber: true,
      isWide: true,
      cell: ({ firstAt, lastAt }) => (lastAt > firstAt ? format.duration(lastAt - firstAt) : '–'),
    },
    { name: 'last', title: 'Last run', isNumber: true, cell: ({ lastAt }) => <Ago at={lastAt} /> },
  ]
  return (
    <Page
      title="Sessions"
      beside={<FilterBar names={kept} />}
      actions={
        <>
          <OpenSession />
          <RangePicker />
        </>
      }
    >
      {pages.error !== undefined && <Failure error={pages.error} what="The sessions" retry={pages.reload} />}
      {pages.items === undefined && pages.error === undefined && <Skeleton />}
      {pages.items?.length === 0 && (chosen === '' ? <NoSessions /> : <NoMatch />)}
      {pages.items !== undefined && pages.items.length > 0 && (
        <section class="panel">
          <Table label="Sessions" columns={columns} rows={pages.items} keyOf={({ session }) => session} />
          <MoreButton pages={pages} />
        </section>
      )}
    </Page>
  )
}

function SessionName({ name }: { readonly name: string }) {
  return (
    <Link to={pathOf('sessions', name)} class="text-link">
      <Text>{name.length > 60 ? `${name.slice(0, 60)}…` : name}</Text>
    </Link>
  )
}

/** Opens a session whose name is known. */
function OpenSession() {
  const { router } = useServices()
  const [name, setName] = useState('')
  return (
    <form
      class="open-session"
      onSubmit={(event) => {
        event.preventDefault()
        if (name.trim() !== '') router.go(pathOf('sessions', name.trim()))
      }}
    >
      <input
        class="field"
        aria-label="Name of a session"
        placeholder="Name of a session"
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <button type="submit" class="button" disabled={name.trim() === ''}>
        Open
      </button>
    </form>
  )
}

function NoMatch() {
  return (
    <Empty icon="filter" title="No session matches">
      Remove a filter, or choose a longer period.
    </Empty>
  )
}

function NoSessions() {
  const curl = useFirstCurl()
  return (
    <Empty
      icon="sessions"
      title="No sessions in this period"
      curl={curl.replace(' \\\n', ` \\\n  -H 'x-stickler-session: my-session' \\\n`)}
    >
      Requests that name a session appear here, with the steps that it went through.
    </Empty>
  )
}
