import { describe, expect, it, test } from 'vitest'
import * as z from 'zod'
import { checkStandard, isStandardSchema } from './standard.ts'

describe('checkStandard', () => {
  it('hands on what a schema makes of a value', () => {
    const schema = z.object({ a: z.string().default('x'), n: z.coerce.number() })
    expect(checkStandard(schema, { n: '5' })).toEqual({ ok: true, value: { a: 'x', n: 5 } })
  })
  it('tells what is wrong, and where', () => {
    expect(checkStandard(z.object({ a: z.array(z.string()) }), { a: ['x', 1] })).toEqual({
      ok: false,
      problems: [
        {
          path: ['a', 1],
          keyword: 'invalid_type',
          message: 'Correct a[1]: invalid input: expected string, received number.',
          german: 'Korrigiere a[1]; das Schema meldet "Invalid input: expected string, received number".',
          params: {},
        },
      ],
    })
  })
  it('waits for a schema that needs time', async () => {
    const schema = z.string().refine(async (text) => text === 'x')
    expect(await checkStandard(schema, 'x')).toEqual({ ok: true, value: 'x' })
    expect(await checkStandard(schema, 'y')).toMatchObject({ ok: false, problems: [{ path: [] }] })
  })
  it('reads paths in wrappers', () => {
    const schema = { '~standard': { validate: () => ({ issues: [{ message: 'No.', path: [{ key: 'a' }, 0, Symbol('s')] }, {}] }) } }
    expect(checkStandard(schema, 1)).toMatchObject({
      ok: false,
      problems: [
        { path: ['a', 0, 'Symbol(s)'], keyword: 'schema', message: 'Correct a[0]["Symbol(s)"]: no.' },
        { path: [], message: 'Correct the value: it is not valid.', german: 'Korrigiere den Wert; das Schema nennt keinen Grund.' },
      ],
    })
  })
})

describe('isStandardSchema', () => {
  test.each<[unknown, boolean]>([
    [z.string(), true],
    [Object.assign(() => 1, { '~standard': { validate: () => 1 } }), true],
    [{ type: 'string' }, false],
    [{ '~standard': null }, false],
    [null, false],
    [undefined, false],
    ['x', false],
  ])('%#', (schema, is) => expect(isStandardSchema(schema)).toBe(is))
})
