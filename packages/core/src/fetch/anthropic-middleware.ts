import { addressParameters } from './address-parameters.ts'
import { apiOf } from './addresses.ts'
import { enforcedReply } from './enforced-reply.ts'
import { checkFetchOptions, type EnforcedFetchOptions, type FetchContract } from './fetch-options.ts'
import { isForm, readBody } from './request-body.ts'

/** Wraps the requests of Anthropic's client: one for its option `middleware`. */
export type AnthropicMiddleware = <Asked extends RequestInit & { url: string }>(
  request: Asked,
  next: (request: Asked) => Promise<Response>,
) => Promise<Response>

/** Makes a middleware for Anthropic's client, which works on Bedrock, Vertex and Foundry too: answers keep the contract. */
export function anthropicMiddleware(contract: FetchContract, options: Omit<EnforcedFetchOptions, 'fetch'> = {}): AnthropicMiddleware {
  checkFetchOptions(contract, options)
  const parameters = addressParameters()
  return async (request, next) => {
    const { url, method = 'GET', body } = request
    const api = apiOf(method, url)
    if (api instanceof Response) return api
    const headers = new Headers(request.headers)
    if (api === undefined || body === undefined || body === null || isForm(body, headers)) return next(request)
    const signal = request.signal ?? undefined
    const { text: source, copy } = await readBody(body, signal)
    const send = (wanted: string, ending?: AbortSignal): Promise<Response> => {
      const sent = new Headers(headers)
      if (wanted !== source) sent.delete('content-length')
      return next({ ...request, headers: sent, body: wanted === source ? (copy ?? body) : wanted, ...(ending && { signal: ending }) })
    }
    return enforcedReply(contract, options, api, { method, url, headers, signal, source, send, parameters: parameters(api.wire.api, url) })
  }
}
