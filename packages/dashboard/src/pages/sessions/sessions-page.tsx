import { useState } from 'preact/hooks'
import type { Session } from '../../api/session-types.ts'
import { pathOf } from '../../app/router.ts'
import { useServices } from '../../app/services.ts'
import { usePages } from '../../app/use-pages.ts'
import { Text } from '../../components/code.tsx'
import { Link } from '../../components/link.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Empty, Failure, Skeleton, useFirstCurl } from '../../components/state.tsx'
import { StatusBar } from '../../components/status-bar.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Ago } from '../../components/time.tsx'

/** The sessions that clients named, the last active first. */
export function SessionsPage() {
  const { format } = useServices()
  const pages = usePages<Session>('sessions')
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
    <Page title="Sessions" actions={<OpenSession />}>
      {pages.error !== undefined && <Failure error={pages.error} what="The sessions" retry={pages.reload} />}
      {pages.items === undefined && pages.error === undefined && <Skeleton />}
      {pages.items?.length === 0 && <NoSessions />}
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

function NoSessions() {
  const curl = useFirstCurl()
  return (
    <Empty icon="sessions" title="No sessions yet" curl={curl.replace(' \\\n', ` \\\n  -H 'x-stickler-session: my-session' \\\n`)}>
      Requests that name a session appear here, with the steps that it went through.
    </Empty>
  )
}
