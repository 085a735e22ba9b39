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

test('a stream without text has none', () => expect(new ReleaseTimeline().value()).toBeUndefined())
