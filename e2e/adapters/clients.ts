import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import Anthropic from '@anthropic-ai/sdk'
import { ChatAnthropic } from '@langchain/anthropic'
import type { AIMessageChunk } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { generateText, jsonSchema, type LanguageModel, streamText, type ToolSet, tool } from 'ai'
import OpenAI from 'openai'
import { question, weatherSchema } from './cases.ts'

/** Where a client sends its requests, and how. */
export interface Way {
  /** Such as `http://127.0.0.1:4711`, without `/v1`. */
  readonly url: string
  readonly model: string
  readonly fetch?: typeof globalThis.fetch
  /** For Anthropic's client. */
  readonly middleware?: NonNullable<ConstructorParameters<typeof Anthropic>[0]>['middleware']
  readonly signal?: AbortSignal
  /** How often the client itself repeats a request; never unless told otherwise. */
  readonly maxRetries?: number
}

/** What a client gives to its user. */
export interface Given {
  readonly text: string
  readonly calls: readonly { readonly name: string; readonly arguments: unknown }[]
}

/** Asks the question, with the tool `get_weather` if told so; throws what the client throws. */
export type Client = (way: Way, stream: boolean, tools: boolean) => Promise<Given>

/** The key that every client sends. */
export const apiKey = 'sk-of-a-client-1234'
const messages = [{ role: 'user' as const, content: question }]
const weather = { name: 'get_weather', description: 'The weather.', parameters: weatherSchema }

/** The newer major needs Node 22; what is used of it has the types of the other. */
const isNewer = Number.parseInt(process.versions.node, 10) >= 22
const OpenAI7 = isNewer ? ((await import('openai-7')).default as unknown as typeof OpenAI) : undefined

const openai = ({ url, fetch, maxRetries = 0 }: Way, Client = OpenAI): OpenAI =>
  new Client({ baseURL: `${url}/v1`, apiKey, maxRetries, ...(fetch && { fetch }) })

const chat =
  (Major?: typeof OpenAI): Client =>
  async (way, stream, tools) => {
    const client = openai(way, Major)
    const body = { model: way.model, messages, ...(tools && { tools: [{ type: 'function' as const, function: weather }] }) }
    const completion = stream
      ? await client.chat.completions.stream(body, { signal: way.signal }).finalChatCompletion()
      : await client.chat.completions.create(body, { signal: way.signal })
    const { content, tool_calls = [] } = completion.choices[0]?.message ?? {}
    const calls = tool_calls.flatMap((call) =>
      call.type === 'function' ? [{ name: call.function.name, arguments: JSON.parse(call.function.arguments) as unknown }] : [],
    )
    return { text: content ?? '', calls }
  }

const responses =
  (Major?: typeof OpenAI): Client =>
  async (way, stream, tools) => {
    const client = openai(way, Major)
    const body = { model: way.model, input: question, ...(tools && { tools: [{ type: 'function' as const, strict: null, ...weather }] }) }
    const response = stream
      ? await client.responses.stream(body, { signal: way.signal }).finalResponse()
      : await client.responses.create(body, { signal: way.signal })
    const calls = response.output.flatMap((item) =>
      item.type === 'function_call' ? [{ name: item.name, arguments: JSON.parse(item.arguments) as unknown }] : [],
    )
    return { text: response.output_text ?? '', calls }
  }

const anthropic: Client = async ({ url, model, fetch, middleware, signal, maxRetries = 0 }, stream, tools) => {
  const client = new Anthropic({ baseURL: url, apiKey, maxRetries, ...(fetch && { fetch }), ...(middleware && { middleware }) })
  const offered = { name: weather.name, description: weather.description, input_schema: { ...weatherSchema, type: 'object' as const } }
  const body = { model, max_tokens: 100, messages, ...(tools && { tools: [offered] }) }
  const message = stream ? await client.messages.stream(body, { signal }).finalMessage() : await client.messages.create(body, { signal })
  return {
    text: message.content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
    calls: message.content.flatMap((block) => (block.type === 'tool_use' ? [{ name: block.name, arguments: block.input }] : [])),
  }
}

