import { Writable } from 'node:stream'
import { expect, it } from 'vitest'
import { Output } from './output.ts'
import { ProgressBar } from './progress-bar.ts'

function bar(isTTY: boolean, total: number | undefined) {
  let written = ''
  let time = 0
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      written += chunk.toString()
      done()
    },
  })
  const output = new Output(Object.assign(stream, { isTTY, columns: 60 }))
  const progress = new ProgressBar(output, () => time, total)
  const at = (ms: number, bytes: number, lines: number): void => {
    time = ms
    progress.update(bytes, lines)
  }
  return { at, clear: () => progress.clear(), written: () => written }
}

it('shows bytes of a total, not too soon and not too often, and goes away', () => {
  const { at, clear, written } = bar(true, 10_000_000)
  at(100, 1_000_000, 1)
  expect(written()).toBe('')
  at(500, 5_000_000, 2)
  at(550, 6_000_000, 3)
  expect(written()).toMatch(/^\r\p{Cc}\[K\[#+-+\] 50 % {2}5\.0 of 10\.0 MB$/u)
  clear()
  clear()
  expect(written().match(/\r\p{Cc}\[K/gu)).toHaveLength(2)
  expect(written().endsWith('\r\u001b[K')).toBe(true)
})

it('counts lines where the total is not known', () => {
  const { at, written } = bar(true, undefined)
  at(500, 5_000_000, 12)
  expect(written()).toBe('\r\u001b[K12 lines')
})

it('never fills a line', () => {
  const { at, written } = bar(true, 10)
  at(500, 1_000_000_000_000_000, 12)
  expect(written().length).toBeLessThan(70)
})

it('is silent where there is no terminal', () => {
  const { at, clear, written } = bar(false, 100)
  at(500, 50, 1)
  clear()
  expect(written()).toBe('')
})
