import { type Contract, defineContract } from '@stickler/core'
import type { WireEvent } from '@stickler/core/internal/apis'
import { leavesOf, mayReason, ReasoningSecrets } from '@stickler/core/internal/relay'
import { sensitive } from '@stickler/core/validators'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { processorMs } from '../../../../../tools/tests/processor-ms.ts'
import { answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { apiNames, ask } from '../../testing/wire.ts'
import {
  chat,
  chatChunk,
  cut,
  hidden,
  type Json,
  message,
  messageEvents,
  response,
  responseEvents,
  thought,
  yaml,
} from '../relay/testing/reasoned-replies.ts'

let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const upstreams = {
  chat: [chat.whole({ reasoning_content: thought }), chat.events('reasoning_content')],
  messages: [message(thought), messageEvents],
  responses: [response, responseEvents],
} as const

/** All texts of reasoning that a client reads from the events of a stream, or from a reply. */
function reasoningIn(body: string, isStreamed: boolean): string {
  const values = isStreamed
    ? body.split('\n').flatMap((line) => (line.startsWith('data: {') ? [JSON.parse(line.slice(6)) as Json] : []))
    : [JSON.parse(body) as Json]
  const found: string[] = []
  const visit = (value: unknown, name: string, inside: boolean): void => {
    if (typeof value === 'string') {
      if (inside && /^(?:reasoning|reasoning_content|thinking|delta|text)$/.test(name)) found.push(value)
    } else if (typeof value === 'object' && value !== null) {
      const isReasoning = inside || /reasoning|thinking|summary_text/.test(String((value as Json).type ?? ''))
      for (const [key, item] of Object.entries(value)) visit(item, Array.isArray(value) ? name : key, isReasoning || /^reasoning/.test(key))
    }
  }
  for (const value of values) visit(value, '', false)
  return found.join('')
}

describe.each(apiNames)('reasoning for a client of %s', (client) => {
  test.each(
    // A provider of Responses is asked for chat completions by the others.
    apiNames
      .filter((upstream) => upstream !== 'responses' || client === 'responses')
      .flatMap(
        (upstream) =>
          [
            [upstream, 'whole'],
            [upstream, 'streamed'],
          ] as const,
      ),
  )('from %s, %s, is delivered without sensitive data', async (upstream, how) => {
    const isStreamed = how === 'streamed'
    const [whole, events] = upstreams[upstream]
    gateway.upstream.enqueue(isStreamed ? answeringEvents(events, { done: upstream === 'chat' }) : answeringBody(whole))
    const { status, body } = await ask(gateway, client, { model: upstream, stream: isStreamed })
    expect(status, body).toBe(200)
    expect(body).not.toContain('jane')
    expect(body).not.toContain('other.org')
    expect(body).toContain('Yes')
    if (client === upstream) expect(reasoningIn(body, isStreamed)).toContain(hidden)
  })
})

describe('a search of reasoning', () => {
  const events = (pieces: readonly string[]): WireEvent[] =>
    pieces.map((piece) => ({
      name: '',
      data: JSON.stringify(chatChunk({ reasoning_content: piece })),
      parts: [],
      place: 'body',
      weight: 1,
    }))
  const shownOf = (secrets: ReasoningSecrets, all: readonly WireEvent[]): string =>
    reasoningIn(all.map((event) => `data: ${secrets.event(event, all).data}`).join('\n'), true)

  test('takes out all of findings that overlap', () => {
    const spans = [
      [0, 10],
      [5, 20],
      [12, 15],
      [22, 23],
    ]
    const repair = () => spans.map(([start, end]) => ({ span: { start, end }, after: '*' }))
    const contract = { validators: [{ name: 'v', prepared: { secret: true, repair } }], policy: { locale: 'en' } } as unknown as Contract
    expect(new ReasoningSecrets(contract).without({ reasoning: '0123456789abcdefghijklmnop' })).toEqual({ reasoning: '*kl*nop' })
  })

  test('of many events is linear, takes turns, and finds the same', async () => {
    const contract = defineContract({ checks: [sensitive({ redact: true })] })
    const text = Array.from({ length: 12_000 }, (_, at) => `${at} ${at % 50 === 0 ? 'Ask jane@other.org.' : 'words'} `).join('')
    const all = events(cut(text, 5))
    const secrets = new ReasoningSecrets(contract)
    let turns = 0
    expect(await processorMs(() => secrets.prepare(all, async () => void turns++))).toBeLessThan(8000)
    const shown = shownOf(secrets, all)
    expect(turns).toBeGreaterThan(all.length / 256)
    expect(shown).toBe(text.replaceAll('jane@other.org', '[EMAIL]'))
    const interrupted = new ReasoningSecrets(contract)
    void interrupted.prepare(all, () => new Promise(() => {}))
    expect(shownOf(interrupted, all)).toBe(shown)
  }, 30_000)
})

const stopped = (sequence: unknown) => ({ type: 'message_delta', delta: { stop_reason: 'stop_sequence', stop_sequence: sequence } })

test.each([
  ['no white space', (json: string) => json],
  ['a space', (json: string) => json.replaceAll(':', ': ')],
  ['spaces on both sides', (json: string) => json.replaceAll('":', '" : ')],
  ['tabs', (json: string) => json.replaceAll('":', '"\t:\t')],
  ['line breaks', (json: string) => json.replaceAll('":', '"\r\n:\n')],
  ['indentation', (json: string) => JSON.stringify(JSON.parse(json), null, 2)],
])('a text at stop_sequence is looked for with %s around the colon', (_name, write) => {
  const said = write(JSON.stringify(stopped('jane@acme.com')))
  expect(mayReason(said)).toBe(true)
  expect(leavesOf(JSON.parse(said)).map(({ text }) => text)).toContain('jane@acme.com')
  // Nearly all messages have none, and are not read again.
  expect(mayReason(write(JSON.stringify(stopped(null))))).toBe(false)
})

test.each(['content_blocks', 'provider_specific_fields', 'parts'])('messages whose %s are empty are not read again', (name) => {
  const chunk = (added: unknown) => ({ choices: [{ delta: { content: 'ok', [name]: added } }] })
  for (const space of [0, 2]) {
    expect(mayReason(JSON.stringify(chunk(null), null, space))).toBe(false)
    expect(mayReason(JSON.stringify(chunk([{ note: 'a' }]), null, space))).toBe(true)
  }
  expect(leavesOf(chunk([{ note: 'a' }])).map(({ text }) => text)).toEqual(['a'])
})
