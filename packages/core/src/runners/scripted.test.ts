import { describe, expect, it } from 'vitest'
import type { CallOptions, ModelEvent } from '../engine/runner.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { type ScriptedTurn, scripted } from './scripted.ts'

const call = (stream = true, signal = new AbortController().signal): CallOptions => ({ stream, signal })

async function all(events: AsyncIterable<ModelEvent>): Promise<ModelEvent[]> {
  const list: ModelEvent[] = []
  for await (const event of events) list.push(event)
  return list
}

const texts = (events: readonly ModelEvent[]): string[] => events.flatMap((event) => (event.type === 'text' ? [event.text] : []))

describe('scripted', () => {
  it.each<[string, string | ScriptedTurn, string[]]>([
    ['a string', 'hello', ['hello']],
    ['text', { text: 'hello' }, ['hello']],
    ['chunks', { chunks: ['he', '', 'llo'] }, ['he', 'llo']],
    ['chunk size', { text: 'hello', chunkSize: 2 }, ['he', 'll', 'o']],
    ['half a character', { text: '🙂', chunkSize: 1 }, ['\ud83d', '\ude42']],
    ['an odd chunk size', { text: 'hello', chunkSize: 0 }, ['hello']],
    ['nothing', {}, []],
  ])('plays %s', async (_, turn, pieces) => {
    const runner = scripted([turn, turn])
    expect(texts(await all(runner.run(undefined, 'hi', call(true))))).toEqual(pieces)
    expect(texts(await all(runner.run(undefined, 'hi', call(false))))).toEqual(pieces.length === 0 ? [] : [pieces.join('')])
  })
  it('ends as told', async () => {
    const toolCalls = [{ name: 'f', arguments: '{}' }]
    const usage = { promptTokens: 1, completionTokens: 2 }
    const runner = scripted(['a', { toolCalls }, { finishReason: 'length', usage, session: 's2' }])
    expect((await all(runner.run(undefined, '', call()))).at(-1)).toEqual({ type: 'end', finishReason: 'stop' })
    expect(await all(runner.run(undefined, '', call()))).toEqual([{ type: 'end', finishReason: 'tool_calls', toolCalls }])
    expect(await all(runner.run(undefined, '', call()))).toEqual([{ type: 'end', finishReason: 'length', usage, session: 's2' }])
  })
  it('remembers its calls', async () => {
    const runner = scripted(['bad', 'good'])
    await all(runner.run('s', 'hi', call()))
    await all(runner.continue('s2', 'fix', { ...call(false), timeLeftMs: 5, original: 'hi', rejected: 'bad' }))
    expect(runner.calls).toEqual([
      { kind: 'run', session: 's', prompt: 'hi', stream: true, aborted: false, taken: 3 },
      {
        kind: 'continue',
        session: 's2',
        prompt: 'hi',
        feedback: 'fix',
        rejected: 'bad',
        stream: false,
        timeLeftMs: 5,
        aborted: false,
        taken: 4,
      },
    ])
  })
  it.each<[string, ScriptedTurn, object, number]>([
    [
      'a failure',
      { text: 'a', failure: { kind: 'http', message: 'no', status: 500 } },
      { kind: 'http', message: 'no', details: { status: 500 } },
      0,
    ],
    ['a failure after text', { text: 'a', failAfterText: { kind: 'connection' } }, { kind: 'connection' }, 1],
    ['anything thrown', { throw: 'a string' }, expect.stringContaining('a string') as object, 0],
  ])('plays %s', async (_, turn, failure, taken) => {
    const runner = scripted([turn])
    const thrown = await all(runner.run(undefined, 'hi', call())).catch((error: unknown) => error)
    if (typeof thrown === 'string') expect(thrown).toEqual(failure)
    else expect(thrown).toMatchObject(failure)
    expect(runner.calls[0]).toMatchObject({ aborted: false, taken })
  })
  it('fails when the script is over', async () => {
    const runner = scripted(['only'])
    await all(runner.run(undefined, 'hi', call()))
    await expect(all(runner.run(undefined, 'hi', call()))).rejects.toMatchObject({
      kind: 'crash',
      message: expect.stringContaining('1 turn'),
    })
    expect(runner.calls).toHaveLength(2)
  })
  it('waits before each piece', async () => {
    const clock = manualClock()
    const runner = scripted([{ chunks: ['a', 'b'], delayMs: 10 }], { clock })
    const got = all(runner.run(undefined, 'hi', call()))
    await clock.advanceAsync(19)
    expect(runner.calls[0]?.taken).toBe(1)
    await clock.advanceAsync(1)
    expect(texts(await got)).toEqual(['a', 'b'])
    expect(clock.pending).toBe(0)
  })
  it.each<[string, ScriptedTurn, number]>([
    ['while it hangs', { text: 'abc', hang: true }, 3],
    ['while it waits', { text: 'abc', delayMs: 1000 }, 0],
    ['while a failure waits', { failure: { kind: 'http' }, delayMs: 1000 }, 0],
  ])('stops at once %s', async (_, turn, taken) => {
    const clock = manualClock()
    const caller = new AbortController()
    const runner = scripted([turn], { clock })
    const got = expect(all(runner.run(undefined, 'hi', call(true, caller.signal)))).rejects.toMatchObject({ kind: 'aborted' })
    await clock.advanceAsync(1)
    caller.abort()
    await got
    expect(runner.calls[0]).toMatchObject({ aborted: true, taken })
    expect(clock.pending).toBe(0)
  })
  it('stops between pieces without a delay, and before the first', async () => {
    const caller = new AbortController()
    const runner = scripted([{ chunks: ['a', 'b', 'c'] }, 'x'])
    const listen = async (): Promise<void> => {
      for await (const _ of runner.run(undefined, 'hi', call(true, caller.signal))) caller.abort()
    }
    await expect(listen()).rejects.toMatchObject({ kind: 'aborted' })
    await expect(all(runner.run(undefined, 'hi', call(true, caller.signal)))).rejects.toMatchObject({ kind: 'aborted' })
    expect(runner.calls).toMatchObject([
      { aborted: true, taken: 1 },
      { aborted: true, taken: 0 },
    ])
  })
  it('knows whether its caller stopped listening before the end', async () => {
    const runner = scripted([{ chunks: ['a', 'b'] }, 'a'])
    for await (const _ of runner.run(undefined, 'hi', call())) break
    for await (const event of runner.run(undefined, 'hi', call())) if (event.type === 'end') break
    expect(runner.calls.map(({ aborted }) => aborted)).toEqual([true, false])
  })
})
