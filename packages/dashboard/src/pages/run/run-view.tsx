import { useEffect, useState } from 'preact/hooks'
import { ApiError } from '../../api/client.ts'
import type { Run, RunLabel } from '../../api/run-types.ts'
import { useServices } from '../../app/services.ts'
import { useResource } from '../../app/use-resource.ts'
import { Empty, Failure, Skeleton } from '../../components/state.tsx'
import { AnswerPanel } from './answer-panel.tsx'
import { AttemptsPanel } from './attempts-panel.tsx'
import { LabelForm } from './label-form.tsx'
import { PipelinePanel } from './pipeline-panel.tsx'
import { PromptPanel } from './prompt-panel.tsx'
import { ReproducePanel } from './reproduce-panel.tsx'
import { RunFacts } from './run-facts.tsx'
import { TimelinePanel } from './timeline-panel.tsx'
import { UncheckedPanel } from './unchecked-panel.tsx'

/** Everything about one run, for its page and for the panel beside the list. */
export function RunView({ id }: { readonly id: string }) {
  const { me } = useServices()
  const { data, error, reload } = useResource<Run>(`runs/${encodeURIComponent(id)}`)
  const [label, setLabel] = useState<{ readonly of: string; readonly is: RunLabel | undefined }>()
  // What was set for one run is not that of the next.
  useEffect(() => setLabel(undefined), [id])

  if (error instanceof ApiError && error.status === 404) {
    return (
      <Empty icon="search" title="There is no such run">
        It may have been deleted by the limits of the store, belong to another key, or not be recorded yet.
      </Empty>
    )
  }
  if (data === undefined) return error === undefined ? <Skeleton rows={4} tall /> : <Failure error={error} what="The run" retry={reload} />
  const { label: kept, ...others } = data
  const current = label?.of === id ? label.is : kept
  const run: Run = current === undefined ? others : { ...others, label: current }
  return (
    <div class="run" key={data.id}>
      <RunFacts run={run} />
      {me.value?.features.labels && me.value.role !== 'client' && <LabelForm run={run} changed={(is) => setLabel({ of: id, is })} />}
      <AnswerPanel run={run} />
      <UncheckedPanel run={run} />
      <AttemptsPanel run={run} />
      <PromptPanel run={run} />
      <TimelinePanel run={run} />
      <PipelinePanel run={run} />
      <ReproducePanel run={run} />
    </div>
  )
}
