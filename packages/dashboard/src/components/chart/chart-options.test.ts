import { expect, it } from 'vitest'
import { createFormat } from '../../format/format.ts'
import { chartOptions, stacked } from './chart-options.ts'

it('series are stacked from below, drawn from above, and empty buckets stay empty', () => {
  const series = [
    { name: 'valid', values: [3, 0, null], colour: 'valid' },
    { name: 'failed', values: [1, 2, null], colour: 'failed' },
  ]
  expect(stacked(series)).toEqual([
    [4, 2, null],
    [3, null, null],
  ])
  expect(stacked([])).toEqual([])
})

it('values without a neighbour are points, where there is no room for the points of all', () => {
  const values = [7, null, 1, 2, null, null, 9]
  const data = {
    at: values.map((_, at) => at),
    bucketMs: 1,
    series: [{ name: 'p50', values, colour: 'p50' }],
    isStacked: false,
    write: String,
  }
  const ignore = (): void => {}
  const options = chartOptions(data, {
    ...{ width: 100, height: 100, group: 'g', font: 'f', ratio: 1, format: createFormat(), bars: undefined },
    ...{ colour: String, zoom: ignore, pick: ignore, point: ignore },
  })
  const filter = options.series[1]?.points?.filter as (plot: unknown, at: number, isShown: boolean) => number[] | null
  expect(filter(undefined, 1, false)).toEqual([0, 6])
  expect(filter(undefined, 1, true)).toBe(null)
})
