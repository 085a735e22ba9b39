import fc from 'fast-check'
import { expect, it } from 'vitest'
import { contract } from '../../../../presets/src/testing/contract.ts'
import { Answer, enforce, settle } from '../../index.ts'
import { scripted } from '../../testing/index.ts'
import { firstDecision } from './settle.ts'

const texts = [
  '{"a": 1}',
  '{"a": 1,}',
  '```json\n{"a": 1}\n```',
  '{"a": "x"',
  'no JSON',
  '',
  'one two three four',
  "{'a': 1}",
  'Sure! {"a": 2}',
]
const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }

const contracts = fc.record({
  checks: fc.constantFrom<object[]>(
    [{ json: { schema } }],
    [{ json: { schema } }, { max_words: { limit: 3 } }],
    [{ max_words: { limit: 2 } }],
    [{ step_marker: {} }],
  ),
  mode: fc.constantFrom('strict' as const, 'lenient' as const, 'shadow' as const),
  retries: fc.integer({ min: 0, max: 2 }),
  repair: fc.constantFrom('first' as const, 'last' as const, 'never' as const),
  lastResort: fc.constantFrom<('lossy' | 'guess')[]>([], ['guess'], ['lossy', 'guess']),
  unresolved: fc.constantFrom('withhold' as const, 'deliver' as const),
  budget: fc.constantFrom({}, { attempts: 1 }, { attempts: 3 }),
})

it('is what the enforcement loop decides on a first attempt', async () => {
  await fc.assert(
    fc.asyncProperty(contracts, fc.constantFrom(...texts), async (input, text) => {
      const rules = contract(input as Parameters<typeof contract>[0])
      let last: { readonly action: string; readonly reason: string } | undefined
      await enforce({
        contract: rules,
        runner: scripted([text, text, text, text]),
        prompt: 'Well?',
        onEvent: (event) => {
          if (event.type === 'decided' && event.attempt === 1) last = { action: event.action, reason: event.reason }
        },
      })
      const answer = new Answer(text)
      expect(await firstDecision(rules, answer, await settle(rules, answer))).toEqual(last)
    }),
    { numRuns: 300 },
  )
})
