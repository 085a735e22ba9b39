import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readAll } from 'node:stream/consumers'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import Anthropic from '@anthropic-ai/sdk'
import { ChatOpenAI } from '@langchain/openai'
import { generateText, jsonSchema, streamText, type ToolSet } from 'ai'
import OpenAI from 'openai'
import { afterEach, describe, expect, it } from 'vitest'
import { chatApi } from '../chat/chat.ts'
import { messagesApi } from '../messages/messages.ts'
import { responsesApi } from '../responses/responses.ts'
import type { Api, FinalChoice, FinalReply, StreamEncoder } from '../shared/api.ts'
import type { ClientError } from '../shared/client-error.ts'
import { HttpError } from '../shared/http-error.ts'
import { heartbeatFrame } from '../shared/sse-frames.ts'
import { type Framed, framed } from '../testing/framed.ts'

const answer = `Grüße 👋\r\n\r\ndata: [DONE]\n\nevent: error\n\u2028${'🙂 lange '.repeat(1500)}Ende`
const query = { city: 'Köln\n', note: 'x'.repeat(9000) }
const toolCalls = [
  { id: 'call_a', name: 'weather', arguments: JSON.stringify(query) },
  { id: 'call_b', name: 'weather', arguments: '{"city": "Bonn"}' },
]

const plain: FinalChoice = {
  index: 0,
  text: answer,
  toolCalls: [],
  finishReason: 'stop',
  message: { role: 'assistant', content: answer, reasoning_content: 'Let me think.', refusal: null },
  fields: { logprobs: null },
  verdict: { status: 'valid', contract: 'demo', attempts: 2, issues: [], fixed: [], repairs: [], unchecked: [] },
}
const calling: FinalChoice = { ...plain, text: '', toolCalls, finishReason: 'tool_calls', message: { role: 'assistant', content: null } }
const cut: FinalChoice = { ...plain, finishReason: 'length' }

const endings: [string, FinalChoice][] = [
  ['plain', plain],
  ['calling', calling],
  ['cut', cut],
]

const reply: FinalReply = {
  id: 'chatcmpl-17',
  created: 1_700_000_000,
  model: 'demo-model',
  fields: { system_fingerprint: 'fp_1' },
  choices: [plain],
  usage: { promptTokens: 20, completionTokens: 7 },
  rawUsage: { prompt_tokens: 20, completion_tokens: 7, total_tokens: 27, prompt_tokens_details: { cached_tokens: 5 } },
}

const broken: ClientError = {
  status: 422,
  message: 'The answer breaks its contract.',
  type: 'contract_violation',
  param: null,
  code: 'MAX_WORDS',
  body: { validation: { issues: [] } },
}
const limited: ClientError = { ...broken, status: 429, type: 'rate_limit_error', code: null, body: {} }

/** What the server does: it answers, refuses, or fails after the first words. */
interface Script {
  readonly choice?: FinalChoice
  readonly refusal?: ClientError
  readonly failure?: ClientError
}

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

