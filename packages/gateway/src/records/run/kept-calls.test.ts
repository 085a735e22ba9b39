import { expect, test } from 'vitest'
import { keptCalls } from './kept-calls.ts'

test('keeps names and arguments, without ids', () => {
  expect(keptCalls([{ id: 'c1', name: 'f', arguments: '{"a":1}' }])).toEqual([{ name: 'f', arguments: '{"a":1}' }])
  expect(keptCalls([])).toEqual([])
})

test('keeps the kind and the namespace of a call, which decide what tool it means', () => {
  const custom = { name: 'f', arguments: '{"input":"x"}', kind: 'custom', namespace: 'n' } as const
  expect(keptCalls([{ id: 'c1', ...custom }])).toEqual([custom])
  expect(keptCalls([{ ...custom, namespace: 'n'.repeat(1000) }])[0]?.namespace).toHaveLength(256)
})

test('cuts arguments that are too long, alone or together, and says how long they were', () => {
  const long = 'x'.repeat(20_000)
  const kept = keptCalls(Array.from({ length: 6 }, () => ({ name: 'f', arguments: long })))
  expect(kept.map((call) => call.arguments.length)).toEqual([16_000, 16_000, 16_000, 16_000, 0, 0])
  expect(kept.every(({ cut }) => cut === 20_000)).toBe(true)
})

test('half of a character is not kept', () => {
  expect(keptCalls([{ name: `${'n'.repeat(255)}\u{1f600}`, arguments: '' }])[0]?.name).toBe('n'.repeat(255))
})

test('says how many calls are missing', () => {
  const kept = keptCalls(Array.from({ length: 1000 }, (_, at) => ({ name: `f${at}`, arguments: '{}' })))
  expect(kept).toHaveLength(50)
  expect(kept.at(-1)).toEqual({ name: 'f49', arguments: '{}', more: 950 })
})
