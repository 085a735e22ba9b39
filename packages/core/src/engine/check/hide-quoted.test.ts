import { expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { scripted } from '../../runners/scripted.ts'
import { enforce } from '../enforce.ts'
import { settle } from '../repair/settle.ts'
import type { TraceEvent } from '../trace.ts'

const secret = `sk-proj-${'AbCd1234EfGh5678IjKl9012MnOp3456QrSt7890'}`
const schema = { type: 'object', properties: { a: { type: 'integer' } }, additionalProperties: false }
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
