import { Readable } from 'node:stream'
import { describe, expect, it, test } from 'vitest'
import type { Input } from '../inputs/inputs.ts'
import { openRecordings } from './open-recordings.ts'
import type { Recording, Unusable } from './recording.ts'
import { RecordTally } from './tally.ts'

/** An input that is a stream, or a file when it has a name. */
function inputOf(text: string | Uint8Array, file?: string): Input {
  const open = () => Readable.from([Buffer.from(text)], { objectMode: false })
  return { name: file ?? '<stdin>', ...(file === undefined ? {} : { file }), size: undefined, open }
}

async function readAll(inputs: readonly Input[], format?: string): Promise<{ format: string; records: (Recording | Unusable)[] }> {
  const source = await openRecordings(inputs, { format })
  const records: (Recording | Unusable)[] = []
  for await (const record of source.read()) records.push(record)
  return { format: source.format, records }
}

const lines = (...values: readonly unknown[]): string => values.map((value) => `${JSON.stringify(value)}\n`).join('')

it('reads own lines, with what they tell about their answers', async () => {
  const text = lines(
    { id: 7, text: 'Yes.', label: 'good', contract: 'chat', model: 'm', usage: { promptTokens: 3, completionTokens: 1, cost: 0.1 } },
    { response: { choices: [{ message: { content: 'No.' }, finish_reason: 'stop' }] }, checks: ['json'] },
  )
  expect(await readAll([inputOf(text, 'a.jsonl')])).toEqual({
    format: 'stickler',
    records: [
      {
        id: '7',
        file: 'a.jsonl',
        line: 1,
        fields: JSON.parse(text.split('\n')[0] ?? ''),
        model: 'm',
        label: 'good',
        contract: 'chat',
        usage: { promptTokens: 3, completionTokens: 1, cost: 0.1 },
      },
      { id: 'a.jsonl:2', file: 'a.jsonl', line: 2, fields: JSON.parse(text.split('\n')[1] ?? '') },
    ],
  })
})

it('reads plain pairs', async () => {
  const { format, records } = await readAll([
    inputOf(
      lines(
        { prompt: 'a?', completion: 'A' },
        { id: 'x', question: 'b?', answer: 'B', label: false },
        { input: [{ role: 'user', content: 'c?' }], output: '' },
      ),
    ),
  ])
  expect(format).toBe('plain')
  expect(records).toMatchObject([
    { fields: { prompt: 'a?', text: 'A' } },
    { id: 'x', label: 'bad', fields: { prompt: 'b?', question: 'b?', text: 'B' } },
    { fields: { messages: [{ role: 'user', content: 'c?' }], text: '' } },
  ])
})

it('counts lines without an answer by reason, and never drops one', async () => {
  const text = `${lines({ id: 1, text: 'a' }, { id: 1, text: 'a' })}{"text":\n[1]\n${lines({ text: 7 }, { other: 1 }, { text: 'c' })}`
  const { records } = await readAll([inputOf(text)], 'stickler')
  const tally = new RecordTally()
  for (const record of records) tally.add(record)
  expect(tally.describe()).toBe('7 lines: 2 answers, 1 duplicate, 2 not JSON, 1 unreadable, 1 of another format')
  expect(records.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7])
})

describe('an id that occurs again', () => {
  const ids = async (...all: readonly object[]) =>
    (await readAll([inputOf(lines(...all), 'a'), inputOf(lines(...all), 'b')], 'stickler')).records.map((one) =>
      'fields' in one ? one.id : one.reason,
    )

  it('is a duplicate only with the same answer to the same prompt under the same contract', async () => {
    const all = [
      { id: 'a', text: 'ok' },
      { id: 'a', text: 'bad' },
      { id: 'a', text: 'ok', messages: [{ role: 'user', content: 'x' }] },
      { id: 'a', text: 'ok', contract: 'c' },
      { id: 'b', text: 'ok' },
    ]
    expect(await ids(...all)).toEqual(['a', 'a#2', 'a#3', 'a#4', 'b', ...Array(5).fill('duplicate')])
  })

  it('never takes the id of another answer', async () => {
    const found = await ids(...['a#3', 'a', 'a', 'a', 'a', 'a#2', 'a#3'].map((id, at) => ({ id, text: String(at) })))
    const own = found.filter((id) => id !== 'duplicate')
    expect([own.length, new Set(own).size, own[0]]).toEqual([7, 7, 'a#3'])
  })

  it('may occur any number of times, and with any depth', async () => {
    const many = Array.from({ length: 1000 }, (_, at) => ({ id: 'a', text: String(at) }))
    expect((await ids(...many)).slice(998, 1001)).toEqual(['a#999', 'a#1000', 'duplicate'])
    const deep = `{"id":"a","text":"x","messages":${'['.repeat(20_000)}${']'.repeat(20_000)}}\n`
    expect((await readAll([inputOf(deep + deep)], 'stickler')).records).toHaveLength(2)
  })
})

