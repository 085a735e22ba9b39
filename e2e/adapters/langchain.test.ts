import { ChatAnthropic } from '@langchain/anthropic'
import type { BaseChatModel } from '@langchain/core/language_models/chat_models'
import { type AIMessage, type AIMessageChunk, HumanMessage } from '@langchain/core/messages'
import { ChatOpenAI } from '@langchain/openai'
import { contract, type TraceEvent } from '@stickler/core'
import { enforceRunnable, sticklerMiddleware, UndeliveredError } from '@stickler/langchain'
import { createAgent, createMiddleware, providerStrategy, tool, toolStrategy } from 'langchain'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type ProgrammableUpstream, startProgrammableUpstream } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { failing } from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { type AdapterCase, cases, longAnswer, type ModelAnswer, question, refusal, type Seen } from './cases.ts'
import { behaviourOf } from './upstream.ts'

let upstream: ProgrammableUpstream
beforeAll(async () => {
  upstream = await startProgrammableUpstream(failing(500))
})
let before = 0
beforeEach(() => {
  before = upstream.requests.length
})
afterAll(() => upstream.close())

const apiKey = 'sk-of-a-client-1234'
const models: Readonly<Record<string, () => BaseChatModel>> = {
  '@langchain/openai': () => new ChatOpenAI({ model: 'm', apiKey, maxRetries: 0, configuration: { baseURL: `${upstream.url}/v1` } }),
  '@langchain/anthropic': () => new ChatAnthropic({ model: 'm', apiKey, maxRetries: 0, anthropicApiUrl: upstream.url }),
}
const openai = models['@langchain/openai'] as () => BaseChatModel

const weather = tool(async () => 'Sun', {
  name: 'get_weather',
  description: 'The weather.',
  schema: z.strictObject({ city: z.string() }),
  returnDirect: true,
})
const asked = { messages: [{ role: 'user', content: question }] }
const brief = contract({ checks: [{ max_words: { limit: 3 } }], retries: 1 })
const long = { text: 'Use spaces and nothing else.' }

function answer(...answers: readonly ModelAnswer[]): void {
  upstream.enqueue(...answers.map(behaviourOf))
}

/** The error of ours in what a caller catches. */
function ours(thrown: unknown): UndeliveredError {
  let found = thrown
  // Each middleware around ours wraps it once more.
  while (found instanceof Error && !(found instanceof UndeliveredError)) found = found.cause
  if (!(found instanceof UndeliveredError)) throw thrown
  return found
}

/** Runs a case: what the caller gets, and what the run has come to. */
async function seen(
  { answers }: Pick<AdapterCase, 'answers'>,
  ask: (onEvent: (event: TraceEvent) => void) => Promise<AIMessage>,
): Promise<Seen> {
  answer(...answers)
  const ended: Pick<Seen, 'status' | 'attempts'>[] = []
  const given = await ask((event) => {
    if (event.type === 'run-ended') ended.push({ status: event.status, attempts: event.attempts } as never)
  }).then(
    ({ text, tool_calls = [] }) => ({ delivered: true, text, calls: tool_calls.map(({ name, args }) => ({ name, arguments: args })) }),
    (thrown: unknown) => ({ delivered: false, code: ours(thrown).issues.find(({ severity }) => severity === 'error')?.code as string }),
  )
  expect(ended).toHaveLength(1)
  return { ...given, ...ended[0] }
}

