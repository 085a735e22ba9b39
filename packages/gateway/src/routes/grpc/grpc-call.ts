import type { Metadata, ServerWritableStream } from '@grpc/grpc-js'
import type { AskAnswered, AskRefused, AskReply } from '@stickler/ask'
import { type AskStep, leftReply } from '@stickler/ask/internal'
import type { Clock, Message } from '@stickler/core'
import { Stop } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import type { Mutable } from '@stickler/core/internal/relay'
import type { Admission, Refusal } from '@stickler/node/internal/grpc'
import { assistanceService, type WireAnswer, type WireQuestion } from '@stickler/presets/internal'
import type { Identity } from '../../front/exchange.ts'
import { cutOff, goingDown, isCutOff, overloaded, tooManyAtOnce } from '../../front/replies/overload-errors.ts'
import { sessionOf } from '../../requests/client-context.ts'
import type { AskCaller } from '../ask/question.ts'
import { CallSink, requestIdMetadata } from './call-sink.ts'
import { callerOf } from './grpc-caller.ts'
import type { Sessions } from './grpc-sessions.ts'
import { refusedStatus, thrownStatus } from './grpc-status.ts'
import { type CoalesceLimits, TextMessages } from './text-messages.ts'

/** Longer session names are rejected. */
const longestSession = 256

/** The placeholder for bytes that are not a question. */
export type ReadQuestion = WireQuestion | 'malformed' | 'not-utf8'

/** Reads questions; the library would replace bytes that are not UTF-8. */
export function strictly(deserialize: (bytes: Buffer) => WireQuestion): (bytes: Buffer) => ReadQuestion {
  return (bytes) => {
    try {
      const question = deserialize(bytes)
      // Valid text is contained byte for byte.
      const isWhole = (text: string): boolean => !text.includes('\ufffd') || bytes.includes(text)
      return isWhole(question.query) && isWhole(question.sessionId) ? question : 'not-utf8'
    } catch {
      return 'malformed'
    }
  }
}

/** Throws an HttpError for invalid questions. */
function soundQuestion(read: ReadQuestion): WireQuestion {
  if (read === 'malformed') throw wrong(`the request is not an ${assistanceService.request}`)
  if (read === 'not-utf8') throw wrong('the request has text that is not UTF-8')
  if (read.query.trim() === '') throw wrong('query: must be a non-empty string')
  if (read.sessionId.length > longestSession) throw wrong(`session_id: must have at most ${longestSession} characters`)
  return read
}

function wrong(message: string): HttpError {
  return new HttpError(400, message)
}

/** A question with the turns before it. */
export interface GrpcQuestion {
  readonly question: string
  readonly history: readonly Message[]
}

/** The outcome of a call as an HTTP status; 499 when the client disconnected. */
export type CallEnd = { readonly status: number; readonly thrown?: unknown }

/** The dependencies of calls. */
export interface GrpcCallPorts {
  readonly clock: Clock
  readonly newId: () => string
  readonly admission: Admission
  readonly sessions: Sessions
  readonly writeIdleMs: number
  readonly coalescing?: CoalesceLimits | undefined
  /** The running calls. */
  readonly open: Set<GrpcCall>
  draining(): boolean
  /** Authenticates the caller; throws an HttpError when the call is not allowed. */
  identify(metadata: Metadata): Identity
  /** Answers a question: yields the text that may be shown when it is streamed, and returns the reply. */
  answer(caller: AskCaller, question: GrpcQuestion, isStream: boolean): AsyncGenerator<AskStep, AskReply>
  /** The code of an answer that was parsed, as the configured pipeline knows it. */
  codeOf(answer: string): string
  /** Called with a question that was rejected before it was answered. */
  refused(caller: AskCaller, query: string, thrown: unknown): Promise<void>
  /** Called at the end of every call. */
  ended(caller: AskCaller, end: CallEnd): void
}

/** One running call. */
export class GrpcCall {
  readonly #call: ServerWritableStream<ReadQuestion, WireAnswer>
  readonly #ports: GrpcCallPorts
  readonly #stop = new Stop()
  readonly #sink: CallSink
  readonly #caller: Mutable<AskCaller>

