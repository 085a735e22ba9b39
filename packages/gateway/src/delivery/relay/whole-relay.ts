import type { Outcome } from '@stickler/core'
import { replyMembers, type WireChanges, type WireReply } from '@stickler/core/internal'
import type { Fields } from '@stickler/core/runners'
import type { Mutable } from '../../mutable.ts'
import type { Attempt } from '../../requests/attempt.ts'
import type { ModelRequest } from '../../requests/model-request.ts'
import { isGuarded } from '../../requests/target.ts'
import { reasoningSecrets } from '../reply/reasoning-secrets.ts'
import type { Delivered } from '../reply/reply-parts.ts'
import { passesIn } from '../reply/sound-links.ts'
import { nativeUsage } from '../reply/usage.ts'
import { finalValues, type TakeValue } from './final-parts.ts'

/**
 * The provider's own reply body with the accepted content in place; undefined where it must be
 * rewritten.
 */
export function wholeRelay(request: ModelRequest, outcomes: readonly Outcome[], final: Delivered): string | undefined {
  const { target, sent, choices } = request
  const replies = choices.map(({ answering }) => answering)
  const call = replies[0]?.call
  const relay = call?.relay?.()
  const given = relay?.reply
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
