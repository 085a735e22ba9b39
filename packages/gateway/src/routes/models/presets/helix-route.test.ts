import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'
import { answering } from '../../../testing/programmable-upstream-answers.ts'
import { readEvents } from '../../../testing/speaking-clients.ts'
import { startTestGateway, type TestGateway } from '../../../testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  helix-chat: { preset: helix, checks: [step_marker] }
  helix-adr: { preset: helix, checks: [step_marker, adr_structure] }
  helix-short: { preset: helix, checks: [step_marker, { max_words: { limit: 9 } }], retries: 0 }
  helix-live: { preset: helix, checks: [step_marker], stream: verified }
routes:
  - { model: helix, upstream: up, contract: helix-chat }
  - { model: adr, upstream: up, contract: helix-adr }
  - { model: short, upstream: up, contract: helix-short }
  - { model: live, upstream: up, contract: helix-live }
  - { model: narrow, upstream: up, contract: helix-chat, messages: { count: 2, characters: 10 } }
`
let folder: string
let gateway: TestGateway

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'stickler-helix-'))
  gateway = await startTestGateway({ yaml, folder })
})
afterAll(async () => {
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})

const feedback = [
  'WICHTIG: Deine letzte Antwort hatte Validierungsfehler. Bitte korrigiere:',
  '',
  '**MISSING_STEP_MARKER**: Response enthält keinen STEP-Marker',
  '  → Fix: Füge am Ende hinzu: <!-- STEP: what|why|constraints|generate|finalize|done -->',
  '',
  'Bitte wiederhole deine Antwort mit den Korrekturen.',
].join('\n')

interface Asked {
  readonly stream?: boolean
  readonly chat?: string
  readonly model?: string
  readonly messages?: readonly { readonly role: string; readonly [field: string]: unknown }[]
}

const hello = [{ role: 'user', content: 'Hallo?' }]

async function ask({ stream = false, chat, model = 'helix', messages = hello }: Asked = {}) {
  const headers = chat === undefined ? {} : { 'X-OpenWebUI-Chat-Id': chat }
  const response = await gateway.post('/v1/chat/completions', { model, stream, messages }, headers)
  if (!stream || !response.ok) {
    const body = (await response.json()) as Record<string, unknown> & { choices?: { message: { content: string } }[] }
    return { status: response.status, text: body.choices?.[0]?.message.content ?? '', verdict: body.stickler, error: body.error }
  }
  const chunks = await readEvents(response)
  const choices = chunks.flatMap((chunk) => chunk.choices as { delta: { content?: string } }[])
  return {
    status: response.status,
    text: choices.map(({ delta }) => delta.content ?? '').join(''),
    verdict: chunks.findLast(({ stickler }) => stickler !== undefined)?.stickler,
    error: undefined,
  }
}

describe.each([
  ['helix', false],
  ['helix', true],
])('the step marker of %s; streamed: %s', (model, stream) => {
  it('is asked for in German, behind the rejected answer', async () => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(answering('Worum geht es denn'), answering('Worum geht es? <!-- STEP: what -->'))
    const got = await ask({ model, stream })
    expect(got).toMatchObject({ status: 200, text: 'Worum geht es? <!-- STEP: what -->', verdict: { status: 'valid', attempts: 2 } })
    expect(gateway.upstream.requests[before + 1]?.json?.messages).toEqual([
      ...hello,
      { role: 'assistant', content: 'Worum geht es denn' },
      { role: 'user', content: feedback },
    ])
  })

  it('is put in after the last retry', async () => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(...['Eins', 'Zwei', 'Drei'].map((word) => answering(`Das war ${word}.`)))
    const got = await ask({ model, stream })
    expect(got).toMatchObject({
      status: 200,
      verdict: { status: 'repaired', attempts: 3, repairs: [expect.anything()], issues: [], fixed: [{ code: 'MISSING_STEP_MARKER' }] },
    })
    expect(got.text).toMatch(/^Das war Drei\.\s*<!-- STEP: done -->\s*$/)
    expect(gateway.upstream.requests.length - before).toBe(3)
  })
})

it.each([false, true])('a record with a code block in a fence is valid; streamed: %s', async (stream) => {
  const header = '---\nadr_id: 7\ntitle: x\nstatus: y\n---\n'
  const sections = '## Kontext\n\n```js\nx\n```\n\n## Entscheidung\n\n```\ny\n```\n\n## Akzeptanzkriterien\n\n- [ ] a\n- [ ] b\n- [ ] c\n'
  const text = `\`\`\`markdown\n${header}\n${sections}\`\`\`\n\n<!-- STEP: generate -->`
  gateway.upstream.enqueue(answering(text))
  expect(await ask({ model: 'adr', stream })).toMatchObject({ status: 200, text, verdict: { status: 'valid', attempts: 1 } })
})

describe('the step marker of a stream that shows what is safe', () => {
  it('is put in at once, because nothing that was shown can be said again', async () => {
    gateway.upstream.enqueue(answering('Worum geht es?'))
    const got = await ask({ model: 'live', stream: true })
    expect(got).toMatchObject({ status: 200, text: 'Worum geht es?\n\n<!-- STEP: what -->', verdict: { status: 'repaired', attempts: 1 } })
  })
})

