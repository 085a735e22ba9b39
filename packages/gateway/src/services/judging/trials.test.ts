import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunRecord } from '../../records/run/run-record.ts'
import { requireBuiltJudge } from '../../testing/built-judge.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask, recordOf } from '../../testing/wire.ts'

/** Takes seconds for a text that never matches, though its time is linear. */
const patterns = Array.from({ length: 100 }, (_, index) => `{ regex: "(?:x+[xy]{1,300}){1,2}z${index}" }`).join(', ')
const slow = `{ checks: [{ pattern: { deny: [${patterns}] } }] }`
const hostile = 'x'.repeat(120_000)

let gateway: TestGateway
let folder = ''
beforeAll(async () => {
  requireBuiltJudge()
  folder = await mkdtemp(join(tmpdir(), 'stickler-trials-'))
  await copyFile(new URL('../../testing/plugin-validators.mjs', import.meta.url), join(folder, 'plugin.mjs'))
  gateway = await startTestGateway({
    folder,
    yaml: `
plugins: [./plugin.mjs]
server: { port: 0, judging: { deadline: 1, threads: 1 } }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }]
contracts:
  brief: { checks: [{ max_words: { limit: 5 } }] }
  slow: ${slow}
  plugged: { checks: [deed] }
routes:
  - { model: brief, upstream: up, contract: brief }
  - { model: shadowed, upstream: up, contract: brief, shadow: slow }
  - { model: plugged, upstream: up, contract: plugged }
  - { model: shadowed-by-plugin, upstream: up, contract: brief, shadow: plugged }
`,
  })
})
afterAll(async () => {
  await gateway.close(0)
  await gateway.upstream.close()
  await rm(folder, { recursive: true, force: true })
})

const attempt = async (body: object): Promise<Record<string, unknown>> =>
  ((await (await gateway.post('/api/v1/try', body)).json()) as { report: Record<string, unknown> }).report

/** Notes what ends when. */
async function beside(slowly: Promise<unknown>, model = 'brief'): Promise<readonly string[]> {
  const order: string[] = []
  const ended = slowly.then(() => order.push('slow'))
  for (let count = 0; count < 5; count++) {
    gateway.upstream.enqueue(answering('Fine.'))
    const { status } = await ask(gateway, 'chat', { model })
    order.push(String(status))
  }
  await ended
  return order
}

test.each([
  ['being written', { yaml: `checks: [{ pattern: { deny: [${patterns}] } }]`, text: hostile }],
  ['configured', { contract: 'slow', text: hostile }],
  ['configured, with a long answer,', { contract: 'slow', text: hostile.repeat(2) }],
])('a contract %s that takes too long is unchecked, and everybody else is answered meanwhile', async (_, body) => {
  const tried = attempt(body)
  const order = await beside(tried)
  expect(await tried).toMatchObject({ status: 'unchecked', issues: [], unchecked: [{ validator: 'pattern', cause: 'timeout' }] })
  expect(order).toEqual(['200', '200', '200', '200', '200', 'slow'])
})

test('a thread that is terminated takes no other work with it, neither tried nor live', async () => {
  const long = 'word '.repeat(20_000)
  gateway.upstream.enqueue(answering(long))
  const [first, second, third, live] = await Promise.all([
    attempt({ contract: 'slow', text: hostile }),
    attempt({ contract: 'brief', text: 'one two three four five six' }),
    attempt({ contract: 'brief', text: 'one two' }),
    ask(gateway, 'chat', { model: 'brief' }),
  ])
  expect([first?.status, second?.status, third?.status]).toEqual(['unchecked', 'unresolved', 'valid'])
  // Longer than server.judging.threshold, so it is judged in a thread, too.
  const { attempts } = (await recordOf(gateway, live)) as unknown as RunRecord
  expect(attempts[0]?.issues).toMatchObject([{ code: 'MAX_WORDS' }])
})

test('a shadow contract that takes too long is unchecked, and everybody else is answered meanwhile', async () => {
  gateway.upstream.enqueue(answering(hostile))
  const reply = await ask(gateway, 'chat', { model: 'shadowed' })
  const shadow = async (): Promise<RunRecord['shadow']> => (await recordOf(gateway, reply)).shadow as RunRecord['shadow']
  const order = await beside(expect.poll(shadow, { timeout: 15_000, interval: 50 }).toBeDefined())
  expect(await shadow()).toMatchObject({ contract: 'slow', status: 'unchecked', codes: '', liveCodes: '' })
  expect(order).toEqual(['200', '200', '200', '200', '200', 'slow'])
})

test('a validator of a plugin that never ends on trial holds up no live answer that it judges', async () => {
  const tried = attempt({ contract: 'plugged', text: 'LOOP' })
  const order = await beside(tried, 'plugged')
  expect(await tried).toMatchObject({ status: 'unchecked', unchecked: [{ validator: 'deed', cause: 'timeout' }] })
  expect(order).toEqual(['200', '200', '200', '200', '200', 'slow'])
})

test('nor does it in a shadow contract', async () => {
  gateway.upstream.enqueue(answering('LOOP'))
  const reply = await ask(gateway, 'chat', { model: 'shadowed-by-plugin' })
  const shadow = async (): Promise<RunRecord['shadow']> => (await recordOf(gateway, reply)).shadow as RunRecord['shadow']
  const order = await beside(expect.poll(shadow, { timeout: 15_000, interval: 50 }).toBeDefined(), 'plugged')
  expect(await shadow()).toMatchObject({ contract: 'plugged', status: 'unchecked' })
  expect(order).toEqual(['200', '200', '200', '200', '200', 'slow'])
})
