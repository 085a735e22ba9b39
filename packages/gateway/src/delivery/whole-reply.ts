import type { Outcome } from '@stickler/core'
import { attempting, enforceDirectly, type Fields, type MaybePromise, whenReady } from '@stickler/core/internal'
import { type HttpError, replyMembers, type WireChanges, type WireReply } from '@stickler/core/internal/apis'
import { sendJsonText } from '../front/replies/json-response.ts'
import { isCutOff } from '../front/replies/overload-errors.ts'
import type { Mutable } from '../mutable.ts'
import type { Choice } from '../requests/choice.ts'
import type { ModelRequest } from '../requests/model-request.ts'
import { endedOutcome } from '../requests/pipeline/ended-outcome.ts'
import type { Attempt } from '../requests/request-attempt.ts'
import { isGuarded } from '../requests/target.ts'
import { withListedRepairs } from '../services/listed-repairs.ts'
import { largeBytes } from '../upstreams/transport/decoded-body.ts'
import { finalValues, type TakeValue } from './relay/final-parts.ts'
import { reasoningSecrets } from './reply/reasoning-secrets.ts'
import { type Delivered, delivered, failureOf, finalReply, openingHeaders, unwritten, verdictHeaders } from './reply/reply-parts.ts'
import { nativeUsage } from './reply/reply-usage.ts'
import { passesIn } from './reply/safe-links.ts'

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

/**
 * The provider's own reply body with the accepted content in place; undefined where it must be
 * rewritten.
 */
function wholeRelay(request: ModelRequest, outcomes: readonly Outcome[], final: Delivered): string | undefined {
  const { target, sent, choices } = request
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
  const changes: Mutable<WireChanges> = { model: sent.chat.model, members: replyMembers(final) }
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
