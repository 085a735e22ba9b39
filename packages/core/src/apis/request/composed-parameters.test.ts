import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  claudeRules,
  geminiRules,
  mistralRules,
  oRules,
  type ProviderRules,
  reasoningRules,
  signedSeeds,
} from '../../../../../e2e/support/provider-rules.ts'
import type { Fields } from '../../answer/tool-shapes/fields.ts'
import { RunnerFailure } from '../../engine/runner-failure.ts'
import { ComposedParameters, requestJson } from './composed-parameters.ts'
import { familyOf, modelFamilies } from './model-families.ts'

const wanted = { maxTokens: 100, temperature: 0, seed: 2n ** 64n - 1n }
const at = (api: string, baseUrl: string, more: object = {}) => new ComposedParameters({ api, baseUrl, ...more })
const openAi = 'https://api.openai.com/v1'
const compose = (model: string, parameters = at('chat', openAi), asked?: ReadonlySet<'temperature' | 'seed'>) =>
  parameters.compose(model, wanted, asked).fields

const newer = { max_completion_tokens: 100 }
const older = { max_tokens: 100 }
const all = { ...older, temperature: 0, seed: 2n ** 63n - 1n }
const gpt5 = { ...newer, seed: 2n ** 63n - 1n }

describe('chat completions', () => {
  test.each<[model: string, object]>([
    ...['gpt-5', 'gpt-5-mini-2025-08-07', 'gpt-5.4-mini', 'openai/gpt-5.4-mini', 'openai/gpt-5.2:online', 'GPT-5-nano', 'gpt5-mini'].map(
      (model): [string, object] => [model, gpt5],
    ),
    ...['prod-gpt-5', 'team_gpt-5.1-eu', 'gpt-6.1-terra', 'gpt-10', 'ft:gpt-5-mini:acme::id', 'azure/eu/gpt-5'].map(
      (model): [string, object] => [model, gpt5],
    ),
    ...['o1', 'o1-preview', 'o3-mini-2025-01-31', 'openai/o4-mini', 'o3', 'ft:o4-mini-2025-04-16:acme::id', 'my-o3-mini'].map(
      (model): [string, object] => [model, newer],
    ),
    ['gpt-5-chat-latest', { ...gpt5, temperature: 0 }],
    ...[
      'gpt-4o',
      'gpt-4.1-mini',
      'gpt-4.5-preview',
      'gpt-35-turbo',
      'gpt-3.5-turbo',
      'chatgpt-4o-latest',
      'gpt-oss-20b',
      'llama-x',
      '',
    ].map((model): [string, object] => [model, all]),
    ...['marco-o1', 'qwen3-30b', 'foo1', 'gpt-500', `${'gpt-'.repeat(1e5)}`, '😀'].map((model): [string, object] => [model, all]),
    ['anthropic/claude-opus-4.7', { ...older, seed: 2n ** 63n - 1n }],
    ['anthropic/claude-sonnet-4.5', all],
  ])('%.40s', (model, fields) => {
    expect(compose(model)).toEqual(fields)
  })

  test('a provider has its own names and ranges, by its host or its name', () => {
    const random = { ...older, temperature: 0, random_seed: 2n ** 63n - 1n }
    expect(compose('mistral-large', at('chat', 'https://api.mistral.ai/v1'))).toEqual(random)
    expect(compose('m', at('chat', 'http://proxy/v1', { provider: 'Mistral' }))).toEqual(random)
    expect(compose('mistralai/mistral-large', at('chat', 'https://openrouter.ai/api/v1'))).toEqual(all)
    const gemini = 'https://generativelanguage.googleapis.com/v1beta/openai'
    expect(compose('gemini-3-pro', at('chat', gemini))).toEqual({ ...older, temperature: 0 })
    const vertex = 'https://europe-west1-aiplatform.googleapis.com/v1/openai'
    expect(compose('google/gemini-3-pro', at('chat', vertex))).toEqual({ ...all, seed: 2n ** 31n - 1n })
  })

  test('a seed that fits is sent as it is, any other one by its last bits', () => {
    const seedOf = (seed: bigint | number) => at('chat', openAi).compose('gpt-4o', { seed }).fields.seed
    for (const [seed, sent] of [
      [0, 0n],
      [7n, 7n],
      [-5n, -5n],
      [2n ** 63n - 1n, 2n ** 63n - 1n],
      [2n ** 63n, 0n],
      [2n ** 64n - 6n, 2n ** 63n - 6n],
    ] as const)
      expect(seedOf(seed)).toBe(sent)
  })

  test('what a caller asks for is sent whatever the model takes: a temperature as it is, a seed within the range', () => {
    const names = new Set(['temperature', 'seed'] as const)
    const asked = at('chat', openAi).compose('gpt-5', { ...wanted, temperature: 0.7 }, names)
    expect(asked).toEqual({ fields: { ...newer, temperature: 0.7, seed: 2n ** 63n - 1n }, ours: ['max_completion_tokens'] })
    for (const [model, seed, sent] of [
      ['gpt-4o', 2n ** 63n, 0n],
      ['gpt-4o', -5n, -5n],
      ['o4-mini', 2n ** 64n - 6n, 2n ** 63n - 6n],
    ] as const)
      expect(at('chat', openAi).compose(model, { seed }, names).fields).toEqual({ seed: sent })
    const vertex = at('chat', 'https://europe-west1-aiplatform.googleapis.com/v1/openai')
    expect(vertex.compose('google/gemini-3-pro', { seed: 2n ** 40n + 3n }, names).fields).toEqual({ seed: 3n })
  })

  test('the configuration has the last word', () => {
    expect(compose('gpt-4o', at('chat', openAi, { takes: { temperature: false, seed: false } }))).toEqual(older)
    expect(compose('gpt-5', at('chat', openAi, { takes: { temperature: true } }))).toEqual({ ...gpt5, temperature: 0 })
  })
})

