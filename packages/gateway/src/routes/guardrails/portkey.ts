import { type Fields, isFields } from '@stickler/core/internal'
import * as z from 'zod'
import { judgeChoices, settledChoices, withoutSecrets } from './choices.ts'
import { type Guardrail, type Judge, reasonAgainst, Unreadable, type Verdict } from './guardrail.ts'
import { mapInput } from './input-items.ts'
import { judgeTexts, mapContent, mapFields, mapMessages } from './messages.ts'
import { changesCalls, objectsIn, settledContent } from './texts.ts'

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
  if (!Object.keys(prompts).some((name) => (json[name] ?? undefined) !== undefined))
    throw new Unreadable(`request.json must have ${Object.keys(prompts).join(', ')}.`)
  const { verdicts, after } = await judgeTexts((change) => mapFields(json, { ...prompts, ...beside }, change), judge)
  const reason = reasonAgainst(verdicts)
  if (reason !== undefined) return { body: { verdict: false, data: { explanation: reason } } }
  return { body: { verdict: true, ...(after && { transformedData: { request: { json: after } } }) } }
}

/** Where the prompt of a request is, by its API; one of them must be there. */
const prompts = { messages: mapMessages, prompt: mapContent, input: mapInput }

/** What APIs have beside it. */
const beside = { system: mapContent, instructions: mapContent }

function contextOf(asked: Fields): Fields {
  const { tools, functions, tool_choice, parallel_tool_calls, messages, response_format } = asked
  // A request that has no tools offers none.
  const offersNone = Object.keys(asked).length > 0 && (tools ?? functions ?? undefined) === undefined
  const told = { tools: offersNone ? [] : tools, functions, tool_choice, parallel_tool_calls, messages, response_format }
  return Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined && value !== null))
}

interface JudgedResponse {
  readonly verdicts: readonly Verdict[]
  /** The response with what was repaired, or the same object. */
  readonly after: Fields
}

async function judgeResponse(json: Fields, context: Fields, judge: Judge): Promise<JudgedResponse> {
  const [first, second] = holdersOf(json)
  if (second !== undefined) throw new Unreadable(`response.json has both ${first} and ${second}.`)
  if (first !== 'choices') {
    const verdict = await judge.check({ ...context, response: json })
    return { verdicts: [verdict], after: verdict.settled.delivered ? withoutSecrets(settledResponse(json, verdict), judge.contract) : json }
  }
  const given = objectsIn(json, 'choices')
  if (given.length === 0) throw new Unreadable('response.json.choices is empty.')
  const verdicts = await judgeChoices(json, context, judge)
  if (!verdicts.every(({ settled }) => settled.delivered)) return { verdicts, after: json }
  const choices = settledChoices(given, verdicts, judge.contract)
  return { verdicts, after: choices.every((choice, at) => choice === given[at]) ? json : { ...json, choices } }
}

/** The members in which APIs have their answers: with more than one, clients would read different ones. */
function holdersOf(json: Fields): readonly string[] {
  const present = ['choices', 'content', 'output', 'candidates', 'message', 'completion', 'text', 'output_text'].filter(
    (name) => (json[name] ?? undefined) !== undefined,
  )
  // The Responses API repeats the requested format as `text`; a copy in `output_text` is compared with the output.
  return present.filter((name) => !(name === 'text' && isFields(json.text)) && !(name === 'output_text' && present.includes('output')))
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
    ...copyOf(json, verdict),
    output: output.map((item) => (item === holders[0] ? { ...item, content: settledContent(item.content, verdict) } : item)),
  }
}

/** Clients of OpenAI add all texts of a response at its top. */
function copyOf({ output_text: copy }: Fields, { given, settled }: Verdict): Fields {
  if (copy === undefined || copy === null) return {}
  if (copy !== given.text) throw new Unreadable('output_text is not the text of the output.')
  return { output_text: settled.text }
}