describe('tasks of Open WebUI', () => {
  const titled = async (task: string, said: string) => {
    gateway.upstream.enqueue(answering(said))
    const response = await gateway.post('/v1/chat/completions', { model: 'short', messages: hello }, { 'x-stickler-task': task })
    const body = (await response.json()) as { choices?: { message: { content: string } }[]; stickler?: object }
    return { status: response.status, text: body.choices?.[0]?.message.content, verdict: body.stickler }
  }

  it.each(['title_generation', 'tags_generation'])('%s needs no step marker, and keeps the rest of the contract', async (task) => {
    const verdict = { status: 'valid', attempts: 1, skipped: ['step_marker'] }
    expect(await titled(task, 'Ports')).toMatchObject({ status: 200, text: 'Ports', verdict })
    expect((await titled(task, 'Ports '.repeat(10))).status).toBe(422)
  })

  it('others have the format of the chat', async () => {
    expect(await titled('follow_up_generation', 'Ports')).toMatchObject({
      text: 'Ports\n\n<!-- STEP: done -->',
      verdict: { status: 'repaired' },
    })
  })
})

describe('sessions', () => {
  const session = async (id: string) =>
    (await (await gateway.get(`/api/v1/sessions/${id}`)).json()) as {
      steps: { step: string }[]
      newest: { items: { facts?: { step?: string } }[] }
    }

  it('keep their steps, also over a restart', async () => {
    const said = ['<!-- STEP: what -->', '<!-- STEP: why -->', '<!-- STEP: Constraints -->'].map((marker) => answering(`Gut. ${marker}`))
    gateway.upstream.enqueue(...said)
    for (const _ of said) await ask({ chat: 'helix-1' })
    await expect.poll(async () => (await session('helix-1')).newest?.items.length).toBe(3)
    const before = await session('helix-1')
    expect(before).toMatchObject({ session: 'helix-1', runs: 3, statuses: { valid: 3 }, status: 'active', step: 'constraints' })
    expect(before.steps.map(({ step }) => step)).toEqual(['what', 'why', 'constraints'])
    expect(before.newest.items.map(({ facts }) => facts?.step)).toEqual(['constraints', 'why', 'what'])
    await gateway.close()
    gateway = await startTestGateway({ yaml, folder })
    expect(await session('helix-1')).toEqual(before)
  })
})

describe('a step that a repair has inferred', () => {
  const session = async () => (await gateway.get('/api/v1/sessions/helix-2')).json()

  it('is marked, and does not end the session until an answer names it', async () => {
    gateway.upstream.enqueue(answering('Alles klar.'), answering('Gut. <!-- STEP: done -->'))
    await ask({ model: 'live', stream: true, chat: 'helix-2' })
    await expect.poll(session).toMatchObject({ status: 'active', step: 'done', steps: [{ step: 'done', inferred: true }] })
    await ask({ model: 'live', stream: true, chat: 'helix-2' })
    await expect.poll(session).toMatchObject({ runs: 2, status: 'done', steps: [{ step: 'done', at: expect.any(Number) }] })
    expect(JSON.stringify(await session())).not.toContain('"inferred"')
  })
})

describe('limits', () => {
  const many = (count: number, content = 'x') => Array.from({ length: count }, () => ({ role: 'user', content }))

  const long = 'x'.repeat(100_001)
  const call = { id: 'a', type: 'function', function: { name: 'f', arguments: long } }

  test.each<[string, Asked, number, string | undefined, string | undefined]>([
    ['100 messages', { messages: many(100) }, 200, undefined, undefined],
    ['101 messages', { messages: many(101) }, 400, 'messages', '100'],
    ['101 messages, streamed', { messages: many(101), stream: true }, 400, 'messages', '100'],
    ['100 000 characters', { messages: many(1, 'ü'.repeat(100_000)) }, 200, undefined, undefined],
    ['100 001 characters', { messages: [...hello, ...many(1, 'ü'.repeat(100_001))] }, 400, 'messages[1].content', '100000'],
    ['a long name', { messages: [{ ...hello[0], role: 'user', name: 'n'.repeat(100_000) }] }, 400, 'messages[0]', '100000'],
    ['a long refusal', { messages: [{ role: 'assistant', content: null, refusal: long }, ...hello] }, 400, 'messages[0]', '100000'],
    [
      'a long part',
      { messages: [{ role: 'assistant', content: [{ type: 'refusal', refusal: long }] }, ...hello] },
      400,
      'messages[0]',
      '100000',
    ],
    ['long arguments', { messages: [...hello, { role: 'assistant', tool_calls: [call] }] }, 400, 'messages[1]', '100000'],
    ['as configured: 2 messages', { model: 'narrow', messages: many(2) }, 200, undefined, undefined],
    ['as configured: 3 messages', { model: 'narrow', messages: many(3) }, 400, 'messages', '2'],
    ['as configured: 11 characters', { model: 'narrow', messages: many(1, 'x'.repeat(11)) }, 400, 'messages[0].content', '10'],
  ])('%s', async (_, asked, status, param, limit) => {
    gateway.upstream.otherwise(answering('Gut. <!-- STEP: done -->'))
    const before = gateway.upstream.requests.length
    const got = await ask(asked)
    expect(got.status).toBe(status)
    expect(gateway.upstream.requests.length - before).toBe(status === 200 ? 1 : 0)
    if (status === 400)
      expect(got.error).toMatchObject({ type: 'invalid_request_error', param, message: expect.stringContaining(limit ?? '') })
  })
})
