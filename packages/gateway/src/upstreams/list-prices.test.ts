import { calcPrice } from '@pydantic/genai-prices'
import { describe, expect, it } from 'vitest'
import { readGatewayConfig } from '../config/reading/read-gateway-config.ts'
import { hasOwnPrice, targetPrices } from '../config/resolved/targets.ts'
import { startProgrammableUpstream } from '../testing/programmable-upstream.ts'
import { answering } from '../testing/programmable-upstream-answers.ts'
import { asking, calling, readFirst } from '../testing/programmable-upstream-reading.ts'
import { openaiUpstream } from './kinds/openai-upstream.ts'
import { listedModels, listPrices } from './list-prices.ts'

const openai = listPrices('https://api.openai.com/v1')
const ids: Readonly<Record<string, string>> = {
  'api.openai.com': 'openai',
  'api.anthropic.com': 'anthropic',
  'generativelanguage.googleapis.com': 'google',
  'api.mistral.ai': 'mistral',
}

describe('the prices of lists', () => {
  it.each(Object.entries(listedModels()).flatMap(([host, models]) => models.map((model) => [model, host] as const)))(
    'of %s are those that others know',
    (model, host) => {
      const price = listPrices(`https://${host}/v1`)?.(model)
      const known = (name: string) => calcPrice({ input_tokens: 1000, output_tokens: 1000 }, name, { providerId: ids[host] ?? '' })
      const other = known(model) ?? known(`${model}-latest`) ?? known(`${model}-20250514`)
      expect(price?.promptPerMillion).toBeCloseTo((other?.input_price ?? Number.NaN) * 1000)
      expect(price?.completionPerMillion).toBeCloseTo((other?.output_price ?? Number.NaN) * 1000)
    },
  )

  it.each<[string, string | undefined]>([
    ['gpt-4o', 'gpt-4o'],
    ['gpt-4o-2024-08-06', 'gpt-4o'],
    ['gpt-5.2-chat-latest', 'gpt-5.2-chat'],
    ['gpt-4o-2024-05-13', 'gpt-4o-2024-05-13'],
    ['gpt-4o-realtime-preview', undefined],
    ['ft:gpt-4o:acme', undefined],
    ['__proto__', undefined],
    ['', undefined],
  ])('%j has the price of %j', (model, as) => {
    expect(openai?.(model)).toEqual(as === undefined ? undefined : openai?.(as))
  })

  it.each([
    undefined,
    '',
    'no url',
    'http://127.0.0.1:11434/v1',
    'https://api.openai.com.example/v1',
    'https://example.com/api.openai.com',
  ])('are not those of %j', (baseUrl) => {
    expect(listPrices(baseUrl)).toBeUndefined()
  })
})

describe('an upstream of a provider with a list', () => {
  const around = { env: {}, cwd: '/', readFile: () => Promise.reject(new Error('none')) }
  const read = (keys: string) =>
    readGatewayConfig(
      `upstreams: [{ name: up, kind: openai, baseUrl: "https://api.openai.com/v1"${keys} }]\nroutes: [{ model: a, upstream: up }]\n`,
      'stickler.yaml',
      around,
    )
  const price = (prompt: number, completion: number) => ({ promptPerMillion: prompt, completionPerMillion: completion })

  it.each<[string, string, string | undefined, unknown, boolean]>([
    ['its list', '', 'gpt-4o-mini', price(0.15, 0.6), false],
    ['no list for other models', '', 'mine', undefined, false],
    ['no list for what the client names', '', undefined, undefined, false],
    ['the configuration first', ', price: { prompt: 1, completion: 2 }', 'gpt-4o-mini', price(1, 2), true],
    ['the configuration first, by model', ', models: { gpt-4o-mini: { prompt: 3, completion: 4 } }', 'gpt-4o-mini', price(3, 4), true],
    ['the list beside other models', ', models: { mine: { prompt: 3, completion: 4 } }', 'gpt-4o-mini', price(0.15, 0.6), false],
  ])('has the price of %s', async (_, keys, model, expected, isOwn) => {
    const config = await read(keys)
    const target = { upstream: 'up', ...(model === undefined ? {} : { model }) }
    expect(targetPrices(target, config)).toEqual([expected])
    expect(hasOwnPrice(target, config)).toBe(isOwn)
  })

  it('reports the cost of calls', async () => {
    const server = await startProgrammableUpstream(answering('Hi', { usage: { prompt: 1000, completion: 1000 } }))
    try {
      const upstream = openaiUpstream({ name: 'main', baseUrl: `${server.url}/v1`, ...(openai && { listed: openai }) })
      for (const [model, cost] of [
        ['gpt-4o', 0.0125],
        ['another', undefined],
      ] as const) {
        const call = upstream.call({ ...asking('hi'), model }, calling())
        await readFirst(call)
        expect(call.head()?.usage?.cost).toBe(cost)
      }
    } finally {
      await server.close()
    }
  })
})
