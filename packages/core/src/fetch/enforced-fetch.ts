import type { Contract } from '../contract/contract.ts'
import { withSoundCalls } from '../relay/sound-calls.ts'
import { apiOf, enforcedReply } from './enforced-reply.ts'
import { checkFetchOptions, type EnforcedFetchOptions } from './fetch-options.ts'

/** Makes a `fetch` for the client of a provider: answers of models keep the contract, everything else is passed on untouched. */
export function enforcedFetch(contract: Contract, options: EnforcedFetchOptions = {}): typeof globalThis.fetch {
  checkFetchOptions(contract, options)
  const sound = withSoundCalls(contract)
  // Called without a `this`: browsers refuse a `fetch` that is called as a method of something else.
  const below: typeof globalThis.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
  return async (input, init) => {
    const asked = input instanceof Request ? input : undefined
    const url = asked?.url ?? String(input)
    const method = init?.method ?? asked?.method ?? 'GET'
    const api = apiOf(method, url)
    if (api === undefined) return below(input, init)
    const headers = new Headers(init?.headers ?? asked?.headers)
    if (!/json|^$/i.test(headers.get('content-type') ?? '')) return below(input, init)
    const source = await textOf(init?.body ?? undefined, asked)
    if (source === undefined) return below(input, init)
    const own = init?.signal ?? asked?.signal
    const send = (body: string, signal: AbortSignal | undefined = own): Promise<Response> => {
      const ending = signal && { signal }
      if (body === source) return below(input instanceof Request ? input.clone() : input, { ...init, ...ending })
      const sent = new Headers(headers)
      sent.delete('content-length')
      return below(input instanceof Request ? url : input, { ...inherited(asked), ...init, method, headers: sent, body, ...ending })
    }
    const response = await enforcedReply(sound, options, api, { method, url, headers, signal: own, source, send })
    return response ?? below(input, init)
  }
}

/** The body as text; undefined for forms and streams, which can be read only once. */
async function textOf(body: RequestInit['body'], asked: Request | undefined): Promise<string | undefined> {
  if (body === undefined || body === null) return asked?.body ? asked.clone().text() : undefined
  if (typeof body === 'string') return body
  if (body instanceof ArrayBuffer || ArrayBuffer.isView(body)) return new TextDecoder().decode(body)
  return body instanceof Blob ? body.text() : undefined
}

/** What a request says besides its address, method, headers and body. */
function inherited(asked: Request | undefined): RequestInit {
  if (asked === undefined) return {}
  const { credentials, redirect, referrerPolicy, keepalive, integrity } = asked
  return { credentials, redirect, referrerPolicy, keepalive, integrity }
}
