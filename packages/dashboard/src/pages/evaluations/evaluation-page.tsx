import { ApiError } from '../../api/client.ts'
import { type Evaluation, type Interval, isEvaluation } from '../../api/evaluation-types.ts'
import { useServices } from '../../app/services.ts'
import { useResource } from '../../app/use-resource.ts'
import { Text } from '../../components/code.tsx'
import { CopyId } from '../../components/copy.tsx'
import { Facts } from '../../components/facts.tsx'
import { Page, Panel } from '../../components/page.tsx'
import { Pill, Tag } from '../../components/pill.tsx'
import { Empty, Failure, Skeleton } from '../../components/state.tsx'
import { StatusBar } from '../../components/status-bar.tsx'
import { Table } from '../../components/table.tsx'
import { Ago } from '../../components/time.tsx'
import { Cases } from './cases.tsx'
import { Flips, Matrix } from './comparison.tsx'

/** One report of `stickler eval`: verdicts, rules, and what changed. */
export function EvaluationPage({ name }: { readonly name: string }) {
  const { data, error, reload } = useResource<unknown>(`evaluations/${encodeURIComponent(name)}`)
  const isUnknown = error instanceof ApiError && error.status === 404
  return (
    <Page title={isEvaluation(data) && data.name ? data.name : 'Evaluation'} beside={<CopyId id={name} most={28} />}>
      {isUnknown && (
        <Empty icon="evaluations" title="There is no such evaluation">
          Its report may have been deleted from the folder of the store.
        </Empty>
      )}
      {error !== undefined && !isUnknown && <Failure error={error} what="The evaluation" retry={reload} />}
      {data === undefined && error === undefined && <Skeleton rows={3} tall />}
      {data !== undefined && !isEvaluation(data) && (
        <Empty icon="evaluations" title="This is not a report of an evaluation">
          Reports that <code>stickler eval --save</code> writes beside the store are shown here; this file is something else.
        </Empty>
      )}
      {isEvaluation(data) && <Report report={data} />}
    </Page>
  )
}

function Report({ report }: { readonly report: Evaluation }) {
  const { format } = useServices()
  const { answers, statuses, intervals, against, comparison, labels, gates = [], notes = [] } = report
  const passed = report.passed ?? (statuses.valid ?? 0) + (statuses.repaired ?? 0)
  const range = (interval: Interval | undefined) =>
    interval && (
      <>
        {format.share(interval.share, 1)}{' '}
        <span class="quiet nowrap" title="95 % interval: where the share lies for other answers of the same kind">
          {`${(interval.low * 100).toFixed(1)}–${(interval.high * 100).toFixed(1)}`}
        </span>
      </>
    )
  return (
    <div class="evaluation">
      <Facts
        facts={[
          ['When', <Ago key="at" at={report.at} />],
          ['Contract', <Text key="contract">{report.contract ?? ''}</Text>],
          ['Compared with', against && <Text key="against">{against}</Text>],
          ['Answers', format.number(answers)],
          ['Keep the contract', range(intervals?.passed) ?? format.share(passed, answers)],
          ['Before', range(intervals?.before)],
          ['Changed', comparison?.changed !== undefined && format.number(comparison.changed)],
          [
            'Better, worse',
            comparison?.better !== undefined &&
              `${format.number(comparison.better)}, ${format.number(comparison.worse ?? 0)}${comparison.p === undefined ? '' : ` (p = ${comparison.p.toPrecision(2)})`}`,
          ],
          ['Labelled', labels && `${format.number(labels.good)} good, ${format.number(labels.bad)} bad`],
          ['False alarms', labels && `${format.number(labels.wronglyBlocked)} of ${format.number(labels.good)}`],
          ['Bad ones caught', labels && `${format.number(labels.caught)} of ${format.number(labels.bad)}`],
        ]}
      />
      {gates.length > 0 && (
        <ul class="gates" aria-label="Gates">
          {gates.map(({ gate, limit, observed, passed: isPassed }) => (
            <li key={gate}>
              <Tag tone={isPassed ? 'valid' : 'unresolved'}>{isPassed ? 'passed' : 'failed'}</Tag> <Text>{gate}</Text>{' '}
              <span class="quiet">
                limit {limit}
                {observed === undefined ? ', nothing to observe' : `, observed ${Number(observed.toFixed(4))}`}
              </span>
            </li>
          ))}
        </ul>
      )}
      {notes.map((note) => (
        <p key={note} class="quiet">
          <Text>{note}</Text>
        </p>
      ))}
      <div class="evaluation-tops verdicts">
        <Panel title="Verdicts">
          <Table
            label="Verdicts"
            rows={Object.entries(statuses).filter(([, count]) => count > 0)}
            keyOf={([status]) => status}
            columns={[
              { name: 'status', title: 'Status', cell: ([status]) => <Pill status={status} /> },
              { name: 'answers', title: 'Answers', isNumber: true, cell: ([, count]) => format.number(count) },
              { name: 'share', title: 'Share', isNumber: true, cell: ([, count]) => format.share(count, answers) },
            ]}
          />
        </Panel>
        {comparison !== undefined && <Matrix matrix={comparison.matrix} />}
      </div>
      <Flips flips={report.flips ?? []} hasComparison={comparison !== undefined} />
      <div class="evaluation-tops">
        <RuleTable report={report} />
        <Models report={report} />
      </div>
      <Cases cases={report.cases} />
    </div>
  )
}

function RuleTable({ report: { rules = [], answers } }: { readonly report: Evaluation }) {
  const { format } = useServices()
  return (
    <Panel title="Rules">
      {rules.length === 0 ? (
        <p class="panel-empty quiet">No rule is broken by any answer.</p>
      ) : (
        <Table
          label="Rules"
          rows={[...rules].sort((a, b) => b.answers - a.answers || (b.fixed ?? 0) - (a.fixed ?? 0)).slice(0, 100)}
          keyOf={({ rule }) => rule}
          columns={[
            {
              name: 'rule',
              title: 'Rule',
              cell: ({ rule }) => (
                <code>
                  <Text>{rule}</Text>
                </code>
              ),
            },
            { name: 'answers', title: 'Broken', isNumber: true, cell: (one) => `${format.number(one.answers)}` },
            { name: 'share', title: 'Share', isNumber: true, isWide: true, cell: (one) => format.share(one.answers, answers) },
            { name: 'fixed', title: 'Repaired', isNumber: true, cell: ({ fixed = 0 }) => format.number(fixed) },
            { name: 'warnings', title: 'Warnings', isNumber: true, isWide: true, cell: ({ warnings = 0 }) => format.number(warnings) },
          ]}
        />
      )}
    </Panel>
  )
}

function Models({ report: { models = [] } }: { readonly report: Evaluation }) {
  const { format } = useServices()
  if (models.length === 0) return null
  return (
    <Panel title="Models">
      <Table
        label="Models"
        rows={models}
        keyOf={({ model }) => model}
        columns={[
          { name: 'model', title: 'Model', cell: ({ model }) => <Text>{model || 'not recorded'}</Text> },
          { name: 'statuses', title: 'Verdicts', cell: ({ statuses }) => <StatusBar counts={statuses} /> },
          { name: 'answers', title: 'Answers', isNumber: true, cell: ({ answers }) => format.number(answers) },
        ]}
      />
    </Panel>
  )
}