describe('the Messages API', () => {
  const messages = at('messages', 'https://api.anthropic.com')
  test.each([
    ...['claude-3-5-sonnet-20241022', 'claude-opus-4-20250514', 'claude-sonnet-4-6', 'claude-haiku-4-5-20251001', 'claude-2.1'],
    ...['claude-instant-1.2', 'us.anthropic.claude-opus-4-1-v1:0', 'claude-opus-4-6@20260101', 'claude-3-haiku', 'claude-v2:1', 'kimi-k2'],
  ])('%s takes a temperature', (model) => {
    expect(compose(model, messages)).toEqual({ ...older, temperature: 0 })
  })
  test.each([
    ...['claude-opus-4-7', 'claude-opus-4-8-20260601', 'claude-sonnet-5', 'claude-sonnet-5-5', 'claude-fable-5-1', 'claude-haiku-10'],
    ...['us.anthropic.claude-opus-4-7-v1:0', 'claude-opus-4-7@20260416', 'claude-latest', 'claude-4.7-opus', 'claude-opus-4-10'],
  ])('%s takes none', (model) => {
    expect(compose(model, messages)).toEqual(older)
  })
  test('a temperature is at most 1, and there is no seed', () => {
    expect(messages.compose('claude-sonnet-4-6', { temperature: 2, seed: 1n }).fields).toEqual({ temperature: 1 })
  })
})

test('the Responses API has its own name for the limit, and no seed', () => {
  expect(compose('gpt-4o', at('responses', openAi))).toEqual({ max_output_tokens: 100, temperature: 0 })
  expect(compose('gpt-5', at('responses', openAi))).toEqual({ max_output_tokens: 100 })
})

