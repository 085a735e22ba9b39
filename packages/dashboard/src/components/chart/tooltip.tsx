import { useServices } from '../../app/services.ts'
import type { ChartData } from './chart-options.ts'

/** The values of the bucket below the cursor. */
export function Tooltip({ at, bucketMs, series, index, isStacked, write, partialFrom }: ChartData & { readonly index: number }) {
  const { format } = useServices()
  const start = at[index] ?? 0
  const isRight = index > at.length / 2
  const shown = series.filter(({ values }) => (values[index] ?? 0) > 0).toReversed()
  return (
    <div class={isRight ? 'tooltip on-left' : 'tooltip'} aria-hidden="true">
      <div class="tooltip-time">
        {format.minute(start)} – {format.hour(start + bucketMs)}
        {partialFrom === start && <span class="quiet"> so far</span>}
      </div>
      {shown.length === 0 && <div class="quiet">No runs</div>}
      {shown.map(({ name, values, colour }) => (
        <div key={name} class="tooltip-row">
          <i class={`swatch ${colour}`} />
          <span>{name}</span>
          <b>{write(values[index] ?? 0)}</b>
        </div>
      ))}
      {isStacked && shown.length > 1 && (
        <div class="tooltip-row">
          <i class="swatch none" />
          <span>Total</span>
          <b>{write(shown.reduce((sum, { values }) => sum + (values[index] ?? 0), 0))}</b>
        </div>
      )}
    </div>
  )
}
