import { describe, expect, it } from 'vitest'
import type { CallOptions, ModelEvent } from '../engine/runner.ts'
import { RunnerFailure } from '../engine/runner-failure.ts'
import { fromFunction, type ModelFunction } from './from-function.ts'

const call = (stream = true, signal = new AbortController().signal): CallOptions => ({ stream, signal })
const never = new Promise<never>(() => {})

async function all(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const list: ModelEvent[] = []
  for await (const event of events) list.push(event)
  return list
}

async function* pieces(...texts: string[]): AsyncGenerator<string> {
  yield* texts
}

const text = (...texts: string[]): ModelEvent[] => texts.map((piece) => ({ type: 'text', text: piece }))

describe('fromFunction', () => {
  it.each<[string, ModelFunction, string[]]>([
    ['text', () => 'ab', ['ab']],
    ['a promise of text', async () => 'ab', ['ab']],
    ['pieces', () => pieces('a', '', 'b'), ['a', 'b']],
    ['a promise of pieces', async () => pieces('a', 'b'), ['a', 'b']],
    ['a stream of the platform', () => new Response('ab').body?.pipeThrough(new TextDecoderStream()) ?? '', ['ab']],
    ['nothing', () => '', []],
  ])('takes %s', async (_, model, expected) => {
    const runner = fromFunction(model)
    expect(await all(runner.run(undefined, 'hi', call(true)))).toEqual([...text(...expected), { type: 'end' }])
    const whole = expected.length === 0 ? [] : text(expected.join(''))
    expect(await all(runner.run('s', 'hi', call(false)))).toEqual([...whole, { type: 'end', session: 's' }])
  })
  it('gives messages and session', async () => {
    const seen: unknown[] = []
    const model: ModelFunction = (messages, { session }) => {
      seen.push(messages, session)
      return 'ok'
    }
    const runner = fromFunction(model, { echoLimit: 2 })
    await all(runner.run('s', 'hi', call()))
    await all(runner.continue('s', 'fix', { ...call(), original: 'hi', rejected: 'bad' }))
    expect(seen).toEqual([
      [{ role: 'user', content: 'hi' }],
      's',
      [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'ba' },
        { role: 'user', content: 'fix' },
      ],
      's',
    ])
  })
  it('gives the AI SDK its reasoning back with wrong calls, with the signature that Claude demands', async () => {
    const providerMetadata = { anthropic: { signature: 'SIG' } }
    const made = { type: 'tool-call', toolCallId: 't1', toolName: 'pay', input: { a: 'x' } }
    const content = [{ type: 'reasoning', text: 'hm', providerMetadata }, made]
    const seen: unknown[] = []
    const runner = fromFunction((messages) => {
      seen.push(messages.slice(1))
      return { text: '', reasoningText: 'hm', content, toolCalls: [made], finishReason: 'tool-calls' }
    })
    const end = (await all(runner.run(undefined, 'hi', call()))).at(-1)
    if (end?.type !== 'end' || end.toolCalls === undefined) return expect.fail('no calls')
    const calls = [{ id: 't1', name: 'pay', arguments: '{"a":"x"}', error: 'wrong' }]
    const rejectedCalls = { calls, rest: '', message: end.message }
    await all(runner.continue(undefined, 'fix', { ...call(), original: 'hi', rejected: '', rejectedCalls }))
    const reasoning = { type: 'reasoning', text: 'hm', providerOptions: providerMetadata }
    expect(seen[1]).toMatchObject([{ role: 'assistant', content: [reasoning, made] }, { role: 'tool' }])
  })
  it.each<[string, () => unknown, object]>([
    [
      'throws',
      () => {
        throw new Error('boom')
      },
      { kind: 'crash', message: 'the runner threw: boom' },
    ],
    ['rejects', () => Promise.reject('boom'), { kind: 'crash' }],
    [
      'throws a failure',
      () => {
        throw new RunnerFailure('http', 'x', { status: 500 })
      },
      { kind: 'http' },
    ],
    ['returns nothing', () => undefined, { kind: 'crash', message: expect.stringContaining('undefined') }],
    ['returns null', () => null, { kind: 'crash', message: expect.stringContaining('null') }],
    ['returns a number', () => 7, { kind: 'crash' }],
    [
      'yields a number',
      async function* () {
        yield 7
      },
      { kind: 'crash' },
    ],
    [
      'fails in the middle',
      async function* () {
        yield 'a'
        throw new Error('boom')
      },
      { kind: 'crash' },
    ],
  ])('has no answer from a function that %s', async (_, model, failure) => {
    await expect(all(fromFunction(model as ModelFunction).run(undefined, 'hi', call()))).rejects.toMatchObject(failure)
  })
  it.each<[string, ModelFunction]>([
    ['never answers', () => never],
    [
      'never goes on',
      async function* () {
        yield 'a'
        await never
      },
    ],
  ])('stops at once when a function %s', async (_, model) => {
    let own: AbortSignal | undefined
    const runner = fromFunction((messages, options) => {
      own = options.signal
      return model(messages, options)
    })
    await expect(all(runner.run(undefined, 'hi', call(true, AbortSignal.timeout(10))))).rejects.toMatchObject({ kind: 'aborted' })
    expect(own?.aborted).toBe(true)
  })
  it('does not call a function for a caller that has given up', async () => {
    let calls = 0
    const runner = fromFunction(() => String(calls++))
    await expect(all(runner.run(undefined, 'hi', call(true, AbortSignal.abort())))).rejects.toMatchObject({ kind: 'aborted' })
    expect(calls).toBe(0)
  })
  it('tells the function when nobody listens any more', async () => {
    let isOver = false
    let own: AbortSignal | undefined
    const runner = fromFunction(async function* (_, { signal }) {
      own = signal
      try {
        yield* ['a', 'b']
      } finally {
        isOver = true
      }
    })
    for await (const _ of runner.run(undefined, 'hi', call())) break
    expect([isOver, own?.aborted]).toEqual([true, true])
  })
  it('survives an iterator that cannot be returned', async () => {
    const iterable = {
      [Symbol.asyncIterator]: () => ({
        next: async () => ({ done: false as const, value: 'a' }),
        return: () => {
          throw new Error('no')
        },
      }),
    }
    for await (const _ of fromFunction(() => iterable).run(undefined, 'hi', call())) break
  })
})

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
async function* streaming(...events: unknown[]): AsyncGenerator<unknown> {
  yield* events
}
const call1 = { id: '1', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }

