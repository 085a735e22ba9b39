import { isIP } from 'node:net'
import { checkServerIdentity } from 'node:tls'
import {
  type ChannelOptions,
  Client,
  connectivityState,
  credentials,
  type MethodDefinition,
  type ServiceError,
  status,
} from '@grpc/grpc-js'
import { ParserUnavailable } from '@stickler/core/validators'
import { oneLine } from '@stickler/node/internal'
import type { ParserAddress } from '../settings/parser-address.ts'
import { callerMetadata } from '../wire/caller.ts'
import { isTooHard } from '../wire/too-hard.ts'

/** What is known of a call that failed, beside its status. */
interface FailedCall {
  readonly timeoutMs: number
  /** Whether the caller gave up. */
  readonly isAborted: boolean
  /** Whether the reply had begun: a service that refuses a request begins none. */
  readonly hasBegun: boolean
}

type EndedCall = Pick<ServiceError, 'code' | 'details'> & Partial<Pick<ServiceError, 'metadata'>>

/** Says why a call has no verdict, and whether that is the fault of the service. */
function failureOf(error: EndedCall, call: FailedCall): ParserUnavailable {
  const { code, details } = error
  const reason = oneLine(details, 200)
  const because = reason === '' ? '' : `: ${reason}`
  if (call.isAborted) return new ParserUnavailable('the call was aborted', 'aborted')
  switch (code) {
    case status.DEADLINE_EXCEEDED:
      return new ParserUnavailable(`the parser service did not answer within ${call.timeoutMs} ms`, 'fault', undefined, 'timeout')
    case status.RESOURCE_EXHAUSTED:
      if (call.hasBegun)
        return new ParserUnavailable(`the reply of the parser service is too large${because}`, 'fault', undefined, 'protocol')
      return isTooHard(error)
        ? new ParserUnavailable(`the parser service did not finish with the code${because}`, 'too-hard')
        : new ParserUnavailable(`the code is too large for the parser service${because}`, 'too-large')
    case status.INVALID_ARGUMENT:
      return new ParserUnavailable(`the parser service refuses the request${because}`, 'refused')
    case status.UNAVAILABLE:
      return new ParserUnavailable(`the parser service is unavailable: ${troubleOf(details)}`, 'fault', undefined, 'connection')
    case status.UNIMPLEMENTED:
      return new ParserUnavailable(`there is another service at the address of the parser`, 'fault', undefined, 'protocol')
    default:
      return new ParserUnavailable(`the parser service failed with ${status[code] ?? code}`, 'fault')
  }
}

/**
 * Why a connection failed, by keywords in the transport's message, which itself names addresses
 * that clients must not see.
 */
const troubles: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'the connection is refused'],
  [/Name resolution failed|ENOTFOUND|EAI_AGAIN/, 'its name is not found'],
  [/certificate|CERT_|self-signed|altnames/i, 'its certificate is not accepted'],
  [/ECONNRESET|EPIPE|[Cc]onnection dropped|GOAWAY|closed/, 'the connection was lost'],
]

function troubleOf(details: string): string {
  const start = details.slice(0, 1000)
  return troubles.find(([pattern]) => pattern.test(start))?.[1] ?? 'no connection can be made'
}

/** What a connection is made with. */
interface ConnectionSettings {
  readonly address: ParserAddress
  /** PEM text of the authorities that may vouch for the service. */
  readonly ca?: string | undefined
  /** Most bytes of a message to the service. */
  readonly messageLimit: number
}

/** How long a call may take, and who may end it. */
export interface CallLimits {
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  /** For whom it is: the service serves callers in turn. */
  readonly caller?: string | undefined
}

/** After this many calls in a row without any response the connection itself is suspected: otherwise a dead one is noticed only after minutes. */
const mostTimeouts = 2

/** Bytes of a reply: more than all the faults that are read take. */
const longestReply = 1024 * 1024

/** A channel with the number of its calls; one that is given up is closed when they have ended. */
interface Line {
  readonly client: Client
  calls: number
}

/** A connection to a service that comes back by itself: refused calls fail at once, and a dead connection is replaced. */
export class Connection {
  readonly #with: ConnectionSettings
  #line: Line
  #timeouts = 0
  #isClosed = false

