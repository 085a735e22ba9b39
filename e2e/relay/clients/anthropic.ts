import Anthropic from '@anthropic-ai/sdk'
import { decoded, decodedWhole, type RelayClient } from './client.ts'

/** Anthropic's client, with a beta header as its users set it. */
export const anthropicMessages: RelayClient = {
  name: 'anthropic',
  api: 'messages',
  call({ url, model }, { request }, stream) {
    const client = new Anthropic({
      baseURL: url.replace(/\/v1$/, ''),
      apiKey: 'any',
      maxRetries: 0,
      defaultHeaders: { 'anthropic-beta': 'context-management-2025-06-27,mcp-client-2025-04-04' },
    })
    const ask = { model, max_tokens: 256, messages: [{ role: 'user', content: 'Tabs or spaces?' }], ...request } as never
    if (!stream)
      return decodedWhole(async () => {
        const { data, response } = await client.messages.create(ask).withResponse()
        return { data, headers: Object.fromEntries(response.headers) }
      })
    const run = client.messages.stream(ask)
    return decoded(
      () => run,
      () => run.finalMessage(),
    )
  },
}
