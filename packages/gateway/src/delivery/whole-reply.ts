import type { Outcome } from '@stickler/core'
import { attempting, enforceDirectly, type HttpError, type MaybePromise, whenReady } from '@stickler/core/internal'
import { isCutOff } from '../front/replies/going-down.ts'
import { sendJsonText } from '../front/replies/json-response.ts'
import type { Choice } from '../requests/choice.ts'
import type { ModelRequest } from '../requests/model-request.ts'
import { endedOutcome } from '../requests/pipeline/ended-outcome.ts'
import { withListedRepairs } from '../services/listed-repairs.ts'
import { largeBytes } from '../upstreams/transport/decoded-body.ts'
import { wholeRelay } from './relay/whole-relay.ts'
import { delivered, failureOf, finalReply, openingHeaders, unwritten, verdictHeaders } from './reply/reply-parts.ts'

/** Sends a whole reply, when every choice meets the contract. */
export function wholeReply(request: ModelRequest): MaybePromise<void> {
  return attempting(
    () => whenReady(outcomesOf(request), (outcomes) => send(request, outcomes)),
    () => request.tell(),
    (error) => {
      request.tell()
      throw error
    },
  )
}

/** A single one, the common case, without the cost of `Promise.all`. */
function outcomesOf(request: ModelRequest): MaybePromise<readonly Outcome[]> {
  const running = request.open().map(outcomeOf)
  return running.length === 1 ? whenReady(running[0] as MaybePromise<Outcome>, (outcome) => [outcome]) : Promise.all(running)
}

function send(request: ModelRequest, outcomes: readonly Outcome[]): MaybePromise<void> {
  const error = failureOf(request, outcomes)
  if (error !== undefined || isGone(request)) return keep(request, outcomes, error)
  // Before the record, which says what is really sent.
  return attempting(
    () => whenReady(isLarge(request, outcomes) ? request.pause() : undefined, () => write(request, outcomes)),
    (written) => keep(request, outcomes, undefined, written),
    (thrown) => {
      const lost = unwritten(request, outcomes, thrown)
      return keep(request, lost.outcomes, lost.error)
    },
  )
}

function keep(request: ModelRequest, outcomes: readonly Outcome[], error: HttpError | undefined, written?: Written): MaybePromise<void> {
  return whenReady(request.keep(outcomes, error?.status ?? 200, error), (unkept) => {
    if (isGone(request)) return
    const failure = error ?? unkept
    if (failure !== undefined) throw failure
    if (written !== undefined) sendJsonText(request.caller, 200, written.body, written.headers)
  })
}

function isGone({ caller: { signal } }: ModelRequest): boolean {
  return signal.aborted && !isCutOff(signal)
}

/** A reply as it is sent. */
interface Written {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

function write(request: ModelRequest, outcomes: readonly Outcome[]): Written {
  const answers = delivered(request, outcomes)
  const body = wholeRelay(request, outcomes, answers) ?? request.api.reply(request.sent, finalReply(request, outcomes, answers))
  return { body, headers: { ...verdictHeaders(request, outcomes), ...openingHeaders(request) } }
}

/** Whether writing an answer takes so long that others have their turn before. */
function isLarge({ choices }: ModelRequest, outcomes: readonly Outcome[]): boolean {
  const given = choices[0]?.answering?.call.relay?.()?.reply?.body.length
  return (given ?? 0) > largeBytes || outcomes.some(({ text }) => text.length > largeBytes)
}

function outcomeOf({ options, ended }: Choice): MaybePromise<Outcome> {
  return whenReady(ended === undefined ? enforceDirectly(options) : endedOutcome(options, ended), withListedRepairs)
}
