import { createServer as createHttpServer } from 'node:http'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { keptRun, sumOf } from '../../../packages/gateway/src/testing/fault-gateway.ts'
import { broken, lines, parserLog, readiness, startParserGateway } from '../../../packages/gateway/src/testing/parser-gateway.ts'
import { answering } from '../../../packages/gateway/src/testing/programmable-upstream-answers.ts'
import type { TestGateway } from '../../../packages/gateway/src/testing/test-gateway.ts'
import { ask, textOf, verdictOf, ways } from '../../../packages/gateway/src/testing/wire.ts'

let gateway: TestGateway | undefined
let server: Server | undefined

afterEach(async () => {
  await gateway?.close()
  server?.close()
  gateway = undefined
  server = undefined
})

/** A port on which nobody listens, because it was just given back. */
async function freePort(): Promise<number> {
  const taken = await listening(createServer())
  await new Promise((resolve) => server?.close(resolve))
  return taken
}

async function listening(made: Server): Promise<number> {
  server = made
  await new Promise<void>((resolve) => made.listen(0, '127.0.0.1', resolve))
  return (made.address() as AddressInfo).port
}

describe('G01: a parser service that is absent at boot', () => {
  test('the gateway boots, readiness says degraded, and code is unchecked, never valid', async () => {
    gateway = await startParserGateway(`{ url: 'grpc://127.0.0.1:${await freePort()}', breaker: { cooldown: 3600 } }`)
    const degraded = [200, { status: 'degraded', checks: { store: 'ok', parser: 'failed' } }]
    expect(await readiness(gateway)).toEqual(degraded)
    gateway.upstream.otherwise(answering(broken))
    for (const [api, how] of ways) {
      const reply = await ask(gateway, api, { model: 'code', stream: how === 'streamed' })
      expect(verdictOf(reply)).toMatchObject({ status: 'unchecked' })
      expect(textOf(api, reply)).toBe(broken)
    }
    expect(await readiness(gateway)).toEqual(degraded)
    await ask(gateway, 'chat', { model: 'code', headers: { 'x-request-id': 'skipped' } })
    const { unchecked } = await keptRun(gateway, 'skipped')
    expect(unchecked).toMatchObject([{ validator: 'code_syntax', reason: 'open', circuit: 'open' }])
    // A contract that delivers nothing unchecked lets nothing through either.
    const strict = await ask(gateway, 'chat', { model: 'strict' })
    expect(verdictOf(strict)).toMatchObject({ status: 'unchecked' })
    expect(strict.body).not.toContain('Here it is')
    // Contracts without code are served as ever.
    gateway.upstream.enqueue(answering('Fine.'))
    expect(verdictOf(await ask(gateway, 'chat', { model: 'brief' }))).toMatchObject({ status: 'valid' })
    const log = parserLog(gateway)
    expect(log.filter((line) => line === lines.unvalidated)).toHaveLength(ways.length + 1)
    expect(await sumOf(gateway, 'stickler_parser_circuit', 'state="open"')).toBe(1)
    expect(await sumOf(gateway, 'stickler_parser_circuit')).toBe(1)
    expect(await sumOf(gateway, 'stickler_parser_circuit_changes_total', 'state="open"')).toBe(1)
    expect(await sumOf(gateway, 'stickler_parser_calls_total', 'result="fault"')).toBe(3)
    expect(gateway.logLines.join('\n')).not.toContain('Here it is')
  })
})

describe('G13: another server on the port of the parser', () => {
  test.each([
    ['HTTP/1', () => createHttpServer((_, response) => response.end('hello')) as Server],
    ['random bytes', () => createServer((socket) => void socket.on('error', () => {}).end(Buffer.alloc(4096, 0xa5)))],
    ['silence', () => createServer((socket) => void socket.on('error', () => {}))],
  ])('%s: code is unchecked, the circuit opens, and the gateway lives', async (_name, make) => {
    const port = await listening(make())
    gateway = await startParserGateway(`{ url: 'grpc://127.0.0.1:${port}', timeout: 0.5, breaker: { cooldown: 3600 } }`)
    for (let count = 0; count < 5; count++)
      expect(verdictOf(await ask(gateway, 'chat', { model: 'code', stream: count % 2 === 1 }))).toMatchObject({ status: 'unchecked' })
    expect(await sumOf(gateway, 'stickler_parser_circuit', 'state="open"')).toBe(1)
    expect(await readiness(gateway)).toMatchObject([200, { status: 'degraded' }])
    gateway.upstream.enqueue(answering('Fine.'))
    expect(verdictOf(await ask(gateway, 'chat', { model: 'brief' }))).toMatchObject({ status: 'valid' })
  })
})
