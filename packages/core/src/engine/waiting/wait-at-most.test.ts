import { expect, onTestFinished, test, vi } from 'vitest'
import { manualClock } from '../../testing/manual-clock.ts'
import { Stop } from '../stop.ts'
import { waitAtMost } from './wait-at-most.ts'

const never = new Promise<string>(() => {})
const failed = (): Promise<never> => Promise.reject(new Error('failed'))

test.each<[string, () => Promise<string>, 'in time' | 'late' | 'stopped', string]>([
  ['work that ends', async () => 'done', 'in time', 'done'],
  ['work that fails', failed, 'in time', 'Error: failed'],
  ['work that takes too long', () => never, 'late', 'late'],
  ['a caller that stops', () => never, 'stopped', 'late'],
])('%s', async (_name, work, how, expected) => {
  const clock = manualClock()
  const stop = new Stop()
  const removed = vi.spyOn(stop, 'removeEventListener')
  const result = waitAtMost(work(), { clock, timeoutMs: 100, stop }, () => 'late').catch(String)
  if (how === 'late') clock.advance(100)
  if (how === 'stopped') stop.abort('enough')
  expect(await result).toBe(expected)
  expect([clock.pending, removed.mock.calls.length]).toEqual([0, 1])
})

test('a caller that has stopped before waits for nothing', async () => {
  const clock = manualClock()
  const stop = new Stop()
  stop.abort('enough')
  await expect(waitAtMost(never, { clock, timeoutMs: 100, stop }, failed)).rejects.toThrow('failed')
  expect(clock.pending).toBe(0)
})

test("work that fails after the caller has stopped is nobody's failure", async () => {
  const stop = new Stop()
  stop.abort('enough')
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  onTestFinished(() => void process.off('unhandledRejection', unhandled))
  expect(await waitAtMost(failed(), { clock: manualClock(), timeoutMs: 100, stop }, () => 'late')).toBe('late')
  await new Promise((resolve) => setImmediate(resolve))
  expect(unhandled).not.toHaveBeenCalled()
})

test('what late throws is the result', async () => {
  const clock = manualClock()
  const broken = (): never => {
    throw new Error('broken')
  }
  const result = expect(waitAtMost(never, { clock, timeoutMs: 100 }, broken)).rejects.toThrow('broken')
  clock.advance(100)
  await result
})
