import { maxErrorBytes } from '../apis/shared/provider-error.ts'
import type { Clock } from '../contract/ports.ts'
import { abortSignalOf, type StopSignal } from '../engine/stop.ts'
import { type ByteSource, readBeginning } from '../relay/calls/byte-source.ts'
import type { Incoming } from '../relay/calls/event-stream.ts'
import type { CallTransport } from '../relay/calls/wire-call.ts'
import { readRetryAfter } from '../runners/failures/failure-of.ts'
import { abortedFailure, connectionFailure, httpFailure } from '../runners/failures/provider-failures.ts'
import { redactFailure, redactor } from '../runners/secrets.ts'

/** Sends a body to the provider that the client has chosen; without a signal, that of the client counts. */
export type SendBody = (body: string, signal?: AbortSignal) => Promise<Response>

/** What ended a call before its answer, as the client would have got it without us. */
export type OwnEnding = { readonly response: Response } | { readonly thrown: unknown }

/** Milliseconds that the end of a body is waited for after its last event, so that its connection can be used again. */
const lingerMs = 250

/** Most bytes of an error that the client gets. */
const longestError = 1024 * 1024

/** Headers of the connection or of the encoded body, which is decoded. */
const ofConnection = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'keep-alive',
  'set-cookie',
  'transfer-encoding',
])

/** Where the calls of one request go. */
export class FetchTransport implements CallTransport {
  readonly redact: (text: string) => string
  /** What ended the last call before its answer. */
  ending: OwnEnding | undefined
  readonly #send: SendBody
  readonly #clock: Clock
  readonly #today: () => number
  readonly #maxBytes: number

  constructor(send: SendBody, secrets: Iterable<string>, clock: Clock, today: () => number, maxBytes: number) {
    this.#send = send
    this.redact = redactor(secrets)
    this.#clock = clock
    this.#today = today
    this.#maxBytes = maxBytes
  }

