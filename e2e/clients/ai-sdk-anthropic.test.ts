import { createAnthropic } from '@ai-sdk/anthropic'
import { APICallError, generateText, jsonSchema, stepCountIs, streamText, type ToolSet } from 'ai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: openai, kind: openai, baseUrl: $UP/v1, retries: 0 }
  - { name: anthropic, kind: anthropic, baseUrl: $UP/v1, retries: 0 }
contracts:
  brief: { checks: [{ max_words: { limit: 5 } }], retries: 1, stream: hold }
  called: { checks: [tool_calls], retries: 1 }
routes:
  - { model: brief-openai, upstream: openai, contract: brief }
  - { model: brief-anthropic, upstream: anthropic, contract: brief }
  - { model: called-openai, upstream: openai, contract: called }
  - { model: called-anthropic, upstream: anthropic, contract: called }
  - { model: plain-openai, upstream: openai }
  - { model: plain-anthropic, upstream: anthropic }
`
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const model = (name: string) => createAnthropic({ baseURL: `${gateway.url}/v1`, apiKey: 'any' })(name)
const prompt = 'Tabs or spaces?'
const usage = { prompt: 11, completion: 3 }
const tools: ToolSet = {
  get_weather: {
    inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
    execute: ({ city }: { city: string }) => `Sun over ${city}`,
  },
}
const rome = { id: 'toolu_1', name: 'get_weather', arguments: '{"city":"Rome"}' }

async function asked(stream: boolean, ask: Parameters<typeof generateText>[0]) {
  if (!stream) return await generateText(ask)
  const result = streamText({ ...ask, onError: () => {} } as Parameters<typeof streamText>[0])
  return { text: await result.text, finishReason: await result.finishReason, usage: await result.totalUsage, steps: await result.steps }
}

describe.each(['openai', 'anthropic'])('A18 in front of %s', (kind) => {
  describe.each([true, false])('streamed: %s', (stream) => {
    it.each(['brief', 'plain'])('reads text and usage of %s', async (name) => {
      gateway.upstream.enqueue(answering('Use spaces.', { usage }))
      const got = await asked(stream, { model: model(`${name}-${kind}`), prompt })
      expect(got).toMatchObject({ text: 'Use spaces.', finishReason: 'stop', usage: { inputTokens: 11, outputTokens: 3 } })
    })

    it('never sees a rejected attempt', async () => {
      gateway.upstream.enqueue(answering('That depends on so many things.'), answering('Use spaces.'))
      expect((await asked(stream, { model: model(`brief-${kind}`), prompt })).text).toBe('Use spaces.')
    })

    it('runs tools, and goes on', async () => {
      gateway.upstream.enqueue(answering('', { toolCalls: [rome] }), answering('It is sunny.'))
      const got = await asked(stream, { model: model(`called-${kind}`), prompt, tools, stopWhen: stepCountIs(3) })
      expect(got.text).toBe('It is sunny.')
      expect(got.steps[0]).toMatchObject({ toolCalls: [{ toolName: 'get_weather', input: { city: 'Rome' } }] })
    })
  })

  it('raises its typed error for a broken contract, and asks no second time', async () => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(answering('one two three four five six'), answering('one two three four five six seven'))
    const error: unknown = await generateText({ model: model(`brief-${kind}`), prompt }).catch((thrown: unknown) => thrown)
    expect(APICallError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({ statusCode: 422, isRetryable: false, message: expect.stringContaining('MAX_WORDS') })
    expect(gateway.upstream.requests.length).toBe(before + 2)
  })
})
