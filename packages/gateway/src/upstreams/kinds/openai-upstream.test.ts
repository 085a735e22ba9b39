import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type ProgrammableUpstream, startProgrammableUpstream } from '../../testing/programmable-upstream.ts'
import { answering, answeringBody, answeringEvents, type Framing } from '../../testing/programmable-upstream-answers.ts'
import { silence } from '../../testing/programmable-upstream-faults.ts'
import { asking, calling, readChoice, readFirst } from '../../testing/programmable-upstream-reading.ts'
import type { Upstream } from '../upstream.ts'
import { openaiUpstream } from './openai-upstream.ts'

let server: ProgrammableUpstream
let upstream: Upstream

beforeAll(async () => {
  server = await startProgrammableUpstream(silence)
})
beforeEach(() => {
  server.otherwise(silence)
  upstream = openaiUpstream({ name: 'main', baseUrl: `${server.url}/v1`, apiKey: 'sk-test-canary' })
})
afterAll(() => server.close())

function chunk(delta: object, finish: string | null = null, index?: number): object {
  return {
    id: 'c',
    object: 'chat.completion.chunk',
    choices: [{ ...(index === undefined ? { index: 0 } : { index }), delta, finish_reason: finish }],
  }
}

describe('an answer is the same, streamed or not', () => {
  const usage = { prompt: 3, completion: 5 }
  it.each([
    ['text', answering('Hello, wörld 🙂!', { usage })],
    ['empty text', answering('', { usage })],
    ['a cut-off text', answering('Hello', { usage, finishReason: 'length' })],
    [
      'tool calls',
      answering('', {
        usage,
        toolCalls: [
          { id: 'a', name: 'f', arguments: '{"x":"\\u00e9"}' },
          { id: 'b', name: 'g', arguments: '{}' },
        ],
      }),
    ],
    ['text and tool calls', answering('Let me see.', { usage, toolCalls: [{ id: 'a', name: 'f', arguments: '{"a":[1,2]}' }] })],
    ['reasoning', answering('42', { usage, reasoning: 'Let me think about this for a while.' })],
    ['a filtered answer', answering('', { usage, finishReason: 'content_filter' })],
    ['further fields', answering('x', { usage, fields: { system_fingerprint: 'fp', citations: ['u'] } })],
  ])('%s', async (_, behaviour) => {
    server.otherwise(behaviour)
    const whole = upstream.call(asking('hi'), calling())
    const streamed = upstream.call(asking('hi', { stream: true }), calling())
    const [a, b] = [await readFirst(whole), await readFirst(streamed)]
    expect(a.failure).toBeUndefined()
    expect(b.text).toBe(a.text)
    expect(b.end).toEqual(a.end)
    // How much came before the end is known of streams alone.
    expect({ ...streamed.head(), received: 0 }).toEqual({ ...whole.head(), received: 0 })
    expect(whole.head()).toMatchObject({ id: 'chatcmpl-1', model: 'test-model', usage: { promptTokens: 3, completionTokens: 5 } })
    expect(whole.upstream()).toBe('main')
  })

  it('text comes in pieces when it is streamed', async () => {
    server.otherwise(answering('one two three', { chunks: ['one ', 'two ', 'three'], delayMs: 5 }))
    const { events } = await readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    expect(events.filter(({ type }) => type === 'text').length).toBeGreaterThan(1)
  })

  it('the content type decides, not the question', async () => {
    server.enqueue(answering('as a stream', { stream: true }), answering('in one piece', { stream: false }))
    expect((await readFirst(upstream.call(asking('hi'), calling()))).text).toBe('as a stream')
    expect((await readFirst(upstream.call(asking('hi', { stream: true }), calling()))).text).toBe('in one piece')
  })
})

describe('framing of streams', () => {
  const framings: [string, Framing][] = [
    ['every byte its own write', { splitEvery: 1 }],
    ['splits of three bytes', { splitEvery: 3, lineEnd: '\r\n' }],
    ['CRLF', { lineEnd: '\r\n' }],
    ['CR only', { lineEnd: '\r', splitEvery: 7 }],
    ['comments', { comments: true }],
    ['no space', { tight: true }],
    ['multi-line data', { multiLine: true }],
    ['byte order mark', { byteOrderMark: true, splitEvery: 2 }],
    ['no final blank line', { openEnd: true }],
  ]
  it.each(framings)('%s', async (_, framing) => {
    server.otherwise(answering('Grüße aus 東京 🗼', { framing, toolCalls: [{ id: 'a', name: 'f', arguments: '{"ö":"\\ud83d\\ude42"}' }] }))
    const { text, end, failure } = await readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    expect(failure).toBeUndefined()
    expect(text).toBe('Grüße aus 東京 🗼')
    expect(end?.toolCalls).toEqual([{ id: 'a', name: 'f', arguments: '{"ö":"\\ud83d\\ude42"}' }])
    expect(end?.message).toMatchObject({ content: text })
  })
})

