import { contract } from '@stickler/core'
import { describe, expect, it } from 'vitest'
import { enforced } from './index.ts'
import type { Part, Streamed } from './model.ts'
import { type Asking, ask, failureOf, joined, ofType } from './testing/ask.ts'
import { scriptedModel, tokens } from './testing/scripted-model.ts'

const rules = contract({ checks: [{ contains: { none: ['forbidden'] } }, 'tool_calls'], retries: 0 })
const lookup = { type: 'function', name: 'look', inputSchema: { type: 'object' } }
const params = { tools: [lookup] }
const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage: tokens(1, 1) }
const block = (id: string, ...deltas: unknown[]): Part[] => [
  { type: 'text-start', id },
  ...deltas.map((delta) => ({ type: 'text-delta', id, delta })),
  { type: 'text-end', id },
]
const input = (id: string, delta: string, more: object = {}): Part[] => [
  { type: 'tool-input-start', id, toolName: 'look', ...more },
  { type: 'tool-input-delta', id, delta },
  { type: 'tool-input-end', id },
]
const call = (given: unknown, more: object = {}): Part => ({ type: 'tool-call', toolCallId: '1', toolName: 'look', input: given, ...more })

/** A model that streams these parts. */
const streaming = (...parts: readonly Part[]) => ({
  ...scriptedModel([]),
  doStream: async (): Promise<Streamed> => ({ stream: ReadableStream.from([...parts, finish]) as ReadableStream<Part> }),
})

describe('text and calls where none are read are withheld', () => {
  it.each<readonly [string, readonly Part[]]>([
    ['a text that is a list', [{ type: 'text', text: ['hunter2'] }]],
    ['the input of a call that is an object', [call({ a: 'hunter2' })]],
    ['a call whose input is missing', [call(undefined)]],
    [
      'an unknown part with a text',
      [
        { type: 'markdown', text: 'hunter2' },
        { type: 'text', text: 'ok' },
      ],
    ],
    [
      'a piece of a stream',
      [
        { type: 'text-delta', id: '1', delta: 'hunter2' },
        { type: 'text', text: 'ok' },
      ],
    ],
  ])('%s, in a result', async (_name, content) => {
    const model = scriptedModel([{ content }])
    expect(await failureOf(enforced(model, rules), false, params)).toMatchObject({ status: 'unchecked' })
  })

  it.each<readonly [string, readonly Part[]]>([
    ['a piece that is an object', block('1', { a: 'hunter2' })],
    [
      'a piece with another field',
      [
        { type: 'text-start', id: '1' },
        { type: 'text-delta', id: '1', text: 'hunter2' },
        { type: 'text-end', id: '1' },
      ],
    ],
    ['a whole text', [{ type: 'text', text: 'hunter2' }, ...block('1', 'ok')]],
    ['the input of a call that is an object', [call({ a: 'hunter2' })]],
  ])('%s, in a stream', async (_name, parts) => {
    const { parts: got, error } = await ask(enforced(streaming(...parts), rules), true, params)
    expect(error).toMatchObject({ status: 'unchecked' })
    expect(JSON.stringify(ofType(got, 'error').length === 1 ? got.slice(0, -1) : got)).not.toContain('hunter2')
  })

  it('a result without a list of parts is an error that says so', async () => {
    const model = {
      ...scriptedModel([]),
      doGenerate: async () => ({ content: { 0: 1 }, finishReason: finish.finishReason, usage: finish.usage }),
    }
    await expect(ask(enforced(model, rules), false)).rejects.toThrow('no list of parts')
  })

  it('the body of a response is left out when it has the answer as it was before repairs', async () => {
    const mails = contract({ checks: [{ sensitive: { kinds: ['email'], redact: true } }] })
    for (const [text, kept] of [
      ['to a@b.de', { id: 'r' }],
      ['to me', { id: 'r', body: 'to me' }],
    ] as const) {
      const result = { content: [{ type: 'text', text }], ...finish, response: { id: 'r', body: text } }
      const model = enforced({ ...scriptedModel([]), doGenerate: async () => result }, mails) as unknown as Asking
      expect((await model.doGenerate({ prompt: [] })).response).toEqual(kept)
    }
  })

  it('a text to parse that is not of the answer is left out', async () => {
    const content = [{ type: 'text', text: 'ok' }]
    const model = enforced(
      scriptedModel(
        [
          { content, structuredOutputText: 'hunter2 is forbidden' },
          { content, structuredOutputText: 'ok' },
        ],
        'v4',
      ),
      rules,
    )
    const asked = { prompt: [] }
    expect(await model.doGenerate(asked)).not.toHaveProperty('structuredOutputText')
    expect(await model.doGenerate(asked)).toMatchObject({ structuredOutputText: 'ok' })
  })
})

