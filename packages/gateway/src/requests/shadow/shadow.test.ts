import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RunRecord } from '../../records/run/run-record.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask, recordOf, ways } from '../../testing/wire.ts'

const contracts = `
contracts:
  brief: { checks: [{ max_words: { limit: 3 } }], retries: 1, stream: hold }
  live: { checks: [{ max_words: { limit: 3 } }], retries: 1, stop: early }
  stricter: { checks: [{ max_words: { limit: 3 } }, { contains: { none: [wrong] } }] }
  other: { checks: [step_marker] }
  down: { checks: [{ remote: { name: policy, url: "http://127.0.0.1:1/rule", timeoutMs: 500 } }, { max_words: { limit: 1 } }] }
  when: { checks: [{ contains: { none: [wrong] }, when: { tag: internal } }] }
`
const routes = (shadow: (name: string) => string) => `
server: { port: 0 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
  - { name: claude, kind: anthropic, baseUrl: $UP, apiKeyEnv: UP_KEY, retries: 0 }
${contracts}
routes:
  - { model: brief, upstream: up, contract: brief${shadow('stricter')} }
  - { model: claude, upstream: claude, contract: brief${shadow('other')} }
  - { model: live, upstream: up, contract: live${shadow('stricter')} }
  - { model: open, upstream: up, exemptTasks: [title_generation]${shadow('stricter')} }
  - { model: down, upstream: up, contract: brief${shadow('down')} }
  - { model: tagged, upstream: up, contract: brief, clientTags: [internal]${shadow('when')} }
  - { model: alone, upstream: up, contract: brief }
`
let shadowed: TestGateway
let plain: TestGateway
beforeAll(async () => {
  shadowed = await startTestGateway({ yaml: routes((name) => `, shadow: ${name}`) })
  plain = await startTestGateway({ yaml: routes(() => '') })
})
afterAll(() => Promise.all([shadowed.close(), plain.close()]))

type Reply = Awaited<ReturnType<typeof ask>>

/** The verdict in the record of a reply, once it is there. */
async function verdictIn(gateway: TestGateway, reply: Reply): Promise<RunRecord['shadow']> {
  await expect.poll(async () => (await recordOf(gateway, reply)).shadow, { timeout: 5000 }).toBeDefined()
  return (await recordOf(gateway, reply)).shadow as RunRecord['shadow']
}

describe.each(ways)('a shadow contract, %s %s', (api, way) => {
  const stream = way === 'streamed'
  test.each([
    ['agrees', 'brief', ['All is well'], { status: 'valid', liveStatus: 'valid', codes: '', liveCodes: '' }],
    ['finds more', 'brief', ['All is wrong'], { status: 'unresolved', liveStatus: 'valid', codes: 'CONTAINS_FORBIDDEN', liveCodes: '' }],
    ['judges the first answer', 'brief', ['one two three wrong', 'Better'], { status: 'unresolved', liveStatus: 'unresolved', codes: 'CONTAINS_FORBIDDEN', liveCodes: '' }],
    ['repairs', 'claude', ['Tell me more'], { status: 'repaired', liveStatus: 'valid', codes: 'MISSING_STEP_MARKER', liveCodes: '' }],
    ['finds less', 'claude', ['a b c d\n\n<!-- STEP: what -->', 'a b'], { status: 'valid', liveStatus: 'unresolved', codes: '', liveCodes: 'MAX_WORDS' }],
    ['judges what no contract holds', 'open', ['This is all wrong'], { status: 'unresolved', liveStatus: 'unenforced', codes: 'CONTAINS_FORBIDDEN, MAX_WORDS', liveCodes: '' }],
    ['cannot judge', 'down', ['one two'], { status: 'unresolved', liveStatus: 'valid', codes: 'MAX_WORDS', liveCodes: '' }],
    ['cannot judge the rest', 'down', ['one'], { status: 'unchecked', liveStatus: 'valid', codes: '', liveCodes: '' }],
  ] as const)('%s', async (_, model, answers, expected) => {
    shadowed.upstream.enqueue(...answers.map((text) => answering(text)))
    const reply = await ask(shadowed, api, { model, stream })
    expect(await verdictIn(shadowed, reply)).toEqual({ contract: expect.any(String), ...expected })
  })
})
