import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineReader, type OutputLimits } from './lines.ts'

const wide: OutputLimits = { bytes: 1e6, lineBytes: 1e6, lines: 1e6 }

function read(pieces: readonly Uint8Array[], limits: OutputLimits = wide) {
  const lines: string[] = []
  const reader = new LineReader(limits, (line) => lines.push(line))
  for (const piece of pieces) reader.push(piece)
  reader.end()
  return { lines, excess: reader.excess }
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('lines', () => {
  it('are the same for every way to cut the bytes', () => {
    const piece = fc.oneof(fc.constantFrom('\n', '\n\n', '\r\n', '', 'ä€🙂'), fc.string({ maxLength: 9 }))
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), fc.array(fc.nat(12), { maxLength: 60 }), (texts, cuts) => {
        const all = bytes(texts.join(''))
        const pieces: Uint8Array[] = []
        let from = 0
        for (const cut of cuts) {
          pieces.push(all.subarray(from, from + cut))
          from += cut
        }
        pieces.push(all.subarray(from))
        const plain = new TextDecoder('utf-8', { ignoreBOM: true }).decode(all).split('\n')
        expect(read(pieces)).toEqual({ lines: plain.filter((line) => line !== ''), excess: undefined })
      }),
    )
  })

  it.each<[string, string, Partial<OutputLimits>, string | undefined]>([
    ['bytes at their limit', 'aa\nbb\n', { bytes: 6 }, undefined],
    ['bytes beyond it', 'aa\nbb\n', { bytes: 5 }, 'more than 5 bytes'],
    ['a line at its limit', 'aaa\nbbb', { lineBytes: 3 }, undefined],
    ['a line beyond it', 'aaa\nbbbb', { lineBytes: 3 }, 'a line of more than 3 bytes'],
    ['lines at their limit', 'a\n\nb\n', { lines: 3 }, undefined],
    ['lines beyond it', '\n\n\n\n', { lines: 3 }, 'more than 3 lines'],
    ['an open line beyond it', 'a\nb\nc\nd', { lines: 3 }, 'more than 3 lines'],
  ])('%s', (_, text, limits, excess) => {
    expect(read([bytes(text)], { ...wide, ...limits }).excess).toBe(excess)
    expect(
      read(
        [...bytes(text)].map((byte) => Uint8Array.of(byte)),
        { ...wide, ...limits },
      ).excess,
    ).toBe(excess)
  })

  it('are not read after the first excess', () => {
    const { lines, excess } = read([bytes('a\nbbbb\nc\n'), bytes('d\n')], { ...wide, lineBytes: 3 })
    expect([lines, excess]).toEqual([['a'], 'a line of more than 3 bytes'])
  })
})
