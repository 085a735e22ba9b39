import fc from 'fast-check'
import { Histogram, Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { TimeHistogram } from './instruments.ts'

const options = { name: 'times_seconds', help: 'Times.', buckets: [0.01, 0.05, 0.1, 1, 2.5], label: 'contract' }
const values = ['answers', 'evil"\n\\name', '', '7', 'answers2']

const times = fc.oneof(
  fc.constantFrom(0, -0, 10, 50, 100, 100.00000000000001, 2500, 2501, 1e300, 0.1 + 0.2, 5e-324),
  fc.double({ min: 0, max: 5000, noNaN: true }),
)

test('is rendered and sent as one of prom-client is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.constantFrom(...values), times)), async (observed) => {
      const [ours, theirs] = [new Registry(), new Registry()]
      const histogram = new TimeHistogram(options)
      ours.registerMetric(histogram as unknown as Histogram)
      const series = new Map(values.map((value) => [value, histogram.series(value)]))
      const { label, buckets, ...rest } = options
      const reference = new Histogram({ ...rest, buckets, labelNames: [label], registers: [theirs] })
      for (const [value, ms] of observed) {
        series.get(value)?.(ms)
        reference.labels(value).observe(ms / 1000)
      }
      expect(await ours.metrics()).toBe(await theirs.metrics())
      const sent = JSON.parse(JSON.stringify(await theirs.getMetricsAsJSON()), (key, part) => (key === 'exemplar' ? undefined : part))
      expect(JSON.parse(JSON.stringify(await ours.getMetricsAsJSON()))).toEqual(sent)
    }),
  )
})

test.each([undefined, Number.NaN, -1, Number.POSITIVE_INFINITY, 'x' as unknown as number])('takes %s for nothing', async (ms) => {
  const registry = new Registry()
  const histogram = new TimeHistogram(options)
  registry.registerMetric(histogram as unknown as Histogram)
  histogram.series('answers')(ms)
  expect(await registry.metrics()).toBe('# HELP times_seconds Times.\n# TYPE times_seconds histogram\n')
})
