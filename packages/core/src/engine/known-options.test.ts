import { describe, expect, test } from 'vitest'
import { Answer } from '../answer/answer.ts'
import { contract } from '../catalogue.ts'
import { ConfigurationError } from '../contract/configuration-error.ts'
import { scripted } from '../runners/scripted.ts'
import { check } from './check/check.ts'
import { enforce, enforceStream } from './enforce.ts'
import { repair } from './repair/repair.ts'
import { settle } from './repair/settle.ts'

const rules = contract({ checks: ['step_marker'] })
const answer = new Answer('Hi.')
const report = await check(rules, answer)
// As JavaScript would be written: nothing is known of the types.
const as = (options: object): never => options as never
const given = (): object => ({ contract: rules, runner: scripted(['Hi.']), prompt: 'p' })

/** How each function is called with one option too many. */
const calls: Readonly<Record<string, (options: object) => unknown>> = {
  enforce: (options) => enforce(as({ ...given(), ...options })),
  enforceStream: (options) => enforceStream(as({ ...given(), ...options })),
  check: (options) => check(rules, answer, as(options)),
  repair: (options) => repair(rules, answer, report, as(options)),
  settle: (options) => settle(rules, answer, as(options)),
}

describe.each(Object.keys(calls))('%s', (name) => {
  const call = async (options: object): Promise<unknown> => calls[name]?.(options)

  test.each([
    [{ contxt: {} }, 'unknown option "contxt"; did you mean "context"?'],
    [{ onyl: ['step_marker'] }, 'unknown option "onyl"; did you mean "only"?'],
    [{ zzz: undefined }, /^unknown option "zzz"; known: context, ports, /],
    [{ only: null }, 'only: must be a list of names'],
    [{ only: 'step_marker' }, 'only: must be a list of names'],
    [{ __proto__x: 1 }, 'unknown option "__proto__x"'],
    [{ signl: 1, clok: 2 }, /unknown option "signl".*\n.*unknown option "clok"/],
  ])('refuses %j', async (options, message) => {
    await expect(call(options)).rejects.toThrow(message)
    await expect(call(options)).rejects.toBeInstanceOf(ConfigurationError)
  })

  test('takes every option that it has, also as undefined', async () => {
    const known = { context: {}, ports: {}, only: ['step_marker'], signal: undefined, clock: undefined, executor: undefined }
    await expect(call(known)).resolves.toBeDefined()
  })
})

test('a misspelt prompt is refused, and no model is asked', async () => {
  const runner = scripted(['Hi.'])
  await expect(enforce(as({ contract: rules, runner, promt: 'p' }))).rejects.toThrow('unknown option "promt"; did you mean "prompt"?')
  expect(() => enforceStream(as({ contract: rules, runner, promt: 'p' }))).toThrow('did you mean "prompt"?')
  expect(runner.calls).toEqual([])
})
