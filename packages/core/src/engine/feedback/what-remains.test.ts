import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type ContractByName, contract } from '../../../../presets/src/testing/contract.ts'
import { issue } from '../../contract/issue.ts'
import { type Check, defineValidator } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { scripted } from '../../runners/scripted.ts'
import { json } from '../../validators/json/index.ts'
import { sensitive } from '../../validators/sensitive/index.ts'
import { enforce, enforceStream } from '../enforce.ts'
import type { TraceEvent } from '../trace.ts'

const schema = {
  type: 'object',
  properties: { priority: { enum: ['low', 'high'] }, hours: { type: 'integer', maximum: 5 } },
  required: ['priority'],
}
const ticket = json({ schema })

/** What the model is asked to correct, and the outcome. */
async function run(rules: ContractByName, text: string, chunkSize?: number) {
  const runner = scripted([{ text, ...(chunkSize ? { chunkSize } : {}) }, { text: '{"priority": "low"}' }])
  const events: TraceEvent[] = []
  const asked = { contract: contract({ retries: 1, ...rules }), runner, prompt: 'p', onEvent: (event: TraceEvent) => events.push(event) }
  const outcome = await (chunkSize ? enforceStream(asked).outcome : enforce(asked))
  return { feedback: runner.calls[1]?.feedback ?? '', outcome, events }
}

describe('feedback names what repairs cannot fix', () => {
  test.each([undefined, 1, 7])('and not the comma that hid it (chunks of %s)', async (size) => {
    const { feedback, events } = await run({ checks: [ticket] }, '{"priority": "ASAP",}', size)
    expect(feedback).toContain('priority')
    expect(feedback).toContain('low or high')
    expect(feedback).not.toContain('INVALID_JSON')
    for (const event of events) if (event.type === 'repaired') expect(event.remaining).toMatchObject([{ path: ['priority'] }])
  })

  test.each([undefined, 1])('nor a comment before it (chunks of %s)', async (size) => {
    const { feedback } = await run({ checks: [ticket] }, '{/* urgent */ "priority": "ASAP"}', size)
    expect(feedback).toContain('priority')
    expect(feedback).not.toContain('INVALID_JSON')
  })

  test('nor a value that a repair converts', async () => {
    const { feedback } = await run({ checks: [ticket] }, '{"priority": "ASAP", "hours": "3"}')
    expect(feedback).toContain('priority')
    expect(feedback).not.toContain('hours')
  })

  test.each([undefined, 1])('before what is repaired last (chunks of %s)', async (size) => {
    const { feedback } = await run({ checks: [ticket], repair: 'last' }, '{/* urgent */ "priority": "ASAP"}', size)
    expect(feedback.indexOf('priority')).toBeGreaterThan(0)
    expect(feedback.indexOf('INVALID_JSON')).toBeGreaterThan(feedback.indexOf('priority'))
  })

  test('and everything where nothing is repaired, or all of it could be', async () => {
    expect((await run({ checks: [ticket], repair: 'never' }, '{"priority": "low",}')).feedback).toContain('INVALID_JSON')
    expect((await run({ checks: [ticket], repair: 'last' }, '{"priority": "low",}')).feedback).toContain('INVALID_JSON')
  })

  test('with the place in the text that the model wrote', async () => {
    const rules: ContractByName = { checks: [{ step_marker: {} }, sensitive({ kinds: ['email'] })] }
    const { feedback } = await run(rules, 'You may ask\njane@acme.com about it.')
    expect(feedback).toContain('line 2')
  })

  test('with what a validator found before it could not run again', async () => {
    const { feedback } = await run({ checks: [flaky(), 'step_marker'] }, 'No.')
    expect(feedback).toContain('WRONG')
  })

  test('and the outcome of an answer that is withheld says so too', async () => {
    const { outcome } = await run({ checks: [ticket], retries: 0 }, '{"priority": "ASAP",}')
    expect(outcome.text).toBe('{"priority": "ASAP",}')
    expect(outcome.issues.map(({ code, path }) => [code, path])).toEqual([
      ['INVALID_JSON', undefined],
      ['SCHEMA_MISMATCH', ['priority']],
    ])
    // It was found in a text that nobody sees.
    expect(outcome.issues[1]?.span).toBeUndefined()
  })

  test('without the secrets that were found in the answer', async () => {
    const secret = 'jane.doe@acme.com'
    const only = json({ schema: { type: 'object', properties: { mail: { enum: ['none'] } } } })
    const rules: ContractByName = { checks: [sensitive({}), only], unresolved: 'deliver' }
    const { feedback, outcome } = await run(rules, `{"mail": "${secret}",}`)
    expect(feedback).toContain('SCHEMA_MISMATCH')
    expect(feedback + JSON.stringify(outcome.issues)).not.toContain(secret)
  })
})

/** Finds an error, and cannot run a second time. */
function flaky(): Check {
  let calls = 0
  return defineValidator({
    name: 'flaky',
    summary: 's',
    options: z.strictObject({}),
    codes: { WRONG: { severity: 'error', when: 'w', fix: 'f' } },
    instruct: () => 'i',
    prepare: () => ({
      *check() {
        if (calls++ > 0) throw new ValidatorUnavailable('gone')
        yield issue('WRONG', 'Say something else.')
      },
    }),
  })({})
}
