import type { ParserSettings } from '@stickler/parser'
import { afterEach, describe, expect, test } from 'vitest'
import type { ParserView } from '../../../packages/gateway/src/services/parsing/circuit-changes.ts'
import { sumOf } from '../../../packages/gateway/src/testing/fault-gateway.ts'
import { broken, lines, parserLog, readiness, startParserGateway } from '../../../packages/gateway/src/testing/parser-gateway.ts'
import { type ParserProcess, startParserProcess } from '../../../packages/gateway/src/testing/parser-process.ts'
import { answering } from '../../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import type { TestGateway } from '../../../packages/gateway/src/testing/test-gateway.ts'
import { type ApiName, ask, verdictOf, ways } from '../../../packages/gateway/src/testing/wire.ts'

let gateway: TestGateway | undefined
let patient: TestGateway | undefined
const parsers: ParserProcess[] = []

afterEach(async () => {
  await gateway?.close()
  await patient?.close()
  patient = undefined
  await Promise.all(parsers.splice(0).map((parser) => parser.kill()))
})

async function startParser(port?: number): Promise<ParserProcess> {
  const parser = await startParserProcess(port)
  parsers.push(parser)
  return parser
}

const statusOf = async (own: TestGateway, api: ApiName = 'chat', stream = false) =>
  verdictOf(await ask(own, api, { model: 'code', stream }))?.status

describe('G02: a parser service that is killed', () => {
  test('the circuit opens after 3 failures, no call is sent, and after the cool-down one probe finds it again', async () => {
    const first = await startParser()
    gateway = await startParserGateway(`{ url: '${first.url}', timeout: 5, breaker: { cooldown: 1.5 } }`)
    for (const [api, how] of ways) expect(await statusOf(gateway, api, how === 'streamed')).toBe('valid')
    expect(await readiness(gateway)).toMatchObject([200, { status: 'ready', checks: { parser: 'ok' } }])
    await first.kill()
    const before = await sumOf(gateway, 'stickler_parser_calls_total', 'result="fault"')
    for (let count = 0; count < 3; count++) expect(await statusOf(gateway)).toBe('unchecked')
    expect((await sumOf(gateway, 'stickler_parser_calls_total', 'result="fault"')) - before).toBe(3)
    // It is there again, and still nobody asks it before the cool-down is over, which this one does not outlive.
    patient = await startParserGateway(`{ url: '${first.url}', timeout: 5, breaker: { cooldown: 3600 } }`)
    for (let count = 0; count < 3; count++) expect(await statusOf(patient)).toBe('unchecked')
    const second = await startParser(first.port)
    const skipped = await Promise.all(ways.map(([api, how]) => statusOf(patient as TestGateway, api, how === 'streamed')))
    expect([new Set(skipped), second.calls()]).toEqual([new Set(['unchecked']), 0])
    expect(await sumOf(patient, 'stickler_parser_circuit', 'state="open"')).toBe(1)
    await expect.poll(() => statusOf(gateway as TestGateway), { timeout: 20_000 }).toBe('valid')
    expect(await sumOf(gateway, 'stickler_parser_circuit', 'state="closed"')).toBe(1)
    for (const [api, how] of ways) expect(await statusOf(gateway, api, how === 'streamed')).toBe('valid')
    const log = parserLog(gateway)
    const changes = log.filter((line) => line === lines.halfOpen || line === lines.closed)
    expect(changes.slice(-2)).toEqual([lines.halfOpen, lines.closed])
    expect(log[0]).toBe(lines.unvalidated)
    expect(log).toContain(lines.open)
    expect(await readiness(gateway)).toMatchObject([200, { status: 'ready' }])
    const { parser } = (await (await gateway.get('/api/v1/parser')).json()) as { parser: ParserView }
    expect(parser).toMatchObject({ kind: 'service', url: first.url, state: 'closed' })
    expect(parser.changes.map(({ state }) => state)).toEqual(['closed', 'half-open', 'open'])
  })
})

