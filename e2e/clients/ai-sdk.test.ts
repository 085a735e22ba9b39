import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { APICallError, generateText, jsonSchema, stepCountIs, streamText, type ToolSet } from 'ai'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { breakingOff, failing, fallingSilent, silence } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const model = (name: string) => createOpenAICompatible({ name: 'stickler', baseURL: `${gateway.url}/v1`, includeUsage: true })(name)
const prompt = 'Tabs or spaces?'
const usage = { prompt: 11, completion: 3 }
const tools: ToolSet = {
  get_weather: {
    inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }),
    execute: ({ city }: { city: string }) => `Sun over ${city}`,
  },
}
const rome = { id: 'call_1', name: 'get_weather', arguments: '{"city":"Rome",}' }

/** What both ways of asking must give. */
async function asked(stream: boolean, ask: Parameters<typeof generateText>[0]) {
  if (!stream) return await generateText(ask)
  const result = streamText({ ...ask, onError: () => {} } as Parameters<typeof streamText>[0])
  const [text, finishReason, used, steps, reasoningText] = await Promise.all([
    result.text,
    result.finishReason,
    result.totalUsage,
    result.steps,
    result.reasoningText,
  ])
  return { text, finishReason, usage: used, steps, reasoningText }
}

describe.each([true, false])('streamed: %s', (stream) => {
  it('gives text, reasoning and usage', async () => {
    gateway.upstream.enqueue(answering('Use spaces.', { usage, reasoning: 'Let me think.' }))
    const got = await asked(stream, { model: model('brief'), prompt })
    expect(got).toMatchObject({ text: 'Use spaces.', finishReason: 'stop', reasoningText: 'Let me think.' })
    expect(got.usage).toMatchObject({ inputTokens: 11, outputTokens: 3 })
  })

  it('never sees a rejected attempt', async () => {
    gateway.upstream.enqueue(
      answering('That depends on so many things.', { reasoning: 'Wrong.' }),
      answering('Use spaces.', { reasoning: 'Right.' }),
    )
    const got = await asked(stream, { model: model('brief'), prompt })
    expect(got).toMatchObject({ text: 'Use spaces.', reasoningText: 'Right.' })
  })

  it('runs tools with repaired arguments, and goes on', async () => {
    gateway.upstream.enqueue(answering('', { toolCalls: [rome] }), answering('It is sunny.'))
    const got = await asked(stream, { model: model('called'), prompt, tools, stopWhen: stepCountIs(3) })
    expect(got.text).toBe('It is sunny.')
    expect(got.steps[0]).toMatchObject({
      finishReason: 'tool-calls',
      toolCalls: [{ toolCallId: 'call_1', toolName: 'get_weather', input: { city: 'Rome' } }],
      toolResults: [{ output: 'Sun over Rome' }],
    })
    expect(gateway.upstream.requests.at(-1)?.json?.messages).toMatchObject([
      { role: 'user' },
      { role: 'assistant', tool_calls: [{ id: 'call_1' }] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Sun over Rome' },
    ])
  })
})

describe('errors', () => {
  it('tells of a broken contract once, and asks no second time', async () => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(answering('one two three four five six'), answering('one two three four five six seven'))
    const error: unknown = await generateText({ model: model('brief'), prompt }).catch((thrown: unknown) => thrown)
    expect(APICallError.isInstance(error)).toBe(true)
    expect(error).toMatchObject({ statusCode: 422, isRetryable: false, message: expect.stringContaining('MAX_WORDS') })
    expect(gateway.upstream.requests.length - before).toBe(2)
  })

  test.each([
    [429, true],
    [503, true],
    [404, false],
  ])('%i is retryable: %s', async (status, isRetryable) => {
    gateway.upstream.enqueue(failing(status, { 'retry-after': '1' }))
    const asking = generateText({ model: model('plain'), prompt, maxRetries: 0 })
    await expect(asking).rejects.toMatchObject({ statusCode: status, isRetryable })
  })

  test.each([
    ['before its text', 'brief', [answering('one two three four five six'), answering('one two three four five six seven')], ''],
    ['inside of it', 'plain', [breakingOff('Use spaces, not tabs.', 3)], 'Use spaces, not '],
  ])('of a stream, %s', async (_, name, answers, shown) => {
    gateway.upstream.enqueue(...answers)
    const errors: unknown[] = []
    const result = streamText({ model: model(name), prompt, maxRetries: 0, onError: ({ error }) => void errors.push(error) })
    let said = ''
    const types: string[] = []
    for await (const part of result.fullStream) {
      types.push(part.type)
      if (part.type === 'text-delta') said += part.text
    }
    expect(said).toBe(shown)
    expect(types).toContain('error')
    expect(errors).toHaveLength(1)
    expect(errors[0]).toMatchObject({ message: expect.any(String) })
  })
})

describe('aborts', () => {
  test('of a whole answer end the call of the upstream', async () => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(silence)
    const controller = new AbortController()
    const failed = expect(generateText({ model: model('brief'), prompt, abortSignal: controller.signal })).rejects.toThrow()
    await vi.waitFor(() => expect(gateway.upstream.requests.length).toBe(before + 1))
    controller.abort()
    await failed
    const request = gateway.upstream.requests.at(-1)
    await request?.closed
    expect(request?.aborted).toBe(true)
  })

  test('of a stream end the call of the upstream', async () => {
    gateway.upstream.enqueue(fallingSilent('Use spaces, not tabs.', 3))
    const controller = new AbortController()
    const result = streamText({ model: model('plain'), prompt, abortSignal: controller.signal, onError: () => {} })
    const types: string[] = []
    for await (const { type } of result.fullStream) {
      types.push(type)
      if (type === 'text-delta') controller.abort()
    }
    expect(types.at(-1)).toBe('abort')
    const request = gateway.upstream.requests.at(-1)
    await request?.closed
    expect(request?.aborted).toBe(true)
  })
})
