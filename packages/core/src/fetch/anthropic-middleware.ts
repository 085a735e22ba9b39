import type { Contract } from '../contract/contract.ts'
import { withSoundCalls } from '../relay/sound-calls.ts'
import { apiOf, enforcedReply } from './enforced-reply.ts'
import { checkFetchOptions, type EnforcedFetchOptions } from './fetch-options.ts'

/** Wraps the requests of Anthropic's client: one for its option `middleware`. */
export type AnthropicMiddleware = <Asked extends RequestInit & { url: string }>(
  request: Asked,
  next: (request: Asked) => Promise<Response>,
) => Promise<Response>

/** Makes a middleware for Anthropic's client, which works on Bedrock, Vertex and Foundry too: answers keep the contract. */
export function anthropicMiddleware(contract: Contract, options: Omit<EnforcedFetchOptions, 'fetch'> = {}): AnthropicMiddleware {
  checkFetchOptions(contract, options)
  const sound = withSoundCalls(contract)
  return async (request, next) => {
    const { url, method = 'GET', body } = request
    const api = apiOf(method, url)
    if (api === undefined || typeof body !== 'string') return next(request)
    const headers = new Headers(request.headers)
    const send = (asked: string, signal?: AbortSignal): Promise<Response> => {
      const sent = new Headers(headers)
      if (asked !== body) sent.delete('content-length')
      return next({ ...request, headers: sent, body: asked, ...(signal && { signal }) })
    }
    const response = await enforcedReply(sound, options, api, {
      method,
      url,
      headers,
      signal: request.signal ?? undefined,
      source: body,
      send,
    })
    return response ?? next(request)
  }
}
