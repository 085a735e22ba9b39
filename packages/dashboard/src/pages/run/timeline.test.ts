import { describe, expect, it } from 'vitest'
import { charactersAt, longestWaits, readTimeline } from './timeline.ts'

describe('a timeline', () => {
  const releases = [
    { ms: 4, characters: 1 },
    { ms: 9, characters: 4 },
  ]

  it.each([
    ['4:1 9:4', releases],
    [undefined, []],
    ['', []],
    ['x 4:1 5 -1:3 9:4 NaN:1 8:5 10:2', releases],
  ])('%j', (given, expected) => {
    expect(readTimeline(given)).toEqual(expected)
  })

  it('knows what a reader had, and how long it waited', () => {
    expect([0, 4, 8, 9, 99].map((ms) => charactersAt(releases, ms))).toEqual([0, 1, 1, 4, 4])
    expect(longestWaits(releases, 30, 2)).toEqual([
      { from: 9, to: 30 },
      { from: 4, to: 9 },
    ])
  })
})
