import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { catalogue } from '../../../presets/src/testing/contract.ts'
import { defineValidator } from '../contract/validator.ts'

describe('the schema of options', () => {
  test.each(catalogue.validators.map(({ definition }) => [definition.name, definition] as const))(
    'of %s is made when a contract needs it, once',
    (_name, definition) => {
      expect(Object.getOwnPropertyDescriptor(definition, 'options')?.get).toBeTypeOf('function')
      expect(definition.options).toBe(definition.options)
    },
  )

  test.each([
    ['a value', false],
    ['a getter', true],
  ])('of a validator with %s is the one it was defined with', (_what, lazy) => {
    let made = 0
    const make = () => {
      made++
      return z.strictObject({ limit: z.int() })
    }
    const rest = { name: 'own', summary: '', codes: {}, instruct: () => '', prepare: () => ({ check: () => [] }) } as const
    const own = defineValidator(
      lazy
        ? {
            ...rest,
            get options() {
              return make()
            },
          }
        : { ...rest, options: make() },
    )
    expect(made).toBe(lazy ? 0 : 1)
    expect([own.definition.options, { ...own.definition }.options]).toEqual([own.definition.options, own.definition.options])
    expect(made).toBe(1)
  })

  test('of a frozen definition stays as it is', () => {
    const definition = Object.freeze({
      name: 'own',
      summary: '',
      get options() {
        return z.strictObject({})
      },
      codes: {},
      instruct: () => '',
      prepare: () => ({ check: () => [] }),
    })
    expect(defineValidator(definition).definition).toBe(definition)
  })
})
