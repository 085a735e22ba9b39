import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { requireBuilt } from '../../../../e2e/support/require-built.ts'
import { type OpenParser, openParser } from '../open-parser.ts'
import { parserSettings } from '../settings/parser-settings.ts'
import { type ServiceProcess, startProcess } from '../testing/parser-process.ts'

beforeAll(() => requireBuilt(['core', 'parser', 'gateway', 'cli']))

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
})

const poisoned = new URL('../testing/poisoned-service.mjs', import.meta.url)

async function stop({ child, ended }: ServiceProcess): Promise<void> {
  child.kill('SIGKILL')
  await ended
}

async function startPoisoned(argv: readonly string[]): Promise<ServiceProcess> {
  const service = await startProcess(argv, poisoned)
  closing.push(() => stop(service))
  return service
}

async function connect(url: string, timeout: number): Promise<OpenParser> {
  const written = { url, timeout, breaker: { failures: 3, cooldown: 0.3 } }
  const parser = await openParser(parserSettings(written, { env: {}, folder: '.' }))
  closing.push(parser.close)
  return parser
}

const reasonOf = (parsing: Promise<{ verdict: string }>): Promise<string> =>
  parsing.then(
    ({ verdict }) => verdict,
    ({ reason }: { reason: string }) => reason,
  )
const verdictAgain = (parser: OpenParser, source = '{}') =>
  expect.poll(() => reasonOf(parser.parse('json', source)), { timeout: 20_000, interval: 100 })

describe('with real processes', () => {
  /** The service of all tests but one, which each of them leaves as it found it. */
  let service: ServiceProcess
  beforeAll(async () => {
    service = await startProcess(['--port', '0'])
  })
  afterAll(() => stop(service))

  test('G02: a service that is killed during 50 calls gives no verdicts, and is used again when it is back', async () => {
    const parser = await connect(service.url, 5)
    await verdictAgain(parser).toBe('valid')
    const calls = Array.from({ length: 50 }, (_, index) => reasonOf(parser.parse('json', `[${index}, ${'1,'.repeat(20_000)}1]`)))
    service.child.kill('SIGKILL')
    const reasons = await Promise.all(calls)
    // Those that waited for their turn find the circuit open.
    expect(reasons.filter((reason) => !['valid', 'fault', 'open'].includes(reason))).toEqual([])
    expect(reasons).toContain('fault')
    expect(await reasonOf(parser.parse('json', '[]'))).toMatch(/^(?:fault|open)$/)
    service = await startProcess(['--port', String(service.port)])
    await verdictAgain(parser, '{"a": }').toBe('invalid')
    expect(parser.state).toBe('closed')
  })

  test('G03: a service that is stopped is a fault at the deadline, and recovers', async () => {
    const { child, url } = service
    const parser = await connect(url, 0.5)
    await verdictAgain(parser).toBe('valid')
    child.kill('SIGSTOP')
    for (let turn = 0; turn < 3; turn++) {
      const began = performance.now()
      expect(await reasonOf(parser.parse('json', `[${turn}]`))).toBe('fault')
      const took = performance.now() - began
      // The deadline is 0.5 s.
      expect(took).toBeGreaterThan(400)
    }
    expect(parser.state).toBe('open')
    child.kill('SIGCONT')
    await verdictAgain(parser).toBe('valid')
    expect(parser.state).toBe('closed')
  })

  test('G05: of 100 callers at half-open exactly one reaches the service', async () => {
    const first = await startPoisoned([])
    const parser = await connect(first.url, 20)
    await stop(first)
    for (let turn = 0; turn < 3; turn++) expect(await reasonOf(parser.parse('json', `fault ${turn}`))).toBe('fault')
    expect(parser.state).toBe('open')
    const second = await startPoisoned([String(first.port)])
    await expect.poll(() => parser.state, { timeout: 20_000 }).toBe('half-open')
    // The probe waits at a service that is stopped, so none of the others can wait for it.
    second.child.kill('SIGSTOP')
    const callers = Array.from({ length: 100 }, (_, index) => reasonOf(parser.parse('json', `caller ${index}`)))
    expect(await Promise.all(callers.slice(1))).toEqual(Array.from({ length: 99 }, () => 'open'))
    second.child.kill('SIGCONT')
    expect(await callers[0]).toBe('valid')
    expect(parser.state).toBe('closed')
    expect(await reasonOf(parser.parse('json', 'after'))).toBe('valid')
    // What it prints may come later than its answers.
    await expect.poll(() => second.lines.slice(1)).toEqual(['{"source":"caller 0"}', '{"source":"after"}'])
  })

  test('G14: a snippet that ends the service is sent once, and others work after the restart', async () => {
    const first = await startPoisoned([])
    const parser = await connect(first.url, 5)
    expect(await reasonOf(parser.parse('json', 'one'))).toBe('valid')
    expect(await reasonOf(parser.parse('json', 'POISON'))).toBe('fault')
    expect(await first.ended).toBe(1)
    await expect.poll(() => first.lines.slice(1)).toEqual(['{"source":"one"}', '{"source":"POISON"}'])
    const second = await startPoisoned([String(first.port)])
    await verdictAgain(parser, 'two').toBe('valid')
    expect(second.lines.filter((line) => line.includes('POISON'))).toEqual([])
  })

  test('SIGTERM: calls under way are answered, and the process ends with 0', async () => {
    const { child, url, ended } = service
    const parser = await connect(url, 20)
    await verdictAgain(parser).toBe('valid')
    const call = reasonOf(parser.parse('python', 'x = 1\n'))
    await new Promise((resolve) => setTimeout(resolve, 50))
    child.kill('SIGTERM')
    expect(await call).toMatch(/^(?:valid|unsupported)$/)
    expect(await ended).toBe(0)
    expect(await reasonOf(parser.parse('json', '[]'))).toBe('fault')
  })
})
