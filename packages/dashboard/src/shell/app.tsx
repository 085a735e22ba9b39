import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../api/client.ts'
import type { Me } from '../api/types.ts'
import { useServices } from '../app/services.ts'
import { useShortcuts } from '../app/use-shortcuts.ts'
import { Page } from '../components/page.tsx'
import { Empty, Failure, OperatorsOnly, Skeleton } from '../components/state.tsx'
import { Help } from './help.tsx'
import { KeyForm } from './key-form.tsx'
import { findRoom, rooms } from './pages.ts'
import { Rail } from './rail.tsx'

/** The whole dashboard: asks who is looking, then shows the rail and the page of the address. */
export function App() {
  const { client, me, notice, setClock } = useServices()
  const [error, setError] = useState<unknown>()
  const [visit, setVisit] = useState(0)

  useEffect(() => {
    const own = new AbortController()
    setError(undefined)
    client.get<Me>('me', own.signal).then(
      (reply) => {
        setClock(reply.now)
        me.value = reply
      },
      (thrown: unknown) => own.signal.aborted || setError(thrown),
    )
    return () => own.abort()
  }, [client, me, setClock, visit])

  const [hasHelp, setHelp] = useState(false)
  const { router } = useServices()
  useShortcuts([
    { keys: '?', says: 'Show this help', run: () => setHelp(true) },
    ...rooms.map(({ letter, title, path }) => ({ keys: `g ${letter}`, says: `Go to ${title}`, run: () => router.go(`/${path}`) })),
  ])

  const forget = (): void => {
    client.useKey('')
    me.value = undefined
    setVisit(visit + 1)
  }

  if (error instanceof ApiError && error.status === 401) {
    return (
      <KeyForm
        isWrong={client.hasKey()}
        message={error.message}
        use={(key) => {
          if (!client.useKey(key)) return false
          // Whether it is wrong is not known yet.
          setError(undefined)
          setVisit(visit + 1)
          return true
        }}
      />
    )
  }
  return (
    <div class="shell">
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <Rail forget={client.hasKey() ? forget : undefined} />
      {error !== undefined ? (
        <Page title="Stickler">
          <Failure error={error} what="The dashboard" retry={() => setVisit(visit + 1)} />
        </Page>
      ) : (
        <CurrentPage />
      )}
      {hasHelp && <Help close={() => setHelp(false)} />}
      <p class="unseen" role="status" aria-live="polite">
        {notice.value}
      </p>
    </div>
  )
}

function CurrentPage() {
  const { me, router } = useServices()
  const found = findRoom(router.place.value.path)
  if (found === undefined) {
    return (
      <Page title="Not found">
        <Empty icon="search" title="There is no such page">
          The address leads nowhere. Choose a page on the left.
        </Empty>
      </Page>
    )
  }
  const { room, name } = found
  if (me.value === undefined) {
    return (
      <Page title={room.title}>
        <Skeleton rows={8} />
      </Page>
    )
  }
  if (room.isForOperators && me.value.role === 'client') {
    return (
      <Page title={room.title}>
        <OperatorsOnly />
      </Page>
    )
  }
  const List = room.list
  const One = room.one
  return name === undefined || One === undefined ? <List key={room.path} /> : <One key={`${room.path}/${name}`} name={name} />
}