test.each([
  ['a list', JSON.stringify([{ text: 'a' }, { text: 'b' }])],
  ['an indented list', JSON.stringify([{ text: 'a' }, { text: 'b' }], null, 2)],
  ['a list with one record per line', '[\n{"text":"a"},\n{"text":"b"}\n]\n'],
  ['lines with CRLF and a byte order mark', '\ufeff{"text":"a"}\r\n\r\n{"text":"b"}\r\n'],
])('reads %s', async (_, text) => {
  for (const file of [undefined, 'a.json'])
    expect((await readAll([inputOf(text, file)])).records).toMatchObject([{ fields: { text: 'a' } }, { fields: { text: 'b' } }])
})

it('takes a truncated first line for damage, not for a document', async () => {
  expect((await readAll([inputOf('{"text": "a\n{"text":"b"}\n{"text":"c"}')])).records).toMatchObject([
    { line: 1, reason: 'not JSON' },
    { line: 2, fields: { text: 'b' } },
    { line: 3, fields: { text: 'c' } },
  ])
})

test.each<readonly [what: string, inputs: readonly Input[], format: string | undefined, says: RegExp]>([
  [
    'unknown keys',
    [inputOf(lines({ foo: 1, bar: 2 }))],
    undefined,
    /^<stdin>:1: unknown format; keys seen: foo, bar; formats known: stickler, .*plain/,
  ],
  [
    'another key beside a pair',
    [inputOf(lines({ prompt: 'a', completion: 'b', score: 1 }))],
    undefined,
    /unknown format; keys seen: prompt, completion, score/,
  ],
  ['another key beside a text', [inputOf(lines({ text: 'a', sentiment: 1 }))], undefined, /unknown format/],
  [
    'two formats',
    [inputOf(lines({ text: 'a' }, { prompt: 'a', completion: 'b' }))],
    undefined,
    /^<stdin>:2: this is plain, but <stdin>:1 is stickler/,
  ],
  [
    'two formats in two files',
    [inputOf(lines({ text: 'a' }), 'a'), inputOf(lines({ prompt: 'a', completion: 'b' }), 'b')],
    undefined,
    /^b:1: this is plain, but a:1 is stickler/,
  ],
  ['nothing', [inputOf('')], undefined, /there are no records/],
  ['an unknown name', [inputOf(lines({ text: 'a' }))], 'sticklr', /^--format: unknown format "sticklr"; did you mean "stickler"\?/],
  ['a wrong name', [inputOf(lines({ text: 'a' }))], 'plain', /no record is plain; unknown format; keys seen: text/],
  ['a broken document', [inputOf('[\n{"text":"a"},\n')], undefined, /neither JSON lines nor one JSON document/],
])('rejects %s', async (_, inputs, format, says) => {
  await expect(readAll(inputs, format)).rejects.toThrow(says)
})

it('lets other keys be when the format is named', async () => {
  expect((await readAll([inputOf(lines({ text: 'a', sentiment: 1 }))], 'stickler')).records).toMatchObject([{ fields: { text: 'a' } }])
})

it('ends with the signal', async () => {
  const stop = new AbortController()
  const endless = Readable.from(
    (async function* () {
      for (;;) yield '{"text":"a"}\n'
    })(),
    { objectMode: false },
  )
  const { read } = await openRecordings([{ name: '-', size: undefined, open: () => endless }], { signal: stop.signal })
  let count = 0
  await expect(
    (async () => {
      for await (const _ of read()) if (++count === 100) stop.abort(new Error('stopped'))
    })(),
  ).rejects.toThrow('stopped')
  expect(endless.destroyed).toBe(true)
})
