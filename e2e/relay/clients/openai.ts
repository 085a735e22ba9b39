import OpenAI from 'openai'
import { decoded, decodedWhole, type Place, type RelayClient } from './client.ts'

const client = ({ url }: Place) => new OpenAI({ baseURL: url, apiKey: 'any', maxRetries: 0 })
const messages = [{ role: 'user', content: 'Tabs or spaces?' }]

/** OpenAI's client for chat completions, which hands out chunks as they are. */
export const openaiChunks: RelayClient = {
  name: 'openai chunks',
  api: 'chat',
  call(place, { request }, stream) {
    if (!stream) return undefined
    const ask = { model: place.model, messages, ...request, stream } as never
    return decoded(
      async () => (await client(place).chat.completions.create(ask)) as unknown as AsyncIterable<unknown>,
      () => undefined,
    )
  },
}

/** OpenAI's client for chat completions; its helper adds up what a stream brings. */
export const openaiChat: RelayClient = {
  name: 'openai chat',
  api: 'chat',
  call(place, { request }, stream) {
    const ask = { model: place.model, messages, ...request } as never
    if (!stream) return decodedWhole(() => withHeaders(client(place).chat.completions.create(ask)))
    const run = client(place).chat.completions.stream(ask)
    return decoded(
      () => run,
      () => run.finalChatCompletion(),
    )
  },
}

/** OpenAI's client for responses. */
export const openaiResponses: RelayClient = {
  name: 'openai responses',
  api: 'responses',
  call(place, { request }, stream) {
    const ask = { model: place.model, input: 'Tabs or spaces?', ...request } as never
    if (!stream) return decodedWhole(() => withHeaders(client(place).responses.create(ask)))
    const run = client(place).responses.stream(ask)
    return decoded(
      () => run,
      () => run.finalResponse(),
    )
  },
}

async function withHeaders(call: { withResponse(): Promise<{ data: unknown; response: Response }> }): Promise<unknown> {
  const { data, response } = await call.withResponse()
  return { data, headers: Object.fromEntries(response.headers) }
}