describe('G03: a parser service that is stopped', () => {
  test('calls end at their deadline and count; when it goes on, it is used again', async () => {
    const parser = await startParser()
    gateway = await startParserGateway(`{ url: '${parser.url}', timeout: 0.3, breaker: { cooldown: 0.5 } }`)
    await expect.poll(() => statusOf(gateway as TestGateway), { timeout: 20_000 }).toBe('valid')
    parser.signal('SIGSTOP')
    for (let count = 0; count < 3; count++) expect(await statusOf(gateway, 'chat', count === 1)).toBe('unchecked')
    expect(await sumOf(gateway, 'stickler_parser_circuit_changes_total', 'state="open"')).toBeGreaterThanOrEqual(1)
    parser.signal('SIGCONT')
    await expect.poll(() => statusOf(gateway as TestGateway), { timeout: 20_000 }).toBe('valid')
  })
})

describe('a changed parser', () => {
  test('takes effect with a reload, and an unchanged one keeps its circuit', async () => {
    gateway = await startParserGateway(`{ url: 'grpc://127.0.0.1:1', timeout: 30, breaker: { cooldown: 3600 } }`)
    for (let count = 0; count < 3; count++) expect(await statusOf(gateway)).toBe('unchecked')
    await gateway.reload({ ...gateway.config })
    expect(await sumOf(gateway, 'stickler_parser_circuit', 'state="open"')).toBe(1)
    const { url, port } = await startParser()
    const service = { target: `127.0.0.1:${port}`, secure: false, url, messageLimit: 4 * 1024 * 1024 }
    await gateway.reload({ ...gateway.config, parser: { ...gateway.config.parser, service } })
    expect(await sumOf(gateway, 'stickler_parser_circuit', 'state="closed"')).toBe(1)
    expect(await statusOf(gateway)).toBe('valid')
    gateway.upstream.enqueue(answering(broken))
    expect(await statusOf(gateway)).toBe('unresolved')
  })

  test('requests in flight keep the parser that they began with', async () => {
    const parser = await startParser()
    gateway = await startParserGateway(`{ url: '${parser.url}', timeout: 30 }`)
    expect(await statusOf(gateway)).toBe('valid')
    parser.signal('SIGSTOP')
    const began = gateway.upstream.requests.length
    const waiting = ways.map(([api, how]) => statusOf(gateway as TestGateway, api, how === 'streamed'))
    await expect.poll(() => gateway?.upstream.requests.length, { timeout: 20_000 }).toBe(began + ways.length)
    await gateway.reload({ ...gateway.config, parser: { ...gateway.config.parser, kind: 'disabled', timeoutMs: 0 } })
    expect(await statusOf(gateway)).toBe('unchecked')
    parser.signal('SIGCONT')
    expect(await Promise.all(waiting)).toEqual(ways.map(() => 'valid'))
  })

  test.each<[string, Partial<ParserSettings>, RegExp]>([
    ['a catalogue that is not there', { catalogues: { files: { avap: 'nowhere.json' }, folder: '/' } }, /^catalogues\.avap: cannot read/],
    [
      'an authority that is not there',
      { kind: 'service', service: { target: 'parser:1', secure: true, url: 'grpcs://parser:1', ca: '/nowhere.pem', messageLimit: 4096 } },
      /^parser\.ca: cannot read/,
    ],
  ])('with %s is refused, and the one from before stays', async (_name, change, why) => {
    gateway = await startParserGateway('local')
    const parser = { ...gateway.config.parser, ...change }
    await expect(gateway.reload({ ...gateway.config, parser })).rejects.toThrow(why)
    expect(await statusOf(gateway)).toBe('valid')
    expect(await readiness(gateway)).toEqual([200, { status: 'ready', checks: { store: 'ok', parser: 'ok' } }])
    // Files that no contract needs are not read, as at the start.
    const brief = new Map([...gateway.config.contracts].filter(([name]) => name === 'brief'))
    const routes = gateway.config.routes.filter(({ contract }) => contract === 'brief')
    await gateway.reload({ ...gateway.config, parser, contracts: brief, routes })
    // Nor may a contract come that needs them.
    await expect(gateway.reload({ ...gateway.config, parser })).rejects.toThrow(why)
  })
})
