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
