import type { Outcome } from '@stickler/core'
import { answeringReply } from '../../enforcement/answering-reply.ts'
import type { AttemptReply } from '../../enforcement/choice-runner.ts'
import type { Choice } from '../../enforcement/job.ts'
import { passesIn } from '../reply/sound-links.ts'
import type { FinalReply } from '../shared/api.ts'
import type { Fields } from '../shared/fields.ts'
import { replyMembers } from '../shared/verdict-body.ts'
import type { Work } from '../work.ts'
import { finalValues, type TakeValue } from './final-parts.ts'
import { nativeUsage } from './native-usage.ts'

/** The body of a reply in its provider's own words, with what was found good in its place; undefined where it has to be written anew. */
export function wholeRelay(work: Work, choices: readonly Choice[], outcomes: readonly Outcome[], final: FinalReply): string | undefined {
  const replies = choices.map(answeringReply)
  const [first] = replies
  const relay = first?.call.relay?.()
  const given = relay?.reply
  if (relay === undefined || given === undefined || replies.some((reply) => reply?.call !== first?.call)) return undefined
  const { target, request } = work
  const passes = passesIn(target)
  const reply = passes === undefined ? given : relay.wire.passReply(given, passes)
  const takes = new Map<number, TakeValue>()
  const messages = new Map<number, Fields>()
  for (const [at, choice] of final.choices.entries()) {
    const attempt = replies[at] as AttemptReply
    const pieces = (of: 'text' | number, isName?: true) =>
      reply.parts.filter((part) => part.choice === attempt.choice && part.of === of && part.isName === isName).map(({ value }) => value)
    if (pieces('text').length === 0 && choice.text !== '') return undefined
    const take = finalValues(pieces, choice.text, attempt.end ?? { toolCalls: [] }, (outcomes[at] as Outcome).toolCalls)
    if (take === undefined) return undefined
    takes.set(attempt.choice, take)
    const { annotations } = choice.message
    if (annotations !== undefined && annotations !== attempt.end?.message.annotations) messages.set(attempt.choice, { annotations })
  }
  const parts = reply.parts.map((part) => takes.get(part.choice)?.(part) ?? part.value)
  const usage = nativeUsage(choices)
  return relay.wire.writeWhole(reply, {
    model: request.chat.model,
    members: replyMembers(final),
    ...(parts.some((value, at) => value !== reply.parts[at]?.value) && { parts }),
    ...(usage && { usage }),
    ...(messages.size > 0 && { messages }),
  })
}
