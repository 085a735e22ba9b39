import { buildContract, type ContractInput, contract, type Preset } from '@stickler/core'
import { codeSyntax } from '@stickler/core/validators'
import { describe, expect, test } from 'vitest'
import { avap } from './avap/index.ts'
import * as all from './helix/index.ts'
import { helix } from './helix/index.ts'
import { catalogue } from './index.ts'

const built = (preset: unknown) => contract({ preset: preset as Preset })

describe('a preset in a program', () => {
  test.each([
    ['its name', 'helix', 'import the preset, such as one of @stickler/presets, and pass it itself, not its name'],
    ['a number', 5, 'a preset is an object with a summary and `checks`'],
    ['a module', all, 'a preset is an object with a summary and `checks`'],
    ['names of validators', { ...helix, validators: ['step_marker'] }, 'preset.validators: a list of validators themselves'],
    ['validators without a definition', { ...helix, validators: [{}] }, 'preset.validators: a list of validators themselves'],
    ['a number of validators', { ...helix, validators: 5 }, 'preset.validators: a list of validators themselves'],
    ['what JSON leaves of it', JSON.parse(JSON.stringify(helix)), 'preset.validators: a list of validators themselves'],
  ])('is not %s', (_name, preset, message) => {
    expect(() => built(preset)).toThrow(message)
  })

  test('gives its options to the validator of the library that it replaces', () => {
    const [check] = contract({ preset: avap, checks: [codeSyntax({ placeholders: 'allow' })] }).validators
    expect(check?.options).toMatchObject({ profile: 'avap', language: 'avap', placeholders: 'allow' })
  })
})

test.each([{ ...helix }, { summary: 'x', checks: ['step_marker'], validators: 5 }, {}, ['helix'], 5, null])(
  'a file names its preset, and cannot write it: %#',
  (preset) => {
    expect(() => buildContract({ preset } as ContractInput, catalogue)).toThrow('preset: the name of a preset, one of avap, helix,')
  },
)

test('validators that a preset replaces keep their place', () => {
  const names = catalogue.validators.map(({ definition }) => definition.name)
  expect(names.slice(0, 5)).toEqual(['affixes', 'boilerplate', 'casing', 'citations', 'code_syntax'])
  expect(new Set(names).size).toBe(names.length)
})
