import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Behaviour } from '../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../packages/gateway/src/testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
  - { name: claude, kind: anthropic, baseUrl: $UP, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  techtime: { preset: techtime }
  strict: { checks: [{ tool_calls: { strict: true } }, { tool_sequence: { order: [ping_gateway, ping_dns], strict: true } }] }
  json: { checks: [json] }
routes:
  - { model: techtime, upstream: up, contract: techtime }
  - { model: strict, upstream: up, contract: strict }
  - { model: json, upstream: up, contract: json }
  - { model: claude-techtime, upstream: claude, contract: techtime }
  - { model: claude-strict, upstream: claude, contract: strict }
  - { model: claude-json, upstream: claude, contract: json }
`
const parameters = { type: 'object' as const, properties: { count: { type: 'integer' } }, required: ['count'] }
const prose = 'The network is fine, as far as I can see from here: the adapter is up and has an address. '

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

type Ask = (model: string, seen: (text: string) => void) => Promise<{ text: string; calls: string[] }>

const apis: Readonly<Record<string, Ask>> = {
  async 'chat completions'(model, seen) {
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none', maxRetries: 0 })
    const tools = [{ type: 'function' as const, function: { name: 'ping_gateway', parameters } }]
    const stream = client.chat.completions.stream({ model, messages: [{ role: 'user', content: 'Well?' }], tools })
    stream.on('content', seen)
    const { message } = (await stream.finalChatCompletion()).choices[0] ?? {}
    return { text: message?.content ?? '', calls: (message?.tool_calls ?? []).map((call) => call.function.arguments) }
  },
  async responses(model, seen) {
    const client = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: 'none', maxRetries: 0 })
    const tools = [{ type: 'function' as const, name: 'ping_gateway', parameters, strict: false }]
    const stream = client.responses.stream({ model, input: 'Well?', tools })
    stream.on('response.output_text.delta', ({ delta }) => seen(delta))
    const { output_text: text, output } = await stream.finalResponse()
    return { text, calls: output.flatMap((item) => (item.type === 'function_call' ? [item.arguments] : [])) }
  },
  async messages(model, seen) {
    const client = new Anthropic({ baseURL: gateway.url, apiKey: 'none', maxRetries: 0 })
    const tools = [{ name: 'ping_gateway', input_schema: parameters }]
    const stream = client.messages.stream({
      model: `claude-${model}`,
      max_tokens: 99,
      messages: [{ role: 'user', content: 'Well?' }],
      tools,
    })
    stream.on('text', seen)
    const { content } = await stream.finalMessage()
    return {
      text: content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join(''),
      calls: content.flatMap((block) => (block.type === 'tool_use' ? [JSON.stringify(block.input)] : [])),
    }
  },
}

/** Answers, but stops behind the first words until somebody has seen one, or until it has waited too long. */
class PatientModel {
  /** Whether it did not have to wait to the end. */
  wasHeard = false
  hear: () => void = () => undefined
  readonly #heard = new Promise<boolean>((resolve) => {
    this.hear = () => resolve(true)
  })

  answers(behaviour: Behaviour): Behaviour {
    let written = 0
    return (exchange) => {
      const write = async (bytes: string | Uint8Array): Promise<boolean> => {
        if (++written === 9) this.wasHeard = await Promise.race([this.#heard, exchange.wait(5000).then(() => false)])
        return exchange.write(bytes)
      }
      return behaviour({ ...exchange, write })
    }
  }
}

describe.each(Object.keys(apis))('%s', (name) => {
  const ask = apis[name] as Ask

  test.each([
    ['techtime', prose.repeat(3)],
    ['strict', prose.repeat(3)],
    ['json', `${prose.repeat(3)}\n\n{"up": true}`],
  ])('prose is shown while the model speaks: %s', async (model, text) => {
    const patient = new PatientModel()
    gateway.upstream.enqueue(patient.answers(answering(text)))
    const answer = await ask(model, (piece) => {
      if (piece.trim() !== '') patient.hear()
    })
    expect(answer.text).toBe(text)
    expect(patient.wasHeard).toBe(true)
  })

  test('words that were shown stay when the call behind them is asked for again', async () => {
    const wrong = { id: 'c1', name: 'ping_gateway', arguments: '{}' }
    const right = { id: 'c2', name: 'ping_gateway', arguments: '{"count":3}' }
    for (const second of ['', prose]) {
      gateway.upstream.enqueue(answering(prose, { toolCalls: [wrong] }), answering(second, { toolCalls: [right] }))
      let shown = ''
      const answer = await ask('techtime', (piece) => {
        shown += piece
      })
      expect(shown.trimEnd()).toBe(prose.trimEnd())
      expect(answer.text.trimEnd()).toBe(prose.trimEnd())
      expect(answer.calls.map((one) => JSON.parse(one))).toEqual([{ count: 3 }])
    }
  })

  test('a call in the text is not shown', async () => {
    const call = '<tool_call>{"name": "ping_gateway", "arguments": {"count": 3}}</tool_call>'
    gateway.upstream.enqueue(answering(`${prose}\n${call}`), answering(`${prose}\n${call}`))
    let shown = ''
    const answer = await ask('techtime', (piece) => {
      shown += piece
    })
    expect(shown.trimEnd()).toBe(prose.trimEnd())
    expect(answer.calls.map((one) => JSON.parse(one))).toEqual([{ count: 3 }])
  })
})
