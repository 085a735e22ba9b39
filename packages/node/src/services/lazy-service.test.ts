import { manualClock } from '@stickler/core/testing'
import { expect, test, vi } from 'vitest'
import { lazyParser, lazyService } from './lazy-service.ts'
import { readiness } from './readiness.ts'

class Closed extends Error {}

function setting() {
  const open = vi.fn(async () => ({ number: open.mock.calls.length }))
  const close = vi.fn(async () => {})
  return { open, close, service: lazyService({ open, close, closed: () => new Closed() }) }
}

test('is opened on first use, once for all, and closed once', async () => {
  const { open, close, service } = setting()
  expect([service.opened, open.mock.calls.length]).toEqual([undefined, 0])
  const [first, second] = await Promise.all([service.open(), service.open()])
  expect(first).toBe(second)
  expect(service.opened).toBe(first)
  await Promise.all([service.close(), service.close()])
  expect([open.mock.calls.length, close.mock.calls]).toEqual([1, [[first]]])
})

test('what failed to open is tried again', async () => {
  const { open, service } = setting()
  open.mockRejectedValueOnce(new Error('not there'))
  const results = await Promise.allSettled([service.open(), service.open()])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(service.opened).toBeUndefined()
  expect(await service.open()).toEqual({ number: 2 })
})

test('closing waits for what is being opened, and closes it', async () => {
  const { open, close, service } = setting()
  let opened = (_value: { number: number }): void => {}
  open.mockReturnValueOnce(
    new Promise((resolve) => {
      opened = resolve
    }),
  )
  const opening = service.open()
  const closing = service.close()
  expect(close).not.toHaveBeenCalled()
  opened({ number: 7 })
  await Promise.all([opening, closing])
  expect(close.mock.calls).toEqual([[{ number: 7 }]])
  expect(service.opened).toBeUndefined()
})

test.each([
  ['was never opened', async () => {}],
  ['was open', async (open: () => Promise<unknown>) => void (await open())],
  ['could not be opened', async (open: () => Promise<unknown>) => void (await open().catch(() => {}))],
])('a service that %s does not open once it is closed', async (_name, before) => {
  const { open, service } = setting()
  if (_name === 'could not be opened') open.mockRejectedValueOnce(new Error('not there'))
  await before(service.open)
  await service.close()
  const { length } = open.mock.calls
  await expect(service.open()).rejects.toThrow(Closed)
  expect(open.mock.calls).toHaveLength(length)
})

test('readiness probes once a second for all who ask, waits 0.9 s, and does not probe an open circuit', async () => {
  const clock = manualClock()
  const signals: AbortSignal[] = []
  let isOpen = false
  let answer: () => Promise<unknown> = async () => {}
  const probe = (signal: AbortSignal): Promise<unknown> => {
    signals.push(signal)
    return answer()
  }
  const ready = readiness(probe, clock, () => isOpen)
  expect(await Promise.all([ready(), ready()])).toEqual([true, true])
  answer = async () => Promise.reject(new Error('nobody there'))
  expect(await ready()).toBe(true)
  clock.advance(1000)
  expect([await ready(), signals.length]).toEqual([false, 2])
  clock.advance(1000)
  isOpen = true
  expect([await ready(), signals.length]).toEqual([false, 2])
  isOpen = false
  answer = () => new Promise(() => {})
  const late = ready()
  await clock.advanceAsync(900)
  expect([await late, clock.pending, signals.every(({ aborted }) => aborted)]).toEqual([false, 0, true])
})

test('a parser is opened by its first source, and loads languages without a detour once it is open', async () => {
  const load = vi.fn(() => undefined)
  const parser = { parse: async () => ({ verdict: 'valid' }) as const, load }
  const open = vi.fn(async () => parser)
  const service = lazyService({ open, close: async () => {}, closed: () => new Closed() })
  const port = lazyParser(service)
  await port.load?.('json')
  expect([open.mock.calls.length, load.mock.calls]).toEqual([1, [['json']]])
  expect(await port.parse('json', '{}')).toEqual({ verdict: 'valid' })
  expect([port.load?.('sql'), open.mock.calls.length]).toEqual([undefined, 1])
})
