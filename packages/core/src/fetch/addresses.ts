import { textField } from '../answer/tool-shapes/fields.ts'
import { apis } from '../apis/index.ts'
import type { Api } from '../apis/shared/api.ts'
import type { Wire } from '../apis/shared/wire.ts'

/** An API whose answers can be enforced. */
export type EnforcedApi = Api & { readonly wire: Wire }

/** The APIs whose answers are enforced; everything that clients send is passed on but our own field. */
const enforced = apis.flatMap((api) => (api.wire === undefined ? [] : [{ ...api, wire: api.wire, withheld: new Set(['stickler']) }]))

/** The API of an address; undefined for everything that is passed on untouched, and a refusal for answers that would reach the client unchecked. */
export function apiOf(method: string, url: string): EnforcedApi | Response | undefined {
  if (method.toUpperCase() !== 'POST') return undefined
  const path = pathOf(url)
  // Messages of a thread are not those of a model.
  if (/\/threads\/[^/]+\/messages$/.test(path)) return undefined
  if (ofBedrock.some((end) => path.endsWith(end)) && path.includes('/model/')) return refusal()
  // What follows a semicolon may be part of the model's name, and has the method at its end.
  const wanted = isVertex(path) || isVertex(decoded(sentPath(url)).toLowerCase()) ? '/messages' : path
  return enforced.find(({ wire }) => wanted.endsWith(lastPart(wire.path)))
}

/** The ends of Bedrock's addresses of models: their streams are binary, and a signature covers the request, so that it cannot be asked again. */
const ofBedrock = ['/invoke', '/invoke-with-response-stream', '/converse', '/converse-stream']

function refusal(): Response {
  const message =
    "Answers of Bedrock's own API cannot be checked here, so nothing was sent. Use the client of @anthropic-ai/bedrock-sdk with anthropicMiddleware(contract), or a gateway with OpenAI's or Anthropic's API."
  const error = { type: 'invalid_request_error', message, code: 'unsupported_address', param: null }
  return Response.json({ type: 'error', error }, { status: 400, headers: { 'x-should-retry': 'false' } })
}

/** Whether an address is one of Anthropic's models on Vertex, which take and give messages; counting tokens is no answer. */
function isVertex(path: string): boolean {
  const [, model = ''] = path.split('/publishers/anthropic/models/', 2)
  return /:(?:stream)?rawpredict$/.test(model) && model !== 'count-tokens:rawpredict'
}

/** The path that a server may understand: as `fetch` sends it, decoded, in small letters, without parameters and empty segments. */
function pathOf(url: string): string {
  return decoded(sentPath(url))
    .split(/[/\\]/)
    .map((segment) => (segment.split(';', 1)[0] ?? '').trim().toLowerCase())
    .filter((segment) => segment !== '')
    .reduce((path, segment) => `${path}/${segment}`, '')
}

function sentPath(url: string): string {
  const location: unknown = Reflect.get(globalThis, 'location')
  try {
    const sent = new URL(url, textField(location, 'href') || 'http://localhost')
    // Set again, because decoded segments may be dots.
    sent.pathname = decoded(sent.pathname)
    return sent.pathname
  } catch {
    // A `fetch` of one's own may know what it means.
    return url.split(/[?#]/, 1)[0] ?? ''
  }
}

function decoded(path: string): string {
  return path.replace(/%[\da-f]{2}/gi, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)))
}

/** `/chat/completions`, `/responses` or `/messages`. */
function lastPart(path: string): string {
  return path.replace(/^\/v1(?=\/)/, '')
}
