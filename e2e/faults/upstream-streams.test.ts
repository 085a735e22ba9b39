import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { forgetFailures, startFaultGateway } from '../../packages/gateway/src/testing/fault-gateway.ts'
import type { Behaviour } from '../../packages/gateway/src/testing/programmable-upstream.ts'
import { answering, answeringEvents, type Framing } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import {
  breakingOff,
  endingEarly,
  endless,
  endlessStream,
  fallingSilent,
} from '../../packages/gateway/src/testing/programmable-upstream-faults.ts'
import { apis, type Seen } from '../../packages/gateway/src/testing/speaking-clients.ts'
import type { TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { apiNames, ask, dataOf, errorOf, terminalsOf, textOf, type WireReply } from '../../packages/gateway/src/testing/wire.ts'

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startFaultGateway()
})
beforeEach(async () => {
  await forgetFailures(gateway)
  gateway.upstream.otherwise(answering('Asked again.'))
})
afterAll(() => gateway.close())

/** Sixteen pieces; the third event that is sent is the second piece. */
const text = 'Spaces are wide and tabs are deep, so take what the house has taken before you came.'

function expectTerminalError(api: (typeof apiNames)[number], reply: WireReply): void {
  expect(reply.status).toBe(200)
  expect(reply.broken).toBe(false)
  expect(terminalsOf(api, reply)).toEqual(['error'])
  const last = dataOf(reply).at(-1)
  expect(last).toHaveProperty('error')
  expect(last).not.toHaveProperty('choices')
  expect(errorOf(reply)).toMatchObject({ message: expect.any(String), type: expect.any(String) })
  expect(reply.body).not.toContain('[DONE]')
}

describe('a stream that has begun and does not end', () => {
  const faults: readonly (readonly [id: string, suffix: string, behaviour: Behaviour, code: string])[] = [
    ['U04 falls silent', '-idle', fallingSilent(text, 4), 'upstream_timeout'],
    ['U05 is reset', '', breakingOff(text, 4), 'upstream_unreachable'],
    ['U05 ends before its end', '', endingEarly(text, 4), 'upstream_protocol'],
    ['U18 is reset, with retries left', '-again', breakingOff(text, 4), 'upstream_unreachable'],
  ]
  describe.each(faults)('%s', (_name, suffix, behaviour, code) => {
    describe.each(['plain', 'live'])('%s', (model) => {
      test.each(apiNames)('%s: an error ends it, and it is never begun again', async (api) => {
        const before = gateway.upstream.requests.length
        gateway.upstream.enqueue(behaviour)
        const reply = await ask(gateway, api, { model: model + suffix, stream: true })
        expectTerminalError(api, reply)
        expect(textOf(api, reply)).toBe(text.slice(0, 24))
        if (api === 'chat') {
          expect(errorOf(reply)).toMatchObject({ code, param: null })
          expect(JSON.stringify(errorOf(reply))).not.toContain('cannot be reached')
          const roles = dataOf(reply).flatMap(({ choices }) => (choices as { delta?: { role?: string } }[] | undefined) ?? [])
          expect(roles.filter(({ delta }) => delta?.role !== undefined)).toHaveLength(1)
        }
        expect(gateway.upstream.requests.length - before).toBe(1)
        if (code !== 'upstream_protocol') await gateway.upstream.requests.at(-1)?.closed
      })
    })

    test.each(apiNames)('%s: while everything is held, its status tells', async (api) => {
      gateway.upstream.enqueue(behaviour)
      // Nothing has been shown, but something has come: only the client may ask again.
      const reply = await ask(gateway, api, { model: `brief${suffix}`, stream: true })
      expect([502, 504]).toContain(reply.status)
      expect(errorOf(reply)).toBeDefined()
    })
  })
})

describe('U12 answers without end', () => {
  test.each(apiNames)('U12 %s: a body is cut, and the upstream let go', async (api) => {
    gateway.upstream.enqueue(endless('application/json', `"${'x'.repeat(65_536)}",`))
    const reply = await ask(gateway, api, { model: 'plain' })
    expect(reply.status).toBe(502)
    await gateway.upstream.requests.at(-1)?.closed
  })

  test.each(apiNames)('U12 %s: a stream is cut at the limit of time', async (api) => {
    gateway.upstream.enqueue(endlessStream)
    expectTerminalError(api, await ask(gateway, api, { model: 'plain-total', stream: true }))
    await gateway.upstream.requests.at(-1)?.closed
  })

  test.each(apiNames)('U12 %s: a stream that cannot keep its contract any more is cut there', async (api) => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(endlessStream)
    const reply = await ask(gateway, api, { model: 'early', stream: true })
    expect(textOf(api, reply)).toBe('Asked again.')
    await gateway.upstream.requests[before]?.closed
  })

  test('U12 a stream is cut at the limit of bytes', async () => {
    gateway.upstream.enqueue(endlessStream)
    const reply = await ask(gateway, 'chat', { model: 'shadow', stream: true })
    expectTerminalError('chat', reply)
    expect(errorOf(reply)).toMatchObject({ code: 'upstream_protocol' })
    expect(reply.body.length).toBeLessThan(32 * 1024 * 1024)
    await gateway.upstream.requests.at(-1)?.closed
  })
})

