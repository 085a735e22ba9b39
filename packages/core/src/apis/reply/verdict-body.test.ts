import fc from 'fast-check'
import { expect, test } from 'vitest'
import { memberJson, replyMembers } from './verdict-body.ts'

const some = fc.array(fc.record({ code: fc.string() }), { maxLength: 1 })

test('a verdict is written as it is, whether it has something to report or not', () => {
  const plain = fc.record({
    status: fc.constantFrom('valid', 'repaired', 'unchecked', 'unresolved', 'unenforced'),
    contract: fc.string({ unit: fc.constantFrom('a', '"', '\\', '\n', 'ü', '\ud83d', '\u2028') }),
    attempts: fc.nat(9),
    issues: fc.constant([]),
    fixed: fc.constant([]),
    repairs: fc.constant([]),
    unchecked: fc.constant([]),
  })
  const further = fc.record(
    {
      issues: some,
      fixed: some,
      repairs: some,
      unchecked: fc.array(fc.string(), { maxLength: 1 }),
      failure: fc.record({ kind: fc.constant('timeout') }),
      validationStatus: fc.string(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(plain, fc.option(further, { nil: {} }), (verdict, more) => {
      const { validationStatus: told, ...all } = { ...verdict, ...more } as typeof verdict & { readonly validationStatus?: string }
      const written = JSON.stringify(told === undefined ? all : { ...all, validation_status: told })
      const given = { ...all, ...(told !== undefined && { validationStatus: told }) }
      // Only what a verdict has is needed of a choice.
      const { stickler } = replyMembers({ choices: [{ index: 0, verdict: given }] } as unknown as Parameters<typeof replyMembers>[0])
      expect(memberJson(stickler)).toBe(written)
      expect(JSON.stringify(stickler)).toBe(written)
    }),
  )
})
