import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { failing } from '../../testing/programmable-upstream-faults.ts'
import { fullIssue, sampleRun } from '../../testing/store-fixtures.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { attemptLine, deliveryLines } from './run-listener.ts'

const yaml = `
store: { keepText: false }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, model: m }
contracts:
  tools: { preset: techtime }
  chat: { preset: helix, checks: [step_marker] }
  adr: { preset: helix, checks: [step_marker, adr_structure], retries: 1 }
routes:
  - { model: chat, upstream: up, contract: chat }
  - { model: adr, upstream: up, contract: adr }
  - { model: tools, upstream: up, contract: tools }
  - { model: free, upstream: up }
ask: { upstreams: [up] }
`
const canary = 'canary-kolibri'
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

/** The lines about attempts of one request. */
async function linesOf(path: string, body: object) {
  const before = gateway.logLines.length
  const reply = await gateway.post(path, body)
  await reply.text()
  const since = () => gateway.logLines.slice(before)
  await expect.poll(() => since().some((line) => line.includes('"msg":"run"'))).toBe(true)
  const lines = since().map((line) => JSON.parse(line) as Record<string, unknown>)
  const run = lines.find(({ msg }) => msg === 'run')?.run
  const about = lines.filter(({ msg }) => /attempt|fallback|warnings/.test(String(msg)))
  for (const line of about) expect(line).toMatchObject({ run, requestId: expect.any(String) })
  expect(since().join('\n')).not.toContain(canary)
  return about.map(({ level, msg, attempt, codes, validator, contract, kind }) => ({
    level,
    msg,
    attempt,
    codes,
    validator,
    contract,
    kind,
  }))
}

const messages = [{ role: 'user', content: `Hallo ${canary}?` }]

describe.each([
  ['/v1/chat/completions', (model: string, stream: boolean) => ({ model, stream, messages })],
  ['/v1/responses', (model: string, stream: boolean) => ({ model, stream, input: `Hallo ${canary}?` })],
  ['/v1/messages', (model: string, stream: boolean) => ({ model, stream, max_tokens: 100, messages })],
])('on %s', (path, bodyOf) => {
  test.each([false, true])('every failed attempt and the fallback have a line, streamed: %s', async (stream) => {
    gateway.upstream.enqueue(
      answering(`Eins ${canary}`),
      answering(`Zwei <!-- STEP: ${canary} -->`),
      answering(`Drei ${canary} <!-- STEP: ${canary}2 -->`),
    )
    const failed = { level: 'warn', msg: 'attempt failed', validator: ['step_marker'], contract: 'chat', kind: undefined }
    expect(await linesOf(path, bodyOf('chat', stream))).toEqual([
      { ...failed, attempt: 1, codes: ['MISSING_STEP_MARKER'] },
      { ...failed, attempt: 2, codes: ['INVALID_STEP'] },
      { ...failed, attempt: 3, codes: ['INVALID_STEP'] },
      { ...failed, level: 'info', msg: 'fallback: repairs applied', attempt: undefined, codes: ['INVALID_STEP'] },
    ])
  })
})

test('all validators of an attempt are named, and a provider that fails', async () => {
  const adr = `---\nadr_id: "1"\ntitle: ${canary}\n---\n# ADR-1: ${canary}\n`
  gateway.upstream.enqueue(answering(adr), failing(500, {}, canary))
  expect(await linesOf('/v1/chat/completions', { model: 'adr', messages })).toMatchObject([
    { attempt: 1, codes: ['MISSING_STEP_MARKER', 'MISSING_ADR_FIELD', 'MISSING_ADR_SECTION'], validator: ['step_marker', 'adr_structure'] },
    { attempt: 2, codes: [], validator: [], kind: 'http' },
  ])
})

test('a good answer has none', async () => {
  gateway.upstream.enqueue(answering('Gut. <!-- STEP: done -->'))
  expect(await linesOf('/v1/chat/completions', { model: 'chat', messages })).toEqual([])
})

test('an answer that no contract judges has none, and one that fails has its own', async () => {
  gateway.upstream.enqueue(answering('Gut.'), failing(500, {}, canary))
  expect(await linesOf('/v1/chat/completions', { model: 'free', messages })).toEqual([])
  expect(await linesOf('/v1/chat/completions', { model: 'free', messages })).toMatchObject([{ attempt: 1, contract: '', kind: 'http' }])
})

test('warnings of what is delivered have a line', async () => {
  gateway.upstream.enqueue(answering(''))
  const warned = { level: 'warn', msg: 'delivered with warnings', contract: 'tools' }
  expect(await linesOf('/v1/chat/completions', { model: 'tools', messages })).toMatchObject([
    { ...warned, codes: ['EMPTY_CONTENT'], validator: ['tool_calls'] },
  ])
  const { issues, ...record } = sampleRun(1, { repairs: [], issues: [{ ...fullIssue, severity: 'warning' }] })
  expect(deliveryLines({ ...record, issues, delivered: false })).toEqual([])
  expect(deliveryLines({ ...record, issues, delivered: true })).toMatchObject([{ message: 'delivered with warnings' }])
})

test.each(['/v1/chat/completions', '/ask'])('an attempt that fails has its line before the next one ends, %s', async (path) => {
  const before = gateway.logLines.length
  let release = (): void => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const last = answering(path === '/ask' ? 'Tabs [^1].' : 'Gut. <!-- STEP: done -->')
  gateway.upstream.enqueue(answering('Schlecht [^7].'), async (...given) => {
    await held
    return last(...given)
  })
  const body =
    path === '/ask' ? { question: 'Tabs?', sources: [{ urn: 'urn:doc:1', payload: 'Tabs are fine.' }] } : { model: 'chat', messages }
  const reply = gateway.post(path, body)
  const lines = () => gateway.logLines.slice(before).filter((line) => line.includes('attempt failed'))
  await expect.poll(() => lines().length).toBe(1)
  release()
  expect((await reply).status).toBe(200)
  const run = () => gateway.logLines.slice(before).find((line) => line.includes('"msg":"run"'))
  await expect.poll(run).toBeDefined()
  expect(lines()).toHaveLength(1)
  expect(JSON.parse(lines()[0] ?? '').run).toBe(JSON.parse(run() ?? '').run)
})

test('names that are none are not written', () => {
  const issue = { ...fullIssue, code: `said ${canary}`, validator: canary }
  const attempt = { number: 1, call: 'run' as const, ms: 1, issues: [issue, { ...issue, severity: 'warning' as const }] }
  const { fields } = attemptLine(attempt, { requestId: 'r', run: 'n', contract: 'c', model: 'm' })
  expect(fields).toMatchObject({ codes: ['other'], validator: ['other'] })
})
