import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { catalogue, contract } from '../../../../presets/src/testing/contract.ts'
import { citations } from '../../validators/citations/index.ts'
import { toolSequence } from '../../validators/tool-sequence/index.ts'
import { ConfigurationError } from '../configuration-error.ts'
import { buildContract, type ContractInput } from '../contract.ts'

type Input = Parameters<typeof contract>[0]

const written = (input: Input) => contract(input).validators.map(({ name, written }) => [name, written])
const presets = Object.keys(catalogue.presets)
const order = ['check_adapter_status', 'get_ip_config', 'ping_gateway', 'ping_dns', 'test_dns_resolution']

describe('options over those of a preset', () => {
  test.each<[string, Input, unknown]>([
    ['a bare name brings them', { preset: 'techtime', checks: ['tool_sequence'] }, [['tool_sequence', { scope: 'question', order }]]],
    [
      'options are added',
      { preset: 'techtime', checks: [{ tool_sequence: { strict: true } }] },
      [['tool_sequence', { scope: 'question', order, strict: true }]],
    ],
    [
      'those of a validator that was called too',
      { preset: 'techtime', checks: [toolSequence({ strict: true })] },
      [['tool_sequence', { scope: 'question', order, strict: true }]],
    ],
    [
      'an option is replaced',
      { preset: 'techtime', checks: [{ tool_sequence: { order: ['a'] } }] },
      [['tool_sequence', { scope: 'question', order: ['a'] }]],
    ],
    [
      'null takes one away',
      { preset: 'techtime', checks: [{ tool_sequence: { order: null, never: ['a'] } }] },
      [['tool_sequence', { scope: 'question', never: ['a'] }]],
    ],
    ['another preset', { preset: 'reddb', checks: [citations({ sources: 2 })] }, [['citations', { profile: 'reddb', sources: 2 }]]],
    ['a list chooses', { preset: 'helix', checks: ['step_marker'] }, [['step_marker', {}]]],
    [
      'and adds',
      { preset: 'reddb', checks: ['citations', { max_words: { limit: 3 } }] },
      [
        ['citations', { profile: 'reddb' }],
        ['max_words', { limit: 3 }],
      ],
    ],
  ])('%s', (_case, input, expected) => {
    expect(written(input)).toEqual(expected)
  })

  // What a preset says must not depend on whether somebody writes it down again.
  test.each(presets)('naming every check of %s changes nothing', (preset) => {
    const names = contract({ preset }).validators.map(({ name }) => name)
    const options = (input: ContractInput) => buildContract(input, catalogue).validators.map(({ name, options }) => [name, options])
    expect(options({ preset, checks: names })).toEqual(options({ preset }))
    expect(options({ preset, checks: names.map((name) => ({ [name]: {} })) })).toEqual(options({ preset }))
  })
})

describe('undefined', () => {
  // Both compared as a whole, so that a new option or key is covered too.
  test.each(presets)('is the same as not written, over %s', (preset) => {
    const plain = contract({ preset })
    const keys = Object.fromEntries([...Object.keys(plain.policy), 'checks'].map((key) => [key, undefined]))
    const checks = plain.validators.map(({ name, definition }) => {
      const known = definition.options instanceof z.ZodObject ? Object.keys(definition.options.shape) : []
      return { [name]: Object.fromEntries(known.map((key) => [key, undefined])) }
    })
    const { policy, validators } = buildContract({ preset, ...keys, checks }, catalogue)
    expect(policy).toEqual(plain.policy)
    expect(validators.map(({ options }) => options)).toEqual(plain.validators.map(({ options }) => options))
  })

  test('leaves the strict of a contract as it is', () => {
    const { validators } = contract({ preset: 'techtime', strict: true, checks: [{ tool_calls: { strict: undefined } }] })
    expect(validators.map(({ options }) => options)).toMatchObject([{ strict: true }])
  })
})

class Strict {
  strict = true
}

test.each([new Map([['strict', true]]), new Strict(), new Date(0), new Set(['strict'])])('%o is not a plain object', (options) => {
  expect(() => contract({ checks: [{ tool_calls: options as object }] })).toThrow('checks.0.tool_calls: options must be a plain object')
  expect(() => contract({ preset: 'techtime', checks: [{ tool_calls: options as object }] })).toThrow('options must be a plain object')
  expect(() => contract(options as Input)).toThrow(ConfigurationError)
})

describe('strict', () => {
  const strictly = (input: Input) => contract(input).validators.map(({ name, options }) => [name, (options as { strict?: boolean }).strict])

  test('of a contract holds for every check that has it', () => {
    expect(strictly({ preset: 'techtime', strict: true })).toEqual([
      ['tool_calls', true],
      ['tool_sequence', true],
      ['phantom_tools', true],
    ])
    expect(strictly({ checks: ['tool_calls', { max_words: { limit: 1 } }], strict: true })).toEqual([
      ['tool_calls', true],
      ['max_words', undefined],
    ])
  })

  test('of a check counts before that of the contract', () => {
    expect(strictly({ preset: 'techtime', checks: ['tool_calls', { phantom_tools: { strict: false } }], strict: true })).toEqual([
      ['tool_calls', true],
      ['phantom_tools', false],
    ])
  })

  test('without a check that has it is a mistake', () => {
    const wrong = () => contract({ checks: ['step_marker'], strict: true })
    expect(wrong).toThrow(ConfigurationError)
    expect(wrong).toThrow('strict: none of the checks has an option strict')
  })
})
