import { expect, it, test } from 'vitest'
import { type Line, readLines } from './lines.ts'

async function read(chunks: readonly (string | Uint8Array)[], longest = 20): Promise<Line[]> {
  async function* source(): AsyncGenerator<Uint8Array | string> {
    yield* chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk))
  }
  const lines: Line[] = []
  for await (const line of readLines(source(), longest)) lines.push(line)
  return lines
}

const text = (number: number, line: string) => ({ number, bytes: Buffer.byteLength(line), text: line })

const cases: readonly (readonly [what: string, chunks: readonly (string | Uint8Array)[], lines: readonly unknown[]])[] = [
  ['nothing', [], []],
  ['only line breaks', ['\n\n \n'], []],
  ['no last line break', ['a\nb'], [text(1, 'a'), text(2, 'b')]],
  ['empty lines count', ['a\n\n\nb\n'], [text(1, 'a'), text(4, 'b')]],
  ['CRLF stays, for JSON does not mind', ['a\r\nb\r\n'], [text(1, 'a\r'), text(2, 'b\r')]],
  ['a line in many chunks', ['{"a"', ':', '1}\n{'], [text(1, '{"a":1}'), text(2, '{')]],
  ['a character in two chunks', [Buffer.from([0xc3]), Buffer.from([0xa4, 0x0a])], [text(1, 'ä')]],
  ['U+2028 is no line break', ['a\u2028b\n'], [text(1, 'a\u2028b')]],
  [
    'a line that is too long',
    ['x'.repeat(15), 'y'.repeat(15), '\nb\n'],
    [{ number: 1, bytes: 0, problem: 'the line is longer than 20 bytes' }, text(2, 'b')],
  ],
  ['a last line that is too long', ['x'.repeat(25)], [{ number: 1, bytes: 0, problem: 'the line is longer than 20 bytes' }]],
  ['bytes that are no text', [Buffer.from([0xff, 0x0a, 0x61])], [{ number: 1, bytes: 1, problem: 'the line is not UTF-8' }, text(2, 'a')]],
  ['half a surrogate pair as bytes', [Buffer.from([0xed, 0xa0, 0x80])], [{ number: 1, bytes: 3, problem: 'the line is not UTF-8' }]],
]
test.each(cases)('%s', async (_, chunks, lines) => expect(await read(chunks)).toEqual(lines))

it('drops a byte order mark', async () => {
  expect(await read(['\ufeffa'])).toMatchObject([{ text: 'a' }])
})
