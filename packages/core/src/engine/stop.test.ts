import { expect, test, vi } from 'vitest'
import { abortSignalOf, Stop, type StopSignal } from './stop.ts'

const kinds: readonly (readonly [string, () => { stop: StopSignal; abort: (reason: unknown) => void }])[] = [
  [
    'Stop',
    () => {
      const stop = new Stop()
      return { stop, abort: (reason) => stop.abort(reason) }
    },
  ],
  [
    'AbortSignal',
    () => {
      const controller = new AbortController()
      return { stop: controller.signal, abort: (reason) => controller.abort(reason) }
    },
  ],
]

// The same table for both: what holds for an AbortSignal holds for a Stop.
test.each(kinds)('%s tells once, in order, and only those who still listen', (_, make) => {
  const { stop, abort } = make()
  const heard: string[] = []
  const gone = () => heard.push('gone')
  const twice = () => heard.push('twice')
  stop.addEventListener('abort', gone)
  stop.addEventListener('abort', () => heard.push(`first ${stop.aborted}`))
  stop.addEventListener('abort', twice)
  stop.addEventListener('abort', twice)
  stop.removeEventListener('abort', gone)
  stop.removeEventListener('abort', () => {})
  expect([stop.aborted, stop.reason]).toEqual([false, undefined])
  abort('why')
  abort('again')
  expect([stop.aborted, stop.reason]).toEqual([true, 'why'])
  stop.addEventListener('abort', () => heard.push('late'))
  expect(heard).toEqual(['first true', 'twice'])
})

test.each(kinds)('%s has an AbortSignal, made before or after its end', async (_, make) => {
  const { stop, abort } = make()
  const before = abortSignalOf(stop)
  expect(before).toBeInstanceOf(AbortSignal)
  expect(abortSignalOf(stop)).toBe(before)
  abort('why')
  expect([before.aborted, before.reason]).toEqual([true, 'why'])
  const late = make()
  late.abort('early')
  expect(abortSignalOf(late.stop)).toMatchObject({ aborted: true, reason: 'early' })
})

test('anything else with the shape of a signal gets one too', () => {
  const inner = new Stop()
  const shaped: StopSignal = {
    get aborted() {
      return inner.aborted
    },
    get reason() {
      return inner.reason
    },
    addEventListener: (type, listener) => inner.addEventListener(type, listener),
    removeEventListener: (type, listener) => inner.removeEventListener(type, listener),
  }
  const signal = abortSignalOf(shaped)
  inner.abort('why')
  expect([signal.aborted, signal.reason, abortSignalOf(shaped).aborted]).toEqual([true, 'why', true])
})

test('a listener that throws keeps nobody from hearing', () => {
  const stop = new Stop()
  const heard = vi.fn()
  const later = vi.spyOn(globalThis, 'queueMicrotask').mockImplementation(() => {})
  stop.addEventListener('abort', () => {
    throw new Error('mine')
  })
  stop.addEventListener('abort', heard)
  stop.abort('why')
  expect(heard).toHaveBeenCalledOnce()
  expect(later).toHaveBeenCalledOnce()
  later.mockRestore()
})
