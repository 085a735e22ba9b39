import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SseEvent, SseParser } from './sse.ts'

const encoder = new TextEncoder()

function parse(pieces: readonly Uint8Array[]): SseEvent[] {
  const parser = new SseParser()
  return [...pieces.flatMap((piece) => parser.push(piece)), ...parser.end()]
}

const cases: [name: string, source: string, data: string[]][] = [
  ['LF', 'data: a\n\ndata: b\n\n', ['a', 'b']],
  ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', ['a', 'b']],
  ['CR only', 'data: a\r\rdata: b\r\r', ['a', 'b']],
  ['mixed line ends', 'data: a\r\n\ndata: b\n\r\ndata: c\r\n\r', ['a', 'b', 'c']],
  ['CR before a field is no blank line', 'data: a\rdata: b\n\n', ['a\nb']],
  ['no space', 'data:a\n\n', ['a']],
  ['one space goes, the second stays', 'data:  a\n\n', [' a']],
  ['many lines', 'data: {\ndata: "a":1\ndata: }\n\n', ['{\n"a":1\n}']],
  ['comments', ': hi\n\n:\ndata: a\n: between\ndata: b\n\n', ['a\nb']],
  ['other fields', 'id: 7\nretry: 10\nfoo: bar\ndata: a\n\n', ['a']],
  ['field without colon', 'data\ndata\n\n', ['\n']],
  ['empty data', 'data:\n\n', ['']],
  ['event without data', 'event: ping\n\ndata: a\n\n', ['a']],
  ['byte order mark', '\uFEFFdata: a\n\n', ['a']],
  ['no final blank line', 'data: a\n\ndata: b\n', ['a', 'b']],
  ['no final line end', 'data: a\n\ndata: b', ['a', 'b']],
  ['beyond ASCII', 'data: ä€🙂\u2028\u0085\u000b\n\n', ['ä€🙂\u2028\u0085\u000b']],
  ['colon in the value', 'data: a: b\n\n', ['a: b']],
  ['nothing', '', []],
  ['blank lines only', '\n\r\n\r\r\n', []],
  ['no field at all', '<html>\n\n</html>', []],
]

describe('SseParser', () => {
  describe.each(cases)('%s', (_, source, expected) => {
    const bytes = encoder.encode(source)
    it('in one piece', () => {
      expect(parse([bytes]).map(({ data }) => data)).toEqual(expected)
    })
    it('cut in two at every byte', () => {
      for (let at = 0; at <= bytes.length; at++) {
        expect(parse([bytes.subarray(0, at), bytes.subarray(at)]).map(({ data }) => data)).toEqual(expected)
      }
    })
    it('byte by byte', () => {
      expect(parse(Array.from(bytes, (byte) => Uint8Array.of(byte))).map(({ data }) => data)).toEqual(expected)
    })
  })

  it('names the event, for that event only', () => {
    expect(parse([encoder.encode('event: error\ndata: a\n\ndata: b\n\n')])).toEqual([
      { event: 'error', data: 'a' },
      { event: '', data: 'b' },
    ])
  })
  it('gives an event as soon as it is complete', () => {
    const parser = new SseParser()
    expect(parser.push(encoder.encode('data: a\r\n\r'))).toHaveLength(1)
    expect(parser.push(encoder.encode('\ndata: b\n\n'))).toEqual([{ event: '', data: 'b' }])
  })
  it('replaces half a character at the end', () => {
    expect(parse([encoder.encode('data: 🙂').subarray(0, 8)])).toEqual([{ event: '', data: '\uFFFD' }])
  })
  it('gives the same events for any bytes and any cuts', () => {
    const text = fc.string({
      unit: fc.constantFrom('\r', '\n', '\n\n', ':', ' ', 'data', 'data: ', 'data: x\n\n', 'event: e\n', 'é', '🙂', 'x'),
      maxLength: 40,
    })
    fc.assert(
      fc.property(text, fc.array(fc.nat(120)), (source, cuts) => {
        const bytes = encoder.encode(source)
        const places = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end))
        expect(parse(pieces)).toEqual(parse([bytes]))
      }),
    )
  })
  it('takes a line without end in linear time', () => {
    const parser = new SseParser()
    const piece = encoder.encode('x'.repeat(64))
    for (let count = 0; count < 100_000; count++) parser.push(piece)
    expect(parser.end()).toEqual([])
  })
})
