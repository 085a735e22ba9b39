import { describe, expect, it } from 'vitest'
import { droppedOf, longestHold, momentAt, readTimeline } from './timeline.ts'

describe('a timeline', () => {
  const plain = [
    { ms: 4, shown: 1, held: 0, attempt: 1 },
    { ms: 9, shown: 4, held: 0, attempt: 1 },
  ]

  it.each([
    ['4:1 9:4', plain],
    [undefined, []],
    ['', []],
    ['x 4:1 5 -1:3 9:4 NaN:1 8:5 10:2 11:9:-1 12:9:0:0', plain],
  ])('%j', (given, expected) => {
    expect(readTimeline(given)).toEqual(expected)
  })

  const moments = readTimeline('100:0:40 200:30:10 300:30:30 400:30:0:2 500:30:20 600:40:8 700:40')

  it('knows what a reader had, what was held back, and of which attempt', () => {
    expect([0, 4, 8, 9, 99].map((ms) => momentAt(plain, ms).shown)).toEqual([0, 1, 1, 4, 4])
    expect(momentAt(moments, 650)).toEqual({ ms: 600, shown: 40, held: 8, attempt: 2 })
  })

  it('knows how long text was held back at most', () => {
    expect(longestHold(moments, 1000)).toBe(200)
    expect(longestHold(readTimeline('100:0:40'), 1000)).toBe(900)
    expect(longestHold(plain, 1000)).toBe(0)
  })

  it('knows what was never shown', () => {
    expect(droppedOf(moments)).toEqual([
      { ms: 400, attempt: 1, characters: 30, after: 30 },
      { ms: 700, attempt: 2, characters: 8, after: 40 },
    ])
    expect(droppedOf(plain)).toEqual([])
  })
})
