import { isFields } from '@stickler/core/internal'
import * as z from 'zod'
import { type Guardrail, type GuardrailReply, reasonAgainst, Unreadable } from './guardrail.ts'
import { judgeTexts, mapMessage } from './messages.ts'
import { objectsIn } from './texts.ts'

const body = z.looseObject({ messages: z.array(z.looseObject({})) })

/** Open WebUI shows the detail of an error, and passes everything else on. */
const refuse = (why: string): GuardrailReply => ({ status: 400, body: { detail: why } })

const filter = (name: 'inlet' | 'outlet', role: string, what: string): Guardrail => ({
  name: 'open-webui',
  path: `open-webui/v1/:contract/filter/${name}`,
  summary: `Judge ${what} of Open WebUI, as a filter pipeline.`,
  notes:
    'Answers with the body, repaired where the contract allows that; a violation is a 400 with `detail`, the only refusal that Open WebUI knows.',
  body: z.looseObject({ body, user: z.looseObject({}).nullable().optional() }),
  reply: body,
  error: z.strictObject({ detail: z.string() }),
  async answer({ body: given }, judge) {
    if (!isFields(given)) throw new Unreadable('body must be an object.')
    const messages = objectsIn(given, 'messages')
    // Earlier turns were judged when they were new.
    const last = messages.findLast((message) => message.role === role)
    if (last === undefined) throw new Unreadable(`messages must have one with the role ${role}.`)
    const { verdicts, after } = await judgeTexts((change) => mapMessage(last, change), judge)
    const reason = reasonAgainst(verdicts)
    if (reason !== undefined) return refuse(reason)
    return { body: after ? { ...given, messages: messages.map((message) => (message === last ? after : message)) } : given }
  },
  refuse,
})

/** The filter for prompts. */
export const openWebuiInlet = filter('inlet', 'user', 'the last prompt')

/** The filter for answers, which Open WebUI has shown already. */
export const openWebuiOutlet = filter('outlet', 'assistant', 'the last answer')
