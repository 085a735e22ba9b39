import type { Fields } from '../answer/tool-shapes/fields.ts'
import { replyMembers } from '../apis/reply/verdict-body.ts'
import type { HttpError } from '../apis/shared/http-error.ts'
import type { WireChanges, WireReply } from '../apis/shared/wire.ts'
import { enforceDirectly } from '../engine/enforce.ts'
import type { Outcome } from '../engine/outcome.ts'
import { attempting, type MaybePromise, whenReady } from '../engine/waiting/deferred.ts'
import type { Attempt } from './attempts/attempt.ts'
import { largeBytes } from './calls/byte-source.ts'
import type { Mutable } from './mutable.ts'
import { isGuarded, type RelayedChoice, type RelayedRequest } from './relayed-request.ts'
import { endedOutcome } from './reply/ended-outcome.ts'
import { withListedRepairs } from './reply/listed-repairs.ts'
import { reasoningSecrets } from './reply/reasoning-secrets.ts'
import { type Delivered, delivered, failureOf, finalReply, openingHeaders, unwritten, verdictHeaders } from './reply/reply-parts.ts'
import { nativeUsage } from './reply/reply-usage.ts'
import { passesIn } from './reply/safe-links.ts'
import { finalValues, type TakeValue } from './stream/final-parts.ts'

/** Sends a body of a whole reply, with its headers. */
export type SendBody = (body: string, headers: Readonly<Record<string, string>>) => void

/** Sends a whole reply, when every choice meets the contract. */
export function wholeReply(request: RelayedRequest, sendBody: SendBody): MaybePromise<void> {
  return attempting(
    () => whenReady(outcomesOf(request), (outcomes) => send(request, outcomes, sendBody)),
    () => request.tell(),
    (error) => {
      request.tell()
      throw error
    },
  )
}

/** A single one, the common case, without the cost of `Promise.all`. */
function outcomesOf(request: RelayedRequest): MaybePromise<readonly Outcome[]> {
  const running = request.open().map(outcomeOf)
  return running.length === 1 ? whenReady(running[0] as MaybePromise<Outcome>, (outcome) => [outcome]) : Promise.all(running)
}

function send(request: RelayedRequest, outcomes: readonly Outcome[], sendBody: SendBody): MaybePromise<void> {
  const error = failureOf(request, outcomes)
  if (error !== undefined || isGone(request)) return keep(request, outcomes, error, sendBody)
  // Before the record, which says what is really sent.
  return attempting(
    () => whenReady(isLarge(request, outcomes) ? request.pause() : undefined, () => write(request, outcomes)),
    (written) => keep(request, outcomes, undefined, sendBody, written),
    (thrown) => {
      const lost = unwritten(request, outcomes, thrown)
      return keep(request, lost.outcomes, lost.error, sendBody)
    },
  )
}

function keep(
  request: RelayedRequest,
  outcomes: readonly Outcome[],
  error: HttpError | undefined,
  sendBody: SendBody,
  written?: Written,
): MaybePromise<void> {
  return whenReady(request.keep(outcomes, error?.status ?? 200, error), (unkept) => {
    if (isGone(request)) return
    const failure = error ?? unkept
    if (failure !== undefined) throw failure
    if (written !== undefined) sendBody(written.body, written.headers)
  })
}

function isGone(request: RelayedRequest): boolean {
  return request.caller.signal.aborted && request.cutOff() === undefined
}

/** A reply as it is sent. */
interface Written {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

function write(request: RelayedRequest, outcomes: readonly Outcome[]): Written {
  const answers = delivered(request, outcomes)
  const body = wholeRelay(request, outcomes, answers) ?? request.api.reply(request.sent, finalReply(request, outcomes, answers))
  return { body, headers: { ...verdictHeaders(request, outcomes), ...openingHeaders(request) } }
}

/** Whether writing an answer takes so long that others have their turn before. */
function isLarge({ choices }: RelayedRequest, outcomes: readonly Outcome[]): boolean {
  const given = choices[0]?.answering?.call.relay?.()?.reply?.body.length
  return (given ?? 0) > largeBytes || outcomes.some(({ text }) => text.length > largeBytes)
}

function outcomeOf({ options, ended }: RelayedChoice): MaybePromise<Outcome> {
  return whenReady(ended === undefined ? enforceDirectly(options) : endedOutcome(options, ended), withListedRepairs)
}

/**
 * The provider's own reply body with the accepted content in place; undefined where it must be
 * rewritten.
 */
function wholeRelay(request: RelayedRequest, outcomes: readonly Outcome[], final: Delivered): string | undefined {
  const { target, choices } = request
  const replies = choices.map(({ answering }) => answering)
  const call = replies[0]?.call
  const relay = call?.relay?.()
  const given = relay?.reply
  // A fallback is not what the provider wrote.
  if (outcomes.some(({ fallback }) => fallback)) return undefined
  if (relay === undefined || given === undefined || replies.some((reply) => reply?.call !== call)) return undefined
  const passes = passesIn(target)
  const sound = passes === undefined ? given : relay.wire.passReply(given, passes)
  const reply = reasoningSecrets(target)?.reply(sound) ?? sound
  const usage = nativeUsage(choices, request.api)
  const changes: Mutable<WireChanges> = { members: replyMembers(final) }
  if (request.shownModel !== undefined) changes.model = request.shownModel
  if (usage !== undefined) changes.usage = usage
  if (isAsGiven(reply, replies, final, outcomes)) return relay.wire.writeWhole(reply, changes)
  const noArguments = isGuarded(target) ? relay.wire.noArguments : undefined
  const takes = new Map<number, TakeValue>()
  const messages = new Map<number, Fields>()
  for (const [at, choice] of final.choices.entries()) {
    const attempt = replies[at] as Attempt
    const pieces = (of: 'text' | number, isName?: true) =>
      reply.parts.filter((part) => part.choice === attempt.choice && part.of === of && part.isName === isName).map(({ value }) => value)
    if (pieces('text').length === 0 && choice.text !== '') return undefined
    const { toolCalls, repairs } = outcomes[at] as Outcome
    const take = finalValues(pieces, choice.text, attempt.end ?? { toolCalls: [] }, toolCalls, repairs, noArguments)
    if (take === undefined) return undefined
    takes.set(attempt.choice, take)
    const { annotations } = choice.message
    if (annotations !== undefined && annotations !== attempt.end?.message.annotations) messages.set(attempt.choice, { annotations })
  }
  const parts = reply.parts.map((part) => takes.get(part.choice)?.(part) ?? part.value)
  if (parts.some((value, at) => value !== reply.parts[at]?.value)) changes.parts = parts
  if (messages.size > 0) changes.messages = messages
  return relay.wire.writeWhole(reply, changes)
}

/** Whether the only choice is delivered with exactly the provider's text, as nearly all are. */
function isAsGiven(
  { parts }: WireReply,
  [reply]: readonly (Attempt | undefined)[],
  { choices }: Delivered,
  [outcome]: readonly Outcome[],
): boolean {
  const [part] = parts
  const [choice] = choices
  if (choices.length !== 1 || parts.length !== 1 || part === undefined || choice === undefined || reply?.end === undefined) return false
  const { annotations } = choice.message
  if (annotations !== undefined && annotations !== reply.end.message.annotations) return false
  const isText = part.of === 'text' && part.choice === reply.choice && part.value === choice.text
  return isText && reply.end.toolCalls.length === 0 && outcome?.toolCalls.length === 0
}
