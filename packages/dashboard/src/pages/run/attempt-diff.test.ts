import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Change, compare } from './attempt-diff.ts'

const textOf = (changes: readonly Change[], left: Change['kind']) =>
  changes
    .filter(({ kind }) => kind !== left)
    .map(({ text }) => text)
    .join('')

it('holds both texts, whatever they are', () => {
  fc.assert(
    fc.property(fc.lorem(), fc.lorem(), fc.string(), (first, second, odd) => {
      const [before, after] = [`${first} ${odd}\r\n${second}`, `${second}\n${odd} ${first}`]
      const changes = compare(before, after)?.changes ?? []
      expect([textOf(changes, 'added'), textOf(changes, 'removed')]).toEqual([before, after])
    }),
  )
})

it('compares long texts by lines, and gives up on longer ones in bounded time', () => {
  const lines = Array.from({ length: 2000 }, (_, at) => `line ${at} of the answer\n`)
  expect(compare(lines.join(''), lines.toSpliced(1000, 1).join(''))).toMatchObject({ by: 'lines' })
  const began = process.cpuUsage()
  const other = (seed: number) => Array.from({ length: 9000 }, (_, at) => `${(at * seed) % 9973}\n`).join('')
  compare(other(31), other(7919))
  expect(compare('a'.repeat(600_000), 'b')).toBeUndefined()
  expect(process.cpuUsage(began).user / 1000).toBeLessThan(3000)
})
