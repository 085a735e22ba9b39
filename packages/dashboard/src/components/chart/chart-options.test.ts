import { expect, it } from 'vitest'
import { stacked } from './chart-options.ts'

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
