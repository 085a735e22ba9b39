import { isFields } from '@stickler/core/internal'
import * as z from 'zod'
import { judgeChoices, settledChoices } from './choices.ts'
import { type Guardrail, type GuardrailReply, type Judge, reasonAgainst, Unreadable } from './guardrail.ts'
import { judgeTexts, mapMessage } from './messages.ts'
import { changesCalls, objectsIn } from './texts.ts'

const message = z.looseObject({ role: z.string(), content: z.unknown() })
const choice = z.looseObject({ message })
const messages = z.looseObject({ messages: z.array(message) })
const choices = z.looseObject({ choices: z.array(choice) })

const refuse = (why: string): GuardrailReply => ({ body: { action: { body: why, status_code: 422, reason: why } } })

/** The actions that agentgateway tries in this order: mask, reject, pass. */
const replyTo = (masked: z.ZodType) =>
  z.strictObject({
    action: z.union([
      z.strictObject({ body: masked, reason: z.string().optional() }),
      z.strictObject({ body: z.string(), status_code: z.int(), reason: z.string().optional() }),
      z.strictObject({ reason: z.string().optional() }),
    ]),
  })

const notes =
  'Answers with an empty action to pass, with a body to mask, or with a text and status 422 to reject, also for what cannot be read.'

/** The guardrail webhook of agentgateway for responses. */
export const agentgatewayResponse: Guardrail = {
  name: 'agentgateway',
  path: 'agentgateway/:contract/response',
  summary: 'Give a verdict on a response to agentgateway, as a guardrail webhook.',
  notes,
  body: z.looseObject({ body: choices }),
  reply: replyTo(choices),
  async answer({ body }, judge) {
    const given = objectsIn(body, 'choices')
    if (given.length === 0) throw new Unreadable('body.choices is empty.')
    if (!given.every(({ message }) => isFields(message))) throw new Unreadable('Each choice must have a message.')
    const verdicts = await judgeChoices({ choices: given }, {}, judge)
    const reason = reasonAgainst(verdicts)
    if (reason !== undefined) return refuse(reason)
    if (verdicts.some(changesCalls)) return refuse('The tool calls need a repair, which cannot be sent back.')
    const masked = settledChoices(given, verdicts, judge.contract)
    const isChanged = masked.some((choice, at) => choice !== given[at])
    return { body: { action: isChanged ? { body: { choices: masked } } : {} } }
  },
  refuse,
}

/** The guardrail webhook of agentgateway for prompts. */
export const agentgatewayRequest: Guardrail = {
  name: 'agentgateway',
  path: 'agentgateway/:contract/request',
  summary: 'Give a verdict on a prompt to agentgateway, as a guardrail webhook.',
  notes,
  body: z.looseObject({ body: messages }),
  reply: replyTo(messages),
  async answer({ body }, judge: Judge) {
    const given = objectsIn(body, 'messages')
    const { verdicts, after } = await judgeTexts((change) => given.map((one) => mapMessage(one, change)), judge)
    const reason = reasonAgainst(verdicts)
    if (reason !== undefined) return refuse(reason)
    return { body: { action: after ? { body: { messages: after } } : {} } }
  },
  refuse,
}
