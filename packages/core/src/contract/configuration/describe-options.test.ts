import { describe, expect, it, test } from 'vitest'
import * as z from 'zod'
import { catalogue } from '../../../../presets/src/testing/contract.ts'
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

test.each(catalogue.validators.map(({ definition }) => [definition.name, definition] as const))(
  'whether %s repairs is declared',
  (_, { options, prepare, repairs }) => {
    const read = options['~standard'].validate({})
    let repair: unknown
    try {
      if (!(read instanceof Promise || read.issues)) repair = prepare(read.value).repair
    } catch {
      // Without options it has no rule.
    }
    expect(repair === undefined || repairs).toBe(true)
  },
)
