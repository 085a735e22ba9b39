import type { Contract } from '@stickler/core'
import { type Fields, isFields } from '@stickler/core/internal'
import { settledLength } from '@stickler/core/internal/apis'
import * as z from 'zod'
import { type Guardrail, type Judge, reasonAgainst, Unreadable, type Verdict } from './guardrail.ts'
import { judgeTexts, mapMessage } from './messages.ts'
import { changesCalls } from './texts.ts'

const list = z.array(z.unknown()).nullable().optional()

/** The generic guardrail API of LiteLLM, which appends the end of the path itself. */
export const litellm: Guardrail = {
  name: 'litellm',
  path: 'litellm/:contract/beta/litellm_basic_guardrail_api',
  summary: 'Give a verdict to LiteLLM, as a generic guardrail API.',
  notes: 'Answers with NONE, GUARDRAIL_INTERVENED with repaired texts, or BLOCKED, which is also the answer to what cannot be read.',
  body: z.looseObject({
    input_type: z.enum(['request', 'response']),
    texts: z.array(z.string()).nullable().optional(),
    tool_calls: list,
    tools: list,
    structured_messages: list,
    images: z.array(z.string()).nullable().optional(),
  }),
  reply: z.strictObject({
    action: z.enum(['NONE', 'GUARDRAIL_INTERVENED', 'BLOCKED']),
    blocked_reason: z.string().optional(),
    texts: z.array(z.string()).optional(),
    stream_holdback_chars: z.array(z.int()).optional(),
  }),
  async answer(body, judge) {
    const { input_type: kind } = body
    if (kind !== 'request' && kind !== 'response') throw new Unreadable('input_type must be request or response.')
    const texts = textsOf(body)
    const calls = listIn(body, 'tool_calls')
    const images = listIn(body, 'images')
    const context = { tools: listIn(body, 'tools') ?? (body.tools ? [] : undefined), messages: listIn(body, 'structured_messages') }
    // The calls of one choice belong to its text; of several, nothing says whose they are.
    const isOne = texts.length === 1
    const ofTexts =
      kind === 'request'
        ? await judge.checkTexts(texts)
        : await judge.checkAll(texts.map((text) => ({ ...context, ...(isOne && calls && { tool_calls: calls }), text })))
    const others =
      kind === 'request'
        ? await judgeBeside(texts.length === 0 ? context.messages : undefined, calls, judge)
        : isOne
          ? []
          : await judgeOthers(texts, { ...context, tool_calls: calls }, images, judge)
    const verdicts = [...ofTexts, ...others]
    const reason = reasonAgainst(verdicts)
    if (reason !== undefined) return this.refuse(reason, body)
    if (verdicts.some(changesCalls)) return this.refuse('The tool calls need a repair, which cannot be sent back.', body)
    if (others.some(({ given, settled }) => settled.text !== given.text))
      return this.refuse('What needs a repair cannot be sent back.', body)
    const repaired = ofTexts.map(({ settled }) => settled.text)
    const held = kind === 'response' && texts.length > 0 ? { stream_holdback_chars: await holdbacks(ofTexts, judge) } : {}
    if (repaired.every((text, index) => text === texts[index])) return { body: { action: 'NONE', ...held } }
    return { body: { action: 'GUARDRAIL_INTERVENED', texts: repaired, ...held } }
  },
  refuse: (why) => ({ body: { action: 'BLOCKED', blocked_reason: why } }),
}

function textsOf({ texts }: Fields): readonly string[] {
  if (texts === undefined || texts === null) return []
  if (!Array.isArray(texts) || !texts.every((text) => typeof text === 'string')) throw new Unreadable('texts must be a list of texts.')
  return texts
}

/** A list of a body; undefined when it is absent or empty. */
function listIn(body: Fields, name: string): readonly unknown[] | undefined {
  const given = body[name] ?? []
  if (!Array.isArray(given)) throw new Unreadable(`${name} must be a list.`)
  return given.length === 0 ? undefined : given
}

/** What a prompt has beside its texts: earlier calls, and messages whose texts were not sent. */
async function judgeBeside(
  messages: readonly unknown[] = [],
  calls: readonly unknown[] | undefined,
  judge: Judge,
): Promise<readonly Verdict[]> {
  const all = calls ? [...messages, { tool_calls: calls }] : messages
  if (!all.every(isFields)) throw new Unreadable('structured_messages must be a list of objects.')
  return (await judgeTexts((change) => all.map((message) => mapMessage(message, change)), judge)).verdicts
}

/** What a response has beside its texts; without any, it is judged as an empty one. */
async function judgeOthers(
  texts: readonly string[],
  beside: Fields,
  images: readonly unknown[] | undefined,
  judge: Judge,
): Promise<readonly Verdict[]> {
  if (beside.tool_calls !== undefined) return [await judge.check(beside)]
  if (texts.length > 0) return []
  const content = images?.map((url) => ({ type: 'image_url', image_url: { url } }))
  return [await judge.check(content ? { message: { role: 'assistant', content } } : { ...beside, text: '' })]
}

/** How many characters at the end of each text may still change while it grows; Python counts code points. */
async function holdbacks(verdicts: readonly Verdict[], judge: Judge): Promise<readonly number[]> {
  const counts: number[] = []
  for (const { given, settled } of verdicts) {
    const sure = given.text.slice(0, sureLength(judge.contract, given.text))
    const shown = settled.text === given.text ? sure : (await judge.settle(given.changed(sure, []))).text
    counts.push([...settled.text.slice(commonLength(shown, settled.text))].length)
  }
  return counts
}

function sureLength({ validators, policy }: Contract, text: string): number {
  if (policy.stream === 'pass') return text.length
  if (policy.stream === 'hold') return 0
  const judging = validators.filter(({ severity }) => severity !== 'warning')
  return settledLength(judging, text, { locale: policy.locale, context: {}, ports: {}, signal: never })
}

const never = new AbortController().signal

function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}