describe('what clients of providers return', () => {
  it.each<[string, object, string, object]>([
    [
      'a chat completion',
      {
        choices: [{ index: 0, message: { role: 'assistant', content: 'Hi', reasoning_content: 'hm' }, finish_reason: 'length' }],
        usage: { prompt_tokens: 3, completion_tokens: 5 },
      },
      'Hi',
      { finishReason: 'length', usage: { promptTokens: 3, completionTokens: 5 } },
    ],
    [
      'calls of a chat completion',
      { choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: [call1] }, finish_reason: 'tool_calls' }] },
      '',
      { finishReason: 'tool_calls', toolCalls: [{ name: 'f', arguments: '{"a":1}' }] },
    ],
    [
      'a message of Anthropic',
      {
        type: 'message',
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'text', text: 'Hi' },
        ],
        stop_reason: 'end_turn',
        usage: { input_tokens: 3, output_tokens: 5, cache_read_input_tokens: 4 },
      },
      'Hi',
      { finishReason: 'end_turn', usage: { promptTokens: 7, completionTokens: 5 } },
    ],
    [
      'a response',
      {
        object: 'response',
        status: 'completed',
        output: [
          { type: 'reasoning', summary: [] },
          { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'Hi', annotations: [] }] },
        ],
        usage: { input_tokens: 3, output_tokens: 5 },
      },
      'Hi',
      { usage: { promptTokens: 3, completionTokens: 5 } },
    ],
    [
      'a chat completion that does not say why it ended',
      { error: null, choices: [{ index: 0, message: { role: 'assistant', content: 'Hi' }, finish_reason: null }] },
      'Hi',
      { finishMissing: 'unexpected' },
    ],
    [
      'a message of Anthropic that does not say why it ended',
      { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Hi' }], stop_reason: null },
      'Hi',
      { finishMissing: 'unexpected' },
    ],
    ['the same text twice', { text: 'Hi', content: [{ type: 'text', text: 'Hi' }] }, 'Hi', {}],
    [
      'a result of the AI SDK',
      {
        text: 'Hi',
        reasoningText: 'hm',
        toolCalls: [],
        finishReason: 'stop',
        totalUsage: { inputTokens: 3, outputTokens: 5, totalTokens: 8 },
      },
      'Hi',
      { finishReason: 'stop', usage: { promptTokens: 3, completionTokens: 5 } },
    ],
    [
      'a response of Gemini',
      {
        candidates: [{ content: { role: 'model', parts: [{ text: 'Hi' }] }, finishReason: 'MAX_TOKENS' }],
        usageMetadata: { promptTokenCount: 3, candidatesTokenCount: 5 },
      },
      'Hi',
      { finishReason: 'MAX_TOKENS', usage: { promptTokens: 3, completionTokens: 5 } },
    ],
    [
      'a stream of chat completions',
      streaming(chunk({ role: 'assistant', content: 'H' }), chunk({ content: 'i' }), chunk({}, 'stop'), {
        choices: [],
        usage: { prompt_tokens: 3, completion_tokens: 5 },
      }),
      'Hi',
      { finishReason: 'stop', usage: { promptTokens: 3, completionTokens: 5 } },
    ],
    [
      'a stream of calls',
      streaming(chunk({ role: 'assistant', tool_calls: [{ index: 0, ...call1 }] }), chunk({}, 'tool_calls')),
      '',
      { finishReason: 'tool_calls', toolCalls: [{ name: 'f', arguments: '{"a":1}' }] },
    ],
    [
      'a stream of Anthropic',
      streaming(
        {
          type: 'message_start',
          message: { id: 'm', type: 'message', role: 'assistant', model: 'x', content: [], usage: { input_tokens: 3, output_tokens: 1 } },
        },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hi' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 5 } },
        { type: 'message_stop' },
      ),
      'Hi',
      { finishReason: 'end_turn', usage: { promptTokens: 3, completionTokens: 5 } },
    ],
  ])('%s', async (_, response, expected, end) => {
    const events = await all(fromFunction(async () => response).run('s', 'hi', call(true)))
    expect(events.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe(expected)
    expect(events.at(-1)).toMatchObject({ type: 'end', session: 's', ...end })
  })

  it.each<[string, () => unknown, object]>([
    ['a stream that breaks off', () => streaming(chunk({ content: 'H' })), { kind: 'connection' }],
    ['text and events', () => streaming('H', chunk({ content: 'i' })), { kind: 'crash', message: /both text and other values/ }],
    ['events and text', () => streaming(chunk({ content: 'H' }), 'i'), { kind: 'crash' }],
    ['parts of the AI SDK', () => streaming({ type: 'text-delta', text: 'H' }), { kind: 'crash', message: /textStream/ }],
    ['several choices', () => ({ choices: [{}, {}] }), { kind: 'crash', message: /2 choices/ }],
    ['an error', () => ({ error: { message: 'no' } }), { kind: 'crash', message: /it is an error: no/ }],
    [
      'an error beside an answer',
      () => ({ error: { message: 'no' }, choices: [{ index: 0, message: { content: 'Hi' }, finish_reason: 'stop' }] }),
      { kind: 'protocol' },
    ],
    ['an error in a choice', () => ({ choices: [{ error: { message: 'no' }, message: { content: 'Hi' } }] }), { kind: 'protocol' }],
    ['two texts', () => ({ text: 'Hi', content: 'Ho' }), { kind: 'crash', message: /its text is not that of its content/ }],
    ['a number', () => 7, { kind: 'crash', message: /of type number/ }],
  ])('fails for %s', async (_, model, failure) => {
    const { message, ...rest } = failure as { message?: RegExp }
    const thrown = await all(fromFunction(model as ModelFunction).run(undefined, 'hi', call())).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(RunnerFailure)
    expect(thrown).toMatchObject(rest)
    if (message !== undefined) expect((thrown as Error).message).toMatch(message)
  })
})
