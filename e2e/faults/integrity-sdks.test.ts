import Anthropic from '@anthropic-ai/sdk'
import OpenAI from 'openai'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forgetFailures, startFaultGateway } from '../../packages/gateway/src/testing/fault-gateway.ts'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering, answeringBody } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import {
  breakingOff,
  dripping,
  endingEarly,
  failing,
  fallingSilent,
  hangUp,
  lyingEncoding,
  rawResponse,
  redirecting,
  reset,
  shortBody,
  silence,
  stalling,
} from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import type { TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'

let gateway: TestGateway
let openai: OpenAI
let anthropic: Anthropic

beforeAll(async () => {
  gateway = await startFaultGateway({ env: { STICKLER_KEYS: 'tests:key-of-the-tests' } })
  const common = { apiKey: 'key-of-the-tests', maxRetries: 0 }
  openai = new OpenAI({ ...common, baseURL: `${gateway.url}/v1` })
  anthropic = new Anthropic({ ...common, baseURL: gateway.url })
})
beforeEach(async () => {
  await forgetFailures(gateway)
  gateway.upstream.otherwise(answering('Fine.'))
})
afterAll(() => gateway.close())

type Api = (model: string, stream: boolean, more?: object) => Promise<void>

/** Each reads an answer to its end; a stream whose iterator neither ends nor throws runs into the limit of the test. */
const apis: Readonly<Record<string, Api>> = {
  async chat(model, stream, more = {}) {
    const body = { model, messages: [{ role: 'user' as const, content: 'hi' }], ...more }
    if (!stream) return void (await openai.chat.completions.create(body))
    for await (const _chunk of await openai.chat.completions.create({ ...body, stream: true }));
  },
  async responses(model, stream, more = {}) {
    if (!stream) return void (await openai.responses.create({ model, input: 'hi', ...more }))
    for await (const _event of await openai.responses.create({ model, input: 'hi', stream: true, ...more }));
  },
  async messages(model, stream, more = {}) {
    const body = { model, max_tokens: 100, messages: [{ role: 'user' as const, content: 'hi' }], ...more }
    if (!stream) return void (await anthropic.messages.create(body))
    for await (const _event of await anthropic.messages.create({ ...body, stream: true }));
  },
}

const text = 'Spaces are wide and tabs are deep, so take what the house has.'
const long = (more: string) => answering(`one two three four five six ${more}`)

interface Case {
  readonly model: string
  readonly behaviours: readonly Behaviour[]
  /** Undefined in a stream that had begun: its error has no status. */
  readonly status: number | undefined
  /** Only as a stream. */
  readonly streamed?: true
}

const cases: Readonly<Record<string, Case>> = {
  'U01 a closed connection': { model: 'plain', behaviours: [hangUp], status: 502 },
  'U01 a reset connection': { model: 'plain', behaviours: [reset], status: 502 },
  'U02 silence': { model: 'plain-hasty', behaviours: [silence], status: 504 },
  'U03 a body that stalls': { model: 'brief-idle', behaviours: [stalling()], status: 504 },
  'U04 a stream that falls silent': { model: 'plain-idle', behaviours: [fallingSilent(text, 4)], status: undefined, streamed: true },
  'U05 a stream that is reset': { model: 'plain', behaviours: [breakingOff(text, 4)], status: undefined, streamed: true },
  'U05 a stream that ends early': { model: 'live', behaviours: [endingEarly(text, 4)], status: undefined, streamed: true },
  'U06 a body that is too short': { model: 'plain', behaviours: [shortBody('{"id"', 1000)], status: 502 },
  'U07 too many requests': { model: 'plain', behaviours: [failing(429, { 'retry-after': '86400' })], status: 429 },
  'U08 400': { model: 'plain', behaviours: [failing(400)], status: 400 },
  'U08 401': { model: 'plain', behaviours: [failing(401)], status: 502 },
  'U08 404': { model: 'plain', behaviours: [failing(404)], status: 404 },
  'U08 422': { model: 'plain', behaviours: [failing(422)], status: 422 },
  'U08 500': { model: 'plain', behaviours: [failing(500)], status: 500 },
  'U08 503': { model: 'plain', behaviours: [failing(503)], status: 503 },
  'U09 HTML': { model: 'plain', behaviours: [answeringBody('<html>', { contentType: 'text/html' })], status: 502 },
  'U09 nothing': { model: 'plain', behaviours: [answeringBody('')], status: 502 },
  'U10 no choices': { model: 'plain', behaviours: [answeringBody({ choices: [] })], status: 502 },
  'U11 an encoding that lies': { model: 'plain', behaviours: [lyingEncoding('gzip')], status: 502 },
  'U15 a redirect': { model: 'plain', behaviours: [redirecting(307, 'http://127.0.0.1:9/')], status: 502 },
  'U16 a body that drips': { model: 'plain-total', behaviours: [dripping('x'.repeat(500), 20)], status: 504 },
  'U21 nothing valid': { model: 'brief', behaviours: [long('7'), long('8')], status: 422 },
  'U23 no HTTP': { model: 'plain', behaviours: [rawResponse('220 smtp ready\r\n')], status: 502 },
}

describe.each(Object.keys(apis))('O05 the official client of %s', (name) => {
  const api = apis[name] as Api
  const errors = name === 'messages' ? Anthropic : OpenAI
  describe.each([false, true])('stream: %s', (stream) => {
    const own = Object.entries(cases).filter(([, { streamed }]) => stream || streamed !== true)
    test.each(own)('O05 %s', async (_name, { model, behaviours, status }) => {
      gateway.upstream.enqueue(...behaviours)
      const thrown = await api(model, stream).then(
        () => undefined,
        (error: unknown) => error,
      )
      expect(thrown).toBeInstanceOf(errors.APIError)
      expect(thrown).not.toBeInstanceOf(errors.APIConnectionError)
      expect(thrown).toMatchObject({ status })
      const typed = {
        400: errors.BadRequestError,
        404: errors.NotFoundError,
        422: errors.UnprocessableEntityError,
        429: errors.RateLimitError,
      }[status ?? 0]
      if (typed !== undefined) expect(thrown).toBeInstanceOf(typed)
      else if (status !== undefined) expect(thrown).toBeInstanceOf(errors.InternalServerError)
    })

    test.each<[string, string, object, number]>([
      ['H05 a body that is too large', 'plain', { user: 'x'.repeat(5_000_000) }, 413],
      ['H14 a wrong type', 'plain', { tools: 'x' }, 400],
      ['H15 an unknown model', 'nobody', {}, 404],
    ])('O05 %s', async (_name, model, more, status) => {
      const thrown = await api(model, stream, more).catch((error: unknown) => error)
      expect(thrown).toBeInstanceOf(errors.APIError)
      expect(thrown).toMatchObject({ status })
    })

    test('O05 a good answer is no error', async () => {
      await api('brief', stream)
    })
  })
})

describe('O05 beside the models', () => {
  test('S01 a wrong key is an AuthenticationError', async () => {
    const stranger = new OpenAI({ apiKey: 'wrong', baseURL: `${gateway.url}/v1`, maxRetries: 0 })
    await expect(stranger.models.list()).rejects.toBeInstanceOf(OpenAI.AuthenticationError)
  })

  test('422 is not sent again by itself', async () => {
    const eager = new OpenAI({ apiKey: 'key-of-the-tests', baseURL: `${gateway.url}/v1`, maxRetries: 3 })
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(long('7'), long('8'))
    await expect(eager.chat.completions.create({ model: 'brief', messages: [{ role: 'user', content: 'hi' }] })).rejects.toMatchObject({
      status: 422,
      code: 'MAX_WORDS',
    })
    expect(gateway.upstream.requests.length - before).toBe(2)
  })
})
