import { manualClock } from '@stickler/core/testing'
import { type OpenParser, parserSettings } from '@stickler/parser'
import { expect, test } from 'vitest'
import type { GatewayConfig } from '../../config/resolved/gateway-config.ts'
import { checkParserFiles, createParsing } from './parsing.ts'

const service = parserSettings('grpc://127.0.0.1:1', { env: {}, folder: '.' })

function setting(settings = service) {
  const clock = manualClock()
  const told = { opened: 0, asked: 0, closed: 0, preloaded: 0 }
  const fake = { state: 'closed' as OpenParser['state'], isThere: true }
  const parser: OpenParser = {
    get state() {
      return fake.state
    },
    parse: async () => ({ verdict: 'valid' }),
    async preload() {
      told.preloaded++
      // Nobody waits for it.
      await new Promise(() => {})
    },
    async ready() {
      told.asked++
      if (!fake.isThere) throw new Error('nobody there')
    },
    async close() {
      told.closed++
    },
  }
  const openParser = async (): Promise<OpenParser> => {
    told.opened++
    return parser
  }
  return { clock, told, fake, parsing: createParsing(settings, { clock, openParser }) }
}

test('nothing is opened before it is needed, and then once', async () => {
  const { parsing, told } = setting()
  expect([parsing.state, told.opened]).toEqual(['closed', 0])
  await Promise.all([parsing.port.parse('json', '{}'), parsing.port.parse('json', '{}')])
  await parsing.close()
  expect(told).toEqual({ opened: 1, asked: 0, closed: 1, preloaded: 0 })
  await expect(parsing.port.parse('json', '{}')).rejects.toMatchObject({ reason: 'aborted' })
})

test('grammars are loaded when it is opened at the start, which waits for none of them', async () => {
  const { parsing, told } = setting()
  await parsing.open()
  expect(told).toMatchObject({ opened: 1, preloaded: 1 })
})

test('what was never opened is never closed', async () => {
  const { parsing, told } = setting()
  await parsing.close()
  expect(told).toEqual({ opened: 0, asked: 0, closed: 0, preloaded: 0 })
})

test('a service is asked at most once a second whether it is there, and not at all while its circuit is open', async () => {
  const { parsing, told, fake, clock } = setting()
  expect(await Promise.all(Array.from({ length: 50 }, () => parsing.ready()))).toEqual(Array.from({ length: 50 }, () => true))
  expect(told.asked).toBe(1)
  fake.isThere = false
  clock.advance(1000)
  expect([await parsing.ready(), told.asked]).toEqual([false, 2])
  fake.state = 'open'
  fake.isThere = true
  clock.advance(1000)
  expect([await parsing.ready(), told.asked, parsing.state]).toEqual([false, 2, 'open'])
  fake.state = 'half-open'
  for (const isThere of [false, true]) {
    fake.isThere = isThere
    clock.advance(1000)
    expect([await parsing.ready(), parsing.state]).toEqual([isThere, 'half-open'])
  }
  expect(told.asked).toBe(4)
  expect(clock.pending).toBe(0)
})

test('a local parser is ready, and has no circuit', async () => {
  const { parsing, told } = setting(parserSettings('local', { env: {}, folder: '.' }))
  expect([await parsing.ready(), parsing.state, told.opened]).toEqual([true, undefined, 0])
})

test('settings that are wrong are told at the start, and again later', async () => {
  let opened = 0
  const openParser = async (): Promise<never> => {
    opened++
    throw new Error('parser.ca: cannot read')
  }
  const parsing = createParsing(service, { clock: manualClock(), openParser })
  await expect(parsing.open()).rejects.toThrow('parser.ca')
  await expect(parsing.open()).rejects.toThrow('parser.ca')
  expect([opened, await parsing.ready()]).toEqual([2, false])
  await parsing.close()
})

test('a language that nobody can parse is told before a contract checks code', async () => {
  const checked = async (preload: unknown) => {
    const parser = parserSettings({ preload } as Parameters<typeof parserSettings>[0], { env: {}, folder: '.' })
    await checkParserFiles({ contracts: new Map(), routes: [], parser } as Partial<GatewayConfig> as GatewayConfig)
  }
  await checked(['python', 'js'])
  await expect(checked(['pyhton'])).rejects.toThrow('parser.preload: no language "pyhton" can be parsed; did you mean "python"?')
})
