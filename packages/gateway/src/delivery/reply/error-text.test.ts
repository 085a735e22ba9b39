import { contract, type FailureKind, type Outcome, RunnerFailure } from '@stickler/core'
import { locales } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import { describeError, errorText, undelivered } from '@stickler/core/internal/relay'
import { helix } from '@stickler/presets/helix'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { goingDown } from '../../front/replies/overload-errors.ts'
import type { Target } from '../../requests/target.ts'
import { answering, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { failing } from '../../testing/programmable-upstream-faults.ts'
import { readEvents } from '../../testing/speaking-clients.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  adr: { preset: helix, checks: [step_marker, adr_structure] }
  plain: { checks: [{ max_words: { limit: 2 } }], locale: de, stream: hold, retries: 1 }
  called: { checks: [tool_calls], retries: 0 }
routes:
  - { model: called, upstream: up, contract: called, errorsAs: text }
  - { model: adr, upstream: up, contract: adr, errorsAs: text }
  - { model: plain, upstream: up, contract: plain, errorsAs: text }
`
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

async function ask(model: string) {
  const body = { model, stream: true, messages: [{ role: 'user', content: 'Hallo?' }] }
  const chunks = await readEvents(await gateway.post('/v1/chat/completions', body, { 'X-OpenWebUI-Chat-Id': 'c' }))
  const choices = chunks.flatMap((chunk) => chunk.choices as { delta: { content?: string } }[])
  const events = chunks.flatMap(({ event }) => (event === undefined ? [] : [(event as { data: { description: string } }).data.description]))
  return { text: choices.map(({ delta }) => delta.content ?? '').join(''), events }
}

/** What `stream_enforcement_error` of the design yields, without the frames. */
const seedLines = (issues: readonly string[]) => [
  '[ENFORCEMENT ERROR]',
  'Die LLM-Response konnte nicht validiert werden:',
  ...issues.map((issue) => `- ${issue}`),
  'Bitte versuche es erneut oder kontaktiere den Administrator.',
]

describe('an error that is told as text', () => {
  const adr = '---\nadr_id: "1"\ntitle: Titel\nstatus: Proposed\n---\n\n# ADR-1\n\n## Kontext\n\nSo.\n\n<!-- STEP: generate -->\n'

  test('is that of the design under its preset, complete and in German, like what is told before it', async () => {
    gateway.upstream.enqueue(...['So.', 'Anders.', 'Ganz anders.'].map((said) => answering(adr.replace('So.', said))))
    const { text, events } = await ask('adr')
    expect(text.split('\n').filter((line) => line !== '')).toEqual(
      seedLines([
        'MISSING_ADR_SECTION: ADR fehlt Section: ## Entscheidung',
        'MISSING_ADR_SECTION: ADR fehlt Section: ## Akzeptanzkriterien',
      ]),
    )
    expect(events).toEqual([
      'Versuch 2 von 3: MISSING_ADR_SECTION wird korrigiert',
      'Versuch 3 von 3: MISSING_ADR_SECTION wird korrigiert',
      'Versuch 3 von 3: MISSING_ADR_SECTION wird korrigiert',
    ])
  })

  test('is one sentence in the language of a contract without a preset', async () => {
    gateway.upstream.enqueue(answering('Eins zwei drei.'), answering('Eins zwei drei vier.'))
    expect((await ask('plain')).text).toMatch(/^\n\nDie Antwort hält den Vertrag "plain" nicht ein: MAX_WORDS: \S.*$/)
  })
})

describe('an error that is told as text where nothing was sent before', () => {
  const question = [{ role: 'user', content: 'Hallo?' }]
  const asked: [path: string, body: object, end: string][] = [
    ['/v1/chat/completions', { messages: question }, '"finish_reason":"stop"'],
    ['/v1/messages', { messages: question, max_tokens: 9 }, '"stop_reason":"end_turn"'],
    ['/v1/responses', { input: 'Hallo?' }, '"type":"response.completed"'],
  ]
  const headers: Record<string, string>[] = [{}, { 'X-OpenWebUI-Chat-Id': 'c' }, { accept: 'application/json' }]
  test.each(asked.flatMap((one) => headers.map((sent) => [...one, sent] as const)))('%s %j %s %j', async (path, body, end, sent) => {
    for (const [behaviour, told] of [
      [answering('Eins zwei drei.'), 'MAX_WORDS'],
      [failing(500), 'Anbieter'],
    ] as const) {
      gateway.upstream.otherwise(behaviour)
      const response = await gateway.post(path, { model: 'plain', stream: true, ...body }, sent)
      expect([response.status, response.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/event-stream')])
      const events = JSON.stringify(await readEvents(response))
      expect(events).toContain(told)
      expect(events).toContain(end)
      expect(events).not.toContain('zwei drei')
    }
  })

  test('is an error for a request that is not streamed', async () => {
    gateway.upstream.enqueue(answering('Eins zwei drei.'), answering('Eins zwei drei vier.'))
    expect((await gateway.post('/v1/chat/completions', { model: 'plain', messages: question })).status).toBe(422)
  })
})

describe('an error that is told as text behind words that were shown', () => {
  const chunk = (index: number, delta: object, reason: string | null = null) => ({
    id: 'c',
    choices: [{ index, delta, finish_reason: reason }],
  })
  const bad = (index: number) => [
    chunk(index, { content: 'Some words come first. ' }),
    chunk(index, { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'gone', arguments: '{}' } }] }),
  ]
  const question = [{ role: 'user', content: 'Hallo?' }]

  test.each([
    ['/v1/chat/completions', { messages: question }, '"finish_reason":"stop"', '"tool_calls"'],
    ['/v1/messages', { messages: question, max_tokens: 9 }, '"stop_reason":"end_turn"', '"tool_use"'],
    ['/v1/responses', { input: 'Hallo?' }, '"type":"response.completed"', '"function_call"'],
  ])('ends the turn: %s', async (path, body, end, call) => {
    gateway.upstream.enqueue(answeringEvents([...bad(0), chunk(0, {}, 'tool_calls')]))
    const events = await readEvents(await gateway.post(path, { model: 'called', stream: true, ...body }))
    // The verdict names the path of what was found, which is no call.
    const told = JSON.stringify(events, (name, value) => (name === 'stickler' ? undefined : value))
    expect(told).toContain('UNKNOWN_TOOL')
    expect(told).toContain(end)
    expect(told).not.toContain(call)
  })

  test('is that of the choice that is wrong, and every choice ends', async () => {
    const good = chunk(0, { content: 'Good words. ' })
    gateway.upstream.enqueue(answeringEvents([good, ...bad(1), chunk(0, {}, 'stop'), chunk(1, {}, 'tool_calls')]))
    const chunks = await readEvents(await gateway.post('/v1/chat/completions', { model: 'called', stream: true, n: 2, messages: question }))
    type Piece = { index: number; delta: { content?: string }; finish_reason: string | null }
    const choices = chunks.flatMap((one) => (one.choices ?? []) as Piece[])
    const of = (index: number) => choices.filter((one) => one.index === index)
    expect([0, 1].map((index) => of(index).flatMap((one) => one.finish_reason ?? []))).toEqual([['stop'], ['stop']])
    const texts = [0, 1].map((index) =>
      of(index)
        .map(({ delta }) => delta.content ?? '')
        .join(''),
    )
    expect(texts[0]).toBe('Good words. ')
    expect(texts[1]).toContain('UNKNOWN_TOOL')
  })
})

describe.each(locales)('without a verdict, in %s', (locale) => {
  const target = { contract: contract({ preset: helix, locale }), contractName: 'helix' } as Target
  const plain = { contract: contract({ checks: [], locale }), contractName: 'plain' } as Target
  const english = /\b(?:the|is|an?|not|with|cannot|sent|answer)\b/i
  const kinds: Record<FailureKind, true> = {
    ...{ aborted: true, deadline: true, timeout: true, connection: true, http: true, protocol: true, exit: true, empty: true, crash: true },
  }
  const failed = (kind: FailureKind) => {
    const failure = { kind, message: 'secret words', ...(kind === 'http' ? { status: 500 } : {}) }
    return { status: 'failed', delivered: false, issues: [], unchecked: [], failure } as unknown as Outcome
  }
  const told = (error: HttpError, outcomes: readonly Outcome[]) => [
    errorText(error, outcomes, plain),
    ...errorText(error, outcomes, target)
      .split('\n')
      .filter((line) => line.startsWith('- ')),
  ]

  test('a connection that broke is not said to be unreachable', () => {
    const failure = { kind: 'connection', message: 'secret words', isMidway: true } as const
    const described = describeError(new RunnerFailure('connection', 'secret words', failure), 'r')?.error
    const error = new HttpError(502, described?.message ?? '')
    const outcome = { ...failed('connection'), failure } as unknown as Outcome
    for (const text of told(error, [outcome])) expect(text).toMatch(locale === 'de' ? /abgebrochen, bevor/ : /broke before/)
  })

  test.each(Object.keys(kinds) as FailureKind[])('a provider that fails is told of: %s', (kind) => {
    const described = describeError(new RunnerFailure(kind, 'secret words', { status: 500 }), 'r')?.error
    const error = new HttpError(described?.status ?? 499, described?.message ?? 'The client disconnected.', {
      code: described?.code ?? 'aborted',
    })
    const texts = told(error, [failed(kind)])
    expect(texts).toHaveLength(2)
    for (const text of texts) {
      expect(text).toMatch(/\w{5}/)
      expect(text).not.toContain('secret')
      expect(english.test(text)).toBe(locale === 'en')
    }
  })

  test.each([
    ['the end of the gateway', goingDown],
    ['a full store', new HttpError(503, 'Answers cannot be recorded with the store.', { code: 'store_full' })],
    ['anything else', new HttpError(500, 'Something is wrong with the gateway.', { code: 'internal_error' })],
  ])('%s is told of', (_, error) => {
    for (const text of told(error, [])) expect(english.test(text)).toBe(locale === 'en')
  })

  test('a check that could not run is told of', () => {
    const unchecked = [{ validator: 'file_existence', cause: 'unavailable', message: 'the files are not there' }]
    const outcome = { status: 'unchecked', delivered: false, text: '', issues: [], fixed: [], unchecked, attempts: 1 } as unknown as Outcome
    const texts = told(undelivered(outcome, target) as HttpError, [outcome])
    for (const text of texts) expect([text.includes('file_existence'), english.test(text)]).toEqual([true, locale === 'en'])
  })
})

test('a message of several lines is one line of the list', () => {
  const target = { contract: contract({ preset: helix }), contractName: 'helix' } as Target
  const issues = [{ code: 'X', severity: 'error', validator: 'v', message: 'a\r\n\ndata: b\u2028c' }]
  const outcome = { status: 'unresolved', delivered: false, text: '', issues, fixed: [], unchecked: [], attempts: 1 } as unknown as Outcome
  expect(errorText(undelivered(outcome, target) as HttpError, [outcome], target)).toContain('\n- X: a data: b c\n')
})
