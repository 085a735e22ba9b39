import { describe, expect, test } from 'vitest'
import {
  claudeRules,
  mistralRules,
  oRules,
  type ProviderRules,
  reasoningRules,
  signedSeeds,
} from '../../../../e2e/support/provider-rules.ts'
import { contract, enforce, enforceStream, type TraceEvent } from '../index.ts'
import { withTransportRetries } from '../runners.ts'
import { manualClock } from '../testing/index.ts'
import { json, maxWords } from '../validators.ts'
import { anthropic } from './anthropic/anthropic.ts'
import { openai } from './openai/openai.ts'

const json200 = { headers: { 'content-type': 'application/json' } }
const chatReply = { choices: [{ index: 0, message: { role: 'assistant', content: 'Spaces.' }, finish_reason: 'stop' }] }
const messageReply = { type: 'message', role: 'assistant', content: [{ type: 'text', text: 'Spaces.' }], stop_reason: 'end_turn' }

/** A provider with rules, and what it was sent. */
function provider(rules: ProviderRules, reply: unknown = chatReply) {
  const sent: Readonly<Record<string, unknown>>[] = []
  const statuses: number[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const source = String(init?.body)
    const request = JSON.parse(source)
    sent.push(request)
    const refusal = rules(request, source)
    statuses.push(refusal?.status ?? 200)
    if (refusal !== undefined) return new Response(JSON.stringify(refusal.body), { status: refusal.status, ...json200 })
    return new Response(JSON.stringify(reply), json200)
  }
  return { sent, statuses, fetch }
}

const brief = contract({ checks: [maxWords({ limit: 5 })], retries: 0 })
const openAi = 'https://api.openai.com/v1'
const parameters = { maxTokens: 100, temperature: 0, seed: 2n ** 64n - 3n }

describe('runners', () => {
  test.each<[string, ProviderRules, string, string]>([
    ['GPT-5', reasoningRules, openAi, 'gpt-5.4-mini'],
    ['a prefix', reasoningRules, 'http://127.0.0.1/v1', 'openai/gpt-5.4-mini'],
    ['an o-model', oRules, openAi, 'o4-mini'],
    ['signed seeds', signedSeeds, openAi, 'gpt-4o'],
    ['Mistral', mistralRules, 'https://api.mistral.ai/v1', 'mistral-small-latest'],
  ])('openai: %s accepts 10 of 10, whole and streamed', async (_, rules, baseUrl, model) => {
    const { fetch, statuses } = provider(rules)
    const runner = openai({ baseUrl, model, parameters, fetch })
    for (let count = 0; count < 5; count++) {
      expect(await enforce({ contract: brief, runner, prompt: 'Tabs?' })).toMatchObject({ status: 'valid' })
      const stream = enforceStream({ contract: brief, runner, prompt: 'Tabs?' })
      expect(await stream.outcome).toMatchObject({ status: 'valid' })
    }
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200))
  })

  test('anthropic: the newest models accept 10 of 10', async () => {
    const { fetch, statuses, sent } = provider(claudeRules, messageReply)
    const runner = anthropic({ model: 'claude-opus-4-7', parameters: { temperature: 0, seed: 1 }, fetch })
    for (let count = 0; count < 10; count++) await enforce({ contract: brief, runner, prompt: 'Tabs?' })
    expect(statuses).toEqual(Array.from({ length: 10 }, () => 200))
    expect(sent[0]).toMatchObject({ max_tokens: 4096 })
  })

  test('what is refused is left out once and for all, and each repeat is traced', async () => {
    const { fetch, statuses } = provider(reasoningRules)
    const runner = openai({ baseUrl: 'http://127.0.0.1/v1', model: 'assistant', parameters, fetch, retries: 0 })
    const events: TraceEvent[] = []
    const outcome = await enforce({ contract: brief, runner, prompt: 'Tabs?', onEvent: (event) => void events.push(event) })
    expect(outcome).toMatchObject({ status: 'valid', attempts: 1 })
    expect(events.filter(({ type }) => type === 'call-repeated')).toMatchObject([
      { attempt: 1, failure: { kind: 'http', status: 400, message: expect.stringContaining("'max_tokens' is not supported") } },
      { attempt: 1, failure: { kind: 'http', status: 400, message: expect.stringContaining("'temperature' does not support 0") } },
    ])
    await enforce({ contract: brief, runner, prompt: 'Tabs?' })
    expect(statuses).toEqual([400, 400, 200, 200])
  })

  test('what the program writes into the body is sent as it is, and a refusal of it is the outcome', async () => {
    const { fetch, sent } = provider(reasoningRules)
    const runner = openai({ baseUrl: openAi, model: 'gpt-5', body: { temperature: 0, max_completion_tokens: 7 }, parameters, fetch })
    const { status, failure } = await enforce({ contract: brief, runner, prompt: 'Tabs?' })
    expect([status, failure?.status, failure?.message]).toEqual(['failed', 400, expect.stringContaining('Only the default (1)')])
    expect(sent).toMatchObject([{ temperature: 0, max_completion_tokens: 7 }])
    expect(sent[0]).not.toHaveProperty('max_tokens')
  })

  test('a field for schemas or usage that is refused is left out: the schema goes into the prompt', async () => {
    const plain: ProviderRules = (request) => {
      const name = ['response_format', 'stream_options'].find((one) => one in request)
      return name === undefined
        ? undefined
        : { status: 400, body: { error: { message: `Unrecognized request argument supplied: ${name}`, param: null } } }
    }
    const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const { fetch, sent, statuses } = provider(plain, { choices: [{ message: { content: '{"city":"Ulm"}' }, finish_reason: 'stop' }] })
    const runner = openai({ baseUrl: 'http://127.0.0.1/v1', model: 'm', structuredOutput: true, fetch })
    const plan = contract({ checks: [json({ schema })], instruct: true })
    for (let count = 0; count < 2; count++) {
      const stream = enforceStream({ contract: plan, runner, prompt: 'Where?' })
      expect(await stream.outcome).toMatchObject({ status: 'valid', attempts: 1 })
    }
    expect(statuses).toEqual([400, 400, 200, 200])
    expect(JSON.stringify(sent.at(-1)?.messages)).toContain('JSON Schema of the answer')
  })
})

