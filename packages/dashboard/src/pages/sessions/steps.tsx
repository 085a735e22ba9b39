import { useServices } from '../../app/services.ts'
import { Panel } from '../../components/page.tsx'

/** What the steps take. */
interface StepsProps {
  readonly steps: readonly { readonly step: string; readonly at: number }[]
  /** When the last run began. */
  readonly endAt: number
}

/** The steps of a session over time: a bar as long as the session was at each. */
export function Steps({ steps, endAt }: StepsProps) {
  const { format } = useServices()
  const first = steps[0]?.at ?? 0
  const all = Math.max(endAt - first, 1)
  return (
    <Panel title="Steps" note={steps.length === 0 ? undefined : `from ${format.minute(first)}`}>
      {steps.length === 0 ? (
        <p class="panel-empty quiet">No step is recorded: the contract declares none, or no answer named one.</p>
      ) : (
        <ol class="steps">
          {steps.map(({ step, at }, index) => {
            const until = steps[index + 1]?.at ?? endAt
            return (
              <li key={`${at} ${index}`}>
                <span class="cut">
                  <bdi>{format.visible(step)}</bdi>
                </span>
                <span class="step-track" aria-hidden="true">
                  <i style={{ left: `${(100 * (at - first)) / all}%`, width: `${Math.max(0.6, (100 * (until - at)) / all)}%` }} />
                </span>
                <span class="number quiet" title={format.day(at)}>
                  {until > at ? format.duration(until - at) : format.clock(at)}
                </span>
              </li>
            )
          })}
        </ol>
      )}
    </Panel>
  )
}
