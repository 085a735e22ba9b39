import { ConfigurationError } from '@stickler/core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Behaviour, closedPort, type ProgrammableUpstream, startProgrammableUpstream } from '../../testing/programmable-upstream.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { breakingOff, failing, hangUp, silence } from '../../testing/programmable-upstream-faults.ts'
import { asking, calling, readChoice, readFirst } from '../../testing/programmable-upstream-reading.ts'
import { openaiUpstream } from '../kinds/openai-upstream.ts'
import type { Upstream } from '../upstream.ts'
import { failover } from './failover.ts'

let first: ProgrammableUpstream
let second: ProgrammableUpstream
let both: Upstream
/** The same with little patience for the first; only silence may meet it, since a busy machine is late too. */
let hasty: Upstream

beforeAll(async () => {
  first = await startProgrammableUpstream(answering('from the first'))
  second = await startProgrammableUpstream(answering('from the second', { more: ['and once more'] }))
  const waiting = (firstByteMs: number): Upstream =>
    failover('both', [
      { upstream: openaiUpstream({ name: 'first', baseUrl: first.url, timeouts: { firstByteMs } }), model: 'model-a' },
      { upstream: openaiUpstream({ name: 'second', baseUrl: second.url }), model: 'model-b' },
    ])
  both = waiting(30_000)
  hasty = waiting(150)
})
afterAll(async () => {
  await Promise.all([both.close(), hasty.close()])
  await Promise.all([first.close(), second.close()])
})

describe('who answers', () => {
  it.each<[string, Behaviour[], string, number]>([
    ['the first', [], 'from the first', 0],
    ['the second after 500', [failing(500)], 'from the second', 1],
    ['the second after 503', [failing(503)], 'from the second', 1],
    ['the second after a timeout', [silence], 'from the second', 1],
    ['the second after a broken connection', [hangUp], 'from the second', 1],
    ['nobody after 400', [failing(400)], 'http', 0],
    ['nobody after 429', [failing(429)], 'http', 0],
    ['nobody after the first text', [breakingOff('a long text', 3)], 'connection', 0],
  ])('%s', async (_, behaviours, result, calls) => {
    // On a fresh connection each: one that was kept would be tried twice.
    first.closeIdle()
    await new Promise((resolve) => setTimeout(resolve, 20))
    const before = second.requests.length
    first.enqueue(...behaviours)
    const call = (behaviours.includes(silence) ? hasty : both).call(asking('hi', { stream: true, model: 'any' }), calling())
    const { text, failure } = await readFirst(call)
    expect(failure?.kind ?? text).toBe(result)
    expect(second.requests.length - before).toBe(calls)
    expect(call.upstream()).toBe(calls === 0 ? 'first' : 'second')
    expect(first.requests.at(-1)?.json?.model).toBe('model-a')
    if (calls > 0) expect(second.requests.at(-1)?.json?.model).toBe('model-b')
  })

  it('all choices come from the same', async () => {
    first.enqueue(failing(500))
    const { choices } = both.call(asking('hi', { stream: true, n: 2 }), calling())
    expect((await Promise.all(choices.map(readChoice))).map(({ text }) => text)).toEqual(['from the second', 'and once more'])
  })

  it('nobody when the caller has gone', async () => {
    const before = second.requests.length
    first.enqueue(silence)
    const { failure } = await readFirst(both.call(asking('hi'), calling({ signal: AbortSignal.timeout(40) })))
    expect(failure).toMatchObject({ kind: 'aborted' })
    expect(second.requests.length).toBe(before)
  })

  it('nobody when all fail: the last failure counts', async () => {
    first.enqueue(failing(500))
    second.enqueue(failing(502))
    expect((await readFirst(both.call(asking('hi'), calling()))).failure).toMatchObject({ details: { status: 502 } })
  })

  it('also for bodies that are passed on, and probes', async () => {
    first.enqueue(failing(500), failing(500))
    expect(await both.pass?.('/embeddings', { model: 'any', input: 'x' }, calling())).toMatchObject({ status: 200 })
    expect(second.requests.at(-1)?.json).toEqual({ model: 'model-b', input: 'x' })
    expect(await both.probe?.(new AbortController().signal)).toEqual({ ok: true })
    const alone = failover('alone', [{ upstream: openaiUpstream({ name: 'nobody', baseUrl: await closedPort() }) }])
    expect(await alone.probe?.(new AbortController().signal)).toMatchObject({ ok: false, kind: 'connection' })
  })

  it('somebody must be named', () => {
    expect(() => failover('none', [])).toThrow(ConfigurationError)
  })
})