describe('U13 framings', () => {
  const framings: readonly (readonly [string, Framing])[] = [
    ['every byte its own write', { splitEvery: 1 }],
    ['every byte its own write, CRLF', { splitEvery: 1, lineEnd: '\r\n' }],
    ['splits of three bytes, CR only', { splitEvery: 3, lineEnd: '\r' }],
    ['comments', { comments: true }],
    ['no space', { tight: true }],
    ['multi-line data', { multiLine: true, lineEnd: '\r\n' }],
    ['a byte order mark', { byteOrderMark: true, splitEvery: 2 }],
    ['no final blank line', { openEnd: true }],
  ]
  const answers = ['Grüße aus 東京 🗼.', 'one two three four five six 🗼']
  test.each(framings)('U13 %s: the same text and verdict', async (_name, framing) => {
    for (const api of apiNames)
      for (const answer of answers) {
        const seen: Seen[] = []
        for (const manner of [{}, { framing }]) {
          gateway.upstream.enqueue(answering(answer, manner), answering('Grüße 🗼.', manner))
          seen.push(await apis[api](gateway, { model: 'brief', stream: true }))
          // What the first answer needed no second one for.
          if (answer === answers[0]) await ask(gateway, 'chat', { model: 'plain' })
        }
        expect(seen[1]).toEqual(seen[0])
        expect(seen[0]).toMatchObject({ status: 200, verdict: 'valid', attempts: answer === answers[0] ? 1 : 2 })
      }
  })
})

describe('U14 pieces of tool calls', () => {
  const frame = { id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: 'm' }
  const chunk = (delta: object, finish: string | null = null) => ({ ...frame, choices: [{ index: 0, delta, finish_reason: finish }] })
  const piece = (fields: object) => chunk({ tool_calls: [fields] })
  const begin = (id: string, name: string, given: string) => ({ id, type: 'function', function: { name, arguments: given } })
  const more = (given: string) => ({ function: { arguments: given } })
  const tool = (name: string) => ({
    function: { name, parameters: { type: 'object', properties: { x: {} }, additionalProperties: false } },
  })
  const tools = [tool('f'), tool('g')].map((one) => ({ type: 'function', ...one }))
  const calls = [
    ['f', { x: 'é' }],
    ['g', { x: 2 }],
  ]
  const cases: readonly (readonly [string, readonly object[]])[] = [
    [
      'interleaved, empty at first, split inside an escape',
      [
        piece({ index: 0, ...begin('a', 'f', '') }),
        piece({ index: 1, ...begin('b', 'g', '{"x"') }),
        piece({ index: 0, ...more('{"x":"\\u00') }),
        piece({ index: 1, ...more(':2}') }),
        piece({ index: 0, ...more('e9"}') }),
      ],
    ],
    ['without index', [piece(begin('a', 'f', '{"x":')), piece(more('"\\u00e9"}')), piece(begin('b', 'g', '{"x":2}'))]],
    ['all at index 0', [piece({ index: 0, ...begin('a', 'f', '{"x":"é"}') }), piece({ index: 0, ...begin('b', 'g', '{"x":2}') })]],
    [
      'the later index first',
      [
        piece({ index: 1, ...begin('b', 'g', '{"x":') }),
        piece({ index: 0, ...begin('a', 'f', '{"x":"é"}') }),
        piece({ index: 1, ...more('2}') }),
      ],
    ],
  ]
  test.each(cases)('U14 %s: the calls of the answer that is no stream', async (_name, chunks) => {
    for (const api of apiNames) {
      gateway.upstream.enqueue(answeringEvents([...chunks, chunk({}, 'tool_calls')]))
      expect(await apis[api](gateway, { model: 'called', stream: true, tools })).toMatchObject({ status: 200, verdict: 'valid', calls })
      const whole = ['f', 'g'].map((name, index) => ({ id: name, name, arguments: index === 0 ? '{"x":"é"}' : '{"x":2}' }))
      gateway.upstream.enqueue(answering('', { toolCalls: whole }))
      expect(await apis[api](gateway, { model: 'called', stream: false, tools })).toMatchObject({ status: 200, verdict: 'valid', calls })
    }
  })
})
