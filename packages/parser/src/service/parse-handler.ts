import { type handleUnaryCall, type Metadata, status } from '@grpc/grpc-js'
import { ParserUnavailable, type SyntaxVerdict } from '@stickler/core/validators'
import { type Admission, type Refusal, refusal } from '@stickler/node/grpc'
import { oneLine } from '@stickler/node/internal'
import type { LocalParser } from '../local/local-parser.ts'
import { callerIn } from '../wire/caller.ts'
import type { WireReply, WireRequest } from '../wire/parser-proto.ts'
import { tooHard } from '../wire/too-hard.ts'

/** What the handler of `Parse` works with. */
export interface ParseHandlerPorts {
  readonly parser: Pick<LocalParser, 'parse'>
  readonly admission: Admission
  /** Told of every failure that is not the caller's. */
  onFault(message: string): void
}

const longestLanguage = 200

/** Who makes a call: a connection, or one of the callers that a gateway tells apart on its own. */
export function parseCaller(metadata: Metadata, peer: string): string {
  return `${peer} ${callerIn(metadata)}`
}

/** Answers `Parse`; a call without a verdict ends with a status, never with an invented verdict. */
export function parseHandler({ parser, admission, onFault }: ParseHandlerPorts): handleUnaryCall<WireRequest | 'malformed', WireReply> {
  return (call, answer) => {
    const { request } = call
    if (request === 'malformed') return answer({ code: status.INVALID_ARGUMENT, details: 'the request is not a ParseRequest' })
    const problem = problemOf(request)
    if (problem !== undefined) return answer({ code: status.INVALID_ARGUMENT, details: problem })
    const caller = parseCaller(call.metadata, call.getPeer())
    const leave = admission.enter(request.source.length, caller)
    if (leave === undefined)
      return answer({ code: status.UNAVAILABLE, details: 'the service is at its limit or shutting down; try again later' })
    const gone = new AbortController()
    call.on('cancelled', () => gone.abort())
    parser
      .parse(request.language, request.source, gone.signal, caller, patienceOf(call.getDeadline()))
      .then(
        (verdict) => answer(null, replyOf(verdict)),
        (error: unknown) => answer(refusalOf(error, onFault)),
      )
      .finally(leave)
  }
}

/** The part of the time until a deadline that parsing may take, so that its end is known before the caller gives up on the service. */
const share = 0.8

function patienceOf(deadline: Date | number): number {
  return share * Math.max(0, Number(deadline) - Date.now())
}

function problemOf({ language }: WireRequest): string | undefined {
  if (language.trim() === '') return 'language is missing'
  return language.length > longestLanguage ? `language is longer than ${longestLanguage} characters` : undefined
}

function replyOf(verdict: SyntaxVerdict): WireReply {
  if (verdict.verdict !== 'invalid') return { verdict: verdict.verdict === 'valid' ? 'VALID' : 'UNSUPPORTED', trace: [] }
  return { verdict: 'INVALID', trace: verdict.trace.map((fault) => ({ suggestion: '', ...fault })) }
}

function refusalOf(error: unknown, onFault: (message: string) => void): Refusal {
  if (!(error instanceof ParserUnavailable)) {
    onFault(oneLine(error instanceof Error ? error.message : String(error), 500))
    // What went wrong inside is for the log only.
    return refusal(status.INTERNAL, 'the parser failed')
  }
  const { message, reason } = error
  if (reason === 'too-large') return refusal(status.RESOURCE_EXHAUSTED, message)
  if (reason === 'too-hard') return refusal(status.RESOURCE_EXHAUSTED, message, tooHard())
  if (reason === 'refused') return refusal(status.INVALID_ARGUMENT, message)
  if (reason === 'aborted') return refusal(status.CANCELLED, message)
  onFault(oneLine(message, 500))
  return refusal(status.UNAVAILABLE, message)
}
