import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FinishKind, finishWords } from '@stickler/core/internal'
import { expect, test } from 'vitest'
import { root } from './support/places.ts'

const columns: readonly (readonly FinishKind[])[] = [
  ['complete'],
  ['calls', 'paused'],
  ['length', 'interrupted'],
  ['filter', 'refusal'],
  ['error'],
]

test('docs/reference/finish-reasons.md lists every word of every provider', async () => {
  const page = await readFile(join(root, 'docs/reference/finish-reasons.md'), 'utf8')
  const rows = page
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()))
    .map(([, wire = '', ...cells]) => [
      wire,
      ...cells.slice(0, 5).map((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, word]) => word).sort()),
    ])
  const expected = Object.entries(finishWords).map(([wire, words]) => [
    wire,
    ...columns.map((kinds) =>
      Object.entries(words)
        .filter(([, kind]) => kinds.includes(kind))
        .map(([word]) => word)
        .sort(),
    ),
  ])
  expect(rows.slice(0, expected.length)).toEqual(expected)
})
