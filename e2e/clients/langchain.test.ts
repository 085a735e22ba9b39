import { type AIMessageChunk, HumanMessage, ToolMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { breakingOff, fallingSilent } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const weather = { type: 'function' as const, function: { name: 'get_weather', description: 'Tells the weather.', parameters } }
const usage = { prompt: 11, completion: 3 }

describe.each([
  ['chat completions', false],
  ['responses', true],
])('%s', (_, useResponsesApi) => {
  // LangChain itself sends 422 again, six times unless it is told not to.
  const chat = (model: string) =>
    new ChatOpenAI({
      model,
      apiKey: 'any',
      maxRetries: 0,
      configuration: { baseURL: `${gateway.url}/v1` },
      useResponsesApi,
      streamUsage: true,
    })

  async function gathered(model: string, stream: boolean, input: Parameters<ChatOpenAI['invoke']>[0] = 'Tabs or spaces?', tools = false) {
    const runnable = tools ? chat(model).bindTools([weather]) : chat(model)
    if (!stream) return await runnable.invoke(input)
    const chunks: AIMessageChunk[] = []
    for await (const chunk of await runnable.stream(input)) chunks.push(chunk)
    return chunks.reduce((sum, chunk) => sum.concat(chunk))
  }

  describe.each([true, false])('streamed: %s', (stream) => {
    it('gives text and usage', async () => {
      gateway.upstream.enqueue(answering('Use spaces.', { usage }))
      const message = await gathered('brief', stream)
      expect(message.text).toBe('Use spaces.')
      expect(message.usage_metadata).toMatchObject({ input_tokens: 11, output_tokens: 3 })
    })

    it('never sees a rejected attempt', async () => {
      gateway.upstream.enqueue(answering('That depends on so many things.'), answering('Use spaces.'))
      expect((await gathered('brief', stream)).text).toBe('Use spaces.')
    })

    it('hands out tool calls, and takes their results', async () => {
      gateway.upstream.enqueue(answering('', { toolCalls: [{ id: 'call_1', name: 'get_weather', arguments: '{"city":"Rome",}' }] }))
      const message = await gathered('called', stream, 'Weather?', true)
      expect(message.tool_calls).toMatchObject([{ id: 'call_1', name: 'get_weather', args: { city: 'Rome' } }])
      gateway.upstream.enqueue(answering('Sunny.'))
      const turns = [new HumanMessage('Weather?'), message, new ToolMessage({ tool_call_id: 'call_1', content: 'sun' })]
      expect((await gathered('called', stream, turns, true)).text).toBe('Sunny.')
      expect(gateway.upstream.requests.at(-1)?.json?.messages).toMatchObject([
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', tool_calls: [{ id: 'call_1', function: { name: 'get_weather' } }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'sun' },
      ])
    })

    it('raises a broken contract once', async () => {
      const before = gateway.upstream.requests.length
      gateway.upstream.enqueue(answering('one two three four five six'), answering('one two three four five six seven'))
      await expect(gathered('brief', stream)).rejects.toMatchObject({ status: 422, code: 'MAX_WORDS' })
      expect(gateway.upstream.requests.length - before).toBe(2)
    })
  })

  it('raises a stream that breaks', async () => {
    gateway.upstream.enqueue(breakingOff('Use spaces, not tabs.', 3))
    await expect(gathered('plain', true)).rejects.toThrow('The connection to the upstream broke before the answer was complete.')
  })

  it('ends the call of the upstream when it is aborted', async () => {
    gateway.upstream.enqueue(fallingSilent('Use spaces, not tabs.', 3))
    const controller = new AbortController()
    const read = async () => {
      for await (const chunk of await chat('plain').stream('Hello?', { signal: controller.signal }))
        if (chunk.text !== '') controller.abort()
    }
    await expect(read()).rejects.toThrow()
    const request = gateway.upstream.requests.at(-1)
    await request?.closed
    expect(request?.aborted).toBe(true)
  })
})
