import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { contract } from '../../../../presets/src/testing/contract.ts'
import { Answer } from '../../answer/answer.ts'
import { issue } from '../../contract/issue.ts'
import { type CheckContext, defineValidator, type PreparedValidator } from '../../contract/validator.ts'
import { ValidatorUnavailable } from '../../contract/validator-unavailable.ts'
import { manualClock } from '../../testing/index.ts'
import { check } from './check.ts'

const custom = (name: string, run: PreparedValidator<'X'>['check']) =>
  defineValidator({
    name,
    summary: 's',
    options: z.strictObject({}),
    codes: { X: { severity: 'error', when: 'w', fix: 'f' } },
    instruct: () => 'i',
    prepare: () => ({ check: run }),
  })({})

/** An iterable that yields nothing and returns something. */
const returning = (value: unknown): unknown => ({ [Symbol.iterator]: () => ({ next: () => ({ done: true, value }) }) })

const bad = custom('bad', function* () {
  yield issue('X', 'bad')
})

describe('check', () => {
  test.each<[string, PreparedValidator<'X'>['check'], string, string]>([
    [
      'throws at once',
      () => {
        throw new Error('boom')
      },
      'crash',
      'boom',
    ],
    [
      'throws after an issue',
      function* () {
        yield issue('X', 'x')
        throw new Error('boom')
      },
      'crash',
      'boom',
    ],
    [
      'rejects',
      async function* () {
        yield await Promise.reject('boom')
      },
      'crash',
      'boom',
    ],
    [
      'lacks something',
      () => {
        throw new ValidatorUnavailable('no parser')
      },
      'unavailable',
      'no parser',
    ],
    [
      'yields for ever',
      function* () {
        for (;;) yield issue('X', 'x')
      },
      'timeout',
      'took longer than 30 ms',
    ],
    [
      'never returns',
      async function* () {
        await new Promise(() => {})
        yield issue('X', 'x')
      },
      'timeout',
      'took longer than 30 ms',
    ],
  ])('a validator that %s is unchecked, the others still count', async (_name, run, cause, message) => {
    const report = await check(contract({ checks: [custom('odd', run), bad], timeoutMs: 30 }), 'text')
    expect(report.unchecked).toEqual([{ validator: 'odd', cause, message }])
    expect(report.issues).toEqual([{ code: 'X', severity: 'error', validator: 'bad', message: 'bad' }])
  })

  test.each<[string, () => unknown]>([
    [
      'null',
      function* () {
        yield null
      },
    ],
    [
      'a list',
      function* () {
        yield [issue('X', 'x')]
      },
    ],
    [
      'a text',
      function* () {
        yield 'X'
      },
    ],
    [
      'a promise',
      function* () {
        yield Promise.resolve(issue('X', 'x'))
      },
    ],
    [
      'another code',
      function* () {
        yield issue('NOPE', 'x')
      },
    ],
    ['a return value', () => returning(issue('X', 'x'))],
    ['no iterable', () => undefined],
  ])('a validator that yields %s is unchecked', async (_name, run) => {
    const report = await check(contract({ checks: [custom('odd', run as PreparedValidator<'X'>['check']), bad] }), 'text')
    expect(report.unchecked).toMatchObject([{ validator: 'odd', cause: 'crash' }])
    expect(report.issues.map(({ validator }) => validator)).toEqual(['bad'])
  })

  test('validators run in parallel, and their issues come in the order of the contract', async () => {
    const clock = manualClock()
    const slow = (name: string, ms: number) =>
      custom(name, async function* () {
        await new Promise<void>((resolve) => clock.after(ms, resolve))
        yield issue('X', name)
      })
    const running = check(contract({ checks: [slow('late', 300), slow('soon', 100)] }), 'text', { clock })
    await clock.advanceAsync(300)
    expect((await running).issues.map(({ message }) => message)).toEqual(['late', 'soon'])
  })

  test('an abort reaches validators, and nothing outlives the check', async () => {
    const seen: CheckContext[] = []
    const controller = new AbortController()
    const waiting = custom('waiting', async function* (_answer, context) {
      seen.push(context)
      const { signal } = context
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
      yield issue('X', 'x')
    })
    const running = check(contract({ checks: [waiting] }), 'text', { signal: controller.signal })
    controller.abort(new Error('enough'))
    expect((await running).unchecked).toEqual([{ validator: 'waiting', cause: 'aborted', message: 'enough' }])
    expect((await check(contract({ checks: [bad] }), 'text', { signal: AbortSignal.abort(new Error('no')) })).unchecked[0]?.cause).toBe(
      'aborted',
    )
  })

  test('each validator that asks has a signal of its own, which ends with it', async () => {
    const signals = new Map<string, AbortSignal>()
    const asking = (name: string) =>
      custom(name, function* (_answer, { signal }) {
        signals.set(name, signal)
        yield issue('X', String(signal.aborted))
      })
    const copying = custom('copying', function* (_answer, context) {
      const copy = { ...context }
      signals.set('copying', copy.signal)
      yield issue('X', String(copy.signal === context.signal))
    })
    const late = custom('late', async function* (_answer, context) {
      await Promise.resolve()
      signals.set('late', context.signal)
      yield issue('X', `${context.signal.aborted} ${signals.get('first')?.aborted} ${signals.get('second')?.aborted}`)
    })
    const checks = [custom('mute', () => []), asking('first'), late, custom('silent', function* () {}), asking('second'), copying]
    const { issues, unchecked } = await check(contract({ checks }), 'text')
    expect(unchecked).toEqual([])
    expect(issues.map(({ message }) => message)).toEqual(['false', 'false true true', 'false', 'true'])
    expect(new Set(signals.values()).size).toBe(4)
    expect([...signals.values()].every(({ aborted }) => aborted)).toBe(true)
  })

  test('facts of a validator stand together, whatever their names', async () => {
    const learned = custom('learned', () => [
      { kind: 'fact', name: 'b', value: 1 },
      { kind: 'fact', name: '__proto__', value: 2 },
      { kind: 'fact', name: 'b', value: 3 },
      { kind: 'fact', name: 'constructor', value: 4 },
    ])
    const { facts } = await check(contract({ checks: [learned] }), 'text')
    expect(JSON.stringify(facts)).toBe('{"learned":{"b":3,"__proto__":2,"constructor":4}}')
  })

  test('a filter chooses validators; an unknown name is an error, an empty list means none', async () => {
    const both = contract({ preset: 'helix' })
    expect((await check(both, 'text', { only: ['step_marker'] })).issues.map(({ validator }) => validator)).toEqual(['step_marker'])
    expect((await check(both, 'text', { only: [] })).issues).toEqual([])
    await expect(check(both, 'text', { only: ['step_markr'] })).rejects.toThrow('did you mean "step_marker"?')
  })

  test('an answer that was cut off is an issue of its own', async () => {
    const codes = async (finishReason: string) =>
      (await check(contract({ checks: [] }), new Answer('Half a sen', { finishReason }))).issues.map(({ code }) => code)
    expect(await Promise.all(['stop', 'length', 'content_filter', 'refusal'].map(codes))).toEqual([
      [],
      ['TRUNCATED'],
      ['REFUSED'],
      ['REFUSED'],
    ])
  })

  test('context reaches the validators', async () => {
    const echo = custom('echo', function* (_answer, { context }) {
      yield issue('X', String(context.topic))
    })
    expect((await check(contract({ checks: [echo] }), 'text', { context: { topic: 'ports' } })).issues[0]?.message).toBe('ports')
  })
})
