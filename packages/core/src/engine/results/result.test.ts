import { describe, expect, test } from 'vitest'
import { type ContractOptions, contract } from '../../catalogue.ts'
import { scripted } from '../../runners/scripted.ts'
import { json } from '../../validators/json/index.ts'
import { oneOf } from '../../validators/one-of/index.ts'
import { check } from '../check/check.ts'
import { enforce, enforceStream } from '../enforce.ts'
import { settle } from '../repair/settle.ts'
import { UndeliveredError } from './undelivered-error.ts'

const schema = { type: 'object', properties: { a: { type: 'integer' } } }
const value = { checks: [json({ schema })], retries: 0 }
const words = { checks: [{ max_words: { limit: 2 } }], retries: 0 } as const

/** The result of each door. */
async function results(rules: ContractOptions, text: string) {
  const built = contract(rules)
  const asked = { contract: built, runner: scripted([text]), prompt: 'p' }
  const streamed = { contract: built, runner: scripted([{ text, chunkSize: 3 }]), prompt: 'p' }
  return {
    enforce: await enforce(asked),
    enforceStream: await enforceStream(streamed).outcome,
    settle: await settle(built, text),
    check: await check(built, text),
  }
}

describe('every result', () => {
  test.each<[string, ContractOptions, string, unknown]>([
    ['has the value', value, '{"a": 1}', { a: 1 }],
    ['has the text where no value is read', words, 'Yes.', 'Yes.'],
    ['has the value that was chosen, without the space around it', { checks: [oneOf({ values: ['yes', 'no'] })] }, '\n yes \n', 'yes'],
    ['has it as it is configured', { checks: [oneOf({ values: ['Yes'], caseSensitive: false })] }, 'yES', 'Yes'],
    ['has it without the reasoning', { checks: [oneOf({ values: ['yes'] })] }, '<think>no?</think>\nyes', 'yes'],
  ])('%s', async (_name, rules, text, expected) => {
    for (const [door, result] of Object.entries(await results(rules, text))) {
      expect([door, result.ok, result.unwrap()]).toEqual([door, true, expected])
      expect(result).toMatchObject({ text, issues: [], repairs: [], status: 'valid' })
    }
  })

  test.each<[string, ContractOptions, string, string]>([
    ['a value that is wrong', value, '{"a": []}', 'SCHEMA_MISMATCH'],
    ['too many words', words, 'One two three.', 'MAX_WORDS'],
    ['a delivered answer that breaks the contract', { ...words, mode: 'lenient' }, 'One two three.', 'MAX_WORDS'],
  ])('throws on %s', async (_name, rules, text, code) => {
    for (const [door, result] of Object.entries(await results(rules, text))) {
      expect([door, result.ok]).toEqual([door, false])
      const thrown = attempt(() => result.unwrap())
      expect(thrown).toBeInstanceOf(UndeliveredError)
      expect(thrown).toMatchObject({ status: 'unresolved', issues: [{ code }] })
      expect((thrown as Error).message).toContain(code)
    }
  })

  test('throws where not everything could be checked, and says what', async () => {
    for (const result of Object.values(await results({ checks: ['citations'], unchecked: 'deliver' }, 'Yes[^1].')))
      expect(attempt(() => result.unwrap())).toMatchObject({
        status: 'unchecked',
        message: expect.stringContaining('citations: the number of sources is unknown'),
        unchecked: [{ validator: 'citations', cause: 'unavailable' }],
      })
  })

  test('throws the failure of a run without an answer', async () => {
    const runner = scripted([{ failure: { kind: 'http', status: 503, message: 'overloaded' } }])
    const outcome = await enforce({ contract: contract(words), runner, prompt: 'p' })
    expect(outcome.ok).toBe(false)
    expect(attempt(() => outcome.unwrap())).toMatchObject({ status: 'failed', failure: { status: 503 }, issues: [] })
  })

  test('is data to whoever copies, compares or writes it', async () => {
    for (const result of Object.values(await results(value, '{"a": 1}'))) {
      expect(Object.keys(result)).not.toContain('ok')
      expect(JSON.parse(JSON.stringify(result))).toEqual(structuredClone(result))
      expect(structuredClone(result)).toEqual(result)
    }
  })

  test('has the repaired text and value', async () => {
    const { enforce: outcome, settle: settled, check: found } = await results(value, '{"a": 1,}')
    for (const result of [outcome, settled]) {
      expect(result.unwrap()).toEqual({ a: 1 })
      expect(result).toMatchObject({ text: '{"a": 1}', issues: [], repairs: [{ rule: 'trailing-comma' }] })
    }
    expect(found).toMatchObject({ ok: false, text: '{"a": 1,}', issues: [{ code: 'INVALID_JSON' }], repairs: [] })
  })

  test('has the value of the first validator that reads one', async () => {
    const checks = ['json', { one_of: { values: ['true', 'false'] } }] as const
    for (const result of Object.values(await results({ checks: [...checks] }, 'true'))) expect(result.unwrap()).toBe(true)
    for (const result of Object.values(await results({ checks: checks.toReversed() }, 'true'))) expect(result.unwrap()).toBe('true')
  })
})

function attempt(act: () => unknown): unknown {
  try {
    return act()
  } catch (error) {
    return error
  }
}
