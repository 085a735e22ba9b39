import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contract } from '../../../presets/src/testing/contract.ts'
import { Answer } from '../answer/answer.ts'
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
    [{ zzz: undefined }, /^unknown option "zzz"; known: (contract, runner, prompt, )?context, ports, /],
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

describe('what a first call forgets is said at once', () => {
  const runner = scripted(['Hi.'])
  const plain = { checks: ['step_marker'] }
  const refuse = async (call: () => unknown, message: string | RegExp): Promise<void> => {
    const error: unknown = await Promise.resolve()
      .then(call)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(String(error)).toEqual(typeof message === 'string' ? expect.stringContaining(message) : expect.stringMatching(message))
  }

  test.each<[string, unknown, string | RegExp]>([
    ['nothing', undefined, 'pass an object with contract, runner, prompt, context, '],
    ['no runner', { contract: rules, prompt: 'p' }, 'runner: pass a runner, such as `openai({ … })` or `fromFunction(call)`'],
    [
      'a function as runner',
      { contract: rules, runner: async () => 'Hi.', prompt: 'p' },
      'runner: wrap the function: `fromFunction(call)`',
    ],
    ['an SDK as runner', { contract: rules, runner: { chat: {} }, prompt: 'p' }, 'runner: pass a runner'],
    ['no prompt', { contract: rules, runner }, 'prompt: pass a text or a list of messages'],
    ['messages', { contract: rules, runner, messages: [] }, 'unknown option "messages"; did you mean "prompt"?'],
    ['no prompt but null', { contract: rules, runner, prompt: null }, 'prompt: pass a text'],
    ['one message as prompt', { contract: rules, runner, prompt: { role: 'user', content: 'Hi.' } }, 'prompt: pass a text'],
    ['neither', { contract: rules }, /runner: pass.*\nprompt: pass/],
    [
      'a plain object as contract',
      { contract: plain, runner, prompt: 'p' },
      'contract: this is a plain object; pass what `contract({ … })` makes of it',
    ],
    ['a preset as contract', { contract: { preset: 'helix' }, runner, prompt: 'p' }, 'contract: this is a plain object'],
    ['no contract', { runner, prompt: 'p' }, 'contract: pass a contract, such as'],
    ['a name as contract', { contract: 'helix', runner, prompt: 'p' }, 'contract: pass a contract, such as'],
  ])('enforce with %s', async (_what, options, message) => {
    const start = runner.calls.length
    await refuse(() => enforce(options as never), message)
    expect(() => enforceStream(options as never)).toThrow(ConfigurationError)
    await refuse(() => enforceStream(options as never), message)
    expect(runner.calls).toHaveLength(start)
  })

  test.each<[string, (contract: never, answer: never) => unknown]>([
    ['check', (given, text) => check(given, text)],
    ['settle', (given, text) => settle(given, text)],
    ['repair', (given, text) => repair(given, text, report)],
  ])('%s', async (_name, call) => {
    for (const given of [plain, { preset: 'helix' }])
      await refuse(() => call(given as never, answer as never), 'contract: this is a plain object')
    for (const given of [undefined, null, 'helix', {}, []])
      await refuse(() => call(given as never, answer as never), 'contract: pass a contract')
    for (const given of [undefined, null, 7, { content: 'Hi.' }, { choices: [] }])
      await refuse(() => call(rules as never, given as never), 'answer: pass a text, or `readAnswer(response)`')
  })

  test.each([undefined, null, 'Hi.', {}, { only: [] }, []])('repair with %j as the report', async (given) => {
    await refuse(() => repair(rules, answer, given as never), 'report: pass what `check` found, or call `settle`, which checks and repairs')
  })

  test('only a run has a prompt that messages may mean', async () => {
    await refuse(() => check(rules, answer, as({ messages: [] })), 'unknown option "messages"; known: context, ')
  })

  test('whatever they are given, only a contract, a runner and a prompt start a run', async () => {
    const value = fc.oneof(fc.anything(), fc.constantFrom(rules, runner, 'p', [], plain))
    await fc.assert(
      fc.asyncProperty(fc.record({ contract: value, runner: value, prompt: value }), async (options) => {
        const isSound =
          options.contract === rules && options.runner === runner && (typeof options.prompt === 'string' || Array.isArray(options.prompt))
        fc.pre(!isSound)
        await refuse(() => enforce(options as never), /contract: |runner: |prompt: /)
      }),
    )
  })
})
