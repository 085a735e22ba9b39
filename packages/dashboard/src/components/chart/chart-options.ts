import type uPlot from 'uplot'
import type { Format } from '../../format/format.ts'

/** One series: a value for each bucket, nothing where there are no data. */
export interface Series {
  readonly name: string
  readonly values: readonly (number | null)[]
  /** The name of a colour among the design tokens. */
  readonly colour: string
  readonly isDashed?: boolean
}

/** What is drawn. */
export interface ChartData {
  /** The beginnings of the buckets, in milliseconds. */
  readonly at: readonly number[]
  readonly bucketMs: number
  /** From below to above. */
  readonly series: readonly Series[]
  /** Bars on each other; lines otherwise. */
  readonly isStacked: boolean
  /** The beginning of a bucket that is not over yet. */
  readonly partialFrom?: number | undefined
  write(value: number): string
}

/** How it is drawn. */
interface Drawing {
  readonly width: number
  readonly height: number
  readonly group: string
  readonly font: string
  readonly ratio: number
  readonly format: Format
  readonly bars: uPlot.Series.BarsPathBuilderFactory | undefined
  colour(name: string): string
  zoom(since: number, until: number): void
  pick(bucket: number): void
  point(index: number | undefined): void
}

/** Sums of the series from below, the largest first, so that each is drawn over those above it. */
export function stacked(series: readonly Series[]): (number | null)[][] {
  const sums: number[] = []
  const layers = series.map(({ values }) =>
    values.map((value, index) => {
      const sum = (sums[index] ?? 0) + (value ?? 0)
      sums[index] = sum
      return sum === 0 ? null : sum
    }),
  )
  return layers.reverse()
}

/** The options of uPlot. */
export function chartOptions(data: ChartData, drawing: Drawing): uPlot.Options {
  const { at, bucketMs, series, isStacked, write } = data
  const { width, height, group, font, format, colour } = drawing
  const start = at[0] ?? 0
  const end = (at.at(-1) ?? start) + bucketMs
  const largest = Math.max(
    0,
    ...(isStacked ? (stacked(series)[0] ?? []) : series.flatMap(({ values }) => values)).map((value) => value ?? 0),
  )
  const axis = { font, stroke: colour('quiet'), ticks: { show: false }, border: { show: false } }
  const bars = isStacked ? drawing.bars?.({ size: [0.82, 48], align: 1, radius: 0 }) : undefined
  const drawn = isStacked ? series.toReversed() : series
  return {
    ...{ width, height, ms: 1, legend: { show: false }, padding: [10, 20, 0, 0] },
    cursor: {
      drag: { x: true, y: false, setScale: false },
      sync: { key: group },
      points: { show: false },
      y: false,
    },
    scales: { x: { time: true, range: [start, end] }, y: { range: [0, largest === 0 ? 1 : largest * 1.08] } },
    axes: [
      {
        ...axis,
        grid: { show: false },
        space: 64,
        size: 24,
        values: (_, splits, __, ___, step) => splits.map((one) => tick(one, step, format)),
      },
      {
        ...axis,
        grid: { stroke: colour('line'), width: 1 },
        space: 36,
        size: 52,
        gap: 6,
        values: (_, splits) => splits.map((one) => (one === 0 ? '0' : largest === 0 ? '' : write(one))),
      },
    ],
    series: [
      {},
      ...drawn.map(
        (one): uPlot.Series => ({
          label: one.name,
          stroke: colour(one.colour),
          ...(isStacked
            ? { fill: colour(one.colour), width: 0, points: { show: false } }
            : {
                width: 1.5,
                points: { size: 6, fill: colour(one.colour), filter: (_, __, isShown) => (isShown ? null : lonely(one.values)) },
              }),
          ...(bars === undefined ? {} : { paths: bars }),
          ...(one.isDashed ? { dash: [4, 4] } : {}),
        }),
      ),
    ],
    hooks: {
      ready: [(plot) => listen(plot, data, drawing)],
      setCursor: [(plot) => drawing.point(bucketAt(plot, data))],
      setSelect: [
        (plot) => {
          const { left, width: wide } = plot.select
          if (wide < 6) return
          drawing.zoom(plot.posToVal(left, 'x'), plot.posToVal(left + wide, 'x'))
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
        },
      ],
      draw: [(plot) => hatch(plot, data, colour('ground'), drawing.ratio)],
    },
  }
}

/** Values without a neighbour: no line leads to them, so they need a point. */
function lonely(values: Series['values']): number[] {
  const isEmpty = (at: number): boolean => (values[at] ?? null) === null
  return [...values.keys()].filter((at) => !isEmpty(at) && isEmpty(at - 1) && isEmpty(at + 1))
}

/** The bucket below the cursor. */
function bucketAt(plot: uPlot, { at, bucketMs }: ChartData): number | undefined {
  const { left = -1 } = plot.cursor
  if (left < 0) return undefined
  const index = Math.floor((plot.posToVal(left, 'x') - (at[0] ?? 0)) / bucketMs)
  return index >= 0 && index < at.length ? index : undefined
}

function listen(plot: uPlot, data: ChartData, drawing: Drawing): void {
  let from = 0
  plot.over.addEventListener('pointerdown', (event) => {
    from = event.clientX
  })
  plot.over.addEventListener('click', (event) => {
    const index = bucketAt(plot, data)
    const bucket = index === undefined ? undefined : data.at[index]
    if (bucket !== undefined && Math.abs(event.clientX - from) < 4) drawing.pick(bucket)
  })
}

/** Lines over the bucket that is not over yet, so that nobody takes it for a fall. */
function hatch({ ctx, bbox, valToPos }: uPlot, { partialFrom, bucketMs }: ChartData, colour: string, ratio: number): void {
  if (partialFrom === undefined) return
  const left = valToPos(partialFrom, 'x', true)
  const right = Math.min(bbox.left + bbox.width, valToPos(partialFrom + bucketMs, 'x', true))
  ctx.save()
  ctx.beginPath()
  ctx.rect(left, bbox.top, right - left, bbox.height)
  ctx.clip()
  ctx.strokeStyle = colour
  ctx.lineWidth = 1.5 * ratio
  ctx.beginPath()
  for (let x = left - bbox.height; x < right; x += 5 * ratio) {
    ctx.moveTo(x, bbox.top + bbox.height)
    ctx.lineTo(x + bbox.height, bbox.top)
  }
  ctx.stroke()
  ctx.restore()
}

function tick(at: number, step: number, format: Format): string {
  return step >= 86_400_000 ? format.date(at) : format.hour(at)
}
