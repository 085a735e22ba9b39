import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { contract } from '../catalogue.ts'
import type { Contract } from '../contract/contract.ts'
import { defineValidator } from '../contract/validator.ts'
import { outputGuardrail, toolInputGuardrail } from './index.ts'

const crash = defineValidator({
  name: 'crash',
  summary: 'Never has a verdict.',
  options: z.strictObject({}),
  codes: {},
  instruct: () => '',
  prepare: () => ({
    // biome-ignore lint/correctness/useYield: it throws before.
    *check() {
      throw new Error('out of order')
    },
  }),
})
const short = contract({ checks: [{ max_words: { limit: 3 } }] })
const ticket = contract({ checks: [{ json: { schema: { type: 'object', properties: { id: { type: 'integer' } }, required: ['id'] } } }] })
const kind = contract({ checks: [{ contains: { none: ['idiot'] } }] })
const deep = Array.from({ length: 300 }).reduce((inner: unknown) => [inner], 'x')

describe('outputGuardrail', () => {
  it.each<readonly [string, Contract, unknown, boolean, string, readonly string[]]>([
    ['a right text', short, 'Use spaces.', false, 'valid', []],
    ['a wrong text', short, 'Use spaces and nothing else.', true, 'unresolved', ['MAX_WORDS']],
    ['a text that a repair would correct', ticket, '{"id": 3,}', true, 'repairable', ['INVALID_JSON']],
    ['an object', ticket, { id: 3 }, false, 'valid', []],
    ['an object of another shape', ticket, { id: 'x' }, true, 'unresolved', ['SCHEMA_MISMATCH']],
    ['an object that a repair would correct', ticket, { id: '3' }, true, 'repairable', ['SCHEMA_MISMATCH']],
    ['a text in an object', kind, { note: ['You\nidiot'] }, true, 'unresolved', ['TEXT_FORBIDDEN']],
    ['nothing', ticket, undefined, true, 'unresolved', ['MISSING_JSON']],
    ['an empty text', short, '', false, 'valid', []],
    ['too deep to be read', kind, deep, true, 'unchecked', []],
    ['a check that cannot run', contract({ checks: [crash({})] }), 'x', true, 'unchecked', []],
    ['the same, delivered', contract({ checks: [crash({})], unchecked: 'deliver' }), 'x', false, 'unchecked', []],
    ['a lenient contract', contract({ checks: [{ max_words: { limit: 1 } }], mode: 'lenient' }), 'a b', false, 'unresolved', ['MAX_WORDS']],
    [
      'a contract that delivers',
      contract({ checks: [{ max_words: { limit: 1 } }], unresolved: 'deliver' }),
      'a b',
      false,
      'unresolved',
      ['MAX_WORDS'],
    ],
  ])('%s', async (_name, rules, agentOutput, tripwireTriggered, status, codes) => {
    const { outputInfo, ...given } = await outputGuardrail(rules).execute({ agentOutput })
    expect(given).toEqual({ tripwireTriggered })
    expect([outputInfo.status, outputInfo.issues.map(({ code }) => code)]).toEqual([status, codes])
    expect(JSON.parse(JSON.stringify(outputInfo))).toMatchObject({ status })
  })
})

describe('what no check can read', () => {
  class Reply {
    readonly #text = 'You idiot'
    get text(): string {
      return this.#text
    }
  }
  const cyclic: Record<string, unknown> = {}
  cyclic.self = [cyclic, cyclic]
  const shared = Array.from({ length: 40 }).reduce((inner: unknown) => [inner, inner], [])
  it.each<readonly [string, unknown]>([
    ['a map', { notes: new Map([['a', 'You idiot']]) }],
    ['a set', [new Set(['You idiot'])]],
    ['a getter', Object.defineProperty({}, 'note', { enumerable: true, get: () => 'You idiot' })],
    [
      'a getter that throws',
      Object.defineProperty({}, 'note', {
        enumerable: true,
        get: () => {
          throw new Error('no')
        },
      }),
    ],
    ['a hidden field', Object.defineProperty({}, 'note', { value: 'You idiot' })],
    ['a field of a list', Object.assign(['a'], { note: 'You idiot' })],
    ['a symbol as key', { [Symbol('note')]: 'You idiot' }],
    ['a symbol', { note: Symbol('You idiot') }],
    ['an instance of a class', new Reply()],
    ['an instance below', { reply: [new Reply()] }],
    ['what it is inherited from', Object.create({ note: 'You idiot' })],
    ['an object that says how it is written', { note: 'x', toJSON: () => ({ note: 'You idiot' }) }],
    ['a boxed text', Object('You idiot')],
    ['a buffer', { data: Buffer.from('You idiot') }],
    ['bytes', new TextEncoder().encode('You idiot')],
    ['a buffer without view', new ArrayBuffer(8)],
    ['an error', new Error('You idiot')],
    ['a function', { note: () => 'You idiot' }],
    ['a large number', { id: 1n }],
    ['a promise', Promise.resolve('You idiot')],
    [
      'a proxy that fails',
      new Proxy(
        {},
        {
          ownKeys: () => {
            throw new Error('no')
          },
        },
      ),
    ],
    ['a date with more', Object.assign(new Date(0), { note: 'You idiot' })],
    ['itself', cyclic],
    ['shared parts without end', shared],
  ])('%s stops the run', async (_name, agentOutput) => {
    const { tripwireTriggered, outputInfo } = await outputGuardrail(kind).execute({ agentOutput })
    expect([tripwireTriggered, outputInfo.status]).toEqual([true, 'unchecked'])
    expect(JSON.stringify(outputInfo)).not.toContain('idiot')
  })

  it.each<readonly [string, unknown]>([
    ['a date', { at: new Date(0) }],
    ['no prototype', Object.assign(Object.create(null), { note: 'kind' })],
    ['a list with holes', Object.assign(new Array(2), { 1: 'kind' })],
    [
      'the same twice',
      (() => {
        const one = { note: 'kind' }
        return [one, one]
      })(),
    ],
    ['nothing', { a: null, b: undefined }],
  ])('%s can be read', async (_name, agentOutput) => {
    expect(await outputGuardrail(kind).execute({ agentOutput })).toMatchObject({
      tripwireTriggered: false,
      outputInfo: { status: 'valid' },
    })
  })
})