  constructor(settings: ConnectionSettings) {
    this.#with = settings
    this.#line = { client: connect(settings), calls: 0 }
  }

  /** Calls a method once; rejects with ParserUnavailable. */
  call<Request, Reply>(method: MethodDefinition<Request, Reply>, request: Request, limits: CallLimits): Promise<Reply> {
    const { timeoutMs, signal, caller } = limits
    if (this.#isClosed) return Promise.reject(new ParserUnavailable('the connection to the parser service is closed', 'fault'))
    if (signal?.aborted) return Promise.reject(new ParserUnavailable('the call was aborted', 'aborted'))
    const line = this.#line
    line.calls++
    return new Promise((resolve, reject) => {
      let hasBegun = false
      const began = performance.now()
      const call = line.client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        request,
        callerMetadata(caller),
        { deadline: Date.now() + timeoutMs },
        (error, reply) => {
          signal?.removeEventListener('abort', cancel)
          this.#ended(line, error?.code, performance.now() - began >= 0.9 * timeoutMs)
          if (error === null && reply !== undefined) return resolve(reply)
          const failed = error ?? { code: status.UNKNOWN, details: 'an empty reply' }
          reject(failureOf(failed, { timeoutMs, hasBegun, isAborted: signal?.aborted === true }))
        },
      )
      const cancel = (): void => call.cancel()
      call.on('metadata', () => {
        hasBegun = true
      })
      signal?.addEventListener('abort', cancel)
    })
  }

  /** Ends the connection; calls under way may still end. */
  close(): void {
    this.#isClosed = true
    this.#line.client.close()
  }

  #ended(line: Line, code: status | undefined, isLate: boolean): void {
    line.calls--
    if (line === this.#line) this.#suspect(code, isLate)
    if (line !== this.#line && line.calls === 0) line.client.close()
  }

  #suspect(code: status | undefined, isLate: boolean): void {
    // Callers have their own time limits; a caller that leaves early says nothing about the
    // service.
    if (code === status.CANCELLED && !isLate) return
    this.#timeouts = code === status.DEADLINE_EXCEEDED || code === status.CANCELLED ? this.#timeouts + 1 : 0
    if ((this.#timeouts < mostTimeouts && !this.#isLost(code)) || this.#isClosed) return
    this.#timeouts = 0
    this.#line = { client: connect(this.#with), calls: 0 }
  }

  /** A channel that lost its connection refuses calls until its pause is over, though the service may be back. */
  #isLost(code: status | undefined): boolean {
    if (code !== status.UNAVAILABLE) return false
    return this.#line.client.getChannel().getConnectivityState(false) === connectivityState.TRANSIENT_FAILURE
  }
}

function connect({ address, ca, messageLimit }: ConnectionSettings): Client {
  const options: ChannelOptions = {
    'grpc.max_send_message_length': messageLimit,
    'grpc.max_receive_message_length': longestReply,
    // A service that is back must be found soon, also at another address.
    'grpc.initial_reconnect_backoff_ms': 100,
    'grpc.max_reconnect_backoff_ms': 1000,
    'grpc.dns_min_time_between_resolutions_ms': 1000,
    // A connection that is given up must not be taken up again.
    'grpc.use_local_subchannel_pool': 1,
    // One verdict is one call.
    'grpc.enable_retries': 0,
    // Neither the environment nor the name server may lead calls elsewhere.
    'grpc.enable_http_proxy': 0,
    'grpc.service_config_disable_resolution': 1,
  }
  if (!address.secure) return new Client(address.target, credentials.createInsecure(), options)
  const authorities = ca === undefined ? null : Buffer.from(ca)
  const ip = ipOf(address)
  if (ip === undefined) return new Client(address.target, credentials.createSsl(authorities), options)
  // TLS asks for servers by name only, and newer versions of Node refuse an address there; the certificate must still be for the address.
  const trust = credentials.createSsl(authorities, null, null, { checkServerIdentity: (_name, cert) => checkServerIdentity(ip, cert) })
  return new Client(address.target, trust, { ...options, 'grpc.ssl_target_name_override': 'address.invalid' })
}

function ipOf({ target }: ParserAddress): string | undefined {
  const host = target.slice(0, target.lastIndexOf(':')).replace(/^\[|\]$/g, '')
  return isIP(host) === 0 ? undefined : host
}
