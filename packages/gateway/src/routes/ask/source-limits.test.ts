import { requestFault } from '@stickler/ask/internal'
import { HttpError } from '@stickler/core/internal/apis'
import { scripted } from '@stickler/core/testing'
import { type AskSource, type CostLimits, defaultCostLimits } from '@stickler/presets/internal'
import { describe, expect, it, test } from 'vitest'
import { readAskRequest } from './read-request.ts'
import { questions, type TestProvider } from './testing/questions.ts'

const source = (payload: string, index = 0) => ({ urn: `urn:${index}`, payload })
const some = (count: number, payload = 'x') => Array.from({ length: count }, (_, index) => source(payload, index))
const generous: CostLimits = { ...defaultCostLimits, promptTokens: 1e9 }

describe('what is too much', () => {
  test.each<[string, readonly AskSource[], Partial<CostLimits>, string | undefined, string | undefined]>([
    ['sources at their number', some(1000), {}, undefined, undefined],
    ['one source more', some(1001), {}, 'max_sources', 'sources'],
    ['no sources allowed', some(1), { sources: 0 }, 'max_sources', 'sources'],
    ['a source at its limit', [source('ä'.repeat(5))], { sourceBytes: 10 }, undefined, undefined],
    [
      'a source of one byte more',
      [source('a'), source(`${'ä'.repeat(5)}x`)],
      { sourceBytes: 10 },
      'max_source_bytes',
      'sources[1].payload',
    ],
    ['a source of many more', [source('x'.repeat(1_000_000))], { sourceBytes: 10 }, 'max_source_bytes', 'sources[0].payload'],
    ['all sources at their limit', some(4, 'ab'), { sourcesBytes: 8 }, undefined, undefined],
    ['all sources beyond it', some(4, 'abc'), { sourcesBytes: 8 }, 'max_sources_bytes', undefined],
    ['a prompt that is too long for certain', some(4, 'abc'), { promptTokens: 3, sourcesBytes: 8 }, 'max_prompt_tokens', undefined],
  ])('%s', (_, sources, limits, limit, param) => {
    const fault = requestFault({ question: 'why?', sources }, { ...generous, ...limits })
    expect([fault?.limit, fault?.param]).toEqual([limit, param])
    if (fault !== undefined) expect(fault.status).toBe(413)
  })
})

describe('a body', () => {
  const refusal = (body: object): HttpError['details'] & { readonly message: string } => {
    try {
      readAskRequest({ question: 'why?', ...body }, { limits: defaultCostLimits })
    } catch (thrown) {
      if (thrown instanceof HttpError) return { ...thrown.details, message: thrown.message }
    }
    throw new Error('was not refused')
  }

  test.each<[string, unknown, object]>([
    ['too many sources, none of them looked at', Array.from({ length: 1001 }, () => 7), { limit: 'max_sources', param: 'sources' }],
    ['a number beyond all numbers', [source('a'), { urn: 'u', payload: JSON.parse('1e400') }], { param: 'sources[1].payload' }],
    ['such a number inside', [{ urn: 'u', payload: JSON.parse('{"a":[{"b":-1e400}]}') }], { param: 'sources[0].payload' }],
    ['a payload of JSON that is too large', [{ urn: 'u', payload: ['x'.repeat(300_000)] }], { limit: 'max_source_bytes' }],
    ['a payload of very many numbers', [{ urn: 'u', payload: Array.from({ length: 200_000 }, () => 1) }], { limit: 'max_source_bytes' }],
    ['a long urn', [{ urn: 'u'.repeat(2049), payload: '' }], { param: 'sources[0].urn' }],
  ])('with %s is refused', (_, sources, error) => {
    expect(refusal({ sources }).body).toMatchObject(error)
  })

  it('is not repeated beyond a limit', () => {
    expect(JSON.stringify(refusal({ ['k'.repeat(1_000_000)]: 1 })).length).toBeLessThan(600)
  })
})

describe('models', () => {
  const price = { promptPerMillion: 1, completionPerMillion: 1 }
  const put = (providers: readonly Omit<TestProvider, 'runner'>[], wish: { readonly model?: string; readonly provider?: string }) => {
    const asked: string[] = []
    const runner: TestProvider['runner'] = ({ model }) => {
      asked.push(model)
      return scripted([{ text: 'a[^1]', usage: { promptTokens: 1_000_000, completionTokens: 0 } }])
    }
    const service = questions([], { providers: providers.map((one) => ({ ...one, runner })), limits: { promptTokens: 1e9 } })
    return service
      .ask({ question: 'why?', sources: [source('x')], ...wish })
      .then((reply) => ({ reply, asked, row: service.audit.rows[0] }))
  }
  const dear = { name: 'openai', model: 'small', price, models: new Map([['large', { promptPerMillion: 5, completionPerMillion: 5 }]]) }
  const other = { name: 'groq', model: 'llama' }

  test.each<[string, object, number, string]>([
    ['its own', {}, 1, 'small'],
    ['its own by name', { model: 'small' }, 1, 'small'],
    ['another with its price', { model: 'large' }, 5, 'large'],
  ])('%s', async (_, wish, cost, model) => {
    const { reply, asked, row } = await put([dear], wish)
    expect(reply).toMatchObject({ ok: true, envelope: { cost_usd: cost, model } })
    expect(asked).toEqual([model])
    expect(row).toMatchObject({ model, cost_usd: cost })
  })

  test.each<[string, readonly Omit<TestProvider, 'runner'>[], object, RegExp]>([
    ['that nobody configured', [dear], { model: 'lrge' }, /^unknown model "lrge"; did you mean "large"\?$/],
    [
      'of another provider',
      [dear, { ...other, models: new Map() }],
      { model: 'small', provider: 'groq' },
      /^unknown model "small"; known: llama$/,
    ],
    ['beside a price', [{ name: 'openai', model: 'small', price }], { model: 'huge' }, /^unknown model "huge"; known: small$/],
    ['where there is none', [{ name: 'openai', model: '', models: new Map() }], { model: 'x' }, /^unknown model "x"; known: none$/],
    ['that is not named', [{ name: 'openai', model: '', models: new Map() }], {}, /^model: is required/],
  ])('one %s is refused, and audited', async (_, providers, wish, error) => {
    const { reply, asked, row } = await put(providers, wish)
    expect(reply).toMatchObject({ ok: false, status: 400, param: 'model', error: expect.stringMatching(error) })
    expect(asked).toEqual([])
    expect(row).toMatchObject({ status: 'refused', provider: null, failure: { kind: 'request', detail: expect.stringMatching(error) } })
  })

  it('are asked for only where they are', async () => {
    const { asked } = await put([{ ...other, models: new Map() }, dear], { model: 'large' })
    expect(asked).toEqual(['large'])
  })
})
