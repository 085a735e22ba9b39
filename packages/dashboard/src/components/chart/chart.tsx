import { useEffect, useRef, useState } from 'preact/hooks'
import type uPlot from 'uplot'
import { useServices } from '../../app/services.ts'
import { type ChartData, chartOptions, stacked } from './chart-options.ts'
import { Tooltip } from './tooltip.tsx'

/** What a chart takes. */
interface ChartProps extends ChartData {
  /** What it shows, for screen readers. */
  readonly label: string
  /** Charts with the same name share their cursor. */
  readonly group: string
  /** Called with the period that was dragged over. */
  onZoom?(since: number, until: number): void
  /** Called with the bucket that was clicked. */
  onPick?(since: number, until: number): void
}

const height = 190

/** Values over time: drag to zoom, click a bucket to open it. */
export function Chart(props: ChartProps) {
  const { label, at, bucketMs, series, group, isStacked, write, partialFrom } = props
  const { theme, window, format } = useServices()
  const place = useRef<HTMLDivElement>(null)
  const latest = useRef(props)
  latest.current = props
  const [pointed, setPointed] = useState<number>()
  const shown = theme.shown.value

  useEffect(() => {
    const element = place.current
    if (element === null) return
    let plot: uPlot | undefined
    let isGone = false
    const observer = new window.ResizeObserver(() => plot?.setSize({ width: element.clientWidth, height }))
    const draw = async (): Promise<void> => {
      const { default: Plot } = await import('uplot')
      if (isGone) return
      const styles = window.getComputedStyle(window.document.documentElement)
      const options = chartOptions(
        { at, bucketMs, series, isStacked, write, partialFrom },
        {
          ...{ width: element.clientWidth, height, group, format, bars: Plot.paths.bars },
          colour: (name) => styles.getPropertyValue(`--${name}`).trim(),
          font: `11px ${styles.getPropertyValue('--sans')}`,
          ratio: window.devicePixelRatio,
          zoom: (since, until) => latest.current.onZoom?.(since, until),
          pick: (bucket) => latest.current.onPick?.(bucket, bucket + bucketMs),
          point: setPointed,
        },
      )
      const values = isStacked ? stacked(series) : series.map((one) => [...one.values])
      element.replaceChildren()
      plot = new Plot(options, [[...at], ...values], element)
      observer.observe(element)
    }
    void draw()
    return () => {
      isGone = true
      observer.disconnect()
      plot?.destroy()
    }
    // A change of colours draws it again.
  }, [at, bucketMs, series, isStacked, write, partialFrom, group, shown, window, format])

  return (
    <figure class="chart">
      <div ref={place} class="chart-place" role="img" aria-label={label} />
      {pointed !== undefined && at[pointed] !== undefined && <Tooltip {...props} index={pointed} />}
    </figure>
  )
}
