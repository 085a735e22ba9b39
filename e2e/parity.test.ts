import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Behaviour } from '../packages/gateway/src/testing/programmable-upstream.ts'
import { answering } from '../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { failing } from '../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { apis, type Seen } from '../packages/gateway/src/testing/speaking-clients.ts'
import { startTestGateway, type TestGateway } from '../packages/gateway/src/testing/test-gateway.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway()
})
afterAll(() => gateway.close())

const weather = {
  type: 'function',
  function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
}
const call = (name: string, given: string) => ({ id: 'call_1', name, arguments: given })

interface Case {
  readonly model: string
  readonly answers: readonly Behaviour[]
  readonly tools?: boolean
  readonly sources?: number
  readonly seen: Partial<Seen>
}

/** One table, run for every API, as a stream and as a whole: the verdict and the text must be the same. */
const cases: Readonly<Record<string, Case>> = {
  valid: { model: 'brief', answers: [answering('Use spaces.')], seen: { status: 200, text: 'Use spaces.', verdict: 'valid' } },
  'valid after a retry': {
    model: 'brief',
    answers: [answering('That depends on a great many things.'), answering('Use spaces.')],
    seen: { status: 200, text: 'Use spaces.', verdict: 'valid', attempts: 2 },
  },
  repaired: {
    model: 'marked',
    answers: [answering('Hello there.')],
    seen: { status: 200, text: 'Hello there.\n\n<!-- STEP: done -->', verdict: 'repaired', attempts: 1 },
  },
  'given up': {
    model: 'brief',
    answers: [answering('one two three four five six'), answering('one two three four five six seven')],
    seen: { status: 422, text: '', code: 'MAX_WORDS' },
  },
  'cited well': {
    model: 'grounded',
    sources: 2,
    answers: [answering('Yes[^2].')],
    seen: { status: 200, text: 'Yes[^2].', verdict: 'valid' },
  },
  'cited badly, then well': {
    model: 'grounded',
    sources: 2,
    answers: [answering('Yes[^7] and more.'), answering('Yes[^1].')],
    seen: { status: 200, text: 'Yes[^1].', verdict: 'valid', attempts: 2 },
  },
  'cut off': {
    model: 'brief',
    answers: [answering('Use', { finishReason: 'length' }), answering('Use', { finishReason: 'length' })],
    seen: { status: 422, text: '', code: 'TRUNCATED' },
  },
  'a good tool call': {
    model: 'called',
    tools: true,
    answers: [answering('', { toolCalls: [call('get_weather', '{"city":"Rome"}')] })],
    seen: { status: 200, verdict: 'valid', calls: [['get_weather', { city: 'Rome' }]] },
  },
  'a repaired tool call': {
    model: 'called',
    tools: true,
    answers: [answering('', { toolCalls: [call('get_weather', '{"city":"Rome",}')] })],
    seen: { status: 200, verdict: 'repaired', calls: [['get_weather', { city: 'Rome' }]] },
  },
  'a phantom tool, then a real one': {
    model: 'called',
    tools: true,
    answers: [
      answering('', { toolCalls: [call('get_horoscope', '{}')] }),
      answering('', { toolCalls: [call('get_weather', '{"city":"Oslo"}')] }),
    ],
    seen: { status: 200, verdict: 'valid', attempts: 2, calls: [['get_weather', { city: 'Oslo' }]] },
  },
  unenforced: { model: 'plain', answers: [answering('Anything at all.')], seen: { status: 200, text: 'Anything at all.' } },
  'an upstream that is overloaded': { model: 'brief', answers: [failing(503, { 'retry-after': '7' })], seen: { status: 503, text: '' } },
  'an unknown model': { model: 'brieff', answers: [], seen: { status: 404, text: '' } },
}

describe.each(Object.keys(apis) as (keyof typeof apis)[])('%s', (api) => {
  describe.each([
    ['whole', false],
    ['streamed', true],
  ])('%s', (_, stream) => {
    test.each(Object.entries(cases))('%s', async (_name, { model, answers, tools, sources, seen }) => {
      gateway.upstream.enqueue(...answers)
      const before = gateway.upstream.requests.length
      const got = await apis[api](gateway, {
        model,
        stream,
        ...(tools ? { tools: [weather] } : {}),
        ...(sources === undefined ? {} : { sources }),
      })
      expect(got).toMatchObject(seen)
      expect(gateway.upstream.requests.length - before).toBe(answers.length)
    })
  })
})
