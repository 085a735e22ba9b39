import { type Contract, contract, type Validator } from '@stickler/core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { requireBuiltJudge } from '../../packages/gateway/src/testing/built-judge.ts'
import { sumOf } from '../../packages/gateway/src/testing/fault-gateway.ts'
import { answering } from '../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../packages/gateway/src/testing/test-gateway.ts'
import { ask, verdictOf } from '../../packages/gateway/src/testing/wire.ts'

const { looping } = (await import('../../packages/gateway/src/testing/outside-validators.mjs' as string)) as { readonly looping: Validator }

const size = 1_000_000
const clients = 64
/** Texts that are hard on scanners; how long they hold up the event loop is left to the benchmark. */
const hostile: readonly string[] = [
  '['.repeat(size),
  '`'.repeat(size),
  '- '.repeat(size / 2),
  '---\na: 1\n---\n\n'.repeat(size / 14),
  'a[^9] '.repeat(size / 6),
  `{"a": "${'x" y '.repeat(size / 5)}`,
  '\ud83d'.repeat(size),
  `LOOP ${'a '.repeat(size / 2)}`,
]
/** Far more than any check takes: only a loop in the process would reach it. */
const longestMs = 20_000

let gateway: TestGateway

beforeAll(async () => {
  requireBuiltJudge()
  gateway = await startTestGateway({
    yaml: `
server: { port: 0, judging: { threads: 1, deadline: 2 } }
store: { url: "sqlite::memory:" }
upstreams: [{ name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }]
contracts: { hostile: { checks: [] } }
routes: [{ model: hostile, upstream: up, contract: hostile }]
`,
  })
  const checks = [looping({}), { max_words: { limit: 100 } }, { citations: {} }]
  const contracts = new Map<string, Contract>([['hostile', contract({ checks, retries: 0, mode: 'lenient', repair: 'never' })]])
  await gateway.reload({ ...gateway.config, contracts })
  hostile.forEach((text, index) => {
    gateway.upstream.on(`text ${index}.`, answering(text, { chunks: [text] }))
  })
})
afterAll(() => gateway.close())

test('H25 64 clients with hostile answers of 1 MB: everybody is answered, and health checks are too', { timeout: 180_000 }, async () => {
  let isOver = false
  const waits: number[] = []
  const watching = (async () => {
    while (!isOver) {
      const asked = performance.now()
      expect((await gateway.get('/healthz')).status).toBe(200)
      waits.push(performance.now() - asked)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  })()
  const replies = await Promise.all(
    Array.from({ length: clients }, async (_, index) => {
      const kind = index < 2 ? hostile.length - 1 : index % (hostile.length - 1)
      const reply = await ask(gateway, 'chat', { model: 'hostile', stream: index % 2 === 1, prompt: `text ${kind}.` })
      return { loops: index < 2, status: reply.status, verdict: verdictOf(reply) as { status: string; unchecked?: string[] } }
    }),
  )
  isOver = true
  await watching
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 200))
  for (const { loops, verdict } of replies) if (loops) expect(verdict.unchecked).toContain('looping')
  expect(await sumOf(gateway, 'stickler_judging_jobs_total', 'end="deadline"')).toBeGreaterThanOrEqual(2)
  expect(waits.length).toBeGreaterThan(5)
  expect(Math.max(...waits)).toBeLessThan(longestMs)
})
