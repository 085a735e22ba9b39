import { describe, expect, it, test } from 'vitest'
import * as z from 'zod'
import { catalogue } from '../../../../presets/src/testing/contract.ts'
import type { StandardSchema } from '../standard-schema.ts'
import type { PreparedValidator, ValidatorDefinition } from '../validator.ts'
import { describeOptions, knowsRepair } from './describe-options.ts'

function validator(options: StandardSchema, prepare: () => PreparedValidator = () => ({ check: () => [] })): ValidatorDefinition {
  return { name: 'x', summary: '', options, codes: {}, instruct: () => '', prepare }
}

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

describe('knowsRepair', () => {
  const repairing = (): PreparedValidator => ({ check: () => [], repair: () => [] })
  const needy = z.strictObject({
    count: z.int().min(3),
    share: z.number().positive(),
    word: z.string().min(1),
    list: z.array(z.enum(['a', 'b'])).min(1),
    inner: z.strictObject({ on: z.boolean(), both: z.union([z.literal('x'), z.number()]) }),
  })
  const cases: readonly (readonly [what: string, definition: ValidatorDefinition, knows: boolean | undefined])[] = [
    ['without a repair', validator(z.strictObject({})), false],
    ['with one', validator(z.strictObject({}), repairing), true],
    ['with one that needs options', validator(needy, repairing), true],
    ['with options that cannot be guessed', validator(z.strictObject({ url: z.string().startsWith('https://') }), repairing), undefined],
    [
      'that throws',
      validator(z.strictObject({}), () => {
        throw new Error('no')
      }),
      undefined,
    ],
  ]
  test.each(cases)('a validator %s', (_, definition, knows) => expect(knowsRepair(definition)).toBe(knows))
  test.each(catalogue.validators.map(({ definition }) => [definition.name, definition] as const))('is known of %s', (_, definition) => {
    expect(knowsRepair(definition)).toBeTypeOf('boolean')
  })
})