const aiSdk =
  (modelOf: (way: Way) => LanguageModel): Client =>
  async (way, stream, tools) => {
    const asked = {
      model: modelOf(way),
      prompt: question,
      maxRetries: way.maxRetries ?? 0,
      ...(way.signal && { abortSignal: way.signal }),
      ...(tools && {
        tools: {
          get_weather: tool({ description: weather.description, inputSchema: jsonSchema<{ city: string }>(weatherSchema as object) }),
        } as ToolSet,
      }),
    }
    const given = (text: string, calls: readonly { toolName: string; input: unknown }[]): Given => ({
      text,
      calls: calls.map(({ toolName, input }) => ({ name: toolName, arguments: input })),
    })
    if (!stream) {
      const { text, toolCalls } = await generateText(asked)
      return given(text, toolCalls)
    }
    let failure: { readonly error: unknown } | undefined
    const result = streamText({
      ...asked,
      onError: ({ error }) => {
        failure ??= { error }
      },
    })
    try {
      await result.consumeStream()
      if (failure !== undefined) throw failure.error
      return given(await result.text, await result.toolCalls)
    } catch (thrown) {
      throw failure?.error ?? thrown
    }
  }

const langchain =
  (
    modelOf: (
      way: Way,
      tools: boolean,
    ) => {
      invoke: (asked: string, options: object) => Promise<AIMessageChunk>
      stream: (asked: string, options: object) => Promise<AsyncIterable<AIMessageChunk>>
    },
  ): Client =>
  async (way, stream, tools) => {
    const model = modelOf(way, tools)
    const options = way.signal ? { signal: way.signal } : {}
    let message: AIMessageChunk | undefined
    if (stream)
      for await (const chunk of await model.stream(question, options)) message = message === undefined ? chunk : message.concat(chunk)
    else message = await model.invoke(question, options)
    return { text: message?.text ?? '', calls: (message?.tool_calls ?? []).map(({ name, args }) => ({ name, arguments: args })) }
  }

const offered = [{ type: 'function', function: weather }]

/** Every client that takes a `fetch`, by its name. */
export const clients: Readonly<Record<string, Client>> = {
  'openai, chat completions': chat(),
  'openai, responses': responses(),
  ...(OpenAI7 && { 'openai 7, chat completions': chat(OpenAI7), 'openai 7, responses': responses(OpenAI7) }),
  '@anthropic-ai/sdk': anthropic,
  '@ai-sdk/openai, chat completions': aiSdk(({ url, model, fetch }) =>
    createOpenAI({ baseURL: `${url}/v1`, apiKey, ...(fetch && { fetch }) }).chat(model),
  ),
  '@ai-sdk/openai, responses': aiSdk(({ url, model, fetch }) =>
    createOpenAI({ baseURL: `${url}/v1`, apiKey, ...(fetch && { fetch }) }).responses(model),
  ),
  '@ai-sdk/anthropic': aiSdk(({ url, model, fetch }) => createAnthropic({ baseURL: `${url}/v1`, apiKey, ...(fetch && { fetch }) })(model)),
  '@langchain/openai': langchain(({ url, model, fetch, maxRetries = 0 }, tools) => {
    const llm = new ChatOpenAI({ model, apiKey, maxRetries, configuration: { baseURL: `${url}/v1`, ...(fetch && { fetch }) } })
    return (tools ? llm.bindTools(offered) : llm) as never
  }),
  '@langchain/anthropic': langchain(({ url, model, fetch, maxRetries = 0 }, tools) => {
    const llm = new ChatAnthropic({ model, apiKey, maxRetries, anthropicApiUrl: url, ...(fetch && { clientOptions: { fetch } }) })
    return (tools ? llm.bindTools(offered) : llm) as never
  }),
}

/** The code of an error, wherever a client keeps it. */
export function codeOf(thrown: unknown): string | undefined {
  const seen = new Set<unknown>()
  const open = [thrown]
  for (let one = open.shift(); one !== undefined; one = open.shift()) {
    if (typeof one === 'string' && one.startsWith('{')) open.push(JSON.parse(one))
    if (typeof one !== 'object' || one === null || seen.has(one)) continue
    seen.add(one)
    const { code, cause, error, data, lastError, responseBody, body } = one as Record<string, unknown>
    if (typeof code === 'string' && /^[A-Z_]+$/.test(code)) return code
    for (const inner of [error, cause, data, lastError, responseBody, body]) if (inner !== undefined && inner !== null) open.push(inner)
  }
  return undefined
}