async function serve(api: Api, script: Script = {}): Promise<string> {
  const server = createServer(async (incoming, response) => {
    const body: Record<string, unknown> = JSON.parse(await readAll(incoming))
    try {
      const request = api.read(body)
      if (request.refused !== undefined) throw request.refused
      const final = { ...reply, choices: [script.choice ?? plain] }
      if (script.refusal) return json(response, script.refusal.status, api.errorBody(script.refusal))
      if (!request.stream) return json(response, 200, JSON.parse(api.reply(request, final)))
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const frames of streamed(
        framed((out) => api.encoder(request, out)),
        api.heartbeat ?? heartbeatFrame,
        final,
        script.failure,
      ))
        response.write(frames)
      response.end()
    } catch (error) {
      const details = error instanceof HttpError ? error : new HttpError(500, String(error))
      json(
        response,
        details.status,
        api.errorBody({ ...broken, ...details.details, status: details.status, message: details.message, body: {} }),
      )
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(() => server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

function* streamed(
  encoder: Framed<StreamEncoder>,
  heartbeat: string,
  final: FinalReply,
  failure: ClientError | undefined,
): Generator<string> {
  yield heartbeat
  yield encoder.progress('Attempt 2 of 3', false)
  yield encoder.begin(final)
  for (const choice of final.choices) {
    if (choice.message.reasoning_content !== undefined) {
      yield encoder.fields(0, { reasoning_content: 'Let me ' })
      yield encoder.fields(0, { reasoning_content: 'think.' })
    }
    yield encoder.text(0, choice.text.slice(0, 10))
    yield heartbeat
    if (failure) return yield encoder.error(failure)
    yield encoder.text(0, choice.text.slice(10))
    yield encoder.end(choice)
  }
  yield encoder.progress('Attempt 2 of 3', true)
  yield encoder.finish(final)
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json', 'x-should-retry': 'false' }).end(JSON.stringify(body))
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

const user = [{ role: 'user' as const, content: 'Hello?' }]
const parameters = { type: 'object' as const, properties: { city: { type: 'string' as const } }, required: ['city'] }

describe('openai', () => {
  const client = async (script?: Script) => new OpenAI({ baseURL: await serve(chatApi(), script), apiKey: 'k', maxRetries: 0 })
  const chatTools = [{ type: 'function' as const, function: { name: 'weather', parameters } }]

  it('reads replies of chat completions', async () => {
    const completion = await (await client()).chat.completions.create({ model: 'demo-model', messages: user })
    expect(completion.choices[0]).toMatchObject({ finish_reason: 'stop', message: { content: answer, reasoning_content: 'Let me think.' } })
    expect(completion).toMatchObject({
      id: 'chatcmpl-17',
      system_fingerprint: 'fp_1',
      usage: { total_tokens: 27 },
      stickler: { attempts: 2 },
    })
  })

  it('reads tool calls of chat completions', async () => {
    const { chat } = await client({ choice: calling })
    const { choices } = await chat.completions.create({ model: 'demo-model', messages: user, tools: chatTools })
    expect(choices[0]?.message.content).toBeNull()
    expect(choices[0]?.message.tool_calls).toMatchObject(toolCalls.map(({ id, ...call }) => ({ id, type: 'function', function: call })))
  })

  it.each(endings)('gathers streams of chat completions: %s', async (_name, choice) => {
    const { chat } = await client({ choice })
    const stream = chat.completions.stream({ model: 'demo-model', messages: user, stream_options: { include_usage: true } })
    const completion = await stream.finalChatCompletion()
    expect(completion.choices[0]?.message.content ?? '').toBe(choice.text)
    expect(completion.choices[0]?.finish_reason).toBe(choice.finishReason)
    expect(completion.choices[0]?.message.tool_calls ?? []).toMatchObject(
      choice.toolCalls.map(({ id, ...call }) => ({ id, function: call })),
    )
    expect(completion.usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 7 })
  })

  it('raises its own errors, before and inside of streams', async () => {
    const ask = { model: 'demo-model', messages: user }
    const refused = await client({ refusal: broken })
    await expect(refused.chat.completions.create(ask)).rejects.toSatisfy(
      (error) => error instanceof OpenAI.UnprocessableEntityError && error.code === 'MAX_WORDS',
    )
    await expect((await client()).chat.completions.create({ ...ask, n: 99 })).rejects.toMatchObject({
      status: 400,
      param: 'n',
      type: 'invalid_request_error',
    })
    const { chat } = await client({ failure: broken })
    const stream = await chat.completions.create({ ...ask, stream: true })
    await expect(collect(stream)).rejects.toSatisfy((error) => error instanceof OpenAI.APIError && error.message === broken.message)
  })
})

describe('openai responses', () => {
  const client = async (script?: Script) => new OpenAI({ baseURL: await serve(responsesApi(), script), apiKey: 'k', maxRetries: 0 })
  const ask = { model: 'demo-model', input: 'Hello?', tools: [{ type: 'function' as const, name: 'weather', parameters, strict: false }] }

  it('reads replies', async () => {
    const response = await (await client()).responses.create(ask)
    expect(response.output_text).toBe(answer)
    expect(response).toMatchObject({
      id: 'resp_17',
      status: 'completed',
      store: false,
      usage: { input_tokens: 20, input_tokens_details: { cached_tokens: 5 } },
    })
    expect(response.output.map(({ type }) => type)).toEqual(['reasoning', 'message'])
  })

  it.each(endings)('gathers the same from a stream: %s', async (_name, choice) => {
    const { responses } = await client({ choice })
    const whole = await responses.create(ask)
    const types: string[] = []
    const numbers: number[] = []
    const stream = responses.stream(ask).on('event', (event) => {
      types.push(event.type)
      numbers.push(event.sequence_number)
    })
    const final = await stream.finalResponse()
    expect(final.output_text).toBe(choice.text)
    expect(JSON.parse(JSON.stringify(final))).toMatchObject(JSON.parse(JSON.stringify({ ...whole, output_text: choice.text })))
    expect(numbers).toEqual(numbers.map((_number, index) => index))
    expect(types.at(-1)).toBe(choice === cut ? 'response.incomplete' : 'response.completed')
    expect(final.incomplete_details).toEqual(choice === cut ? { reason: 'max_output_tokens' } : null)
  })

  it('raises its own errors, before and inside of streams', async () => {
    await expect((await client({ refusal: limited })).responses.create(ask)).rejects.toBeInstanceOf(OpenAI.RateLimitError)
    await expect((await client()).responses.create({ ...ask, tools: [{ type: 'web_search' }] })).rejects.toMatchObject({
      param: 'tools[0].type',
    })
    const { responses } = await client({ failure: broken })
    const stream = await responses.create({ ...ask, stream: true })
    await expect(collect(stream)).rejects.toSatisfy((error) => error instanceof OpenAI.APIError && error.code === 'MAX_WORDS')
    await expect(responses.stream(ask).finalResponse()).rejects.toBeInstanceOf(OpenAI.APIError)
  })
})

describe('@anthropic-ai/sdk', () => {
  const client = async (script?: Script) => new Anthropic({ baseURL: await serve(messagesApi(), script), apiKey: 'k', maxRetries: 0 })
  const ask = { model: 'demo-model', max_tokens: 99, messages: user, tools: [{ name: 'weather', input_schema: parameters }] }
  const stops = new Map([
    [plain, 'end_turn'],
    [calling, 'tool_use'],
    [cut, 'max_tokens'],
  ])

  it.each(endings)('reads replies and gathers the same from a stream: %s', async (_name, choice) => {
    const { messages } = await client({ choice })
    const whole = await messages.create(ask)
    expect(whole).toMatchObject({
      id: 'msg_17',
      stop_reason: stops.get(choice),
      usage: { input_tokens: 15, cache_read_input_tokens: 5, output_tokens: 7 },
    })
    expect(whole.content).toMatchObject(
      choice === calling
        ? [
            { type: 'tool_use', id: 'call_a', name: 'weather', input: query },
            { id: 'call_b', input: { city: 'Bonn' } },
          ]
        : [
            { type: 'thinking', thinking: 'Let me think.' },
            { type: 'text', text: answer },
          ],
    )
    const final = await messages.stream(ask).finalMessage()
    expect(final.content).toEqual(whole.content)
    expect(final).toMatchObject({ id: 'msg_17', stop_reason: stops.get(choice), usage: whole.usage })
  })

  it('raises its own errors, before and inside of streams', async () => {
    await expect((await client({ refusal: limited })).messages.create(ask)).rejects.toBeInstanceOf(Anthropic.RateLimitError)
    await expect((await client({ refusal: broken })).messages.create(ask)).rejects.toMatchObject({
      status: 422,
      type: 'contract_violation',
    })
    await expect((await client()).messages.create({ ...ask, max_tokens: -1 })).rejects.toMatchObject({
      status: 400,
      type: 'invalid_request_error',
    })
    const { messages } = await client({ failure: limited })
    await expect(messages.stream(ask).finalMessage()).rejects.toMatchObject({ type: 'rate_limit_error' })
    await expect(collect(await messages.create({ ...ask, stream: true }))).rejects.toBeInstanceOf(Anthropic.APIError)
  })
})

describe('ai with @ai-sdk/openai-compatible', () => {
  const model = async (script?: Script) =>
    createOpenAICompatible({ name: 'stickler', baseURL: await serve(chatApi(), script), includeUsage: true })('demo-model')
  const tools: ToolSet = { weather: { inputSchema: jsonSchema<{ city: string }>(parameters) } }

  it.each([
    ['plain', plain, 'stop'],
    ['calling', calling, 'tool-calls'],
    ['cut', cut, 'length'],
  ])('reads replies and streams: %s', async (_name, choice, finish) => {
    const ask = { model: await model({ choice }), prompt: 'Hello?', tools, maxRetries: 0 }
    const whole = await generateText(ask)
    const stream = streamText(ask)
    for (const result of [
      whole,
      { text: await stream.text, finishReason: await stream.finishReason, usage: await stream.usage, toolCalls: await stream.toolCalls },
    ]) {
      expect(result.text).toBe(choice.text)
      expect(result.finishReason).toBe(finish)
      expect(result.usage).toMatchObject({ inputTokens: 20, outputTokens: 7 })
      expect(result.toolCalls.map(({ toolCallId, input }) => [toolCallId, input])).toEqual(
        choice.toolCalls.map((call) => [call.id, JSON.parse(call.arguments)]),
      )
    }
    expect(await stream.reasoningText).toBe(choice === calling ? undefined : 'Let me think.')
  })

  it('reports errors of replies and streams', async () => {
    await expect(generateText({ model: await model({ refusal: broken }), prompt: 'Hello?', maxRetries: 0 })).rejects.toMatchObject({
      name: 'AI_APICallError',
      statusCode: 422,
      isRetryable: false,
    })
    const errors: unknown[] = []
    const stream = streamText({
      model: await model({ failure: broken }),
      prompt: 'Hello?',
      maxRetries: 0,
      onError: ({ error }) => void errors.push(error),
    })
    const types = (await collect(stream.fullStream)).map(({ type }) => type)
    expect(types).toContain('error')
    expect(errors).toMatchObject([{ message: broken.message, type: 'contract_violation' }])
  })
})

describe.each([
  ['chat completions', chatApi()],
  ['responses', responsesApi()],
])('@langchain/openai with %s', (_name, api) => {
  const model = async (script?: Script) => {
    const configuration = { baseURL: await serve(api, script) }
    return new ChatOpenAI({ model: 'demo-model', apiKey: 'k', maxRetries: 0, configuration, useResponsesApi: api.name === 'responses' })
  }

  it.each([
    ['plain', plain],
    ['calling', calling],
  ])('reads replies and streams: %s', async (_name, choice) => {
    const chat = await model({ choice })
    const whole = await chat.invoke('Hello?')
    const chunks = await collect(await chat.stream('Hello?'))
    const gathered = chunks.reduce((sum, chunk) => sum.concat(chunk))
    for (const message of [whole, gathered]) {
      expect(message.text).toBe(choice.text)
      expect(message.tool_calls?.map(({ id, args }) => [id, args])).toEqual(
        choice.toolCalls.map((call) => [call.id, JSON.parse(call.arguments)]),
      )
      expect(message.usage_metadata).toMatchObject({ input_tokens: 20, output_tokens: 7 })
    }
  })

  it('raises errors of replies and streams', async () => {
    await expect((await model({ refusal: broken })).invoke('Hello?')).rejects.toMatchObject({ status: 422 })
    await expect(collect(await (await model({ failure: broken })).stream('Hello?'))).rejects.toThrow(broken.message)
  })
})
