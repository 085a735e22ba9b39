import {
  Agent,
  OpenAIProvider,
  OutputGuardrailTripwireTriggered,
  Runner,
  run,
  setDefaultOpenAIClient,
  setOpenAIAPI,
  setTracingDisabled,
  tool,
} from '@openai/agents'
import { contract, type Outcome } from '@stickler/core'
import { outputGuardrail, toolInputGuardrail } from '@stickler/core/agents'
import { enforcedFetch } from '@stickler/core/fetch'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type ProgrammableUpstream, startProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { failing } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { type AdapterCase, cases, type ModelAnswer, question, type Seen, weatherSchema } from './cases.ts'
import { codeOf } from './clients.ts'
import { behaviourOf } from './upstream.ts'

let upstream: ProgrammableUpstream
let before = 0
beforeAll(async () => {
  setTracingDisabled(true)
  upstream = await startProgrammableUpstream(failing(500))
})
beforeEach(() => {
  before = upstream.requests.length
})
afterAll(() => upstream.close())

const apis = { 'chat completions': false, responses: true } as const
const client = (fetch?: typeof globalThis.fetch): OpenAI =>
  new OpenAI({ baseURL: `${upstream.url}/v1`, apiKey: 'sk-of-a-client-1234', maxRetries: 0, ...(fetch && { fetch }) })
const runnerOf = (useResponses: boolean, fetch?: typeof globalThis.fetch): Runner =>
  new Runner({ modelProvider: new OpenAIProvider({ openAIClient: client(fetch), useResponses }), tracingDisabled: true })
const answer = (...answers: readonly ModelAnswer[]): void => upstream.enqueue(...answers.map(behaviourOf))

/** Runs an agent: what its program gets, what a reader of its stream has seen, and the calls of its tool. */
async function ran(runner: Runner, isStreamed: boolean, settings: object = {}) {
  const called: { name: string; arguments: unknown }[] = []
  const weather = tool({
    name: 'get_weather',
    description: 'The weather.',
    parameters: z.strictObject({ city: z.string() }),
    execute: (given) => {
      called.push({ name: 'get_weather', arguments: given })
      return 'Sun'
    },
  })
  const { tools, ...others } = settings as { tools?: boolean }
  const agent = new Agent({
    name: 'helper',
    model: 'm',
    ...(tools && { tools: [weather], toolUseBehavior: 'stop_on_first_tool' as const }),
    ...others,
  })
  let shown = ''
  if (!isStreamed) {
    const { finalOutput } = await runner.run(agent, question)
    return { finalOutput, shown, called }
  }
  const result = await runner.run(agent, question, { stream: true })
  for await (const event of result)
    if (event.type === 'raw_model_stream_event' && event.data.type === 'output_text_delta') shown += event.data.delta
  await result.completed
  return { finalOutput: result.finalOutput, shown, called }
}

async function seen({ contract: rules, tools, answers }: AdapterCase, useResponses: boolean, isStreamed: boolean): Promise<Seen> {
  const outcomes: Outcome[] = []
  const fetch = enforcedFetch(rules, { onOutcome: (outcome) => void outcomes.push(outcome) })
  answer(...answers)
  const given = await ran(runnerOf(useResponses, fetch), isStreamed, { tools }).then(
    ({ finalOutput, called }) => ({ delivered: true, text: called.length > 0 ? '' : String(finalOutput), calls: called }),
    (thrown: unknown) => ({ delivered: false, code: codeOf(thrown) ?? String(thrown) }),
  )
  expect(outcomes).toHaveLength(1)
  const [{ status, attempts }] = outcomes as [Outcome]
  return { ...given, status, attempts }
}

describe.each(Object.entries(apis))('@openai/agents with an enforced client, %s', (_, useResponses) => {
  for (const isStreamed of [false, true])
    test.each(cases)(`$name, ${isStreamed ? 'streamed' : 'whole'}`, async (one) => {
      expect(await seen(one, useResponses, isStreamed)).toEqual(one.seen)
    })

  test('rejected text is never seen in a stream', async () => {
    const written = { checks: [{ contains: { none: ['guaranteed'] } }], retries: 1 }
    // The final output of an agent is its last message only, and the Responses API has what follows shown text in a further one.
    const rules = contract(useResponses ? { ...written, stream: 'hold' } : written)
    answer({ text: 'It is guaranteed to work.' }, { text: 'It is tested.' })
    const { finalOutput, shown } = await ran(runnerOf(useResponses, enforcedFetch(rules)), true)
    expect([finalOutput, shown]).toEqual(['It is tested.', 'It is tested.'])
  })

  test('an answer that is given up after text was shown breaks the stream', async () => {
    const rules = contract({ checks: [{ contains: { none: ['guaranteed'] } }], retries: 0 })
    answer({ text: 'It is tested, and in all of the cases that we know guaranteed to work.' })
    await expect(ran(runnerOf(useResponses, enforcedFetch(rules)), true)).rejects.toThrow()
  })
})