describe('tool-call deltas', () => {
  const call = (fields: object) => chunk({ tool_calls: [fields] })
  it.each([
    [
      'interleaved indexes',
      [
        call({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }),
        call({ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{"y"' } }),
        call({ index: 0, function: { arguments: '{"x":"\\u00' } }),
        call({ index: 1, function: { arguments: ':2}' } }),
        call({ index: 0, function: { arguments: 'e9"}' } }),
      ],
    ],
    [
      'missing index',
      [
        call({ id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":' } }),
        call({ function: { arguments: '"\\u00e9"}' } }),
        call({ id: 'b', type: 'function', function: { name: 'g', arguments: '{"y":2}' } }),
      ],
    ],
    [
      'all calls at index 0',
      [
        call({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":"\\u00e9"}' } }),
        call({ index: 0, id: 'b', type: 'function', function: { name: 'g', arguments: '{"y":2}' } }),
      ],
    ],
    [
      'names repeated, later index first',
      [
        call({ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '{"y":' } }),
        call({ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":"\\u00e9"}' } }),
        call({ index: 1, id: 'b', function: { name: 'g', arguments: '2}' } }),
      ],
    ],
  ])('%s', async (_, chunks) => {
    server.otherwise(answeringEvents([...chunks, chunk({}, 'tool_calls')]))
    const { end } = await readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    expect(end?.message).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [
        { id: 'a', type: 'function', function: { name: 'f', arguments: '{"x":"\\u00e9"}' } },
        { id: 'b', type: 'function', function: { name: 'g', arguments: '{"y":2}' } },
      ],
    })
    expect(end?.toolCalls.map(({ name }) => name)).toEqual(['f', 'g'])
  })

  it('keeps what else stands in a call', async () => {
    server.otherwise(
      answeringEvents([
        call({ index: 0, id: 'a', extra_content: { google: { thought_signature: 'sig' } }, function: { name: 'f', arguments: '{}' } }),
        chunk({}, 'tool_calls'),
      ]),
    )
    const { end } = await readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    expect(end?.message.tool_calls).toMatchObject([{ extra_content: { google: { thought_signature: 'sig' } } }])
  })

  it('puts the deprecated function_call together', async () => {
    server.otherwise(
      answeringEvents([
        chunk({ function_call: { name: 'f', arguments: '{"a"' } }),
        chunk({ function_call: { arguments: ':1}' } }),
        chunk({}, 'function_call'),
      ]),
    )
    const { end } = await readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    expect(end?.toolCalls).toEqual([{ name: 'f', arguments: '{"a":1}' }])
  })
})

describe('odd but legal completions', () => {
  const choice = (fields: object) => ({ id: 'x', choices: [{ index: 0, finish_reason: 'stop', ...fields }] })
  it.each([
    ['message: null', choice({ message: null }), '', { content: null }],
    ['no message', choice({}), '', { content: null }],
    ['content: null', choice({ message: { role: 'assistant', content: null } }), '', { content: null }],
    [
      'parts',
      choice({ message: { content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }] } }),
      'ab',
      { content: [{}, { type: 'image' }, {}] },
    ],
    ['unknown fields', choice({ message: { content: 'x', my_field: { deep: [1] } } }), 'x', { my_field: { deep: [1] } }],
    ['index missing', { choices: [{ message: { content: 'x' } }] }, 'x', { content: 'x' }],
    ['__proto__ as field', choice({ message: JSON.parse('{"content":"x","__proto__":{"polluted":1}}') }), 'x', { content: 'x' }],
  ])('%s', async (_, body, text, message) => {
    server.otherwise(answeringBody(body))
    const read = await readFirst(upstream.call(asking('hi'), calling()))
    expect(read.failure).toBeUndefined()
    expect(read.text).toBe(text)
    expect(read.end?.message).toMatchObject(message)
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  it.each([
    ['choices: []', { choices: [] }, 'no choice'],
    ['no choices', { id: 'x' }, 'no choices'],
    ['an array', [], 'not a JSON object'],
    ['an error object', { error: { message: 'bad luck', code: 503 } }, 'bad luck'],
    ['an error in a choice', choice({ error: { message: 'bad choice' } }), 'bad choice'],
    ['finish_reason error', choice({ finish_reason: 'error', message: { content: 'x' } }), 'because of an error'],
  ])('%s is a failure', async (_, body, message) => {
    server.otherwise(answeringBody(body))
    const { failure, end } = await readFirst(upstream.call(asking('hi'), calling()))
    expect(failure?.message).toContain(message)
    expect(end).toBeUndefined()
  })

  it('refusals, beside the content or streamed', async () => {
    server.otherwise(answering('', { refusal: 'I would rather not do that.' }))
    for (const stream of [false, true]) {
      const { end, events } = await readFirst(upstream.call(asking('hi', { stream }), calling()))
      expect(end).toMatchObject({ refused: true, finishReason: 'stop', message: { refusal: 'I would rather not do that.' } })
      expect(events.some(({ type }) => type === 'fields')).toBe(true)
    }
  })

  it('halves of a character are put together, parts in a stream too', async () => {
    server.otherwise(
      answeringEvents([
        chunk({ content: 'a\ud83d' }),
        chunk({ content: '\ude42' }),
        chunk({ content: [{ type: 'text', text: 'b' }] }),
        chunk({}, 'stop'),
      ]),
    )
    const { text, events } = await readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    expect(text).toBe('a🙂b')
    expect(events.every((event) => event.type !== 'text' || encodeURIComponent(event.text) !== '')).toBe(true)
  })

  it('log probabilities come before their text, and whole at the end', async () => {
    const logprobs = (token: string) => ({ content: [{ token, logprob: -1 }] })
    const data = ['a', 'b'].map((content) => ({ choices: [{ index: 0, delta: { content }, logprobs: logprobs(content) }] }))
    server.otherwise(answeringEvents([...data, chunk({}, 'stop')]))
    const { events, end } = await readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    expect(events.map(({ type }) => type)).toEqual(['logprobs', 'text', 'logprobs', 'text', 'end'])
    expect(end?.fields).toEqual({
      logprobs: {
        content: [
          { token: 'a', logprob: -1 },
          { token: 'b', logprob: -1 },
        ],
      },
    })
  })

  it('reasoning details are continued, filter results replaced', async () => {
    const detail = (text: string) => ({ reasoning_details: [{ type: 'reasoning.text', text, index: 0, format: 'f' }] })
    const results = { content_filter_results: { hate: { severity: 'safe' } } }
    server.otherwise(
      answeringEvents([
        { choices: [{ index: 0, delta: detail('a'), ...results }] },
        { choices: [{ index: 0, delta: detail('b'), ...results }] },
        chunk({ content: 'x' }, 'stop'),
      ]),
    )
    const { end } = await readFirst(upstream.call(asking('hi', { stream: true }), calling()))
    expect(end?.message.reasoning_details).toEqual([{ type: 'reasoning.text', text: 'ab', index: 0, format: 'f' }])
    expect(end?.fields).toEqual(results)
  })
})

describe('what chat clients would act upon never gets through', () => {
  const hostile = {
    event: { type: 'execute', data: { code: 'alert(1)' } },
    sources: [{}],
    done: true,
    content: 'other text',
    selected_model_id: 'x',
  }
  it.each([
    [
      'streamed',
      true,
      answeringEvents([
        { ...hostile, choices: [{ index: 0, delta: { content: 'x', event: {}, sources: [] }, finish_reason: 'stop', event: {} }] },
      ]),
    ],
    [
      'whole',
      false,
      answeringBody({
        ...hostile,
        choices: [{ index: 0, message: { content: 'x', event: {}, sources: [] }, finish_reason: 'stop', event: {} }],
      }),
    ],
  ])('%s', async (_, stream, behaviour) => {
    server.otherwise(behaviour)
    const call = upstream.call(asking('hi', { stream }), calling())
    const { end, events } = await readFirst(call)
    expect(call.head().fields).not.toHaveProperty('event')
    expect(JSON.stringify([end, events, call.head()])).not.toContain('alert')
  })
})

describe('several choices', () => {
  it.each([[false], [true]])('come from one call, stream: %s', async (stream) => {
    server.otherwise(answering('first answer', { more: ['second one', 'third'] }))
    const before = server.requests.length
    const { choices } = upstream.call(asking('hi', { stream, n: 3 }), calling())
    const read = await Promise.all(choices.map(readChoice))
    expect(read.map(({ text }) => text)).toEqual(['first answer', 'second one', 'third'])
    expect(server.requests.length - before).toBe(1)
  })

  it('can be read one after the other, last first', async () => {
    server.otherwise(answering('first answer', { more: ['second one'] }))
    const [first, second] = upstream.call(asking('hi', { stream: true, n: 2 }), calling()).choices
    expect((await readChoice(second)).text).toBe('second one')
    expect((await readChoice(first)).text).toBe('first answer')
  })

  it('that are missing fail', async () => {
    server.otherwise(answering('only one'))
    for (const stream of [false, true]) {
      const [, second] = upstream.call(asking('hi', { stream, n: 2 }), calling()).choices
      expect((await readChoice(second)).failure).toMatchObject({ kind: 'protocol' })
    }
  })
})
