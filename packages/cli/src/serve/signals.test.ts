import { expect, test } from 'vitest'
import { gatherHangups } from './signals.ts'

test('a SIGHUP during the start is answered once, after it', () => {
  const listeners = new Set<() => void>()
  const hangups = gatherHangups((listener) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  })
  const hangUp = () => {
    for (const listener of listeners) listener()
  }
  let reloads = 0
  hangUp()
  hangUp()
  hangups.answer(() => {
    reloads++
  })
  expect(reloads).toBe(1)
  hangUp()
  expect(reloads).toBe(2)
  hangups.forget()
  expect(listeners.size).toBe(0)
})
