import { HttpError } from '@stickler/core/internal/apis'
import { defaultCostLimits } from '@stickler/presets/internal'
import { expect, test } from 'vitest'
import { readAskRequest } from './read-request.ts'

const limits = defaultCostLimits

/** Why a body is refused. */
function refusal(body: Record<string, unknown>): HttpError {
  try {
    readAskRequest(body, { limits })
  } catch (thrown) {
    if (thrown instanceof HttpError) return thrown
  }
  throw new Error('was not refused')
}

const source = { urn: 'urn:a', payload: 'p' }

test('reads a whole request', () => {
  const body = {
    question: 'q',
    sources: [source, { urn: 'urn:b', payload: { b: 1, a: [2] }, version: '18446744073709551615' }],
    strict: false,
    provider: 'groq',
    model: 'm',
    temperature: 0,
    seed: 0,
    stream: true,
    cache: '5m',
  }
  expect(readAskRequest(body, { limits })).toEqual({
    stream: true,
    request: {
      question: 'q',
      sources: [source, { urn: 'urn:b', payload: '{"a":[2],"b":1}', version: 2n ** 64n - 1n }],
      strict: false,
      provider: 'groq',
      model: 'm',
      temperature: 0,
      seed: 0n,
      cache: { ttlSeconds: 300 },
    },
  })
  expect(readAskRequest({ question: 'q' }, { limits })).toEqual({
    stream: false,
    request: { question: 'q', sources: [], cache: 'default' },
  })
})

test('a wrong time to live is told without the name of its field, which the answer has already', () => {
  expect(refusal({ question: 'q', cache: '5 m' }).message).not.toMatch(/cache: (?:cache|.*cache:)/)
})

test('`cache: true` means the time to live that is configured', () => {
  const read = (cache: unknown) => readAskRequest({ question: 'q', cache }, { limits, ttlSeconds: 3600 })
  expect(read(true)).toMatchObject({ request: { cache: { ttlSeconds: 3600 } } })
  expect(read('5m')).toMatchObject({ request: { cache: { ttlSeconds: 300 } } })
})

test.each<[string, Record<string, unknown>]>([
  ['question', {}],
  ['question', { question: ' \n' }],
  ['question', { question: ['q'] }],
  ['sources', { sources: source }],
  ['sources[0].urn', { sources: [null] }],
  ['sources[0].urn', { sources: [{ ...source, urn: 'a\x1fb' }] }],
  ['sources[1].payload', { sources: [source, { urn: 'u' }] }],
  ['sources[0].version', { sources: [{ ...source, version: -1 }] }],
  ['sources[0].version', { sources: [{ ...source, version: '18446744073709551616' }] }],
  ['strict', { strict: 'no' }],
  ['provider', { provider: 7 }],
  ['model', { model: '' }],
  ['temperature', { temperature: 2.1 }],
  ['temperature', { temperature: Number.NaN }],
  ['seed', { seed: 1.5 }],
  ['seed', { seed: 2 ** 60 }],
  ['stream', { stream: 1 }],
  ['cache', { cache: '5 minutes' }],
  ['tenant', { tenant: 'somebody else' }],
  ['base_url', { base_url: 'http://evil' }],
])('refuses a wrong %s', (param, wrong) => {
  expect(refusal({ ...(param === 'question' ? {} : { question: 'q' }), ...wrong }).details).toMatchObject({ param })
})
