import { describe, expect, test, vi } from 'vitest'
import { request, service } from './testing/asking.ts'

describe('a stream', () => {
  const read = async (frames: AsyncIterable<string>): Promise<string[]> => {
    const all: string[] = []
    for await (const frame of frames) all.push(frame)
    return all
  }
  const bad = { text: `Churn[^1] was bad[^9] ${'and more '.repeat(100)}`, chunkSize: 4 }

  test('reads every answer to its end, shows nothing of the rejected attempt, and ends with one validation', async () => {
    const { frames, runner } = service([bad, { text: 'Pricing[^1].', chunkSize: 5 }])
    expect(await read(frames(request))).toEqual([
      'event: sources\ndata: {"sources_flat":[{"payload":"Pricing drove churn.","urn":"urn:a"},{"payload":"{\\"k\\":\\"v\\"}","urn":"urn:b"}]}\n\n',
      'event: answer_token\ndata: {"text":"Pricing[^1]."}\n\n',
      'event: validation\ndata: {"audit":{"cache_hit":false,"completion_tokens":234,"cost_usd":0,"mode":"strict","model":"m","prompt_tokens":453,"provider":"openai","retry_count":1},"errors":[],"ok":true,"warnings":[]}\n\n',
    ])
    expect(runner.calls[0]).toMatchObject({ aborted: false, taken: bad.text.length })
    expect(runner.calls[1]?.prompt).toMatchObject([
      { role: 'system' },
      { content: expect.stringMatching(/^Your previous answer contained citation markers/) },
    ])
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

  test('ends with one error when it is given up', async () => {
    const all = await read(service(['a[^9]', 'b[^9]']).frames(request))
    expect(all).toHaveLength(2)
    expect(all[1]).toMatch(
      /^event: error\ndata: \{"code":422,"message":"ASK citation validation failed after retry","validation":\{"errors":\[\{/,
    )
  })

  test('is answered from the cache too', async () => {
    const { frames } = service(['a[^1]'])
    const cached = { ...request, cache: { ttlSeconds: 9 } }
    await read(frames(cached))
    expect((await read(frames(cached)))[1]).toBe('event: answer_token\ndata: {"text":"a[^1]"}\n\n')
  })

  test('that is left is audited, and its model stopped', async () => {
    const { stream, runner, audit } = service([{ text: 'Churn was caused by pricing. '.repeat(9), chunkSize: 4 }], { live: true })
    const pieces = stream(request)
    for await (const _piece of pieces) break
    expect(await pieces.reply).toMatchObject({ ok: false, status: 499 })
    await vi.waitFor(() => expect(runner.calls[0]?.aborted).toBe(true))
    expect(audit.rows).toMatchObject([{ status: 'failed', failure: { kind: 'aborted' } }])
  })

  test('ends when its signal fires', async () => {
    const controller = new AbortController()
    const { frames, audit } = service([{ text: 'a', hang: true }])
    const all = read(frames({ ...request, signal: controller.signal }))
    setTimeout(() => controller.abort(), 10)
    expect((await all).at(-1)).toContain('"code":499')
    expect(audit.rows).toMatchObject([{ status: 'failed', failure: { kind: 'aborted' } }])
  })
})