/** Asks until the request is accepted or nothing is learnt. */
function ask(rules: ProviderRules, given: ComposedParameters, model: string, names: ReadonlySet<'temperature' | 'seed'> = new Set()) {
  let parameters = given
  for (let calls = 1; ; calls++) {
    const { fields, ours } = parameters.compose(model, wanted, names)
    const source = requestJson({ model, messages: [], ...fields })
    const refusal = rules(JSON.parse(source), source)
    if (refusal === undefined) {
      parameters.keep(model)
      return { calls, fields }
    }
    const failure = new RunnerFailure('http', 'refused', { status: refusal.status, body: JSON.stringify(refusal.body) })
    const without = parameters.without(model, { ours }, failure)
    if (without === undefined) return { calls, refusal }
    parameters = without
  }
}

describe('what providers refuse', () => {
  test.each<[string, ProviderRules, string, string]>([
    ['GPT-5', reasoningRules, openAi, 'gpt-5.4-mini'],
    ['o-models', oRules, openAi, 'o4-mini'],
    ['signed seeds', signedSeeds, openAi, 'gpt-4o'],
    ['Mistral', mistralRules, 'https://api.mistral.ai/v1', 'mistral-large-latest'],
    ['Gemini', geminiRules, 'https://generativelanguage.googleapis.com/v1beta/openai', 'gemini-3-flash'],
  ])('%s: nothing, by the table', (_, rules, baseUrl, model) => {
    expect(ask(rules, at('chat', baseUrl), model)).toMatchObject({ calls: 1, fields: {} })
  })
  test('Claude: nothing, by the table', () => {
    expect(ask(claudeRules, at('messages', 'https://api.anthropic.com'), 'claude-opus-4-7')).toMatchObject({ calls: 1, fields: older })
  })

  test.each<[string, ProviderRules, object, number]>([
    ['GPT-5', reasoningRules, gpt5, 3],
    ['o-models', oRules, newer, 4],
    ['Mistral', mistralRules, { ...older, temperature: 0 }, 2],
    ['Gemini', geminiRules, { ...older, temperature: 0 }, 2],
  ])('%s under a name that nobody knows is learnt once', (_, rules, fields, calls) => {
    const parameters = at('chat', 'http://127.0.0.1/v1')
    expect(ask(rules, parameters, 'assistant')).toEqual({ calls, fields })
    expect(ask(rules, parameters, 'assistant')).toEqual({ calls: 1, fields })
    expect(parameters.compose('other', wanted).fields).toEqual(all)
  })

  test('a token limit may be renamed once and is never left out, whatever is said of it', () => {
    const parameters = at('chat', 'http://127.0.0.1/v1')
    const tooLong: ProviderRules = (request) => {
      const [name = ''] = Object.keys(request).filter((key) => /tokens/.test(key))
      return { status: 400, body: { error: { message: `'${name}' is too large: 100.`, param: null } } }
    }
    expect(ask(tooLong, parameters, 'assistant')).toMatchObject({ calls: 2, refusal: {} })
    expect(compose('assistant', parameters)).toEqual(all)
    expect(ask(reasoningRules, parameters, 'assistant')).toMatchObject({ fields: gpt5 })
    expect(ask(tooLong, parameters, 'assistant')).toMatchObject({ calls: 1, refusal: {} })
    expect(compose('assistant', parameters)).toEqual(gpt5)
    const messages = at('messages', 'http://127.0.0.1')
    expect(ask(tooLong, messages, 'assistant')).toMatchObject({ calls: 1, refusal: {} })
  })

  test.each<[field: string, api: string, message: string, param: string | null, isKept: boolean]>([
    ['output_config.format', 'messages', 'output_config: Extra inputs are not permitted', null, true],
    ['output_config.format', 'messages', 'output_config.format: Extra inputs are not permitted', null, true],
    [
      'output_config.format',
      'messages',
      "output_config.format.schema: For 'integer' type, property 'minimum' is not supported",
      null,
      false,
    ],
    ['text.format', 'responses', "Unknown parameter: 'text'.", 'text', true],
    ['text.format', 'responses', 'Invalid schema.', 'text.format.schema', false],
    ['response_format', 'chat', "'response_format' is not supported", null, true],
  ])('the schema in %s of %s: %s', (field, api, message, param, isKept) => {
    const parameters = at(api, 'http://127.0.0.1/v1')
    const body = JSON.stringify({ error: { message, param } })
    const without = parameters.without('m', { ours: [field] }, new RunnerFailure('http', '', { status: 400, body }))
    expect(without?.accepts('m', field)).toBe(false)
    without?.keep('m')
    expect(parameters.accepts('m', field)).toBe(!isKept)
  })

  test('no other word of a message is a part of a field', () => {
    const body = JSON.stringify({ error: { message: 'The text of this output_config is too long.' } })
    const parameters = at('responses', openAi)
    const ours = ['text.format', 'output_config.format']
    expect(parameters.without('m', { ours }, new RunnerFailure('http', '', { status: 400, body }))).toBe(undefined)
  })

  test('of what a caller asked for is the answer', () => {
    expect(ask(reasoningRules, at('chat', openAi), 'gpt-5', new Set(['temperature']))).toMatchObject({ calls: 1, refusal: {} })
    expect(ask(oRules, at('chat', openAi), 'o4-mini', new Set(['seed']))).toMatchObject({ calls: 1, refusal: {} })
  })

  test.each<[string, number, string]>([
    ['another parameter', 400, '{"error":{"message":"temperature, seed, max_tokens","param":"messages"}}'],
    ['a parameter that begins alike', 400, '{"error":{"message":"no","param":"seeds"}}'],
    ['another status', 404, '{"error":{"message":"no","param":"seed"}}'],
    ['a rate limit', 429, '{"error":{"message":"seed"}}'],
    ['no parameter', 400, '{"error":{"message":"This model\'s maximum context length is 8192 tokens."}}'],
    ['a part of a word', 400, '{"error":{"message":"linseed and max_tokens_per_day"}}'],
    ['nothing', 400, ''],
    ['what is not JSON', 400, '<html>\u0000'],
    ['a huge text', 400, 'x '.repeat(1e5)],
  ])('is not learnt from %s', (_, status, body) => {
    const parameters = at('chat', openAi)
    const failure = new RunnerFailure('http', 'refused', { status, body })
    expect(parameters.without('gpt-4o', { ours: ['max_tokens', 'temperature', 'seed'] }, failure)).toBe(undefined)
    expect(compose('gpt-4o', parameters)).toEqual(all)
  })

  test('a client keeps its token limit: another name is tried only when the provider tells it', () => {
    const parameters = at('chat', openAi)
    const refused = (message: string) =>
      new RunnerFailure('http', '', { status: 400, body: JSON.stringify({ error: { message, param: 'max_tokens' } }) })
    const sent = { ours: [], renamed: 'max_tokens' } as const
    expect(parameters.without('assistant', sent, refused('max_tokens is too large: 1000000.'))).toBe(undefined)
    const other = parameters.without('assistant', sent, refused("Use 'max_completion_tokens' instead."))
    expect(other?.limit('assistant')).toBe('max_completion_tokens')
    expect(parameters.limit('assistant')).toBe('max_tokens')
    other?.keep('assistant')
    expect(parameters.limit('assistant')).toBe('max_completion_tokens')
  })

  describe('what a client writes changes no request of others', () => {
    const echoing =
      (isBad: (request: object) => boolean, word: string, param?: string): ProviderRules =>
      (request) =>
        isBad(request) ? { status: 400, body: { error: { message: `Invalid schema for function '${word}'.`, param } } } : undefined

    test('a request that stays refused', () => {
      for (const field of ['max_tokens', 'temperature', 'seed']) {
        const parameters = at('chat', openAi)
        expect(
          ask(
            echoing(() => true, field),
            parameters,
            'gpt-4o',
          ),
        ).toMatchObject({ calls: 2, refusal: {} })
        expect(compose('gpt-4o', parameters)).toEqual(all)
      }
    })

    test.each<[name: string, client: object, isKept: boolean]>([
      [
        'nothing but the usual',
        { model: 'm', messages: [], stream: true, stream_options: {}, max_tokens: 5, temperature: 1, top_p: 1, seed: 1, stop: 'x' },
        true,
      ],
      ['the usual of other APIs', { input: 'x', instructions: 'x', system: 'x', max_output_tokens: 5, stop_sequences: [] }, true],
      ['nothing', { tools: undefined }, true],
      ['a field that the refusal may be about', { model: 'm', messages: [], tools: [] }, false],
      ['an unknown one', { x: null }, false],
    ])('a field that was refused beside %s', (_, client, isKept) => {
      const parameters = at('chat', openAi)
      const failure = new RunnerFailure('http', '', { status: 400, body: '{"error":{"param":"response_format"}}' })
      const without = parameters.without('m', { ours: ['response_format'] }, failure)
      without?.keep('m', client as Fields)
      expect([without?.accepts('m', 'response_format'), parameters.accepts('m', 'response_format')]).toEqual([false, !isKept])
    })

    test('a field that a later refusal names again', () => {
      const parameters = at('chat', openAi)
      const rules = echoing((request) => 'seed' in request, 'temperature and seed')
      expect(ask(rules, parameters, 'gpt-4o')).toMatchObject({ calls: 3, fields: older })
      expect(compose('gpt-4o', parameters)).toEqual({ ...older, temperature: 0 })
    })

    test('a part of a field is left out of this request only', () => {
      const parameters = at('chat', openAi)
      expect(
        ask(
          echoing((request) => 'seed' in request, 'x', 'seed.size'),
          parameters,
          'gpt-4o',
        ),
      ).toMatchObject({ calls: 2 })
      expect(compose('gpt-4o', parameters)).toEqual(all)
    })

    test('the other name of a token limit', () => {
      const refused = (param: string | undefined) =>
        new RunnerFailure('http', '', {
          status: 400,
          body: JSON.stringify({ error: { message: "Invalid schema for function 'max_completion_tokens'.", param } }),
        })
      const parameters = at('chat', openAi)
      const sent = { ours: [], renamed: 'max_tokens' } as const
      expect(parameters.without('m', sent, refused('tools[0].function.parameters'))).toBe(undefined)
      const without = parameters.without('m', sent, refused(undefined))
      expect(without?.without('m', { ours: [], renamed: 'max_completion_tokens' }, refused(undefined))).toBe(undefined)
      expect(parameters.limit('m')).toBe('max_tokens')
    })
  })

  test('is remembered for a bounded number of models', () => {
    const parameters = at('chat', openAi)
    const failure = new RunnerFailure('http', '', { status: 400, body: '{"error":{"param":"seed"}}' })
    for (let model = 0; model < 3000; model++) parameters.without(`m${model}`, { ours: ['seed'] }, failure)?.keep(`m${model}`)
    expect(parameters.accepts('m2999', 'seed')).toBe(false)
    expect(parameters.accepts('m0', 'seed')).toBe(true)
  })
})

test('the page "What is sent" has the table of families', () => {
  const page = readFileSync(new URL('../../../../../docs/guide/what-is-sent.md', import.meta.url), 'utf8')
  const rows = modelFamilies.map(({ name, limit, temperature, seed }) => {
    const range = temperature === undefined ? 'left out' : `0 to ${temperature}`
    return `| ${name} | \`${limit}\` | ${range} | ${seed === undefined ? 'left out' : `\`${seed.name}\`, ${seed.bits} bits`} |`
  })
  expect(page).toContain(`\n${rows.join('\n')}\n\n`)
  expect(familyOf('chat', '', 'gpt-5')).toBe(modelFamilies[4])
})

test('JSON keeps large integers', () => {
  expect(requestJson({ seed: 2n ** 64n - 1n })).toBe('{"seed":18446744073709551615}')
  expect(requestJson({ a: 'ü"', random_seed: -1n, b: undefined, c: null })).toBe('{"a":"ü\\"","c":null,"random_seed":-1}')
  expect(requestJson({})).toBe('{}')
})
