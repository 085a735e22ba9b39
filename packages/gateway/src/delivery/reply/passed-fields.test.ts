import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering, answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask, dataOf, errorOf, ways } from '../../testing/wire.ts'

type Json = Record<string, unknown>

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const tool = { type: 'function', function: { name: 'get_weather', parameters: { type: 'object' } } }
const call = { id: 'call_1', type: 'function', function: { name: 'get_weather', arguments: '{}' } }
const chunk = (delta: Json, finish: string | null = null): Json => ({ choices: [{ index: 0, delta, finish_reason: finish }] })
const whole = (message: Json, further: Json = {}): Json => ({
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason: 'stop' }],
  ...further,
})
const firstChoice = ({ choices }: Json): Json => (choices as Json[])[0] ?? {}
const deltas = (data: readonly Json[], name: string): unknown[] =>
  data.flatMap((one) => {
    const delta = firstChoice({ choices: one.choices ?? [] }).delta as Json | undefined
    return delta?.[name] === undefined ? [] : [delta[name]]
  })

describe('A18 what a provider sends beside the text arrives as it was sent', () => {
  test.each(['plain', 'brief', 'marked'])('pieces of a list in a stream, with the contract %s', async (model) => {
    const details = ['A', 'B', 'C'].map((text) => [{ type: 'reasoning.text', index: 0, text, deep: { list: [{ index: 0, text }] } }])
    const text = model === 'marked' ? '<!-- STEP: done -->' : 'Fine.'
    const events = [...details.map((reasoning_details) => chunk({ reasoning_details })), chunk({ content: text }), chunk({}, 'stop')]
    gateway.upstream.enqueue(answeringEvents(events))
    const reply = await ask(gateway, 'chat', { model, stream: true })
    expect(deltas(dataOf(reply), 'reasoning_details')).toEqual(details)
  })

  test.each(['plain', 'called'])('tool calls beside an empty function call, with the contract %s', async (model) => {
    const both = { tool_calls: [call], function_call: { name: '', arguments: '' } }
    gateway.upstream.enqueue(answeringBody(whole({ content: null, ...both })))
    const reply = await ask(gateway, 'chat', { model, fields: { tools: [tool] } })
    expect(firstChoice(reply.json as Json).message).toMatchObject({ tool_calls: [call] })
    expect(firstChoice(reply.json as Json).message).toMatchObject(both)
    const streamed = { ...both, tool_calls: [{ index: 0, ...call }] }
    gateway.upstream.enqueue(answeringEvents([chunk(streamed), chunk({}, 'tool_calls')]))
    const stream = await ask(gateway, 'chat', { model, stream: true, fields: { tools: [tool] } })
    expect(deltas(dataOf(stream), 'tool_calls')).toMatchObject([[call]])
    expect(deltas(dataOf(stream), 'function_call')).toEqual([both.function_call])
  })

  test.each(ways)('%s %s: the names of an error', async (api, how) => {
    const error = { message: 'too long', type: 'invalid_request_error', code: 'context_length_exceeded', param: 'messages' }
    gateway.upstream.enqueue(answeringBody({ error }, { status: 400 }))
    const reply = await ask(gateway, api, { model: 'brief', stream: how === 'streamed' })
    expect([reply.status, errorOf(reply)]).toMatchObject([400, { code: 'context_length_exceeded', param: 'messages' }])
  })

  test('an error in a stream that has just begun keeps its status and names', async () => {
    gateway.upstream.enqueue(answeringEvents([{ error: { message: 'no', status_code: 400, code: 'bad_tool' } }]))
    const reply = await ask(gateway, 'chat', { model: 'brief', stream: true })
    expect([reply.status, errorOf(reply)]).toMatchObject([400, { code: 'bad_tool' }])
  })
})

describe('A18 usage is what the provider told', () => {
  const raw = { prompt_tokens: 10, completion_tokens: 4, total_tokens: 334, completion_tokens_details: { reasoning_tokens: 320 } }

  test('on one attempt, its own object', async () => {
    gateway.upstream.enqueue(answeringBody(whole({ content: 'Fine.' }, { usage: raw })))
    expect((await ask(gateway, 'chat', { model: 'brief' })).json?.usage).toEqual(raw)
  })

  test('on several, the sums, also of what only the total counts', async () => {
    gateway.upstream.enqueue(
      answeringBody(whole({ content: 'one two three four five six' }, { usage: raw })),
      answeringBody(whole({ content: 'Fine.' }, { usage: raw })),
    )
    const { usage } = (await ask(gateway, 'chat', { model: 'brief' })).json as Json
    expect(usage).toMatchObject({ prompt_tokens: 20, completion_tokens: 8, total_tokens: 668 })
  })

  test.each(ways)('%s %s: nothing where it told nothing', async (api, how) => {
    const stream = how === 'streamed'
    gateway.upstream.enqueue(
      stream ? answeringEvents([chunk({ content: 'Fine.' }), chunk({}, 'stop')]) : answeringBody(whole({ content: 'Fine.' })),
    )
    const fields = api === 'chat' && stream ? { stream_options: { include_usage: true } } : {}
    const reply = await ask(gateway, api, { model: 'brief', stream, fields })
    const all = stream ? dataOf(reply) : [reply.json as Json]
    const usages = all.flatMap((one) => [one.usage, (one.response as Json | undefined)?.usage]).filter((usage) => usage != null)
    // Clients of the Messages API need numbers there.
    if (api !== 'messages') expect(usages).toEqual([])
    else expect(JSON.stringify(all)).toContain('"usage":"unknown"')
  })

  test('A18 messages have no field that the provider did not send', async () => {
    gateway.upstream.enqueue(answering('Fine.'))
    const { json } = await ask(gateway, 'messages', { model: 'brief' })
    expect(json?.content).toEqual([{ type: 'text', text: 'Fine.' }])
  })
})

test.each(ways)('%s %s: an answer that could not be checked says what is missing', async (api, how) => {
  gateway.upstream.enqueue(answering('Churn doubled[^1].'))
  const reply = await ask(gateway, api, { model: 'grounded', stream: how === 'streamed' })
  expect(reply.status).toBe(how === 'streamed' ? 200 : 424)
  expect(errorOf(reply)?.message).toContain('citations: the number of sources is unknown: give `sources`')
})