  constructor(call: ServerWritableStream<ReadQuestion, WireAnswer>, ports: GrpcCallPorts) {
    const { clock, writeIdleMs } = ports
    this.#call = call
    this.#ports = ports
    this.#caller = callerOf(call.metadata, ports, this.#stop)
    const { requestId } = this.#caller
    this.#sink = new CallSink(call, { clock, requestId, signal: this.#stop, writeIdleMs })
    call.on('cancelled', () => this.#stop.abort(new DOMException('the client disconnected', 'AbortError')))
  }

  /** Aborts the work because the gateway shuts down; the client is informed. */
  cutOff(): void {
    this.#stop.abort(cutOff)
  }

  /** Answers; never rejects. */
  async run(isStream: boolean): Promise<void> {
    const { open, ended } = this.#ports
    open.add(this)
    let end: CallEnd
    try {
      end = await this.#answer(isStream)
    } catch (thrown) {
      end = this.#fail(thrown)
    } finally {
      open.delete(this)
    }
    ended(this.#caller, end)
  }

  async #answer(isStream: boolean): Promise<CallEnd> {
    const { leave, query, sessionId } = await this.#admit()
    try {
      const { key } = this.#caller.identity
      const asked = { question: query, history: this.#ports.sessions.history(key, sessionId) }
      const reply = await this.#pass(this.#ports.answer(this.#caller, asked, isStream))
      if (isCutOff(this.#stop)) throw goingDown
      if (this.#stop.aborted) return { status: 499 }
      if (!reply.ok) return this.#refuse(reply)
      if (!(await this.#sink.end(finalMessage(reply, isStream, this.#ports)))) return { status: 499 }
      this.#ports.sessions.add(key, sessionId, query, reply.envelope.answer)
      return { status: 200 }
    } finally {
      leave()
    }
  }

  /** Admits a question; a rejection is recorded before it is sent. */
  async #admit(): Promise<WireQuestion & { leave(): void }> {
    const { admission, identify, refused, draining } = this.#ports
    const { request, metadata } = this.#call
    try {
      this.#caller.identity = identify(metadata)
      this.#caller.caller = this.#caller.identity.key || this.#call.getPeer()
      const question = soundQuestion(request)
      const session = sessionOf(question.sessionId)
      if (session !== undefined) this.#caller.session = session
      const { caller } = this.#caller
      const leave = admission.enter(question.query.length, caller)
      if (leave === undefined) {
        const most = admission.reached(caller)
        throw draining() ? goingDown : most === undefined ? overloaded : tooManyAtOnce(most)
      }
      return { ...question, leave }
    } catch (thrown) {
      await refused(this.#caller, typeof request === 'string' ? '' : request.query, thrown)
      throw thrown
    }
  }

  /** Passes on the text as it is released. */
  async #pass(steps: AsyncGenerator<AskStep, AskReply>): Promise<AskReply> {
    const messages = new TextMessages(this.#sink, this.#ports.clock, this.#ports.coalescing)
    try {
      for (;;) {
        const step = await steps.next()
        if (!step.done) {
          const slow = typeof step.value === 'string' ? messages.add(step.value) : undefined
          if (slow !== undefined) await slow
          continue
        }
        // An answer that is rejected late ends with its status.
        if (step.value.ok) await messages.end()
        return step.value
      }
    } finally {
      messages.drop()
      await steps.return(leftReply)
    }
  }

  #refuse(reply: AskRefused): CallEnd {
    this.#sendStatus(refusedStatus(reply))
    return { status: reply.status }
  }

  #fail(thrown: unknown): CallEnd {
    const { refusal, http, unexpected } = thrownStatus(thrown, this.#caller.requestId)
    this.#sendStatus(refusal)
    return { status: http, ...(unexpected ? { thrown } : {}) }
  }

  #sendStatus({ code, details, metadata }: Refusal): void {
    this.#call.emit('error', { code, details, metadata: requestIdMetadata(this.#caller.requestId, metadata) })
  }
}

function finalMessage({ envelope }: AskAnswered, isStream: boolean, { codeOf }: Pick<GrpcCallPorts, 'codeOf'>): WireAnswer {
  const { answer, type, validation_status: status = '' } = envelope
  return assistanceService.last({ text: isStream ? '' : answer, code: type === 'CODE_GENERATION' ? codeOf(answer) : '', status })
}
