import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'
import { ask, textOf, verdictOf, ways } from '../testing/wire.ts'

const yaml = `
server: { port: 0 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
contracts:
  mirrored: { checks: [{ sensitive: { redact: true, allowFromPrompt: true } }], retries: 0 }
routes:
  - { model: mirrored, upstream: up, contract: mirrored }
`
const said = 'Write to jane@other.org or call +49 30 1234567 now.'
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

test.each(ways)('what the user wrote may be repeated, and what the system says may not: %s, %s', async (api, how) => {
  gateway.upstream.enqueue(answering(said))
  const asked = { model: 'mirrored', stream: how === 'streamed', system: 'Our address is jane@other.org.', prompt: 'I am (030) 123 45 67.' }
  const reply = await ask(gateway, api, asked)
  expect(textOf(api, reply)).toBe('Write to [EMAIL] or call +49 30 1234567 now.')
  expect(verdictOf(reply)).toMatchObject({ status: 'repaired' })
})

test.each([
  [{ prompt: 'I am jane@other.org, (030) 1234567' }, 'valid'],
  [{ messages: [{ role: 'user', content: 'jane@other.org 030/1234567' }] }, 'valid'],
  [{ messages: [{ role: 'system', content: said }] }, 'repaired'],
  [{ question: 'jane@other.org 030/1234567' }, 'valid'],
  [{}, 'repaired'],
])('a request to check an answer says what was asked: %j is %s', async (asked, status) => {
  const reply = await gateway.post('/v1/check', { contract: 'mirrored', text: said, ...asked })
  expect(await reply.json()).toMatchObject({ status })
})
