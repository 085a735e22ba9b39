import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, type LanguageModel, type ModelMessage, Output, streamText } from 'ai'
import type { Recording } from '../recordings/recording.ts'
import { type Decoded, decoded, decodedWhole, type Place, type RelayClient } from './client.ts'

type Asking = Readonly<Record<string, unknown>>

const schema = jsonSchema<{ city: string }>({
  type: 'object',
  properties: { city: { type: 'string' } },
  required: ['city'],
  additionalProperties: false,
})
const person = jsonSchema<{ name?: string; city?: string }>({
  type: 'object',
  properties: { name: { type: 'string' }, city: { type: 'string' } },
})
const pictured: ModelMessage[] = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'What is this?' },
      { type: 'image', image: new Uint8Array([137, 80, 78, 71]), mediaType: 'image/png' },
    ],
  },
]
const documented = (more: object = {}): ModelMessage[] => [
  {
    role: 'user',
    content: [
      { type: 'file', data: new Uint8Array([37, 80, 68, 70]), mediaType: 'application/pdf', filename: 'a.pdf', ...more },
      { type: 'text', text: 'Tabs or spaces?' },
    ],
  },
]
const usual: Readonly<Record<string, Asking>> = {
  'structured output': { output: Output.object({ schema: person }) },
  tools: { tools: { get_weather: { description: 'Tells the weather.', inputSchema: schema } } },
  'calls beside an empty function call': { tools: { get_weather: { description: 'Tells the weather.', inputSchema: schema } } },
  images: { messages: pictured },
  'documents with citations': { messages: documented() },
  'stop sequences': { stopSequences: ['END'] },
  length: { maxOutputTokens: 16 },
}
const openai = createOpenAI({ apiKey: 'any' })
const anthropic = createAnthropic({ apiKey: 'any' })
const openaiOptions = (options: object): Asking => ({ providerOptions: { openai: options } })
const anthropicOptions = (options: object): Asking => ({ providerOptions: { anthropic: options } })
const responses: Readonly<Record<string, Asking>> = {
  ...usual,
  reasoning: openaiOptions({ reasoningEffort: 'low', reasoningSummary: 'auto', store: false, include: ['reasoning.encrypted_content'] }),
  logprobs: openaiOptions({ logprobs: 1 }),
  caching: openaiOptions({ promptCacheKey: 'k' }),
  'server tools': { tools: { web_search: openai.tools.webSearch({}) } },
  'stored state': openaiOptions({ previousResponseId: 'resp_0', instructions: 'Be brief.' }),
}
const chat: Readonly<Record<string, Asking>> = {
  ...usual,
  reasoning: openaiOptions({ reasoningEffort: 'low' }),
  logprobs: openaiOptions({ logprobs: 1 }),
  caching: openaiOptions({ promptCacheKey: 'k' }),
}
const messages: Readonly<Record<string, Asking>> = {
  ...usual,
  reasoning: anthropicOptions({ thinking: { type: 'enabled', budgetTokens: 1024 } }),
  'documents with citations': {
    messages: documented({ providerOptions: { anthropic: { citations: { enabled: true }, title: 'Style' } } }),
  },
  caching: { system: 'Be brief.', ...anthropicOptions({ cacheControl: { type: 'ephemeral' } }) },
  'server tools': { tools: { web_search: anthropic.tools.webSearch_20250305({ maxUses: 3 }) } },
  'calls that a program makes': { tools: { get_weather: { description: 'Tells the weather.', inputSchema: schema } } },
  'a call that a program makes, whole from the start': {
    tools: { get_weather: { description: 'Tells the weather.', inputSchema: schema } },
  },
  'code execution and containers': { tools: { code_execution: anthropic.tools.codeExecution_20250825() } },
}

/** The AI SDK with each of its providers. */
export const aiSdkClients: readonly RelayClient[] = [
  client('ai openai chat', 'chat', chat, ({ url, model }) => createOpenAI({ baseURL: url, apiKey: 'any' }).chat(model)),
  client('ai openai responses', 'responses', responses, ({ url, model }) => createOpenAI({ baseURL: url, apiKey: 'any' }).responses(model)),
  client('ai openai-compatible', 'chat', usual, ({ url, model }) =>
    createOpenAICompatible({ name: 'compatible', baseURL: url, apiKey: 'any', includeUsage: true, supportsStructuredOutputs: true })(model),
  ),
  client('ai anthropic', 'messages', messages, ({ url, model }) => createAnthropic({ baseURL: url, apiKey: 'any' })(model)),
]

function client(
  name: string,
  api: RelayClient['api'],
  asks: Readonly<Record<string, Asking>>,
  model: (place: Place) => LanguageModel,
): RelayClient {
  // It asks for one answer; the chunks of several would run into each other. It offers functions alone, of which a custom call is none.
  // Anthropic's provider asks for JSON by a tool.
  const forces = api === 'messages' ? ['structured output'] : []
  return { name, api, lacks: ['n', 'custom tools'], forces, call: (place, recording, stream) => run(model(place), asks, recording, stream) }
}

function run(model: LanguageModel, asks: Readonly<Record<string, Asking>>, { name }: Recording, stream: boolean): Promise<Decoded> {
  const asking = asks[name] ?? {}
  const fixed = { _internal: { generateId: () => 'id', currentDate: () => new Date(0) }, maxRetries: 0, model }
  const ask = { ...('messages' in asking ? {} : { prompt: 'Tabs or spaces?' }), ...asking, ...fixed } as unknown as Parameters<
    typeof generateText
  >[0]
  if (!stream) return decodedWhole(async () => (await generateText(ask)).steps.map(outcome))
  const errors: unknown[] = []
  const result = streamText({ ...ask, onError: ({ error }: { error: unknown }) => void errors.push(error) } as Parameters<
    typeof streamText
  >[0])
  return decoded(
    () => result.fullStream,
    async () => {
      if (errors.length > 0) throw errors[0]
      return (await result.steps).map(outcome)
    },
  )
}

/** What a step says, without what only this run is about. */
function outcome(step: Awaited<ReturnType<typeof generateText>>['steps'][number]): unknown {
  const { content, finishReason, rawFinishReason, usage, warnings, providerMetadata, response } = step
  return {
    content,
    finishReason,
    rawFinishReason,
    usage,
    warnings,
    providerMetadata,
    id: response.id,
    headers: response.headers,
    messages: response.messages,
  }
}
