import { ChatAnthropic } from '@langchain/anthropic'
import type { AIMessageChunk } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { decoded, decodedWhole, type Place, type RelayClient } from './client.ts'

type Model = ChatOpenAI | ChatAnthropic
type Fields = Readonly<Record<string, unknown>>

const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    description: 'Tells the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

/** Features whose answers call tools, which must be offered. */
const calling = new Set([
  ...['tools', 'calls beside an empty function call'],
  ...['calls that a program makes', 'a call that a program makes, whole from the start'],
])

/** LangChain with each of its providers; it builds the request from the fields of a recording. */
export const langchainClients: readonly RelayClient[] = [
  client('langchain openai chat', 'chat', (place, fields) => openai(place, fields, false)),
  client('langchain openai responses', 'responses', (place, fields) => openai(place, fields, true)),
  client('langchain anthropic', 'messages', ({ url, model }, { messages: _, tools: __, ...fields }) => {
    const options = { model, apiKey: 'any', maxRetries: 0, anthropicApiUrl: url.replace(/\/v1$/, ''), maxTokens: 256 }
    return new ChatAnthropic({ ...options, invocationKwargs: fields })
  }),
]

function openai({ url, model }: Place, { messages: _, input: __, tools: ___, ...fields }: Fields, useResponsesApi: boolean): ChatOpenAI {
  const options = { model, apiKey: 'any', maxRetries: 0, useResponsesApi, streamUsage: true }
  return new ChatOpenAI({ ...options, configuration: { baseURL: url }, modelKwargs: fields })
}

function client(name: string, api: RelayClient['api'], make: (place: Place, fields: Fields) => Model): RelayClient {
  return {
    name,
    api,
    // A custom tool would turn the client to another API, and a custom call is none of a function.
    lacks: ['custom tools'],
    call(place, { name: feature, request = {} }, stream) {
      const model = make(place, request)
      const runnable = calling.has(feature) ? model.bindTools([weather]) : model
      const input = [{ role: 'user', content: contentOf(request) }] as Parameters<ChatOpenAI['invoke']>[0]
      if (!stream) return decodedWhole(async () => (await runnable.invoke(input)).toDict())
      const chunks: AIMessageChunk[] = []
      return decoded(
        async function* () {
          for await (const chunk of await runnable.stream(input)) {
            chunks.push(chunk as AIMessageChunk)
            yield (chunk as AIMessageChunk).toDict()
          }
        },
        () => chunks.reduce((sum, chunk) => sum.concat(chunk)).toDict(),
      )
    },
  }
}

/** Pictures and documents of the only message; anything else is asked in words. */
function contentOf({ messages, input }: Fields): unknown {
  const turns = (messages ?? input) as readonly { readonly content: unknown }[] | undefined
  return turns?.length === 1 ? turns[0]?.content : 'Tabs or spaces?'
}
