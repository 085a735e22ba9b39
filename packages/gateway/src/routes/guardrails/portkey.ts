import { type Fields, isFields } from '@stickler/core/internal'
import * as z from 'zod'
import { type Guardrail, type Judge, reasonAgainst, Unreadable, type Verdict } from './guardrail.ts'
import { changesCalls, contentTexts, objectsIn, settledContent, withTexts } from './texts.ts'

const side = z.looseObject({ json: z.unknown().optional(), text: z.string().nullable().optional() })

/** What has no text of a model. */
const unjudged: ReadonlySet<unknown> = new Set(['embed'])

/** The webhook guardrail of Portkey, which takes every status but 2xx for a pass. */
export const portkey: Guardrail = {
  name: 'portkey',
  path: 'portkey/:contract',
  summary: 'Give a verdict to Portkey, as a webhook guardrail.',
  notes: 'The whole response is judged, with all its choices and tool calls. What cannot be read has the verdict false.',
  body: z.looseObject({ eventType: z.enum(['beforeRequestHook', 'afterRequestHook']), request: side, response: side.optional() }),
  reply: z.strictObject({
    verdict: z.boolean(),
    data: z.looseObject({}).optional(),
    transformedData: z.looseObject({}).optional(),
  }),
  async answer(body, judge) {
    const { eventType, request, response, requestType } = body
    if (unjudged.has(requestType)) return { body: { verdict: true } }
    if (eventType === 'beforeRequestHook') return answerRequest(request, judge)
    if (eventType !== 'afterRequestHook') throw new Unreadable('eventType must be beforeRequestHook or afterRequestHook.')
    const json = isFields(response) ? response.json : undefined
    if (!isFields(json)) throw new Unreadable('response.json must be an object.')
    const asked = isFields(request) && isFields(request.json) ? request.json : {}
    const { verdicts, after } = await judgeResponse(json, contextOf(asked), judge)
    const reason = reasonAgainst(verdicts)
    if (reason !== undefined) return this.refuse(reason, body)
    return { body: { verdict: true, ...(after !== json && { transformedData: { response: { json: after } } }) } }
  },
  refuse: (why) => ({ body: { verdict: false, data: { explanation: why } } }),
}

/** A prompt is judged text by text. */
async function answerRequest(request: unknown, judge: Judge): Promise<{ body: unknown }> {
  const json = isFields(request) ? request.json : undefined
  if (!isFields(json)) throw new Unreadable('request.json must be an object.')
  const { messages, verdicts } = await judgeMessages(objectsIn(json, 'messages'), judge)
  const reason = reasonAgainst(verdicts)
  if (reason !== undefined) return { body: { verdict: false, data: { explanation: reason } } }
  return { body: { verdict: true, ...(messages && { transformedData: { request: { json: { ...json, messages } } } }) } }
}

/** Judges each text of messages; `messages` are the repaired ones, absent when none was changed. */
export async function judgeMessages(
  all: readonly Fields[],
  judge: Judge,
  isJudged: (message: Fields) => boolean = () => true,
): Promise<{ readonly verdicts: readonly Verdict[]; readonly messages?: readonly Fields[] }> {
  const given = all.map((message) => (isJudged(message) ? contentTexts(message.content) : []))
  const verdicts = await judge.checkTexts(given.flat())
  if (verdicts.every(({ given: { text }, settled }) => settled.text === text)) return { verdicts }
  let at = 0
  const messages = all.map((message, index) => {
    const texts = (given[index] ?? []).map(() => verdicts[at++]?.settled.text ?? '')
    return texts.length === 0 ? message : { ...message, content: withTexts(message.content, texts) }
  })
  return { verdicts, messages }
}

function contextOf({ tools, functions, tool_choice, parallel_tool_calls, messages, response_format }: Fields): Fields {
  const told = { tools, functions, tool_choice, parallel_tool_calls, messages, response_format }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined && value !== null))
}

interface JudgedResponse {
  readonly verdicts: readonly Verdict[]
  /** The response with what was repaired, or the same object. */
  readonly after: Fields
}

async function judgeResponse(json: Fields, context: Fields, judge: Judge): Promise<JudgedResponse> {
  if (!Array.isArray(json.choices)) {
    const verdict = await judge.check({ ...context, response: json })
    return { verdicts: [verdict], after: verdict.settled.delivered ? settledResponse(json, verdict) : json }
  }
  const verdicts: Verdict[] = []
  const choices: Fields[] = []
  for (const choice of objectsIn(json, 'choices')) {
    const isCompletion = choice.message === undefined && typeof choice.text === 'string'
    const answer = isCompletion ? { text: choice.text, finish_reason: choice.finish_reason } : { response: { ...json, choices: [choice] } }
    const verdict = await judge.check({ ...context, ...answer })
    verdicts.push(verdict)
    choices.push(verdict.settled.delivered ? settledChoice(choice, verdict) : choice)
  }
  if (choices.length === 0) throw new Unreadable('response.json.choices is empty.')
  return { verdicts, after: choices.every((choice, index) => choice === (json.choices as unknown[])[index]) ? json : { ...json, choices } }
}

function settledChoice(choice: Fields, verdict: Verdict): Fields {
  const { given, settled } = verdict
  if (settled.text === given.text && !changesCalls(verdict)) return choice
  const { message } = choice
  if (!isFields(message)) return { ...choice, text: settledContent(choice.text, verdict) }
  const calls = changesCalls(verdict) ? { tool_calls: verdict.toolCalls } : {}
  return { ...choice, message: { ...message, content: settledContent(message.content, verdict), ...calls } }
}

/** A message of Anthropic has its content at the top, a response of OpenAI in its output. */
function settledResponse(json: Fields, verdict: Verdict): Fields {
  if (verdict.settled.text === verdict.given.text && !changesCalls(verdict)) return json
  if (changesCalls(verdict)) throw new Unreadable('The tool calls need a repair, which cannot be written in this API.')
  if (json.content !== undefined) return { ...json, content: settledContent(json.content, verdict) }
  const output = objectsIn(json, 'output')
  const holders = output.filter(({ type }) => type === 'message')
  if (holders.length !== 1) throw new Unreadable('The repaired text has no place in the response.')
  return {
    ...json,
    output: output.map((item) => (item === holders[0] ? { ...item, content: settledContent(item.content, verdict) } : item)),
  }
}
