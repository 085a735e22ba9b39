import { addressParameters } from './address-parameters.ts'
import { apiOf } from './addresses.ts'
import { enforcedReply } from './enforced-reply.ts'
import { checkFetchOptions, type EnforcedFetchOptions, type FetchContract } from './fetch-options.ts'
import { isForm, readBody } from './request-body.ts'

/** Makes a `fetch` for the client of a provider: answers of models keep the contract, or the one that is chosen for the request; everything else is passed on untouched. */
export function enforcedFetch(contract: FetchContract, options: EnforcedFetchOptions = {}): typeof globalThis.fetch {
  checkFetchOptions(contract, options)
  const parameters = addressParameters()
  // Called without a `this`: browsers refuse a `fetch` that is called as a method of something else.
  const below: typeof globalThis.fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init))
  return async (input, init) => {
    const asked = isRequest(input) ? input : undefined
    const url = asked?.url ?? String(input)
    const method = init?.method ?? asked?.method ?? 'GET'
    const api = apiOf(method, url)
    if (api === undefined) return below(input, init)
    if (api instanceof Response) return api
    const headers = new Headers(init?.headers ?? asked?.headers)
    const given = init?.body ?? undefined
    const body: unknown = given ?? asked?.body
    // Firefox does not show the body of a request.
    const isHidden = body === undefined && typeof asked?.arrayBuffer === 'function'
    if (((body ?? undefined) === undefined && !isHidden) || isForm(body, headers)) return below(input, init)
    const own = init?.signal ?? asked?.signal
    const isCloned = asked !== undefined && given === undefined && typeof asked.clone === 'function'
    const clone = isCloned ? asked.clone() : undefined
    const { text: source, copy } = await readBody(clone === undefined ? body : (clone.body ?? clone), own)
    const send = (wanted: string, signal: AbortSignal | undefined = own): Promise<Response> => {
      const ending = signal && { signal }
      const isSame = wanted === source
      if (isSame && (isCloned || copy === undefined)) return below(isCloned ? asked.clone() : input, { ...init, ...ending })
      const sent = new Headers(headers)
      if (!isSame) sent.delete('content-length')
      if (body instanceof Blob && body.type !== '' && !sent.has('content-type')) sent.set('content-type', body.type)
      return below(asked === undefined ? input : url, {
        ...inherited(asked),
        ...init,
        method,
        headers: sent,
        body: (isSame && copy) || wanted,
        ...ending,
      })
    }
    return enforcedReply(contract, options, api, {
      method,
      url,
      headers,
      signal: own,
      source,
      send,
      parameters: parameters(api.wire.api, url),
    })
  }
}

/** Whether it is a request, also one of another realm or library; a URL has an `href`. */
function isRequest(input: string | URL | Request | object): input is Request {
  return input instanceof Request || (typeof input === 'object' && !('href' in input) && 'url' in input)
}

/** What a request says besides its address, method, headers and body. */
function inherited(asked: Request | undefined): RequestInit {
  if (asked === undefined) return {}
  const { credentials, redirect, referrerPolicy, keepalive, integrity } = asked
  return { credentials, redirect, referrerPolicy, keepalive, integrity }
}