test.each([
  ['a text', question],
  ['a pair', [['human', question]]],
  ['an object', [{ role: 'user', content: question }]],
  ['a message', [new HumanMessage(question)]],
  ['parts', [new HumanMessage({ content: [{ type: 'text', text: question }] })]],
] as const)('after an empty answer the feedback is in the last turn: %s', async (_, input) => {
  answer({ text: '' }, { text: '{}' })
  const rules = contract({ checks: [{ json: { schema: {} } }], retries: 1 })
  expect((await enforceRunnable(openai(), rules).invoke(input as never)).text).toBe('{}')
  const turns = upstream.requests.at(-1)?.json?.messages as readonly { role: string; content: unknown }[]
  expect(turns.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(JSON.stringify(turns[1]?.content)).toMatch(RegExp(`JSON.*${question.replace('?', '\\?')}`))
})

describe.each(Object.entries(models))('%s', (_, modelOf) => {
  test.each(cases)('$name, in an agent', async (one) => {
    const got = await seen(one, async (onEvent) => {
      let message: AIMessage | undefined
      const outer = createMiddleware({
        name: 'Outer',
        wrapModelCall: async (request, handler) => {
          message = await handler(request)
          return message
        },
      })
      const middleware = [outer, sticklerMiddleware(one.contract, { onEvent })]
      await createAgent({ model: modelOf(), tools: one.tools ? [weather] : [], middleware }).invoke(asked)
      return message as AIMessage
    })
    expect(got).toEqual(one.seen)
  })

  test.each([...cases, longAnswer])('$name, in an agent that streams', async (one) => {
    const shown: string[] = []
    const got = await seen(one, async (onEvent) => {
      const middleware = [sticklerMiddleware(one.contract, { onEvent })]
      const agent = createAgent({ model: modelOf(), tools: one.tools ? [weather] : [], middleware })
      let message: AIMessage | undefined
      for await (const [chunk] of await agent.stream(asked, { streamMode: 'messages' })) {
        if (chunk.type !== 'ai') continue
        shown.push(chunk.text)
        message = chunk as AIMessage
      }
      return message as AIMessage
    })
    expect(got).toEqual(one.seen)
    expect(shown.join('')).toBe(one.seen.text ?? '')
  })

  test.each(cases)('$name, of an enforced runnable', async (one) => {
    const got = await seen(one, async (onEvent) => {
      const model = enforceRunnable(modelOf(), one.contract, { onEvent })
      return (await (one.tools ? (model.bindTools?.([weather]) ?? model) : model).invoke(question)) as AIMessage
    })
    expect(got).toEqual(one.seen)
  })

  test.each(cases)('$name, of an enforced runnable that streams', async (one) => {
    const got = await seen(one, async (onEvent) => {
      const model = enforceRunnable(modelOf(), one.contract, { onEvent })
      let message: AIMessageChunk | undefined
      const bound = one.tools ? (model.bindTools?.([weather]) ?? model) : model
      for await (const chunk of await bound.stream(question)) message = message?.concat(chunk) ?? chunk
      return message as unknown as AIMessage
    })
    expect(got).toEqual(one.seen)
  })
})

describe.each<readonly [string, () => BaseChatModel]>([
  [
    '@langchain/openai, responses',
    () => new ChatOpenAI({ model: 'm', apiKey, maxRetries: 0, useResponsesApi: true, configuration: { baseURL: `${upstream.url}/v1` } }),
  ],
  ['@langchain/anthropic', models['@langchain/anthropic'] as () => BaseChatModel],
  ['@langchain/openai', openai],
])('%s: a refusal is no valid answer without text', (_, modelOf) => {
  type Listen = (event: TraceEvent) => void
  const runnable = (onEvent: Listen): BaseChatModel => enforceRunnable(modelOf(), refusal.contract, { onEvent })
  const agent = (onEvent: Listen) =>
    createAgent({ model: modelOf(), tools: [weather], middleware: [sticklerMiddleware(refusal.contract, { onEvent })] })
  test.each<readonly [string, (onEvent: Listen) => Promise<unknown>]>([
    ['of an enforced runnable', (onEvent) => runnable(onEvent).invoke(question)],
    ['with tools', (onEvent) => runnable(onEvent).bindTools?.([weather]).invoke(question) as Promise<unknown>],
    [
      'configured',
      (onEvent) =>
        runnable(onEvent)
          .withConfig({ tags: ['mine'] })
          .invoke(question),
    ],
    ['in an agent', (onEvent) => agent(onEvent).invoke(asked)],
    [
      'in an agent that streams',
      async (onEvent) => {
        for await (const [chunk] of await agent(onEvent).stream(asked, { streamMode: 'messages' })) return chunk
      },
    ],
  ])('%s', async (_how, ask) => {
    expect(await seen(refusal, async (onEvent) => (await ask(onEvent)) as AIMessage)).toEqual(refusal.thrown)
  })
})

test('usage is the sum of all attempts, and the verdict is in the metadata', async () => {
  answer(long, { text: 'Use spaces.' })
  const { usage_metadata, response_metadata } = (await enforceRunnable(openai(), brief).invoke(question)) as AIMessage
  expect(usage_metadata).toMatchObject({ input_tokens: 14, output_tokens: 10, total_tokens: 24 })
  expect(response_metadata).toMatchObject({ finish_reason: 'stop', stickler: { status: 'valid', attempts: 2, repairs: [], issues: [] } })
})

test('a retry has the rejected answer and the feedback after the conversation, and the rules are in the one system message', async () => {
  answer(long, { text: 'Use spaces.' })
  const rules = contract({ checks: [{ max_words: { limit: 3 } }], retries: 1, instruct: true })
  await createAgent({ model: openai(), systemPrompt: 'Be kind.', middleware: [sticklerMiddleware(rules)] }).invoke(asked)
  const [, second] = upstream.requests.slice(before).map(({ json }) => json?.messages as { role: string; content: unknown }[])
  expect(second?.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user'])
  expect(JSON.stringify(second?.[0]?.content)).toMatch(/Be kind.*3 words/)
  expect(second?.[2]?.content).toBe(long.text)
})

test('arguments that LangChain could not parse are read and repaired', async () => {
  answer({ calls: [{ name: 'get_weather', arguments: '{"city": "Rome",}' }] })
  const model = enforceRunnable(openai(), contract({ checks: ['tool_calls'] })).bindTools?.([weather])
  const message = (await model?.invoke(question)) as AIMessage | undefined
  expect([message?.tool_calls, message?.invalid_tool_calls]).toMatchObject([
    [{ name: 'get_weather', args: { city: 'Rome' }, id: 'call_0' }],
    [],
  ])
})

test('what a tool strategy cannot parse is asked for again by LangChain alone', async () => {
  const responseFormat = toolStrategy(z.object({ id: z.number() }).meta({ title: 'ticket' }))
  answer({ calls: [{ name: 'ticket', arguments: '{"id":"x"}' }] }, { calls: [{ name: 'ticket', arguments: '{"id":3}' }] })
  const agent = createAgent({ model: openai(), responseFormat, middleware: [sticklerMiddleware(contract({ checks: ['tool_calls'] }))] })
  expect((await agent.invoke(asked)).structuredResponse).toEqual({ id: 3 })
  expect(upstream.requests.slice(before)).toHaveLength(2)
})

test('a structured response that the provider has written is judged as well', async () => {
  const responseFormat = providerStrategy(z.object({ note: z.string() }))
  answer({ text: '{"note":"It is guaranteed."}' }, { text: '{"note":"It is tested."}' })
  const middleware = [sticklerMiddleware(contract({ checks: [{ contains: { none: ['guaranteed'] } }] }))]
  const { structuredResponse } = await createAgent({ model: openai(), responseFormat, middleware }).invoke(asked)
  expect(structuredResponse).toEqual({ note: 'It is tested.' })
})

test('errors of the provider and aborts are thrown as they are', async () => {
  answer({ error: { status: 401, code: 'invalid_api_key' } })
  await expect(enforceRunnable(openai(), brief).invoke(question)).rejects.toMatchObject({ status: 401 })
  const reason = new Error('enough')
  await expect(enforceRunnable(openai(), brief).invoke(question, { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
})

test.each(Object.entries(models))('%s: a stream that breaks off, or is aborted midway, is no answer', async (_, modelOf) => {
  const agent = createAgent({ model: modelOf(), tools: [], middleware: [sticklerMiddleware(brief)] })
  const read = async (options: object): Promise<string> => {
    let shown = ''
    for await (const [chunk] of await agent.stream(asked, { streamMode: 'messages', ...options })) shown += chunk.text
    return shown
  }
  answer({ text: 'Use spaces.', cutAfter: 3 })
  await expect(read({})).rejects.toThrow()
  const controller = new AbortController()
  const at = upstream.requests.length
  answer({ text: 'Use spaces, and never anything else.', silentAfter: 6 })
  const ending = expect(read({ signal: controller.signal })).rejects.toThrow()
  while (upstream.requests.length === at) await new Promise((resolve) => setTimeout(resolve, 2))
  controller.abort()
  await ending
  await upstream.requests[at]?.closed
  expect(upstream.requests[at]?.aborted).toBe(true)
})

test('pipes, batches and configured models are enforced as well', async () => {
  const model = enforceRunnable(openai(), brief)
  answer(long, { text: 'Spaces.' })
  expect(await model.pipe((message: AIMessageChunk) => message.text).invoke(question)).toBe('Spaces.')
  answer(long, { text: 'Tabs.' })
  const batched = await model.withConfig({ tags: ['mine'] }).batch([question], { maxConcurrency: 1 })
  expect(batched.map(({ text }) => text)).toEqual(['Tabs.'])
  answer(long, long)
  expect(await model.batch([question], {}, { returnExceptions: true })).toEqual([expect.any(UndeliveredError)])
})

test('what cannot be right is rejected at once', async () => {
  expect(() => sticklerMiddleware(brief, { ports: {}, onEvnt: 1 } as never)).toThrow('onEvent')
  const asking = [
    enforceRunnable({ invoke: async () => 'Tabs.' } as never, brief),
    enforceRunnable(openai().pipe(() => 'Tabs.') as never, brief),
  ]
  for (const one of asking as BaseChatModel[])
    for (const nothing of [undefined, null, [undefined], 5])
      await expect(one.invoke(nothing as never)).rejects.toThrow('with a text or with messages')
  expect(() => enforceRunnable('gpt-5.4' as never, brief)).toThrow('chat model')
  expect(() => sticklerMiddleware({} as never)).toThrow()
})