describe('inputs of calls are streamed as they were judged', () => {
  it.each<readonly [string, string, string, string]>([
    ['the same', '{"a": 1}', '{"a": 1}', '{"a": 1}'],
    ['another one', '{"a":"hunter2"}', '{"a":1}', '{"a":1}'],
    ['nothing', '', '{"a":1}', '{"a":1}'],
  ])('%s', async (_name, streamed, given, shown) => {
    const { parts, error } = await ask(enforced(streaming(...input('1', streamed), call(given)), rules), true, params)
    expect(error).toBeUndefined()
    expect(joined(parts, 'tool-input-delta', 'delta')).toBe(shown)
  })

  it('free text stays as it is streamed', async () => {
    const tools = [{ type: 'provider', id: 'a.look', name: 'look', args: {} }]
    const { parts } = await ask(enforced(streaming(...input('1', 'ls -l'), call('"ls -l"')), rules), true, { tools })
    expect(joined(parts, 'tool-input-delta', 'delta')).toBe('ls -l')
  })

  it('an input that was announced as one of the provider is not shown with a call for the caller', async () => {
    const { parts, error } = await ask(
      enforced(streaming(...input('1', '{"a":"hunter2"}', { providerExecuted: true }), ...block('2', 'ok'), call('{"a":1}')), rules),
      true,
      params,
    )
    expect(error).toBeUndefined()
    expect(joined(parts, 'tool-input-delta', 'delta')).toBe('{"a":1}')
    expect(ofType(parts, 'tool-input-start')).toEqual([{ type: 'tool-input-start', id: '1', toolName: 'look' }])
  })

  it('pieces of no input are dropped', async () => {
    const stray = input('9', '{"a":"hunter2"}').slice(1)
    const { parts, text } = await ask(enforced(streaming(...stray, ...block('1', 'ok')), rules), true, params)
    expect(text).toBe('ok')
    expect(parts.filter(({ type }) => type.startsWith('tool-'))).toEqual([])
  })

  it('nothing but a ping is in a ping', async () => {
    const { parts } = await ask(enforced(streaming({ type: 'ping', note: 'hunter2' }, ...block('1', 'ok')), rules), true)
    expect(ofType(parts, 'ping')).toEqual([{ type: 'ping' }])
  })
})

describe('blocks of text that come at the same time', () => {
  const mixed = (...pieces: readonly (readonly [string, string])[]): Part[] =>
    pieces.map(([id, delta]) => ({
      type: delta === '<' ? 'text-start' : delta === '>' ? 'text-end' : 'text-delta',
      id,
      ...(/[<>]/.test(delta) ? {} : { delta }),
    }))
  const inBlocks = (parts: readonly Part[]) =>
    ofType(parts, 'text-start').map(({ id }) => [
      id,
      joined(
        parts.filter((part) => part.id === id),
        'text-delta',
        'delta',
      ),
    ])

  it.each<readonly [string, readonly Part[]]>([
    ['that end', mixed(['a', '<'], ['b', '<'], ['a', 'One '], ['b', 'three'], ['a', 'two '], ['b', ' four'], ['a', '>'], ['b', '>'])],
    [
      'the second of which ends first',
      mixed(['a', '<'], ['b', '<'], ['b', 'three'], ['b', ' four'], ['b', '>'], ['a', 'One '], ['a', 'two '], ['a', '>']),
    ],
    [
      'the first of which never ends',
      mixed(['a', '<'], ['b', '<'], ['a', 'One '], ['b', 'three'], ['b', ' four'], ['b', '>'], ['a', 'two ']),
    ],
  ])('keep their texts, in blocks %s', async (_name, parts) => {
    for (const stream of ['hold', 'release'] as const) {
      const got = await ask(
        enforced(streaming(...parts), contract({ checks: [{ contains: { none: ['forbidden'] } }], ...(stream === 'hold' && { stream }) })),
        true,
      )
      expect(got.error).toBeUndefined()
      if (!_name.includes('never'))
        expect(inBlocks(got.parts)).toEqual([
          ['a', 'One two '],
          ['b', 'three four'],
        ])
      expect(got.text).toBe('One two three four')
    }
  })

  it('are judged as they are read, block by block', async () => {
    const parts = mixed(['a', '<'], ['b', '<'], ['a', 'hunter2 is for'], ['b', 'x'], ['a', 'bidden'], ['a', '>'], ['b', '>'])
    const { text, error } = await ask(enforced(streaming(...parts), rules), true)
    expect(error).toMatchObject({ issues: [{ code: 'TEXT_FORBIDDEN' }] })
    expect(text).not.toContain('bidden')
  })
})
