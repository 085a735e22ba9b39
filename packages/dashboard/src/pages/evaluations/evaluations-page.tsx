import type { EvaluationEntry } from '../../api/evaluation-types.ts'
import { pathOf } from '../../app/router.ts'
import { useServices } from '../../app/services.ts'
import { usePages } from '../../app/use-pages.ts'
import { Text } from '../../components/code.tsx'
import { Link } from '../../components/link.tsx'
import { MoreButton } from '../../components/more-button.tsx'
import { Page } from '../../components/page.tsx'
import { Empty, Failure, Skeleton } from '../../components/state.tsx'
import { StatusBar } from '../../components/status-bar.tsx'
import { type Column, Table } from '../../components/table.tsx'
import { Ago } from '../../components/time.tsx'
import { RunningEvaluations } from './running-evaluations.tsx'

const command = 'stickler eval recordings.jsonl --contract NAME --save'

/** The evaluations whose reports are kept, the newest first. */
export function EvaluationsPage() {
  const { format } = useServices()
  const pages = usePages<EvaluationEntry>('evaluations')
  const columns: readonly Column<EvaluationEntry>[] = [
    {
      ...{ name: 'name', title: 'Evaluation' },
      cell: ({ id, name }) => (
        <Link to={pathOf('evaluations', id)} class="strong text-link">
          <Text>{name || id}</Text>
        </Link>
      ),
    },
    { name: 'contract', title: 'Contract', isWide: true, cell: ({ contract = '' }) => <Text>{contract}</Text> },
    { name: 'answers', title: 'Answers', isNumber: true, cell: ({ answers }) => (answers === undefined ? '–' : format.number(answers)) },
    { name: 'statuses', title: 'Verdicts', cell: ({ statuses = {} }) => <StatusBar counts={statuses} /> },
    {
      ...{ name: 'passed', title: 'Keep the contract', isNumber: true },
      cell: ({ statuses = {}, answers = 0 }) => format.share((statuses.valid ?? 0) + (statuses.repaired ?? 0), answers),
    },
    { name: 'at', title: 'When', isNumber: true, isWide: true, cell: ({ at }) => <Ago at={at} /> },
  ]
  return (
    <Page title="Evaluations">
      <RunningEvaluations onEnd={pages.reload} />
      {pages.error !== undefined && <Failure error={pages.error} what="The evaluations" retry={pages.reload} />}
      {pages.items === undefined && pages.error === undefined && <Skeleton />}
      {pages.items?.length === 0 && (
        <Empty icon="evaluations" title="No evaluations yet" curl={command}>
          An evaluation judges recorded answers under a contract, before it goes live. Reports that are saved beside the store appear here.
        </Empty>
      )}
      {pages.items !== undefined && pages.items.length > 0 && (
        <section class="panel">
          <Table label="Evaluations" columns={columns} rows={pages.items} keyOf={({ id }) => id} />
          <MoreButton pages={pages} />
        </section>
      )}
    </Page>
  )
}
