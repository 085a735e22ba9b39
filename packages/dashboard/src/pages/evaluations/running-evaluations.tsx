import { useEffect, useRef } from 'preact/hooks'
import type { RunningEvaluation } from '../../api/evaluation-types.ts'
import { useServices } from '../../app/services.ts'
import { useResource } from '../../app/use-resource.ts'
import { Text } from '../../components/code.tsx'
import { Tag } from '../../components/pill.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Ago } from '../../components/time.tsx'

const everyMs = 3000

/** The evaluations that have not ended, while there are any; `onEnd` is called when one has. */
export function RunningEvaluations({ onEnd }: { readonly onEnd: () => void }) {
  const { format } = useServices()
  const { data } = useResource<{ readonly running?: readonly RunningEvaluation[] }>('evaluations', everyMs)
  const rows = data?.running ?? []
  const before = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    // One may end while another starts.
    const ids = new Set(data?.running?.map(({ id }) => id))
    if ([...before.current].some((id) => !ids.has(id))) onEnd()
    before.current = ids
  }, [data, onEnd])
  if (rows.length === 0) return null
  const numberOr = (value: number | undefined): string => (value === undefined ? '–' : format.number(value))
  const columns: readonly Column<RunningEvaluation>[] = [
    { name: 'name', title: 'Under way', cell: ({ name }) => <Text>{name}</Text> },
    { name: 'contract', title: 'Contract', isWide: true, cell: ({ contract }) => <Text>{contract}</Text> },
    { name: 'status', title: 'State', cell: ({ status }) => <Tag tone={status === 'stopped' ? 'unchecked' : ''}>{status}</Tag> },
    { name: 'answers', title: 'Judged', isNumber: true, cell: ({ answers }) => format.number(answers) },
    { name: 'share', title: 'Read', isNumber: true, cell: ({ share }) => (share === undefined ? '–' : format.share(share, 1)) },
    { name: 'rate', title: 'Per second', isNumber: true, cell: ({ perSecond }) => format.number(perSecond) },
    { name: 'queued', title: 'Queued', isNumber: true, isWide: true, cell: ({ queued }) => numberOr(queued) },
    { name: 'workers', title: 'Workers', isNumber: true, isWide: true, cell: ({ workers }) => numberOr(workers) },
    { name: 'at', title: 'Last heard', isNumber: true, isWide: true, cell: ({ at }) => <Ago at={at} /> },
  ]
  return (
    <section class="panel running">
      <Table label="Evaluations under way" columns={columns} rows={rows} keyOf={({ id }) => id} />
    </section>
  )
}
