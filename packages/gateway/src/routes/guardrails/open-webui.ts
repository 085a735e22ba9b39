import type { Contract } from '@stickler/core'
import { contentText, type Fields, isFields } from '@stickler/core/internal'
import { changedCopies, withoutOtherCopies } from '@stickler/core/internal/apis'
import * as z from 'zod'
import { withoutSecrets } from './choices.ts'
import { type Guardrail, type GuardrailReply, reasonAgainst, Unreadable } from './guardrail.ts'
import { isStep, judgeTexts, mapMessage } from './messages.ts'
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
    if (judge.contract.policy.mode === 'shadow') return { body: given }
    const settled = settledMessage(last, after ?? last, judge.contract)
    return { body: { ...given, messages: messages.map((message) => (message === last ? settled : message)) } }
  },
  refuse,
})

/** A judged message, with its copies changed or withheld, and without secrets in the steps to it. */
function settledMessage(given: Fields, after: Fields, contract: Contract): Fields {
  const message = withoutOtherCopies({ ...after, content: given.content })
  const output = Array.isArray(after.output) ? { output: after.output.map((item) => searchedStep(item, contract)) } : {}
  const copies = after === given ? {} : changedCopies(message, contentText(after.content))
  return withoutSecrets({ ...message, ...copies, content: after.content, ...output }, contract)
}

/** All that a step says is searched as reasoning is. */
function searchedStep(item: unknown, contract: Contract): unknown {
  return isFields(item) && isStep(item.type) ? withoutSecrets({ reasoning: item }, contract).reasoning : item
}

/** The filter for prompts. */
export const openWebuiInlet = filter('inlet', 'user', 'the last prompt')

/** The filter for answers, which Open WebUI has shown already. */
export const openWebuiOutlet = filter('outlet', 'assistant', 'the last answer')
