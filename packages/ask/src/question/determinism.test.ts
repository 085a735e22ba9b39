import { expect, test } from 'vitest'
import { type DeterminismOverrides, decideDeterminism } from './determinism.ts'

const both = { temperature: true, seed: true }

test.each<
  [string, DeterminismOverrides, { temperature: boolean; seed: boolean }, DeterminismOverrides, number | undefined, bigint | undefined]
>([
  ['defaults', {}, both, { temperature: 0, seed: 7n }, 0, 7n],
  ['the default temperature is 0', {}, both, { seed: 7n }, 0, 7n],
  ['a configured default', {}, both, { temperature: 0.3, seed: 7n }, 0.3, 7n],
  ['overrides win', { temperature: 0.7, seed: 1n }, both, { temperature: 0, seed: 7n }, 0.7, 1n],
  ['zeros are real values', { temperature: 0, seed: 0n }, both, { temperature: 1, seed: 7n }, 0, 0n],
  ['undefined is no override', { temperature: undefined, seed: undefined }, both, { temperature: 1, seed: 7n }, 1, 7n],
  ['no seed', { seed: 1n }, { temperature: true, seed: false }, { temperature: 0, seed: 7n }, 0, undefined],
  ['no temperature', { temperature: 0.5 }, { temperature: false, seed: true }, { temperature: 0, seed: 7n }, undefined, 7n],
  ['no knobs', { temperature: 0, seed: 0n }, { temperature: false, seed: false }, { temperature: 0, seed: 7n }, undefined, undefined],
])('%s', (_, overrides, capabilities, defaults, temperature, seed) => {
  expect(decideDeterminism(overrides, capabilities, defaults)).toStrictEqual({ temperature, seed })
})
