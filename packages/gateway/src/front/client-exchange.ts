import type { IncomingMessage, ServerResponse } from 'node:http'
import { Stop } from '@stickler/core/runners'
import { BodyReader } from './body-reader.ts'
import type { Ending, Exchange, Identity, Route } from './exchange.ts'
import type { Logger } from './log.ts'
import { checkEncoding, checkJsonHeaders, type JsonBody, parseJsonBody } from './read-json.ts'
import { cutOff, goingDown } from './replies/going-down.ts'
import type { HttpError } from './replies/http-error.ts'

const noParams: Readonly<Record<string, string>> = Object.freeze(Object.create(null))
const nobody: Identity = Object.freeze({ key: '', role: 'client' })

/** What all exchanges of a server share. */
export interface ExchangeContext {
  readonly log: Logger
  readonly maxBodyBytes: number
  readonly maxDepth: number
}

/** An exchange as the server keeps it; what few handlers need is made on demand. */
export class ClientExchange implements Exchange {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly method: string
  readonly path: string
  readonly requestId: string
  readonly startedAt: number
  readonly signal = new Stop()
  params = noParams
  identity = nobody
  ending: Ending | undefined
  /** Where it was routed to; nothing before, or when there is no such route. */
  route: Route | undefined
  /** Whether it counts as being worked on. */
  admitted = false
  readonly #context: ExchangeContext
  #query: URLSearchParams | undefined
  #log: Logger | undefined
  #isGone = false
  #reader: BodyReader | undefined
  #json: Promise<JsonBody> | undefined
  source = ''

  constructor(request: IncomingMessage, response: ServerResponse, requestId: string, startedAt: number, context: ExchangeContext) {
    const url = request.url ?? ''
    const end = url.indexOf('?')
    this.request = request
    this.response = response
    this.method = request.method ?? ''
    this.path = end === -1 ? url : url.slice(0, end)
    this.requestId = requestId
    this.startedAt = startedAt
    this.#context = context
  }

  get query(): URLSearchParams {
    const url = this.request.url ?? ''
    this.#query ??= new URLSearchParams(url.length > this.path.length ? url.slice(this.path.length + 1) : '')
    return this.#query
  }

  get log(): Logger {
    this.#log ??= this.#context.log.child({ requestId: this.requestId, key: this.identity.key, role: this.identity.role })
    return this.#log
  }

  /** Whether nobody is left to be answered. */
  get isGone(): boolean {
    return this.#isGone
  }

  /** Whether the server ended the work before its time. */
  get isCutOff(): boolean {
    return this.signal.reason === cutOff
  }

  async json(): Promise<Readonly<Record<string, unknown>>> {
    this.#json ??= this.#readJson()
    const { value, source } = await this.#json
    this.source = source
    return value
  }

  async bytes(): Promise<Buffer> {
    checkEncoding(this.request.headers)
    return this.#body().read(this.#context.maxBodyBytes)
  }

  /** Ends the work because the client has gone. */
  abandon(): void {
    this.#isGone = true
    if (!this.signal.aborted) this.signal.abort(new DOMException('the client has gone', 'AbortError'))
  }

  /** Ends the work because the server must end; the client can still be told. */
  cutOff(): void {
    this.signal.abort(cutOff)
    this.#reader?.fail(goingDown)
  }

  /** Ends the reading of a body that cannot come to its end. */
  failBody(error: HttpError): void {
    this.#body().fail(error)
  }

  async #readJson(): Promise<JsonBody> {
    const { maxBodyBytes, maxDepth } = this.#context
    checkJsonHeaders(this.request.headers)
    return parseJsonBody(await this.#body().read(maxBodyBytes), maxDepth)
  }

  #body(): BodyReader {
    this.#reader ??= new BodyReader(this.request, this.response)
    return this.#reader
  }
}
