import { manualClock, scripted } from '@stickler/core/testing'
import { describe, expect, test } from 'vitest'
import { ask, openAsk } from './ask.ts'
import { refusalBody } from './reply/reply.ts'
import { request, service, usage } from './testing/asking.ts'

describe('a question', () => {
  test('needs nothing but a runner', async () => {
    expect(await ask({ ...request, runner: scripted(['a[^1]']) })).toMatchObject({
      ok: true,
      envelope: { answer: 'a[^1]', citations: [{ marker: 1, urn: 'urn:a' }], provider: '', model: '' },
    })
  })

  test('is asked once more when a citation is wrong, and counts both calls', async () => {
    const { ask: put, runner } = service([
      { text: 'Bad[^9] secret.', usage },
      { text: 'Good[^2].', usage },
    ])
    expect(await put(request)).toMatchObject({
      ok: true,
      upstream: 'openai',
      envelope: { answer: 'Good[^2].', retry_count: 1, prompt_tokens: 20, cost_usd: 0.5, provider: 'openai', model: 'm' },
    })
    expect(JSON.stringify(runner.calls[1]?.prompt)).not.toContain('secret')
  })

  test('is given up after exactly one retry, with the errors and no answer', async () => {
    const { ask: put, runner } = service(['a[^9]', 'b[^9]'])
    const reply = await put(request)
    expect([reply.status, runner.calls.length]).toEqual([422, 2])
    expect(reply.ok ? {} : refusalBody(reply)).toMatchObject({ ok: false, validation: { ok: false, errors: [{ kind: 'out_of_range' }] } })
  })

  test('that is lenient is answered with warnings', async () => {
    expect(await service(['a[^9]']).ask({ ...request, strict: false })).toMatchObject({
      envelope: { mode: 'lenient', validation: { ok: true, warnings: [{ kind: 'out_of_range' }] } },
    })
  })

  test.each([
    ['an empty question', { question: ' ' }, 'question'],
    ['no sources', { sources: undefined }, 'sources'],
    ['sources that are none', { sources: 'a' }, 'sources'],
    ['a source without text', { sources: [{ urn: 'a', payload: 7 }] }, 'sources[0]'],
    ['a version that is no big integer', { sources: [{ urn: 'a', payload: 'b', version: -1n }] }, 'sources[0]'],
    ['a type without a pipeline', { type: 'RETRIEVAL' }, 'type'],
  ])('%s is refused before the model is asked', async (_, wrong, param) => {
    const { ask: put, runner } = service(['a[^1]'])
    expect(await put({ ...request, ...wrong } as typeof request)).toMatchObject({ ok: false, status: 400, param })
    expect(runner.calls).toHaveLength(0)
  })

  test('of a model that fails says so without its words', async () => {
    const reply = await service([{ failure: { kind: 'connection', message: 'ECONNREFUSED 10.0.0.7 sk-secret' } }]).ask(request)
    expect(reply).toMatchObject({ ok: false, status: 502, error: 'the provider could not be reached' })
    expect(JSON.stringify(reply.ok ? {} : refusalBody(reply))).not.toContain('sk-secret')
  })

  test('is not answered by calls alone: no tools were offered', async () => {
    expect(await service([{ toolCalls: [{ name: 'f', arguments: '{}' }] }]).ask(request)).toMatchObject({ ok: false, status: 502 })
  })

  test('ends with its time', async () => {
    const clock = manualClock()
    const reply = service([{ text: 'a[^1]', hang: true }], { clock }).ask(request)
    await new Promise((resolve) => setTimeout(resolve, 20))
    clock.advance(30_001)
    expect(await reply).toMatchObject({ ok: false, status: 504, limit: 'timeout_ms' })
  })

  test('with impossible limits is refused at construction', () => {
    const limits = { promptTokens: -1, timeMs: -1 }
    expect(() => openAsk({ runner: scripted([]), limits })).toThrow(/limits\.promptTokens.*limits\.timeMs/s)
  })
})

describe('a stream', () => {
  const bad = { text: `Churn[^1] was bad[^9] ${'and more '.repeat(100)}`, chunkSize: 4 }
  const read = async (pieces: AsyncIterable<string>): Promise<string[]> => {
    const all: string[] = []
    for await (const piece of pieces) all.push(piece)
    return all
  }

  test('shows nothing strict before the verdict', async () => {
    const stream = service([bad, { text: 'Pricing[^1].', chunkSize: 5 }]).stream(request)
    expect(await read(stream)).toEqual(['Pricing[^1].'])
    expect(await stream.reply).toMatchObject({ ok: true, envelope: { retry_count: 1 } })
  })

  test('shows live what is safe, and goes on with the text of the retry', async () => {
    const { stream, runner } = service([bad, { text: 'Churn[^1] was bad for pricing[^2].', chunkSize: 7 }], { live: true })
    const pieces = stream(request)
    const shown = await read(pieces)
    expect(shown[0]).toMatch(/^Chur/)
    expect(shown.join('')).toBe('Churn[^1] was bad for pricing[^2].')
    expect(await pieces.reply).toMatchObject({ ok: true, envelope: { answer: shown.join(''), retry_count: 1 } })
    expect(runner.calls[0]?.taken).toBeLessThanOrEqual(24)
  })

  test('that is left stops its model', async () => {
    const { stream, runner } = service([{ text: 'Churn was caused by pricing. '.repeat(9), chunkSize: 4 }], { live: true })
    const pieces = stream(request)
    for await (const _piece of pieces) break
    expect(await pieces.reply).toMatchObject({ ok: false, status: 499 })
    await expect.poll(() => runner.calls[0]?.aborted).toBe(true)
  })

  test.each([true, false])('has no reasoning: live %s', async (isLive) => {
    const text = '<think>Is it [^9]? <b>No</b></think>\n\nPricing[^1].'
    const stream = service([{ text, chunkSize: 3 }], { live: isLive }).stream(request)
    expect((await read(stream)).join('')).toBe('Pricing[^1].')
    expect(await stream.reply).toMatchObject({ envelope: { answer: 'Pricing[^1].', citations: [{ span: [7, 11] }] } })
  })
})

test('a lenient stream is held where the settings say so', async () => {
  const stream = service([{ chunks: ['Pricing', '[^9] drove', ' churn.'] }], { live: false }).stream({ ...request, strict: false })
  const shown: string[] = []
  for await (const piece of stream) shown.push(piece)
  expect(shown).toEqual(['Pricing[^9] drove churn.'])
})
