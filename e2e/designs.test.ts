import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { catalogue } from '@stickler/presets'
import { describe, expect, test } from 'vitest'
import { designs, isPartly, statementsOf } from '../tools/docs/designs.mjs'
import { root } from './support/places.ts'

test('every preset is a design', () => {
  expect(designs).toEqual(Object.keys(catalogue.presets).sort())
})

describe.each([
  ['avap', 110],
  ['helix', 73],
  ['reddb', 107],
  ['techtime', 53],
])('%s', (design, count) => {
  const statements = statementsOf(design)

  test('numbers its statements from 1', () => {
    expect(statements.map(({ number }) => number)).toEqual(Array.from({ length: count }, (_, at) => at + 1))
  })

  test('names a test that exists for each', () => {
    const wrong = statements.filter(({ path, test }) => path === undefined || !hasTest(path, test ?? ''))
    expect(wrong.map(({ number, cell }) => `${number}: ${cell}`)).toEqual([])
  })

  test('says why, where a statement holds only partly', () => {
    for (const { statement } of statements.filter((one) => isPartly(one.statement))) expect(statement).toMatch(/\*\*Partly\*\*: \w.{20,}/)
  })
})

/** Whether a file has a test of this name, or a case of a table, as it is written there. */
function hasTest(path: string, name: string): boolean {
  const text = readFileSync(join(root, path), 'utf8')
  return [name, name.replaceAll("'", "\\'"), name.replaceAll('`', '\\`'), name.replaceAll('\\', '\\\\')].some((written) =>
    text.includes(written),
  )
}
