import fc from 'fast-check'
import { expect, test } from 'vitest'
import { dayMs, type Stretch, stretchesOf, widths } from './widths.ts'

/** Period by period. */
function slowly(since: number, until: number, least: number): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (let place = since; place < until; ) {
    const width = widths.findLast((one) => one.width >= least && place % one.width === 0 && place + one.width <= until)?.width ?? least
    const last = stretches.at(-1)
    if (last?.width === width) stretches[stretches.length - 1] = { ...last, until: place + width }
    else stretches.push({ width, since: place, until: place + width })
    place += width
  }
  return stretches
}

test('stretches are those that are found period by period', () => {
  const period = fc.record({
    least: fc.constantFrom(...widths.map(({ width }) => width)),
    start: fc.integer({ min: -10 * dayMs, max: 10 * dayMs }),
    days: fc.nat(12),
    more: fc.nat(30),
  })
  fc.assert(
    fc.property(period, ({ least, start, days, more }) => {
      const since = Math.floor(start / least) * least
      const until = since + (Math.ceil((days * dayMs) / least) + more) * least
      expect(stretchesOf(since, until, least)).toEqual(slowly(since, until, least))
    }),
  )
})

test('all of time is covered at once', () => {
  const started = performance.now()
  expect(stretchesOf(-8.64e15, 8.64e15, dayMs)).toEqual([{ width: dayMs, since: -8.64e15, until: 8.64e15 }])
  expect(stretchesOf(-8.64e15 + 60_000, 8.64e15, 60_000).length).toBeLessThan(10)
  expect(performance.now() - started).toBeLessThan(1000)
})
