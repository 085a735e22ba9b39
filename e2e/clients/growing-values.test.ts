import { Output, simulateReadableStream, streamText } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { contract } from '../../packages/core/src/catalogue.ts'
import { enforceStream } from '../../packages/core/src/engine/enforce.ts'
import { scripted } from '../../packages/core/src/runners/scripted.ts'
import { json } from '../../packages/core/src/validators/json/index.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { fallingSilent } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

describe('the same chunks, to partials and to the AI SDK', () => {
  const Trip = z.object({ city: z.string(), days: z.number(), tags: z.array(z.string()) })

  async function byAiSdk(chunks: readonly string[]): Promise<unknown[]> {
    const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never
    const parts = [
      { type: 'text-start' as const, id: '1' },
      ...chunks.map((delta) => ({ type: 'text-delta' as const, id: '1', delta })),
      { type: 'text-end' as const, id: '1' },
      { type: 'finish' as const, finishReason: { unified: 'stop', raw: 'stop' } as never, usage },
    ]
    const model = new MockLanguageModelV3({ doStream: async () => ({ stream: simulateReadableStream({ chunks: parts }) }) })
    const result = streamText({ model, prompt: 'p', output: Output.object({ schema: Trip }), onError: () => {} })
    const seen: unknown[] = []
    for await (const partial of result.partialOutputStream) seen.push(partial)
    return seen
  }

  async function byStickler(chunks: readonly string[]): Promise<unknown[]> {
    const stream = enforceStream({ contract: contract({ checks: [json({ schema: Trip })] }), runner: scripted([{ chunks }]), prompt: 'p' })
    const seen: unknown[] = []
    for await (const { value } of stream.partials) seen.push(value)
    return seen
  }

  test('right JSON comes to the same value; a number is not shown before it is complete', async () => {
    const chunks = ['{"city": "Ul', 'm", "days": 1', '23, "tags": ["a', 'b"]}']
    const [theirs, ours] = [await byAiSdk(chunks), await byStickler(chunks)]
    expect(ours.at(-1)).toEqual(theirs.at(-1))
    expect(theirs).toContainEqual({ city: 'Ulm', days: 1 })
    expect(ours.map((value) => (value as { days?: number }).days).filter((days) => days !== undefined && days !== 123)).toEqual([])
  })

  test('in prose, with other quotes and types, only ours has a value', async () => {
    const chunks = ['Here:\n\n```json\n{', "'city': 'Ulm', ", "'days': '12', 'tags': ['a',]}", '\n```\n']
    expect(await byAiSdk(chunks)).toEqual([])
    expect((await byStickler(chunks)).at(-1)).toEqual({ city: 'Ulm', days: 12, tags: ['a'] })
  })
})

describe('through the gateway, to the openai SDK', () => {
  const yaml = `
server: { port: 0 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
contracts:
  trip:
    retries: 1
    checks:
      - json: { schema: { type: object, properties: { city: { type: string }, days: { type: integer } }, required: [city, days] } }
routes:
  - { model: trip, upstream: up, contract: trip }
`
  let gateway: TestGateway
  beforeAll(async () => {
    gateway = await startTestGateway({ yaml })
  })
  afterAll(() => gateway.close())

  test('a doomed value ends the call of the upstream before its end, and the retry is delivered', async () => {
    const doomed = `{"city": "Ulm", "days": {"from": "Monday"}, "note": "${'and so on '.repeat(50)}"}`
    // The upstream never ends the first answer: only a gateway that stops it gets any further.
    gateway.upstream.enqueue(fallingSilent(doomed, 60), answering('{"city": "Ulm", "days": 2}'))
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none', maxRetries: 0 })
    const stream = await client.chat.completions.create({ model: 'trip', messages: [{ role: 'user', content: 'Plan.' }], stream: true })
    let text = ''
    for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
    expect(text).toBe('{"city": "Ulm", "days": 2}')
    const [first, second] = gateway.upstream.requests
    await first?.closed
    expect(first?.aborted).toBe(true)
    expect(JSON.stringify(second?.json)).toContain('SCHEMA_MISMATCH')
  })
})
