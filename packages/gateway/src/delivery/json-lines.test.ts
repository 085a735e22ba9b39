import { afterAll, beforeAll, expect, test } from 'vitest'
import { answering } from '../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'
import { apiNames, ask, textOf, verdictOf } from '../testing/wire.ts'

const yaml = `
server: { port: 0 }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
contracts:
  cities:
    checks:
      - json: { lines: true, schema: { type: object, properties: { city: { type: string }, day: { type: string, format: date } }, required: [city] } }
    instruct: true
    retries: 1
routes:
  - { model: cities, upstream: up, contract: cities }
`
const [ulm, bonn] = ['{"city": "Ulm", "day": "2026-01-31"}\n', '{"city": "Bonn"}\n']
let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

test.each(apiNames.flatMap((api) => [true, false].map((stream) => [api, stream] as const)))(
  'JSON lines are repaired and asked for one by one: %s, streamed: %s',
  async (api, stream) => {
    const before = gateway.upstream.requests.length
    gateway.upstream.enqueue(answering(`${ulm}{city: 'Bonn'}\n`))
    const repaired = await ask(gateway, api, { model: 'cities', stream })
    expect([textOf(api, repaired), verdictOf(repaired)]).toMatchObject([ulm + bonn, { status: 'repaired', attempts: 1 }])
    const wrong = `${ulm}{"city": "Bonn", "day": "soon"}\n${bonn}`
    gateway.upstream.enqueue(answering(wrong), answering(ulm + bonn))
    const asked = await ask(gateway, api, { model: 'cities', stream })
    expect([textOf(api, asked), verdictOf(asked)]).toMatchObject([ulm + bonn, { status: 'valid', attempts: 2 }])
    const sent = gateway.upstream.requests.slice(before).map(({ json }) => JSON.stringify(json))
    expect(sent[0]).toContain('one per line')
    expect(sent[0]).toContain('JSON Schema of each line of the answer')
    for (const one of sent) expect(one).not.toMatch(/response_format|json_schema/)
    expect(sent[2]).toContain('In line 2: Make day a date, such as 2026-01-31')
  },
)
