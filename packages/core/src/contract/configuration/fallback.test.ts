import { describe, expect, test } from 'vitest'
import { contract } from '../../catalogue.ts'
import { enforce, enforceStream } from '../../engine/enforce.ts'
import { type ScriptedFailure, scripted } from '../../runners/scripted.ts'
import { contains } from '../../validators/contains/index.ts'
import { json } from '../../validators/json/index.ts'
import { maxWords } from '../../validators/max-words.ts'

const schema = { type: 'object', properties: { ok: { type: 'boolean' } }, required: ['ok'] }
const brief = { checks: [maxWords({ limit: 1 })], retries: 1, fallback: 'Sorry, not now.' } as const

describe('a fallback', () => {
  test('is delivered in place of an answer that breaks the contract, and marked', async () => {
    const types: string[] = []
    const options = { contract: contract(brief), prompt: '', onEvent: ({ type }: { type: string }) => void types.push(type) }
    const outcome = await enforce({ ...options, runner: scripted(['one two', 'three four five']) })
    expect(outcome).toMatchObject({
      status: 'unresolved',
      ok: false,
      delivered: true,
      fallback: true,
      text: 'Sorry, not now.',
      attempts: 2,
    })
    expect([outcome.issues.map(({ code }) => code), outcome.usage.promptTokens >= 0]).toEqual([['MAX_WORDS'], true])
    expect(types.slice(-2)).toEqual(['fell-back', 'run-ended'])
    expect(() => outcome.unwrap()).toThrow(/unresolved: MAX_WORDS/)
    const stream = enforceStream({ ...options, runner: scripted(['one two', 'three four five']) })
    const shown: string[] = []
    for await (const piece of stream) shown.push(piece)
    expect([shown, (await stream.outcome).fallback]).toEqual([['Sorry, not now.'], true])
  })

  test('is not used for an answer that keeps it', async () => {
    const outcome = await enforce({ contract: contract(brief), prompt: '', runner: scripted(['one']) })
    expect([outcome.text, outcome.fallback]).toEqual(['one', undefined])
  })

  test('is a value where the contract reads one', async () => {
    const rules = contract({ checks: [json({ schema })], retries: 0, fallback: { ok: false } })
    const outcome = await enforce({ contract: rules, prompt: '', runner: scripted(['{}']) })
    expect(outcome).toMatchObject({ status: 'unresolved', text: '{"ok":false}', value: { ok: false }, fallback: true })
  })

  test.each<[string, ScriptedFailure, boolean]>([
    ['a failed call', { kind: 'http', status: 503 }, true],
    ['a rejected request', { kind: 'http', status: 400 }, false],
    ['an abort', { kind: 'aborted' }, false],
  ])('after %s', async (_name, failure, isUsed) => {
    const runner = scripted([{ failure }])
    const outcome = await enforce({ contract: contract(brief), prompt: '', runner })
    expect([outcome.delivered, outcome.fallback ?? false]).toEqual([isUsed, isUsed])
    expect(outcome.failure).toMatchObject({ kind: failure.kind })
  })

  test('does not follow what was shown, and changes nothing in shadow mode', async () => {
    const rules = contract({ checks: [contains({ none: ['bad'] })], retries: 0, fallback: 'Sorry.' })
    const stream = enforceStream({ contract: rules, prompt: '', runner: scripted([{ chunks: ['Good, then ', 'bad', ' things'] }]) })
    let shown = ''
    for await (const piece of stream) shown += piece
    expect([shown, await stream.outcome]).toMatchObject(['Good, then ', { status: 'unresolved', delivered: false }])
    const shadow = contract({ ...brief, checks: [maxWords({ limit: 1 })], mode: 'shadow' })
    expect(await enforce({ contract: shadow, prompt: '', runner: scripted(['one two']) })).toMatchObject({ text: 'one two' })
  })

  test.each<[string, object, RegExp]>([
    [
      'a value that breaks the schema',
      { checks: [json({ schema })], fallback: { ok: 1 } },
      /fallback: breaks the check json of this contract: Make ok a boolean/,
    ],
    ['a text where JSON is read', { checks: [json({ schema })], fallback: 'Sorry.' }, /fallback: breaks the check json/],
    ['nothing to see', { checks: [], fallback: ' ' }, /fallback: must have a character that can be seen/],
    ['null', { checks: [], fallback: null }, /fallback: must be a text or a JSON value other than null/],
    ['a function', { checks: [], fallback: () => '' }, /fallback: must be a text or a JSON value/],
    ['a misspelt key', { checks: [], fallbak: '' }, /did you mean "fallback"/],
  ])('%s is a configuration error', (_name, options, message) => {
    expect(() => contract(options as Parameters<typeof contract>[0])).toThrow(message)
  })

  test('need not keep checks that read no value, nor ones that only warn', () => {
    expect(contract({ ...brief, checks: [maxWords({ limit: 1 }), json({}, { severity: 'warning' })] }).policy.fallback).toBe(
      'Sorry, not now.',
    )
  })
})
