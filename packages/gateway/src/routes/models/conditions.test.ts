import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { type ApiName, ask, type Question, recordOf, verdictOf, ways } from '../../testing/wire.ts'

const yaml = `
server: { port: 0 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
contracts:
  rules:
    retries: 0
    checks:
      - contains: { none: [never] }
      - max_words: { limit: 2 }
        when: { tag: short }
      - pattern: { deny: [{ regex: z }] }
        when: { api: [chat, responses], model: "gpt-*" }
      - casing: { is: lower }
        severity: warning
routes:
  - { model: gpt-open, upstream: up, contract: rules, clientTags: [short] }
  - { model: short, upstream: up, contract: rules, tags: [short] }
  - { model: "gpt-*", upstream: up, contract: rules, tags: [short] }
  - { model: "*", upstream: up, upstreamModel: gpt-real, contract: rules }
`
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml, behaviour: answering('Three words: z') })
})
afterAll(() => gateway.close())

const header = { 'x-stickler-tags': 'short' }

test.each<[ApiName, Question, codes: string[], skipped: string[] | undefined]>([
  ['chat', { model: 'gpt-open' }, ['PATTERN_DENIED'], ['max_words']],
  ['responses', { model: 'gpt-open' }, ['PATTERN_DENIED'], ['max_words']],
  ['messages', { model: 'gpt-open' }, [], ['max_words', 'pattern']],
  ['messages', { model: 'gpt-open', headers: header }, ['MAX_WORDS'], ['pattern']],
  ['chat', { model: 'gpt-open', fields: { stickler: { tags: ['short'] } } }, ['MAX_WORDS', 'PATTERN_DENIED'], undefined],
  ['chat', { model: 'short' }, ['MAX_WORDS'], ['pattern']],
  // A route for several models; names that clients make up match no more than they say.
  ['chat', { model: 'gpt-closed' }, ['MAX_WORDS', 'PATTERN_DENIED'], undefined],
  ['chat', { model: 'gpt_closed' }, ['PATTERN_DENIED'], ['max_words']],
  // The name is what the client likes here; the model that is asked counts.
  ['chat', { model: 'anything' }, ['PATTERN_DENIED'], ['max_words']],
])('over %s, %j breaks %j', async (api, question, codes, skipped) => {
  const reply = await ask(gateway, api, question)
  if (codes.length > 0) {
    expect(reply.status).toBe(422)
    for (const code of codes) expect(reply.body).toContain(code)
  } else expect(verdictOf(reply)).toMatchObject({ status: 'valid', issues: [{ code: 'WRONG_CASE', severity: 'warning' }], skipped })
  const run = await recordOf(gateway, reply)
  expect(run.skipped).toEqual(skipped?.join(', '))
  const issues = run.issues as { code: string; severity: string }[]
  expect(
    issues
      .filter(({ severity }) => severity === 'error')
      .map(({ code }) => code)
      .sort(),
  ).toEqual(codes)
})

test.each(ways)('a check that warns never holds or stops an answer: %s %s', async (api, way) => {
  gateway.upstream.enqueue(answering('Words'))
  const reply = await ask(gateway, api, { model: 'gpt-open', stream: way === 'streamed' })
  expect([reply.status, verdictOf(reply)]).toMatchObject([200, { status: 'valid', issues: [{ severity: 'warning' }] }])
})

test.each<[Question, RegExp]>([
  [{ model: 'short', headers: { 'x-stickler-tags': 'short' } }, /may not set the tag \\"short\\"/],
  [{ model: 'gpt-open', headers: { 'x-stickler-tags': 'short, free' } }, /may not set the tag \\"free\\"/],
  [{ model: 'gpt-open', fields: { stickler: { tags: 'short' } } }, /stickler\.tags must be a list of names/],
  [{ model: 'gpt-open', fields: { stickler: { tag: ['short'] } } }, /did you mean \\"tags\\"/],
])('%j is refused', async (question, message) => {
  const reply = await ask(gateway, 'chat', question)
  expect([reply.status, reply.body]).toEqual([400, expect.stringMatching(message)])
})

test('an answer that is only checked names the request it is from', async () => {
  const post = async (request: object) =>
    (await (await gateway.post('/v1/check', { contract: 'rules', text: 'three words: z', ...request })).json()) as object
  expect(await post({})).toMatchObject({ status: 'valid', skipped: ['max_words', 'pattern'] })
  expect(await post({ request: { api: 'chat', model: 'gpt-5', tags: [] } })).toMatchObject({ status: 'unresolved', skipped: ['max_words'] })
  expect(await post({ request: { modell: 'gpt-5' } })).toMatchObject({ error: { param: 'request' } })
})
