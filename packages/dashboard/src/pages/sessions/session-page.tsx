import { ApiError } from '../../api/client.ts'
import type { SessionDetail } from '../../api/session-types.ts'
import type { RunRow } from '../../api/types.ts'
import { runsAddress } from '../../app/filters.ts'
import { pathOf, segmentOf } from '../../app/router.ts'
import { useServices } from '../../app/services.ts'
import { useResource } from '../../app/use-resource.ts'
import { Code, Text } from '../../components/code.tsx'
import { CopyButton } from '../../components/copy.tsx'
import { Facts } from '../../components/facts.tsx'
import { Link } from '../../components/link.tsx'
import { Page, Panel } from '../../components/page.tsx'
import { Pill, Tag } from '../../components/pill.tsx'
import { Empty, Failure, Skeleton } from '../../components/state.tsx'
import { StatusBar } from '../../components/status-bar.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Ago } from '../../components/time.tsx'
import { Steps } from './steps.tsx'

/** One session: its steps over time, and its runs. */
export function SessionPage({ name }: { readonly name: string }) {
  const { router } = useServices()
  const { data, error, reload } = useResource<SessionDetail>(`sessions/${segmentOf(name)}`)
  const isUnknown = error instanceof ApiError && error.status === 404
  return (
    <Page
      title={name}
      beside={
        <>
          <CopyButton text={name} label="Copy the name" />
          <span class="quiet">session</span>
        </>
      }
      actions={
        <Link to={runsAddress(router.place.value.query, { session: name })} class="button">
          Its runs
        </Link>
      }
    >
      {isUnknown && (
        <Empty icon="sessions" title="There is no such session">
          Its runs may have been deleted by the limits of the store, or belong to another key.
        </Empty>
      )}
      {error !== undefined && !isUnknown && <Failure error={error} what="The session" retry={reload} />}
      {data === undefined && error === undefined && <Skeleton rows={3} tall />}
      {data !== undefined && <Content session={data} />}
    </Page>
  )
}

function Content({ session }: { readonly session: SessionDetail }) {
  const { format, me } = useServices()
  const { firstRequest, newest, steps } = session
  const columns: readonly Column<RunRow & { readonly facts?: Readonly<Record<string, string>> }>[] = [
    {
      ...{ name: 'status', title: 'Status' },
      cell: ({ id, status }) => (
        <Link to={pathOf('runs', id)} title={format.visible(id)}>
          <Pill status={status} />
        </Link>
      ),
    },
    { name: 'at', title: 'When', cell: ({ at }) => <Ago at={at} /> },
    { name: 'step', title: 'Step', cell: ({ facts }) => (facts?.step === undefined ? '' : <Tag>{facts.step}</Tag>) },
    {
      name: 'question',
      title: 'Question',
      isWide: true,
      cell: ({ question = '' }) => (
        <span class="cut-cell">
          <Text>{question}</Text>
        </span>
      ),
    },
    { name: 'model', title: 'Model', isWide: true, cell: ({ model }) => <Text>{model}</Text> },
    { name: 'attempts', title: 'Attempts', isNumber: true, isWide: true, cell: ({ attempts }) => attempts },
    { name: 'ms', title: 'Duration', isNumber: true, cell: ({ ms }) => format.duration(ms) },
  ]
  return (
    <div class="session">
      <Facts
        facts={[
          [
            'State',
            <Tag key="state" tone={session.status === 'done' ? 'valid' : ''}>
              {session.status}
            </Tag>,
          ],
          ['Step', session.step && <Text key="step">{session.step}</Text>],
          ['Runs', format.number(session.runs)],
          ['Answers', <StatusBar key="answers" counts={session.statuses} />],
          ['First run', <Ago key="first" at={session.firstAt} />],
          ['Last run', <Ago key="last" at={session.lastAt} />],
        ]}
      />
      <Steps steps={steps} endAt={session.lastAt} />
      <Panel title="First request">
        <div class="panel-body">
          {firstRequest === undefined || firstRequest === '' ? (
            <p class="quiet">{me.value?.keepText ? 'It is not kept.' : 'Texts are not kept by this gateway (store.keepText).'}</p>
          ) : (
            <Code text={firstRequest} label="First request" />
          )}
        </div>
      </Panel>
      <Panel title="Newest runs" note={newest.next === undefined ? undefined : `${newest.items.length} of ${format.number(session.runs)}`}>
        <Table label="Newest runs" columns={columns} rows={newest.items} keyOf={({ id }) => id} />
      </Panel>
    </div>
  )
}
