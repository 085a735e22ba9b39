import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ConfigurationError } from '../contract/configuration-error.ts'
import { anthropic } from './anthropic/anthropic.ts'
import { fromFunction } from './from-function.ts'
import { openai } from './openai/openai.ts'
import { scripted } from './scripted.ts'

/** What a call throws, as JavaScript would write it. */
function refusal(call: (given: never) => unknown, given?: unknown): string {
  try {
    call(given as never)
  } catch (thrown) {
    expect(thrown).toBeInstanceOf(ConfigurationError)
    return String(thrown)
  }
  return 'none'
}

const baseUrl = 'http://127.0.0.1:8000/v1'
const all = {
  baseUrl,
  model: 'm',
  apiKey: 'k',
  headers: {},
  body: { temperature: 0 },
  structuredOutput: true,
  fetch: globalThis.fetch,
  clock: undefined,
  today: undefined,
  timeouts: { idleMs: 1 },
  maxResponseBytes: 1,
  echoLimit: 0,
  retries: 0,
  parameters: { maxTokens: 1, temperature: 0, seed: 2n ** 64n - 1n },
  price: undefined,
  finishReasons: 'sometimes',
}

describe.each([
  ['openai', openai, all],
  ['anthropic', anthropic, { ...all, maxTokens: 1, version: 'v' }],
])('the settings of %s', (_, make, known) => {
  test.each<[unknown, string]>([
    [{ baseURL: baseUrl, model: 'm' }, 'unknown option "baseURL"; did you mean "baseUrl"?'],
    [{ baseUrl, model: 'm', apikey: 'k' }, 'unknown option "apikey"; did you mean "apiKey"?'],
    [{ baseUrl, model: 'm', temperature: 0 }, 'unknown option "temperature"; known: '],
    [{ baseUrl, model: 'm', parameters: { temprature: 0 } }, 'unknown option "temprature"; did you mean "temperature"?'],
    [{ baseUrl, model: 'm', parameters: { maxTokens: 0 } }, 'parameters.maxTokens: must be a whole number above 0'],
    [{ baseUrl, model: 'm', parameters: { temperature: Number.NaN } }, 'parameters.temperature: must be a number from 0 to 2'],
    [{ baseUrl, model: 'm', parameters: { seed: 0.5 } }, 'parameters.seed: must be a whole number, or a bigint'],
    [{ baseUrl, model: 'm', retries: -1 }, 'retries: must be a whole number that is not negative'],
    [{ baseUrl }, 'model: pass the name of a model'],
    [{ baseUrl, model: null }, 'model: pass the name of a model'],
    [undefined, 'pass an object with '],
    [null, 'pass an object with '],
    ['gpt', 'pass an object with '],
  ])('%j', (given, message) => {
    expect(refusal(make, given)).toContain(message)
  })

  test('are taken when they exist, alone and together', () => {
    expect(refusal(make, known)).toBe('none')
    for (const [name, value] of Object.entries(known)) expect(refusal(make, { baseUrl, model: 'm', [name]: value })).toBe('none')
  })

  test('are refused when they do not, without their value', () => {
    fc.assert(
      fc.property(fc.string(), (name) => {
        fc.pre(!Object.hasOwn(known, name) && name !== '__proto__')
        const said = refusal(make, { baseUrl, model: 'm', [name]: 'sk-secret-value' })
        expect(said).toContain('unknown option')
        expect(said).not.toContain('sk-secret-value')
      }),
    )
  })
})

test.each([undefined, 'x', {}, null])('fromFunction(%j) says what to pass', (given) => {
  expect(refusal(fromFunction, given)).toContain('pass a function that calls a model')
})

test.each([undefined, 'text', { text: 'x' }, null])('scripted(%j) says what to pass', (given) => {
  expect(refusal(scripted, given)).toContain('pass a list of answers')
})

test.each([
  [[], '0 turns'],
  [['a'], '1 turn,'],
  [['a', 'b'], '2 turns'],
])('the script %j ends with its number of turns', async (turns, said) => {
  const runner = scripted(turns)
  const ask = async (): Promise<void> => {
    for await (const _ of runner.run(undefined, 'hi', { stream: true, signal: new AbortController().signal }));
  }
  for (const _ of turns) await ask()
  await expect(ask()).rejects.toThrow(said)
})
