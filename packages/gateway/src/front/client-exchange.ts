import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { excessOf, Stop } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import type { FairQueue } from '@stickler/core/internal/services'
import { BodyReader } from './body-reader.ts'
import type { BodyWidth, Ending, Exchange, Identity, Route } from './exchange.ts'
import type { Logger } from './log.ts'
import { cutOff, goingDown } from './replies/overload-errors.ts'

const noParams: Readonly<Record<string, string>> = Object.freeze(Object.create(null))
const nobody: Identity = Object.freeze({ key: '', role: 'client' })

/** What all exchanges of a server share. */
export interface ExchangeContext {
  readonly log: Logger
  readonly maxBodyBytes: number
  readonly maxDepth: number
  /** Settles when a large body may be read, so that many at once do not hold up everything else. */
  readonly turn?: ((caller?: string) => Promise<void>) | undefined
  /** The address of a request's client. */
  readonly addressOf: (request: IncomingMessage) => string
  /** Requests whose body is still arriving, by caller. */
  readonly arriving: FairQueue<ClientExchange>
}

/** The server's side of an exchange; rarely used parts are made on demand. */
export class ClientExchange implements Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  /** The host that the client named: that of an absolute target, which stands for the header, or the header's. */
  readonly host: string | undefined
  readonly path: string
  readonly requestId: string
  readonly startedAt: number
  readonly signal = new Stop()
  params = noParams
  identity = nobody
  ending: Ending | undefined
  /** The matched route; undefined before routing, or when there is none. */
  route: Route | undefined
  /** Its number among all exchanges, and its place in the list of those that are running. */
  number = 0
  slot = 0
  /** For whom it counts as in progress; undefined when it does not. */
  place: string | undefined
  readonly #context: ExchangeContext
  readonly #search: string
  #query: URLSearchParams | undefined
  #log: Logger | undefined
  #isGone = false
  #reader: BodyReader | undefined
  #json: Promise<JsonBody['value']> | undefined
  source = ''

  constructor(request: IncomingMessage, response: ServerResponse, requestId: string, startedAt: number, context: ExchangeContext) {
    const { authority, target } = splitTarget(request.url ?? '')
    const end = target.indexOf('?')
    this.request = request
    this.response = response
    this.method = request.method ?? ''
    this.host = authority ?? request.headers.host
    this.path = end === -1 ? target : target.slice(0, end)
    this.#search = end === -1 ? '' : target.slice(end + 1)
    this.requestId = requestId
    this.startedAt = startedAt
    this.#context = context
  }

  get headers(): IncomingHttpHeaders {
    return this.request.headers
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#search)
    return this.#query
  }

  get caller(): string {
    return this.identity.key === '' ? this.#context.addressOf(this.request) : this.identity.key
  }

  get log(): Logger {
    this.#log ??= this.#context.log.child({ requestId: this.requestId, key: this.identity.key, role: this.identity.role })
    return this.#log
  }

  /** Whether the client has disconnected. */
  get isGone(): boolean {
    return this.#isGone
  }

  /** Whether the server aborted the work. */
  get isCutOff(): boolean {
    return this.signal.reason === cutOff
  }

  json(widest = usualWidth): Promise<Readonly<Record<string, unknown>>> {
    this.#json ??= this.#readJson(widest)
    return this.#json
  }

  async bytes(): Promise<Buffer> {
    checkEncoding(this.request.headers)
    return this.#read()
  }

  /** Aborts the work because the client disconnected. */
  abandon(): void {
    this.#isGone = true
    if (!this.signal.aborted) this.signal.abort(new DOMException('the client disconnected', 'AbortError'))
  }

  /** Aborts the work because the server shuts down; the client can still be informed. */
  cutOff(): void {
    this.signal.abort(cutOff)
    this.#reader?.fail(goingDown)
  }

  /** Stops reading a body that cannot be completed. */
  failBody(error: HttpError): void {
    this.#body().fail(error)
  }

  async #readJson(widest: BodyWidth): Promise<JsonBody['value']> {
    const { maxDepth, turn } = this.#context
    checkJsonHeaders(this.request.headers)
    const body = await this.#read()
    if (body.length > largeBytes) await turn?.(this.caller)
    const { value, source } = parseJsonBody(body, maxDepth, widest)
    this.source = source
    return value
  }

  #read(): Promise<Buffer> {
    const { arriving, maxBodyBytes } = this.#context
    const entry = arriving.add(this.caller, this)
    return this.#body().read(maxBodyBytes, () => arriving.delete(entry))
  }

  #body(): BodyReader {
    this.#reader ??= new BodyReader(this.request, this.response)
    return this.#reader
  }
}