describe('many warnings', () => {
  const warned = contract({
    checks: [{ pattern: { deny: [{ regex: 'W[0-9]+' }] }, severity: 'warning' }, { sensitive: { kinds: ['email'], redact: true } }],
    allow: ['lossless', 'lossy'],
    retries: 0,
  })
  it.each([0, 49, 50, 200])('%i of them hide no error', async (count) => {
    const data = { a: Array.from({ length: count }, (_, at) => `W${at + 100}`), b: 'Write to jane.doe@acme.com now.' }
    const { tripwireTriggered, outputInfo } = await outputGuardrail(warned).execute({ agentOutput: data })
    expect([tripwireTriggered, outputInfo.status]).toEqual([true, 'repairable'])
    const call = { name: 'send', arguments: JSON.stringify(data), callId: 'c' }
    const { behavior } = await toolInputGuardrail(warned).run({ toolCall: call, agent: { tools: [] } })
    expect(behavior.type).toBe('rejectContent')
  })
})

describe('toolInputGuardrail', () => {
  const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
  const agent = { tools: [{ type: 'function', name: 'get_weather', parameters }, { type: 'hosted_tool', name: 'web_search' }, 7] }
  const calls = contract({ checks: ['tool_calls'] })
  it.each<[name: string, rules: Contract, written: string, told: string | undefined, tool?: string]>([
    ['right arguments', calls, '{"city": "Rome"}', undefined],
    ['a wrong type', contract({ checks: [{ tool_calls: { strict: true } }] }), '{"city": 7.5}', 'WRONG_TYPE'],
    ['what a repair would rename', calls, '{"City": "Rome"}', 'MISSING_ARGUMENT'],
    ['broken JSON', calls, '{"city": "Rome",}', 'INVALID_ARGUMENTS_JSON'],
    ['no arguments', calls, '', 'MISSING_ARGUMENT'],
    ['a key that occurs twice', calls, '{"city": "Rome", "city": "Ulm"}', 'DUPLICATE_KEY'],
    ['a number out of range', kind, '{"city": 1e400}', 'INVALID_ARGUMENTS_JSON'],
    ['broken JSON, under a contract for texts', kind, '{"city": ', 'INVALID_ARGUMENTS_JSON'],
    ['a forbidden text', kind, '{"city": "id\\u0069ot"}', 'TEXT_FORBIDDEN'],
    ['too deep to be read', kind, JSON.stringify(deep).replace('"x"', '{"a":"x"}').replace(/^.*$/s, '{"city":$&}'), 'could not be checked'],
    ['a tool that the agent does not list', calls, '{"a": 1}', undefined, 'of_a_server'],
  ])('%s', async (_name, rules, written, told, name = 'get_weather') => {
    const { behavior, outputInfo } = await toolInputGuardrail(rules).run({ toolCall: { name, arguments: written, callId: 'c' }, agent })
    if (told === undefined) expect(behavior).toEqual({ type: 'allow' })
    else expect(behavior).toEqual({ type: 'rejectContent', message: expect.stringContaining(told) })
    expect(outputInfo.status === 'valid').toBe(told === undefined)
  })

  it('allows under a lenient contract, and says what is wrong', async () => {
    const lenient = contract({ checks: ['tool_calls'], mode: 'lenient' })
    const given = await toolInputGuardrail(lenient).run({ toolCall: { name: 'get_weather', arguments: '{}' }, agent })
    expect(given).toMatchObject({ behavior: { type: 'allow' }, outputInfo: { issues: [{ code: 'MISSING_ARGUMENT' }] } })
  })
})

it('takes nothing but contracts and known options', () => {
  for (const make of [outputGuardrail, toolInputGuardrail]) {
    expect(() => make({ checks: [] } as never)).toThrow('contract')
    expect(() => make(short, { contxt: {} } as never)).toThrow('did you mean')
    expect(make(short, { name: 'brief' }).name).toBe('brief')
  }
})
