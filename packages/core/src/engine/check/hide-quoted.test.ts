import { expect, test } from 'vitest'
import * as z from 'zod'
import { contract } from '../../catalogue.ts'
import { quote } from '../../contract/quote.ts'
import { defineValidator } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { scripted } from '../../runners/scripted.ts'
import { enforce } from '../enforce.ts'
import { settle } from '../repair/settle.ts'
import type { TraceEvent } from '../trace.ts'
import { check } from './check.ts'

const secret = `sk-proj-${'AbCd1234EfGh5678IjKl9012MnOp3456QrSt7890'}`
const schema = { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false }
const searched = contract({ checks: [{ sensitive: {} }], retries: 0 })
const rules = contract({ checks: [{ json: { schema } }, { sensitive: {} }], retries: 1 })

test.each([
  ['an object', `{"${secret}": 1}`],
  ['one inside of another', `{"a": 1, "b": {"${secret}": {}}}`],
  ['an object that is seen only after a repair', `{${secret}: 1, 'a': 'x'}`],
])('a secret that is a key of %s is in no issue, event or feedback', async (_name, text) => {
  const events: TraceEvent[] = []
  const runner = scripted([text, text])
  const outcome = await enforce({ contract: rules, runner, prompt: 'Hi', onEvent: (event) => events.push(event) })
  expect(outcome.issues.map(({ code }) => code)).toContain('SENSITIVE')
  expect(JSON.stringify([outcome.issues, outcome.fixed, outcome.repairs, events, runner.calls])).not.toContain(secret)
  expect(JSON.stringify((await settle(rules, text)).issues)).not.toContain(secret)
})

test('a finish reason that is no word is not quoted where secrets are searched for', async () => {
  const events: TraceEvent[] = []
  const runner = scripted([{ text: 'Fine.', finishReason: secret }])
  const { unchecked } = await enforce({ contract: searched, runner, prompt: 'Hi', onEvent: (event) => events.push(event) })
  expect(unchecked).toMatchObject([{ validator: 'truncation', message: 'what the provider said is not a known finish reason' }])
})

test('a secret is in no message about what could not be checked', async () => {
  const unsure = defineValidator({
    name: 'unsure',
    summary: 'Says what it cannot check.',
    options: z.strictObject({}),
    instruct: () => 'Be sure.',
    codes: { UNSURE: { severity: 'error', when: 'Never.', fix: 'Nothing.' } },
    prepare: () => ({
      check({ text }) {
        throw new ValidatorUnavailable(`${quote(text)} cannot be checked`)
      },
    }),
  })
  const both = contract({ checks: [unsure({}), { sensitive: {} }], retries: 0 })
  const { unchecked, issues } = await check(both, `key: ${secret}`)
  expect([unchecked[0]?.message, issues.length]).toEqual(['"key: [hidden]" cannot be checked', 1])
})
