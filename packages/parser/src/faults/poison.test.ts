import { status } from '@grpc/grpc-js'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { requireBuilt } from '../../../../e2e/support/require-built.ts'
import { localParser } from '../local/local-parser.ts'
import { type OpenParser, openParser } from '../open-parser.ts'
import { type ParserService, startParserService } from '../service/parser-service.ts'
import { parserSettings } from '../settings/parser-settings.ts'
import { rawClient } from '../testing/raw-client.ts'
import { loadParserProto } from '../wire/parser-proto.ts'

const modules = { scripted: new URL('../testing/scripted-language.mjs', import.meta.url).href }
let service: ParserService
let parser: OpenParser

beforeAll(async () => {
  requireBuilt(['core', 'parser'])
  service = await startParserService({ parser: localParser({ modules, timeoutMs: 1000, memoryMb: 64, processes: 2 }) })
  const written = { url: `grpc://127.0.0.1:${service.port}`, timeout: 30, breaker: { failures: 1 } }
  parser = await openParser(parserSettings(written, { env: {}, folder: '.' }))
})
afterAll(async () => {
  await parser.close()
  await service.close(0)
})

describe('a poison snippet ends at the limit, and the service answers the next call', () => {
  test.each(['hang', 'exit', 'hoard'])('%s', async (poison) => {
    const poisoned = parser.parse('scripted', poison)
    const other = parser.parse('json', `["${poison}"]`)
    await expect(poisoned).rejects.toMatchObject({ reason: 'too-hard' })
    expect(await other).toEqual({ verdict: 'valid' })
    expect(await parser.parse('scripted', `valid ${poison}`)).toEqual({ verdict: 'valid' })
    expect(parser.state).toBe('closed')
  })

  test.each([
    ['a megabyte of brackets', '['.repeat(1e6)],
    ['one line of a megabyte', `"${'x'.repeat(1e6)}`],
    ['a megabyte of zeros', '\u0000'.repeat(1e6)],
  ])('%s', async (_, source) => {
    const ended = await parser.parse('json', source).catch(({ reason }: { reason: string }) => ({ reason }))
    expect(ended).toSatisfy(
      (end: object) => ('verdict' in end && end.verdict === 'invalid') || ('reason' in end && end.reason === 'too-hard'),
    )
    expect(await parser.parse('json', '{}')).toEqual({ verdict: 'valid' })
  })

  test('a compressed bomb', async () => {
    const { methods } = loadParserProto()
    const raw = rawClient(service.port, { 'grpc.default_compression_algorithm': 2, 'grpc.max_send_message_length': -1 })
    const ended = await raw.call(methods.Parse, { language: 'json', source: ' '.repeat(50e6) }, 30_000)
    raw.close()
    expect(ended).toMatchObject({ code: status.RESOURCE_EXHAUSTED })
    expect(await parser.parse('json', '{"a": }')).toMatchObject({ verdict: 'invalid' })
  })
})

test('a client that waits as long as the service parses is told that the code is too hard before it gives up', async () => {
  const parser = localParser({ modules, timeoutMs: 1500, processes: 1 })
  const service = await startParserService({ parser })
  const written = { url: `grpc://127.0.0.1:${service.port}`, timeout: 1.5, breaker: { failures: 1 } }
  const client = await openParser(parserSettings(written, { env: {}, folder: '.' }))
  onTestFinished(async () => {
    await client.close()
    await service.close(0)
  })
  for (const turn of [1, 2]) {
    // Loading is not what is measured.
    await parser.parse('scripted', `valid ${turn}`)
    await expect(client.parse('scripted', `hang ${turn}`)).rejects.toMatchObject({ reason: 'too-hard' })
    expect(client.state).toBe('closed')
  }
})

describe('G15: tags of fences', () => {
  test.each([
    ['klingon', 'x', 'unsupported'],
    ['', 'x', 'unsupported'],
    ['__proto__', 'x', 'unsupported'],
    ['\u0000', 'x', 'unsupported'],
    ['x'.repeat(5000), 'x', 'unsupported'],
    ['\ud800', 'x', 'unsupported'],
    ['json', '', 'invalid'],
    ['json', ' \n', 'invalid'],
    ['JSON {1,3}', '{}', 'valid'],
    ['json title="a b"', '[', 'invalid'],
  ])('%j with %j is %s', async (tag, source, verdict) => {
    expect(await parser.parse(tag, source)).toMatchObject({ verdict })
    expect(parser.state).toBe('closed')
  })
})
