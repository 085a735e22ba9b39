import { describe, expect, it, test } from 'vitest'
import * as z from 'zod'
import { pageCheck } from '../../../../../tools/docs/page-check.mjs'
import { catalogue } from '../../../../presets/src/testing/contract.ts'
import { buildContract, type ContractInput } from '../contract.ts'
import type { StandardSchema } from '../standard-schema.ts'
import { describeOptions } from './describe-options.ts'

describe('describeOptions', () => {
  it('makes a table of a Zod schema', () => {
    const options = z.strictObject({
      limit: z.int().positive().describe('Most of them.'),
      kind: z.enum(['a', 'b']).default('a'),
      names: z.array(z.string()).optional(),
      either: z.array(z.union([z.string(), z.number()])).optional(),
      on: z.boolean().default(false),
      whatever: z.unknown().optional(),
    })
    expect(describeOptions({ options })).toEqual([
      { name: 'limit', type: 'integer', required: true, description: 'Most of them.' },
      { name: 'kind', type: 'a | b', required: false, default: 'a', description: '' },
      { name: 'names', type: 'string[]', required: false, description: '' },
      { name: 'either', type: '(string | number)[]', required: false, description: '' },
      { name: 'on', type: 'boolean', required: false, default: false, description: '' },
      { name: 'whatever', type: 'anything', required: false, description: '' },
    ])
  })
  it('cannot look into the schema of another library', () => {
    const options: StandardSchema = { '~standard': { version: 1, vendor: 'other', validate: (value) => ({ value }) } }
    expect(describeOptions({ options })).toBeUndefined()
  })
  test.each(catalogue.validators.map(({ definition }) => [definition.name, definition] as const))(
    'every option of %s is described',
    (_, definition) => {
      for (const { description } of describeOptions(definition) ?? []) expect(description).toMatch(/\.$/)
    },
  )
})

/** Checks that have repairs only with these options, which their pages do not show first. */
const withRepairs: Readonly<Record<string, object>> = {
  contains: { none: [{ text: 'a', replace: 'b' }] },
  pattern: { deny: [{ regex: 'a', replace: 'b' }] },
}

test.each(catalogue.validators.map(({ definition }) => definition))('whether $name repairs is declared', ({ name, repairs = false }) => {
  const options = withRepairs[name]
  const check = options === undefined ? pageCheck(name) : { [name]: options }
  const [validator] = buildContract({ checks: [check] } as ContractInput, catalogue).validators
  expect(validator?.prepared.repair !== undefined).toBe(repairs)
})
