import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { catalogue, contract } from '../../../../presets/src/testing/contract.ts'
import { locales } from '../locale.ts'
import { defineValidator, type FactUse } from '../validator.ts'

const presets = Object.entries(catalogue.presets)

describe.each(presets)('what the preset %s declares', (_name, { declares = {} }) => {
  test('is data', () => {
    expect(structuredClone(declares)).toEqual(declares)
    expect(JSON.parse(JSON.stringify(declares))).toEqual(declares)
  })

  test('has its texts in every language', () => {
    if (declares.errorText) expect(Object.keys(declares.errorText).sort()).toEqual([...locales].sort())
  })
})

const step = { validator: 'step_marker', fact: 'step', last: ['done'], inferredBy: ['append-step-marker', 'infer-step-name'] }

test('a contract has what its preset declares, and what its validators say of their facts', () => {
  const helix = catalogue.presets.helix?.declares
  expect(contract({ preset: 'helix' }).declared).toEqual({ ...helix, facts: {}, step })
  expect(contract({ checks: ['step_marker'] }).declared).toEqual({ facts: {}, step })
  expect(contract({ preset: 'helix', checks: ['adr_structure'] }).declared).toEqual({ ...helix, facts: {} })
  expect(contract({ checks: [{ citations: {} }] }).declared).toEqual({
    facts: {},
    citations: { validator: 'citations', fact: 'citations' },
  })
  expect(contract({ checks: [] }).declared).toEqual({ facts: {} })
})

describe('validators of users', () => {
  const telling = (name: string, facts: Readonly<Record<string, FactUse>>) =>
    defineValidator({
      name,
      summary: '',
      options: z.strictObject({}),
      codes: {},
      facts,
      instruct: () => '',
      prepare: () => ({ check: () => [] }),
    })({})

  test('declare facts as those that come with the library do', () => {
    const phase = telling('phase', { phase: { use: 'step', last: ['closed'] }, topic: { use: 'kept' }, refs: { use: 'citations' } })
    expect(contract({ checks: [phase] }).declared).toEqual({
      facts: { topic: { validator: 'phase', fact: 'topic' } },
      step: { validator: 'phase', fact: 'phase', last: ['closed'] },
      citations: { validator: 'phase', fact: 'refs' },
    })
  })

  test('of two that declare the same, the first counts', () => {
    const one = telling('one', { topic: { use: 'kept' }, at: { use: 'step' } })
    expect(contract({ checks: [one, telling('two', { topic: { use: 'kept' } }), 'step_marker'] }).declared).toEqual({
      facts: { topic: { validator: 'one', fact: 'topic' } },
      step: { validator: 'one', fact: 'at', last: [] },
    })
  })
})
