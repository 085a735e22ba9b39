import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ReleaseTimeline } from './release-timeline.ts'

const read = (text: string | undefined) => (text === undefined ? [] : text.split(' ').map((point) => point.split(':').map(Number)))

test('has few points that grow, from the first release to the last, whatever the stream', () => {
  const release = fc.tuple(fc.double({ min: 0, max: 500, noNaN: true }), fc.nat(1000))
  fc.assert(
    fc.property(fc.array(release, { maxLength: 3000, size: 'max' }), (releases) => {
      const timeline = new ReleaseTimeline()
      let [now, all] = [0, 0]
      for (const [pause, chars] of releases) {
        now += pause
        all += chars
        timeline.add(now, chars)
      }
      const points = read(timeline.value())
      expect(points.length).toBeLessThanOrEqual(201)
      expect(points.length > 0).toBe(releases.length > 0)
      if (releases.length === 0) return
      expect(points.at(-1)).toEqual([Math.round(now), all])
      expect(points[0]?.[0]).toBe(Math.round(releases[0]?.[0] ?? 0))
      for (const [index, [ms = 0, chars = 0]] of points.entries()) {
        expect(ms).toBeGreaterThanOrEqual(points[index - 1]?.[0] ?? 0)
        expect(chars).toBeGreaterThanOrEqual(points[index - 1]?.[1] ?? 0)
      }
    }),
    { numRuns: 50 },
  )
})

test('text that came and was held back is counted until it is shown, or dropped with its attempt', () => {
  const timeline = new ReleaseTimeline()
  timeline.arrive(100, 40)
  timeline.begin(200, 2)
  timeline.arrive(300, 50)
  timeline.add(400, 30, 32)
  timeline.end(500)
  expect(timeline.value()).toBe('100:0:40 200:0:0:2 300:0:50 400:30:18 500:30')
})

test.each([
  ['repeats it', 40],
  ['does not', 10],
])('of an attempt that goes on from shown text, nothing is called held, whether it %s', (_, arrived) => {
  const timeline = new ReleaseTimeline()
  timeline.arrive(100, 40)
  timeline.add(200, 30)
  timeline.begin(300, 2)
  timeline.arrive(400, arrived)
  timeline.add(500, 10)
  timeline.end(600)
  expect(timeline.value()).toBe('100:0:40 200:30:10 300:30:0:2 400:30 500:40')
})

test('what is held is never less than nothing, whatever came and was shown', () => {
  const step = fc.tuple(fc.constantFrom('arrive', 'add', 'begin'), fc.nat(40), fc.nat(100))
  fc.assert(
    fc.property(fc.array(step, { maxLength: 2000, size: 'max' }), (steps) => {
      const timeline = new ReleaseTimeline()
      let [now, attempt] = [0, 1]
      for (const [kind, pause, chars] of steps) {
        now += pause
        if (kind === 'begin') timeline.begin(now, ++attempt)
        else if (kind === 'add') timeline.add(now, chars, Math.max(0, chars - 3))
        else timeline.arrive(now, chars)
      }
      timeline.end(now)
      const points = read(timeline.value())
      expect(points.length).toBeLessThanOrEqual(201)
      expect(timeline.value() ?? '0:0').toMatch(/^\d+:\d+(:\d+(:\d+)?)?( \d+:\d+(:\d+(:\d+)?)?)*$/)
      expect(points.at(-1)?.[2] ?? 0).toBe(0)
    }),
    { numRuns: 50 },
  )
})

test('a stream without text has none', () => expect(new ReleaseTimeline().value()).toBeUndefined())