test('the default client serves all agents of a program', async () => {
  setDefaultOpenAIClient(client(enforcedFetch(contract({ checks: [{ max_words: { limit: 3 } }] }))) as never)
  setOpenAIAPI('chat_completions')
  answer({ text: 'Use spaces and nothing else.' }, { text: 'Use spaces.' })
  expect((await run(new Agent({ name: 'helper', model: 'm' }), question)).finalOutput).toBe('Use spaces.')
})

describe.each([false, true])('outputGuardrail, streamed: %s', (isStreamed) => {
  const brief = contract({ checks: [{ max_words: { limit: 3 } }] })
  const ticket = contract({ checks: [{ json: { schema: { type: 'object', properties: { id: { type: 'integer' } } } } }] })

  test('lets a right output pass', async () => {
    answer({ text: 'Use spaces.' })
    expect((await ran(runnerOf(false), isStreamed, { outputGuardrails: [outputGuardrail(brief)] })).finalOutput).toBe('Use spaces.')
  })

  test.each([
    ['wrong', brief, { text: 'Use spaces and nothing else.' }, 'unresolved', 'MAX_WORDS'],
    ['repairable', ticket, { text: '{"id": 3,}' }, 'repairable', 'INVALID_JSON'],
  ] as const)('ends a run whose output is %s, and says what is wrong', async (_, rules, said, status, code) => {
    answer(said)
    const thrown = await ran(runnerOf(false), isStreamed, { outputGuardrails: [outputGuardrail(rules)] }).catch((error: unknown) => error)
    expect(thrown).toBeInstanceOf(OutputGuardrailTripwireTriggered)
    const { result } = thrown as OutputGuardrailTripwireTriggered<never, never>
    expect((result as { output: object }).output).toMatchObject({ tripwireTriggered: true, outputInfo: { status, issues: [{ code }] } })
    expect(upstream.requests.length - before).toBe(1)
  })

  test('judges the object of an agent with an output type', async () => {
    const rules = contract({ checks: [{ contains: { none: ['guaranteed'] } }] })
    const outputType = z.object({ note: z.string() })
    answer({ text: '{"note":"It is guaranteed."}' })
    await expect(ran(runnerOf(false), isStreamed, { outputType, outputGuardrails: [outputGuardrail(rules)] })).rejects.toThrow(
      OutputGuardrailTripwireTriggered,
    )
  })
})

test.each([false, true])('toolInputGuardrail sends a wrong call back to the model, with feedback: streamed %s', async (isStreamed) => {
  const called: string[] = []
  const weather = tool({
    name: 'get_weather',
    description: 'The weather.',
    // With a Zod schema the SDK itself rejects arguments that do not match, and shows them to no guardrail.
    parameters: { ...weatherSchema, type: 'object', additionalProperties: true },
    strict: false,
    inputGuardrails: [toolInputGuardrail(contract({ checks: ['tool_calls', { contains: { none: ['Atlantis'] } }] }))],
    execute: (given) => {
      called.push((given as { city: string }).city)
      return 'Sun'
    },
  })
  answer(
    { calls: [{ name: 'get_weather', arguments: '{"City":"Rome"}' }] },
    { calls: [{ name: 'get_weather', arguments: '{"city":"Atlantis"}' }] },
    { calls: [{ name: 'get_weather', arguments: '{"city":"Rome"}' }] },
    { text: 'It is sunny.' },
  )
  const agent = new Agent({ name: 'helper', model: 'm', tools: [weather] })
  const result = isStreamed ? await runnerOf(false).run(agent, question, { stream: true }) : await runnerOf(false).run(agent, question)
  if ('completed' in result) await result.completed
  expect([result.finalOutput, called]).toEqual(['It is sunny.', ['Rome']])
  const told = upstream.requests
    .slice(before)
    .map(({ json }) => (json?.messages as { role: string; content: string }[] | undefined)?.at(-1))
  expect(told.map((message) => [message?.role, /[A-Z]+_[A-Z]+|Sun/.exec(message?.content ?? '')?.[0]])).toEqual([
    ['user', undefined],
    ['tool', 'MISSING_ARGUMENT'],
    ['tool', 'TEXT_FORBIDDEN'],
    ['tool', 'Sun'],
  ])
})
