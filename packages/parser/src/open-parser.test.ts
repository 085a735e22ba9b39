import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ConfigurationError } from '@stickler/core'
import type { ParserEvent } from '@stickler/core/internal/services'
import { expect, onTestFinished, test } from 'vitest'
import { certificate } from '../../../e2e/support/certificate.ts'
import { type OpenParser, openParser } from './open-parser.ts'
import { startParserService } from './service/parser-service.ts'
import type { WrittenParser } from './settings/parser-schema.ts'
import { parserSettings } from './settings/parser-settings.ts'
import { fakeParser } from './testing/fake-parser.ts'

async function open(written: WrittenParser, events: ParserEvent[] = [], folder = '.'): Promise<OpenParser> {
  const parser = await openParser(parserSettings(written, { env: {}, folder }), { onEvent: (event) => events.push(event) })
  onTestFinished(() => parser.close())
  return parser
}

test('a parser that is switched off is never asked', async () => {
  const fake = fakeParser()
  const service = await startParserService({ parser: fake })
  onTestFinished(() => service.close(0))
  const parser = await open({ url: `grpc://127.0.0.1:${service.port}`, timeout: 0 })
  expect(parser.state).toBe('disabled')
  await expect(parser.parse('x', 'x')).rejects.toMatchObject({ reason: 'disabled' })
  await expect(parser.ready()).rejects.toMatchObject({ reason: 'disabled' })
  expect(fake.calls).toEqual([])
})

test('a service that is not there opens the circuit, and is used once it is there', async () => {
  const first = await startParserService({ parser: fakeParser() })
  await first.close(0)
  const events: ParserEvent[] = []
  const parser = await open({ url: `grpc://127.0.0.1:${first.port}`, breaker: { failures: 2, cooldown: 0.2 } }, events)
  for (const _ of [1, 2]) await expect(parser.parse('x', 'x')).rejects.toMatchObject({ reason: 'fault' })
  await expect(parser.parse('x', 'x')).rejects.toMatchObject({ reason: 'open' })
  const service = await startParserService({ parser: fakeParser(), port: first.port })
  onTestFinished(() => service.close(0))
  await expect.poll(() => parser.parse('x', 'x').catch(() => undefined), { timeout: 10_000 }).toEqual({ verdict: 'valid' })
  expect(parser.state).toBe('closed')
  expect(events.filter(({ type }) => type === 'circuit')).toEqual(
    expect.arrayContaining([
      { type: 'circuit', state: 'open' },
      { type: 'circuit', state: 'closed' },
    ]),
  )
})

test('a service that is back is found by the next call, without a pause', async () => {
  let service = await startParserService({ parser: fakeParser() })
  const parser = await open({ url: `grpc://127.0.0.1:${service.port}`, timeout: 30, breaker: { failures: 100 } })
  for (let count = 0; count < 3; count++) {
    expect(await parser.parse('x', 'x')).toEqual({ verdict: 'valid' })
    await service.close(0)
    for (let call = 0; call < 3; call++) await expect(parser.parse('x', 'x')).rejects.toMatchObject({ reason: 'fault' })
    service = await startParserService({ parser: fakeParser(), port: service.port })
  }
  expect(await parser.parse('x', 'x')).toEqual({ verdict: 'valid' })
  await service.close(0)
})

test('authorities come from a file beside the configuration', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'stickler-parser-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'ca.pem'), certificate.cert)
  await writeFile(join(folder, 'other.pem'), 'nothing')
  const service = await startParserService({ parser: fakeParser(), tls: certificate })
  onTestFinished(() => service.close(0))
  const url = `grpcs://localhost:${service.port}`
  const parser = await open({ url, ca: 'ca.pem' }, [], folder)
  expect(await parser.parse('x', 'x')).toEqual({ verdict: 'valid' })
  await parser.ready()
  for (const ca of ['other.pem', 'nowhere.pem', '.']) {
    await expect(open({ url, ca }, [], folder)).rejects.toThrow(ConfigurationError)
    await expect(open({ url, ca }, [], folder)).rejects.toThrow(/^parser\.ca: /)
  }
})

test('grammars are loaded before the first call for them', async () => {
  const parser = await open({ preload: ['js', 'yaml'] })
  const before = parser.load?.('css')
  expect(before).toBeInstanceOf(Promise)
  await before
  await parser.preload()
  expect([parser.load?.('javascript'), parser.load?.('yml')]).toEqual([undefined, undefined])
  const after = parser.load?.('toml')
  expect(after).toBeInstanceOf(Promise)
  await after
})

test('a language that cannot be loaded is refused, with a suggestion', async () => {
  await expect(open({ preload: ['pythn'] })).rejects.toThrow('parser.preload: no language "pythn" can be parsed; did you mean "python"?')
  await expect(open({ preload: ['klingon'] })).rejects.toThrow(/those that can be: avap, bash/)
})
