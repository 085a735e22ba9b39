import { useMemo, useState } from 'preact/hooks'
import type { Session } from '../../api/session-types.ts'
import { momentsOf, readPeriod } from '../../app/period.ts'
import { pathOf } from '../../app/router.ts'
import { useServices } from '../../app/services.ts'
import { usePages } from '../../app/use-pages.ts'
import { Text } from '../../components/code.tsx'
import { Link } from '../../components/link.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { RangePicker } from '../../components/range-picker.tsx'
import { Empty, Failure, Skeleton, useFirstCurl } from '../../components/state.tsx'
import { StatusBar } from '../../components/status-bar.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Ago } from '../../components/time.tsx'

/** The sessions that clients named, the last active first. */
export function SessionsPage() {
  const { router, now, format } = useServices()
  const { query } = router.place.value
  const wanted = query.get('q') ?? ''
  // The period is read when it is chosen: a list that moves on by itself would forget its further pages.
  const path = useMemo(() => {
    const period = readPeriod(query)
    const { since, until } = momentsOf(period, now.peek())
    const times = 'range' in period ? { since: String(since) } : { since: String(since), until: String(until) }
    return `sessions?${new URLSearchParams({ ...times, ...(wanted === '' ? {} : { q: wanted }) })}`
  }, [query, wanted, now])
  const pages = usePages<Session>(path)
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
    <Page title="Sessions" actions={<RangePicker />} bar={<Search wanted={wanted} />}>
      {pages.error !== undefined && <Failure error={pages.error} what="The sessions" retry={pages.reload} />}
      {pages.items === undefined && pages.error === undefined && <Skeleton />}
      {pages.items?.length === 0 && <NoSessions isSearch={wanted !== ''} />}
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

function Search({ wanted }: { readonly wanted: string }) {
  const { router } = useServices()
  const [text, setText] = useState(wanted)
  return (
    <form
      class="bar-more"
      onSubmit={(event) => {
        event.preventDefault()
        router.change({ q: text.trim() })
      }}
    >
      <input
        class="field"
        aria-label="Beginning of a session's name"
        placeholder="Find a session by the beginning of its name"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="button">
        Find
      </button>
    </form>
  )
}

function NoSessions({ isSearch }: { readonly isSearch: boolean }) {
  const curl = useFirstCurl()
  if (isSearch) {
    return (
      <Empty icon="sessions" title="No session begins like this">
        Names are compared from their first letter, in the period above.
      </Empty>
    )
  }
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
