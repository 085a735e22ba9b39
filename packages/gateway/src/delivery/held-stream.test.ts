import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering, answeringEvents } from '../testing/programmable-upstream-answers.ts'
import { readEvents } from '../testing/speaking-clients.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'
import { apiNames, ask, textOf, verdictOf } from '../testing/wire.ts'

const yaml = `
server: { port: 0 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
contracts:
  helix: { preset: helix, checks: [step_marker, adr_structure] }
  early: { preset: helix, checks: [step_marker, adr_structure], stop: early, retries: 1 }
  called: { checks: [tool_calls], retries: 1 }
routes:
  - { model: called, upstream: up, contract: called }
  - { model: helix, upstream: up, contract: helix }
  - { model: early, upstream: up, contract: early }
`
const header = '---\nadr_id: 1\ntitle: t\nstatus: s\n---\n\n# ADR-001\n'
const sections = ['Kontext', 'Entscheidung', 'Akzeptanzkriterien'].map((name) => `\n## ${name}\n\n- [ ] a\n- [ ] b\n- [ ] c\n`).join('')
const answers = ['---\nadr_id: 1\n---\n\n# ADR-001\n', header, `${header}${sections}\n<!-- STEP: generate -->\n`]
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

/** What the model was told before each further attempt. */
function feedbackSince(before: number): unknown[] {
  return gateway.upstream.requests
    .slice(before + 1)
    .map(({ json }) => (json?.messages as { content: unknown }[] | undefined)?.at(-1)?.content)
}

test.each(apiNames)('a held stream is asked for again as the whole answer is: %s', async (api) => {
  const play = async (stream: boolean) => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(...answers.map((text) => answering(text)))
    const reply = await ask(gateway, api, { model: 'helix', stream })
    return { status: reply.status, text: textOf(api, reply), verdict: verdictOf(reply), told: feedbackSince(before) }
  }
  const whole = await play(false)
  expect(await play(true)).toEqual(whole)
  expect(whole).toMatchObject({ status: 200, text: answers[2], verdict: { status: 'valid', attempts: 3 } })
  for (const word of ['MISSING_STEP_MARKER', 'title', 'status', 'Kontext', 'Entscheidung', 'Akzeptanzkriterien'])
    expect(whole.told[0]).toContain(word)
})

test.each(apiNames)('a held stream is stopped early where the contract says so: %s', async (api) => {
  const before = gateway.upstream.requests.length
  gateway.upstream.enqueue(...[answers[0], answers[2]].map((text) => answering(`${text}`)))
  const reply = await ask(gateway, api, { model: 'early', stream: true })
  expect(textOf(api, reply)).toBe(answers[2])
  const [told] = feedbackSince(before)
  expect(told).toContain('MISSING_ADR_FIELD')
  expect(told).not.toMatch(/MISSING_ADR_SECTION|MISSING_STEP_MARKER/)
})

test.each([
  ['helix', 'of which nothing was shown is not shown', ['Nothing.', '<!-- STEP: done -->'], ['two']],
  [
    'called',
    'whose beginning was shown stands before it, and what it thought later is not shown',
    ['Some words. ', 'Some words. Done.'],
    ['one', 'two'],
  ],
])('%s: the reasoning of a rejected attempt %s', async (model, _, [first = '', second = ''], shown) => {
  const chunk = (delta: object, reason: string | null = null) => ({ id: 'c', choices: [{ index: 0, delta, finish_reason: reason }] })
  const call = { index: 0, id: 'a', type: 'function', function: { name: 'gone', arguments: '{}' } }
  const rejected = [chunk({ reasoning_content: 'one' }), chunk({ content: first }), chunk({ reasoning_content: 'late' })]
  const calls = model === 'called' ? [chunk({ tool_calls: [call] })] : []
  gateway.upstream.enqueue(answeringEvents([...rejected, ...calls, chunk({}, 'stop')]))
  gateway.upstream.enqueue(answeringEvents([chunk({ reasoning_content: 'two' }), chunk({ content: second }), chunk({}, 'stop')]))
  const body = { model, stream: true, messages: [{ role: 'user', content: 'Hi' }] }
  const deltas = (await readEvents(await gateway.post('/v1/chat/completions', body))).flatMap(({ choices }) =>
    ((choices ?? []) as { delta: { content?: string; reasoning_content?: string } }[]).map(({ delta }) => delta),
  )
  expect(deltas.map(({ content = '' }) => content).join('')).toBe(second)
  expect(deltas.flatMap((delta) => delta.reasoning_content ?? [])).toEqual(shown)
})