/** Splits a target in absolute form, as proxies get it, into host and path; any other is taken as it is. */
function splitTarget(url: string): { readonly authority?: string; readonly target: string } {
  if (url.startsWith('/')) return { target: url }
  const [whole = '', authority] = /^https?:\/\/([^/?]*)/i.exec(url) ?? []
  if (authority === undefined) return { target: url }
  const rest = url.slice(whole.length)
  return { authority, target: rest.startsWith('/') ? rest : `/${rest}` }
}

/** Reading more than this at once holds up everything else for a millisecond and more. */
const largeBytes = 65_536

/** Several times what real requests hold. */
const usualWidth: BodyWidth = { fields: 10_000, items: 32_768, values: 131_072, everything: 1_048_576 }

/** Rejects a compressed body. */
function checkEncoding(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new HttpError(415, 'Send the body without content-encoding.', { code: 'unsupported_content_encoding' })
  }
}

/**
 * Rejects a body that is compressed, or declared as something other than JSON; one without a type
 * is read.
 */
function checkJsonHeaders(headers: IncomingHttpHeaders): void {
  checkEncoding(headers)
  const type = headers['content-type']
  if (type !== undefined && type !== 'application/json' && !isJsonType(type)) {
    throw new HttpError(415, 'Send the body as application/json.', { code: 'unsupported_content_type' })
  }
}

/** A body that is a JSON object, parsed and as it was sent. */
interface JsonBody {
  readonly value: Readonly<Record<string, unknown>>
  readonly source: string
}

/** Parses a body: UTF-8, JSON, neither nested too deeply nor with too many values, an object, without keys that could reach a prototype. */
export function parseJsonBody(body: Buffer, maxDepth: number, widest = usualWidth): JsonBody {
  if (!isUtf8(body)) throw invalid('The body is not valid UTF-8.', 'invalid_utf8')
  const hasMark = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf
  const text = body.toString('utf8', hasMark ? 3 : 0)
  const excess = text.length > maxDepth ? excessOf(text, { ...widest, depth: maxDepth }) : undefined
  if (excess === 'depth') throw invalid(`The body is nested more than ${maxDepth} levels deep.`, 'nested_too_deeply')
  if (excess !== undefined) throw invalid(`The body has more than ${widest[excess]} ${counted[excess]}.`, 'too_many_values')
  const value = parse(text)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('The body must be a JSON object.', 'not_an_object')
  // Escapes of ASCII letters can hide the name from the search.
  if ((text.includes('__proto__') || text.includes('\\u00')) && hasPrototypeKey(value)) {
    throw invalid('The body must not have a key "__proto__".', 'forbidden_key')
  }
  return { value: value as JsonBody['value'], source: text }
}

const counted = { fields: 'fields in one object', items: 'items in one list', values: 'fields and items', everything: 'values' }

function isJsonType(type: string): boolean {
  const [media = ''] = type.split(';', 1)
  const name = media.trim().toLowerCase()
  return name === 'application/json' || (name.startsWith('application/') && name.endsWith('+json'))
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('The body is not valid JSON.', 'invalid_json')
  }
}

function hasPrototypeKey(root: object): boolean {
  const open: object[] = [root]
  for (let holder = open.pop(); holder !== undefined; holder = open.pop()) {
    if (Object.hasOwn(holder, '__proto__')) return true
    for (const value of Object.values(holder)) if (typeof value === 'object' && value !== null) open.push(value)
  }
  return false
}

function invalid(message: string, code: string): HttpError {
  return new HttpError(400, message, { code })
}