  async send(
    { body, stream }: { readonly body: string; readonly stream: boolean },
    { signal, timeLeftMs }: { readonly signal: StopSignal; readonly timeLeftMs?: number },
  ): Promise<Incoming> {
    this.ending = undefined
    // A signal costs more than anything else here; that of the client does where nothing else can end a call.
    const response = await this.#response(body, signal, stream || timeLeftMs !== undefined)
    if (response.ok) return new FetchedReply(response, signal, this.#clock, this.#maxBytes)
    throw redactFailure(await this.#failure(response, signal), this.redact)
  }

  async #response(body: string, signal: StopSignal, isOwn: boolean): Promise<Response> {
    if (signal.aborted) throw abortedFailure(signal)
    try {
      return await (isOwn ? this.#send(body, abortSignalOf(signal)) : this.#send(body))
    } catch (thrown) {
      if (signal.aborted) throw abortedFailure(signal)
      this.ending = { thrown }
      throw redactFailure(connectionFailure(thrown, { hasAnswered: false }), this.redact)
    }
  }

  /** The client gets what was read: the end of the run aborts what is still to come. */
  async #failure(response: Response, signal: StopSignal) {
    const { status, statusText, body } = response
    const retryAfterMs = readRetryAfter(response.headers, this.#today)
    const source = new BodySource(body, signal, this.#clock)
    const bytes = await readBeginning(source, Math.min(this.#maxBytes, longestError))
    source.destroy()
    const headers = new Headers(response.headers)
    for (const name of ['content-encoding', 'content-length']) headers.delete(name)
    // No response can be made with any other status.
    if (status >= 200 && status <= 599) this.ending = { response: new Response(body && bytes, { status, statusText, headers }) }
    const excerpt = new TextDecoder().decode(bytes.subarray(0, maxErrorBytes), { stream: true })
    return httpFailure(status, excerpt, retryAfterMs === undefined ? {} : { retryAfterMs })
  }
}

/** A response with a success status. */
class FetchedReply implements Incoming {
  readonly contentType: string
  readonly body: BodySource
  readonly transfer: BodySource
  readonly maxBytes: number
  readonly turn = undefined
  readonly #headers: Headers

  constructor({ headers, body }: Response, signal: StopSignal, clock: Clock, maxBytes: number) {
    this.#headers = headers
    this.contentType = headers.get('content-type') ?? ''
    this.body = new BodySource(body, signal, clock)
    this.transfer = this.body
    this.maxBytes = maxBytes
  }

  passedHeaders(): Readonly<Record<string, string>> {
    const passed: Record<string, string> = {}
    this.#headers.forEach((value, name) => {
      if (!ofConnection.has(name)) passed[name] = value
    })
    return passed
  }
}

/** The body of a response, read only when someone waits for more. */
class BodySource implements ByteSource {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array> | undefined
  readonly #signal: StopSignal
  readonly #clock: Clock
  readonly #onAbort = (): void => {
    this.#failure ??= abortedFailure(this.#signal)
    this.destroy()
  }
  /** What has arrived: null at the end. */
  #piece: Uint8Array | null | undefined
  #failure: Error | undefined
  #idleMs: number | undefined
  #wake: (() => void) | undefined

  constructor(body: ReadableStream<Uint8Array> | null, signal: StopSignal, clock: Clock) {
    this.#reader = body?.getReader()
    this.#signal = signal
    this.#clock = clock
    if (this.#reader === undefined) this.#piece = null
    if (signal.aborted) this.#onAbort()
    else signal.addEventListener('abort', this.#onAbort)
  }

  poll(): Uint8Array | null | undefined {
    if (this.#failure !== undefined) throw this.#failure
    const piece = this.#piece
    if (piece !== null) this.#piece = undefined
    return piece
  }

  wait(ready: () => void): void {
    this.#wake = ready
    if (this.#piece !== undefined || this.#failure !== undefined) {
      this.#ready()
      return
    }
    const cancelTimer = this.#idleMs === undefined ? undefined : this.#clock.after(this.#idleMs, () => this.#end())
    this.#reader?.read().then(
      ({ done, value }) => {
        cancelTimer?.()
        if (done) this.#end()
        else {
          this.#piece ??= value
          this.#ready()
        }
      },
      (thrown: unknown) => {
        cancelTimer?.()
        this.#failure ??= connectionFailure(thrown, { hasAnswered: true })
        this.#ready()
      },
    )
  }

  hurry(idleMs: number): void {
    this.#idleMs = idleMs
  }

  /** The rest is dropped; what ends at once leaves the connection in order. */
  finish(): void {
    const reader = this.#reader
    this.#signal.removeEventListener('abort', this.#onAbort)
    if (reader === undefined || this.#piece === null) return
    const cancel = (): void => void reader.cancel().catch(() => {})
    const cancelTimer = this.#clock.after(lingerMs, cancel)
    reader.read().then(
      ({ done }) => {
        cancelTimer()
        if (!done) cancel()
      },
      () => cancelTimer(),
    )
  }

  destroy(): void {
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#reader?.cancel().catch(() => {})
    if (this.#failure === undefined) this.#end()
    else this.#ready()
  }

  #end(): void {
    this.#piece = null
    this.#signal.removeEventListener('abort', this.#onAbort)
    this.#ready()
  }

  #ready(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}

/** The values of headers and parameters that must not appear in errors. */
export function secretsIn(headers: Headers, url: string): readonly string[] {
  const isSecret = /auth|key|token|secret|cookie|sig/i
  const found: string[] = []
  const add = (value: string, name: string): void => {
    if (isSecret.test(name)) found.push(value, value.slice(value.indexOf(' ') + 1), encodeURIComponent(value))
  }
  headers.forEach(add)
  if (URL.canParse(url)) new URL(url).searchParams.forEach(add)
  return found
}
