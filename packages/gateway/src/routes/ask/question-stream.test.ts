import { describe, expect, test, vi } from 'vitest'
import { questions, request } from './testing/questions.ts'

describe('a stream', () => {
  const read = async (frames: AsyncIterable<string>): Promise<string[]> => {
    const all: string[] = []
    for await (const frame of frames) all.push(frame)
    return all
  }
  const bad = { text: `Churn[^1] was bad[^9] ${'and more '.repeat(100)}`, chunkSize: 4 }

  test('reads every answer to its end, shows nothing of the rejected attempt, and ends with one validation', async () => {
    const { frames, runner } = questions([bad, { text: 'Pricing[^1].', chunkSize: 5 }])
    expect(await read(frames(request))).toEqual([
      'event: sources\ndata: {"sources_flat":[{"payload":"Pricing drove churn.","urn":"urn:a"},{"payload":"{\\"k\\":\\"v\\"}","urn":"urn:b"}]}\n\n',
      'event: answer_token\ndata: {"text":"Pricing[^1]."}\n\n',
      'event: validation\ndata: {"audit":{"cache_hit":false,"completion_tokens":234,"cost_usd":0,"mode":"strict","model":"m","prompt_tokens":668,"provider":"openai","retry_count":1},"errors":[],"ok":true,"warnings":[]}\n\n',
    ])
    expect(runner.calls[0]).toMatchObject({ aborted: false, taken: bad.text.length })
    expect(runner.calls[1]?.prompt).toMatchObject([
      { role: 'system' },
      { content: expect.stringMatching(/^Your previous answer contained citation markers/) },
    ])
  })

  test('ends with one error when it is given up', async () => {
    const all = await read(questions(['a[^9]', 'b[^9]']).frames(request))
    expect(all).toHaveLength(2)
    expect(all[1]).toMatch(
      /^event: error\ndata: \{"code":422,"message":"ASK citation validation failed after retry","validation":\{"errors":\[\{/,
    )
  })

  test('is answered from the cache too', async () => {
    const { frames } = questions(['a[^1]'])
    const cached = { ...request, cache: { ttlSeconds: 9 } }
    await read(frames(cached))
    expect((await read(frames(cached)))[1]).toBe('event: answer_token\ndata: {"text":"a[^1]"}\n\n')
  })

  test('that is left is audited, and its model stopped', async () => {
    const { stream, runner, audit } = questions([{ text: 'Churn was caused by pricing. '.repeat(9), chunkSize: 4 }], {})
    const pieces = stream({ ...request, strict: false })
    for await (const _piece of pieces) break
    expect(await pieces.reply).toMatchObject({ ok: false, status: 499 })
    await vi.waitFor(() => expect(runner.calls[0]?.aborted).toBe(true))
    expect(audit.rows).toMatchObject([{ status: 'failed', failure: { kind: 'aborted' } }])
  })

  test('ends when its signal fires', async () => {
    const controller = new AbortController()
    const { frames, audit } = questions([{ text: 'a', hang: true }])
    const all = read(frames({ ...request, signal: controller.signal }))
    setTimeout(() => controller.abort(), 10)
    expect((await all).at(-1)).toContain('"code":499')
    expect(audit.rows).toMatchObject([{ status: 'failed', failure: { kind: 'aborted' } }])
  })
})

describe('reasoning of a model', () => {
  const text = '<think>Is it [^9]? <b>No</b></think>\n\nPricing[^1].'
  const envelope = { answer: 'Pricing[^1].', retry_count: 0, citations: [{ marker: 1, span: [7, 11], source_index: 0, urn: 'urn:a' }] }

  test.each([
    [true, 1],
    [true, 60],
    [false, 1],
    [false, 7],
  ])('is no part of an answer: strict %s, pieces of %i', async (strict, chunkSize) => {
    const asked = questions(Array.from({ length: 2 }, () => ({ text, chunkSize })))
    expect(await asked.ask({ ...request, strict })).toMatchObject({ ok: true, envelope })
    const stream = asked.stream({ ...request, strict })
    let shown = ''
    for await (const piece of stream) shown += piece
    expect([shown, await stream.reply]).toMatchObject([envelope.answer, { ok: true, envelope }])
  })

  test.each([
    ['<think>and no end [^9]', ''],
    ['  <THINKING>x</Thinking> a[^1]', 'a[^1]'],
    ['  no reasoning <think>[^1]</think>', '  no reasoning <think>[^1]</think>'],
    ['<thin', '<thin'],
    ['', ''],
  ])('%j is %j', async (given, answer) => {
    const reply = await questions([given]).ask({ ...request, strict: false })
    expect(reply.ok ? reply.envelope.answer : '').toBe(answer)
  })
})

test('a lenient stream shows each piece when it comes, and the warnings at its end', async () => {
  const asked = questions([{ chunks: ['Pricing', '[^9] drove', ' churn.'], delayMs: 1 }])
  const stream = asked.stream({ ...request, strict: false })
  const shown: string[] = []
  for await (const piece of stream) shown.push(piece)
  expect(shown.length).toBeGreaterThan(1)
  expect(shown[0]).toBe('Pricing')
  expect([shown.join(''), await stream.reply]).toMatchObject([
    'Pricing[^9] drove churn.',
    { ok: true, envelope: { mode: 'lenient', validation: { ok: true, warnings: [{ kind: 'out_of_range' }] } } },
  ])
})