describe('calls that fail on the way are repeated', () => {
  const answers = (statuses: readonly number[], headers: Readonly<Record<string, string>> = {}) => {
    const calls = { count: 0 }
    const fetch: typeof globalThis.fetch = async () => {
      const status = statuses[calls.count++] ?? 200
      if (status === 0) throw new TypeError('fetch failed')
      return status === 200 ? new Response(JSON.stringify(chatReply), json200) : new Response('{}', { status, headers })
    }
    return { calls, fetch }
  }
  const run = async (given: ReturnType<typeof answers>, more: object = {}) => {
    const clock = manualClock()
    const runner = openai({ baseUrl: openAi, model: 'm', fetch: given.fetch, clock, ...more })
    const waiting = enforce({ contract: brief, runner, prompt: 'Tabs?', clock })
    let isOver = false
    void waiting.finally(() => {
      isOver = true
    })
    for (let step = 0; step < 50 && !isOver; step++) {
      await new Promise((resolve) => setImmediate(resolve))
      clock.advance(1000)
    }
    return { ...(await waiting), calls: given.calls.count, took: clock.now() }
  }

  test.each<[string, readonly number[], number, string]>([
    ['429', [429], 2, 'valid'],
    ['500, 503', [500, 503], 3, 'valid'],
    ['a lost connection', [0], 2, 'valid'],
    ['503 for ever', [503, 503, 503, 503], 3, 'failed'],
    ['400', [400], 1, 'failed'],
    ['401', [401], 1, 'failed'],
  ])('%s', async (_, statuses, calls, status) => {
    expect(await run(answers(statuses))).toMatchObject({ calls, status })
  })

  test('after what the provider asks for, or not at all when that takes too long', async () => {
    const patient = await run(answers([429], { 'retry-after': '20' }))
    expect([patient.status, patient.calls, patient.took >= 20_000]).toEqual(['valid', 2, true])
    const failed = await run(answers([429], { 'retry-after': '31' }))
    expect(failed).toMatchObject({ calls: 1, status: 'failed', failure: { status: 429, retryAfterMs: 31_000 } })
  })

  test('as often as `retries` says; retries around it do not multiply', async () => {
    expect(await run(answers([500]), { retries: 0 })).toMatchObject({ calls: 1, status: 'failed' })
    const given = answers([503, 503, 503, 503, 503, 503, 503, 503, 503])
    const runner = withTransportRetries(openai({ baseUrl: openAi, model: 'm', fetch: given.fetch }), { retries: 3, baseDelayMs: 1 })
    expect(await enforce({ contract: brief, runner, prompt: 'Tabs?' })).toMatchObject({ status: 'failed' })
    expect(given.calls.count).toBe(4)
  })

  test('not after the caller has left', async () => {
    const given = answers([503], { 'retry-after': '25' })
    const caller = new AbortController()
    const runner = openai({ baseUrl: openAi, model: 'm', fetch: given.fetch })
    setTimeout(() => caller.abort(), 20)
    expect(await enforce({ contract: brief, runner, prompt: 'Tabs?', signal: caller.signal })).toMatchObject({
      failure: { kind: 'aborted' },
    })
    expect(given.calls.count).toBe(1)
  })
})
