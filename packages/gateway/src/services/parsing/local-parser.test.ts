import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { requireBuilt } from '../../../../../e2e/support/require-built.ts'
import { sumOf } from '../../testing/fault-gateway.ts'
import { answering } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask, textOf, verdictOf, ways } from '../../testing/wire.ts'

const yaml = `
server: { port: 0, judging: { threshold: 2000, threads: 1, deadline: 60 } }
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  code: { checks: [{ code_syntax: { language: json } }], retries: 1, timeoutMs: 60000 }
  brief: { checks: [{ max_words: { limit: 5 } }], retries: 0 }
routes:
  - { model: code, upstream: up, contract: code }
  - { model: brief, upstream: up, contract: brief }
`

const block = (source: string, prose = 'Here it is:') => `${prose}\n\n\`\`\`json\n${source}\n\`\`\`\n`
const good = block('{"a": 1}')
const bad = block('{"a": }')
/** Large enough to be judged in a thread. */
const long = 'word '.repeat(1000)

let gateway: TestGateway

beforeAll(async () => {
  requireBuilt(['core', 'gateway', 'parser'])
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const calls = (result: string) => sumOf(gateway, 'stickler_parser_calls_total', `result="${result}"`)
const jobs = () => sumOf(gateway, 'stickler_judging_jobs_total', 'end="done"')

describe('without a word about the parser, the local one is used', () => {
  test.each(ways)('%s %s: broken code is asked for again, and the sound one is delivered', async (api, how) => {
    const before = [await calls('invalid'), await calls('valid')]
    gateway.upstream.enqueue(answering(bad), answering(good))
    const reply = await ask(gateway, api, { model: 'code', stream: how === 'streamed' })
    expect(verdictOf(reply)).toMatchObject({ status: 'valid', attempts: 2 })
    expect(textOf(api, reply)).toBe(good)
    expect([(await calls('invalid')) > (before[0] ?? 0), (await calls('valid')) > (before[1] ?? 0)]).toEqual([true, true])
  })

  test.each(ways)('%s %s: an answer that is judged in a thread gets the same verdicts', async (api, how) => {
    const before = await jobs()
    const [broken, sound] = [block('{"a": }', long), block('{"a": 1}', long)]
    gateway.upstream.enqueue(answering(broken), answering(sound))
    const reply = await ask(gateway, api, { model: 'code', stream: how === 'streamed' })
    expect(verdictOf(reply)).toMatchObject({ status: 'valid', attempts: 2 })
    expect(textOf(api, reply)).toBe(sound)
    expect(await jobs()).toBeGreaterThan(before)
  })

  test.each([
    ['in place', bad],
    ['in a thread', block('{"a": }', long)],
  ])('/v1/check, judged %s', async (_name, text) => {
    const response = await gateway.post('/v1/check', { contract: 'code', text })
    expect(await response.json()).toMatchObject({ status: 'unresolved', issues: [{ code: 'SYNTAX_ERROR' }] })
  })

  test('is ready, and has no circuit', async () => {
    const ready = await gateway.get('/readyz')
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ready', checks: { parser: 'ok' } }])
    expect(await sumOf(gateway, 'stickler_parser_circuit')).toBe(0)
  })
})

describe('a parser that is switched off', () => {
  test('leaves code unchecked, and is said for every response that is returned so', async () => {
    const off = await startTestGateway({
      yaml: `${yaml}parser: { timeout: 0 }\n`.replace('retries: 1,', 'retries: 1, unchecked: deliver,'),
    })
    try {
      off.upstream.otherwise(answering(bad))
      for (const [api, how] of ways) {
        const reply = await ask(off, api, { model: 'code', stream: how === 'streamed' })
        expect(verdictOf(reply)).toMatchObject({ status: 'unchecked' })
        expect(textOf(api, reply)).toBe(bad)
      }
      const lines = off.logLines
        .map((line) => JSON.parse(line) as { msg: string; event?: string })
        .filter(({ event }) => event === 'parser')
      expect(lines.map(({ msg }) => msg)).toEqual(ways.map(() => '[ptvl] parser unavailable — returning unvalidated'))
      expect(await sumOf(off, 'stickler_parser_circuit', 'state="disabled"')).toBe(1)
      expect(await sumOf(off, 'stickler_parser_circuit')).toBe(1)
      expect(await (await off.get('/readyz')).json()).toEqual({ status: 'ready', checks: { store: 'ok' } })
    } finally {
      await off.close()
    }
  })

  test('AVAP_PARSER_TIMEOUT=0 does the same, and a malformed value is refused by name', async () => {
    const off = await startTestGateway({ yaml, env: { AVAP_PARSER_TIMEOUT: '0' } })
    expect(off.config.parser.kind).toBe('disabled')
    await off.close()
    await expect(startTestGateway({ yaml, env: { AVAP_PARSER_TIMEOUT: 'soon', PARSER_CB_THRESHOLD: '0' } })).rejects.toThrow(
      /^AVAP_PARSER_TIMEOUT: must be a number of seconds[\s\S]*PARSER_CB_THRESHOLD: must be a whole number/,
    )
    await expect(startTestGateway({ yaml: `${yaml}parser: { url: 'grpcs://parser:1', ca: nowhere.pem }\n` })).rejects.toThrow(
      /^parser\.ca: cannot read .*nowhere\.pem/,
    )
    await expect(startTestGateway({ yaml: `${yaml}parser: { url: 'grpc://parser:1', ca: ca.pem }\n` })).rejects.toThrow(
      /^test\.yaml:\d+:\d+: parser\.ca: needs a service with TLS/,
    )
  })
})
