import { type ServiceError, status } from '@grpc/grpc-js'
import { ParserUnavailable } from '@stickler/core/syntax'
import { oneLine } from '../wire/one-line.ts'
import { isTooHard } from '../wire/too-hard.ts'

/** What is known of a call that failed, beside its status. */
export interface FailedCall {
  readonly timeoutMs: number
  /** Whether the caller gave up. */
  readonly isAborted: boolean
  /** Whether the reply had begun: a service that refuses a request begins none. */
  readonly hasBegun: boolean
}

type EndedCall = Pick<ServiceError, 'code' | 'details'> & Partial<Pick<ServiceError, 'metadata'>>

/** Says why a call has no verdict, and whether that is the fault of the service. */
export function failureOf(error: EndedCall, call: FailedCall): ParserUnavailable {
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
