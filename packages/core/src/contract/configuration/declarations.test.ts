import { describe, expect, test } from 'vitest'
import { catalogue, contract } from '../../catalogue.ts'
import { locales } from '../locale.ts'

const presets = Object.entries(catalogue.presets)

describe.each(presets)('what the preset %s declares', (_name, { declares = {}, checks }) => {
  const names = checks.flatMap((check) => (typeof check === 'string' ? [check] : Object.keys(check)))

  test('is data', () => {
    expect(structuredClone(declares)).toEqual(declares)
    expect(JSON.parse(JSON.stringify(declares))).toEqual(declares)
  })

  test('is about validators that it checks', () => {
    const sources = [...Object.values(declares.facts ?? {}), declares.annotations?.citations].filter((one) => one !== undefined)
    for (const { validator } of sources) expect(names).toContain(validator)
  })

  test('has its texts in every language', () => {
    if (declares.errorText) expect(Object.keys(declares.errorText).sort()).toEqual([...locales].sort())
  })
})

test('a contract has what its preset declares, and facts of its validators that any preset declares', () => {
  const helix = catalogue.presets.helix?.declares
  expect(contract({ preset: 'helix' }).declared).toMatchObject({ ...helix })
  expect(contract({ checks: ['step_marker'] }).declared).toEqual({ facts: helix?.facts, annotations: {} })
  expect(contract({ preset: 'helix', checks: ['adr_structure'] }).declared).toMatchObject({ messages: helix?.messages, facts: {} })
  expect(contract({ checks: [{ citations: {} }] }).declared?.annotations).toEqual({
    citations: { validator: 'citations', fact: 'citations' },
  })
  expect(contract({ checks: [] }).declared).toEqual({ facts: {}, annotations: {} })
})
