import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readToolCalls, writeToolCalls } from '../tool-calls.ts'

const call = { id: 'c', name: 'f', arguments: '{"a":1}' }
const openai = { id: 'c', type: 'function', function: { name: 'f', arguments: '{"a":1}' } }
const anthropic = { type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } }
const vercel = { type: 'tool-call', toolCallId: 'c', toolName: 'f', input: { a: 1 } }

const responses: readonly [string, unknown][] = [
  ['OpenAI, one call', openai],
  ['OpenAI, a list', [openai]],
  ['OpenAI, a message', { role: 'assistant', content: null, tool_calls: [openai] }],
  ['OpenAI, a choice', { index: 0, message: { role: 'assistant', tool_calls: [openai] }, finish_reason: 'tool_calls' }],
  ['OpenAI, a completion', { id: 'x', choices: [{ message: { content: '', tool_calls: [openai] } }, { message: {} }] }],
  ['OpenAI, arguments as an object', { tool_calls: [{ id: 'c', function: { name: 'f', arguments: { a: 1 } } }] }],
  ['Anthropic, a block', anthropic],
  ['Anthropic, a message', { type: 'message', content: [{ type: 'text', text: 'Hm' }, anthropic], stop_reason: 'tool_use' }],
  ['Anthropic, its content', [{ type: 'thinking', thinking: '…' }, anthropic, { type: 'text', text: 'x', name: 'f' }]],
  ['Vercel, a part', vercel],
  ['Vercel, a result', { text: '', toolCalls: [vercel] }],
  ['Vercel, a message', { role: 'assistant', content: [{ type: 'text', text: 'x' }, vercel] }],
  ['Vercel before version 5', [{ type: 'tool-call', toolCallId: 'c', toolName: 'f', args: { a: 1 } }]],
  ['flat', { id: 'c', name: 'f', arguments: '{"a":1}' }],
  ['flat, with an object', [{ id: 'c', name: 'f', arguments: { a: 1 } }]],
  ['flat, called parameters', [{ id: 'c', name: 'f', parameters: { a: 1 } }]],
  ['Responses', [{ type: 'function_call', call_id: 'c', name: 'f', arguments: '{"a":1}' }]],
  ['GlueLLM', { final_response: '', tool_execution_history: [{ id: 'c', tool_name: 'f', arguments: { a: 1 }, result: 'ok' }] }],
]

describe('readToolCalls', () => {
  test.each(responses)('%s', (_name, response) => {
    expect(readToolCalls(response)).toEqual([call])
  })

  test('the deprecated function_call', () => {
    const message = { role: 'assistant', tool_calls: [], function_call: { name: 'f', arguments: '{"a":1}' } }
    expect(readToolCalls(message)).toEqual([{ name: 'f', arguments: '{"a":1}' }])
    expect(readToolCalls({ ...message, function_call: null })).toEqual([])
  })

  test.each([
    ['absent', {}, '{}'],
    ['null', { arguments: null }, '{}'],
    ['an empty text', { arguments: '' }, '{}'],
    ['the text null', { arguments: 'null' }, 'null'],
    ['a number', { arguments: 5 }, '5'],
    ['a list', { arguments: [1] }, '[1]'],
    ['broken JSON', { arguments: "{'a'" }, "{'a'"],
    ['a big number as text', { arguments: '{"n":12345678901234567890,"m":1.0}' }, '{"n":12345678901234567890,"m":1.0}'],
  ])('arguments that are %s', (_name, given, expected) => {
    expect(readToolCalls([{ function: { name: 'f', ...given } }])).toEqual([{ name: 'f', arguments: expected }])
    expect(readToolCalls([{ name: 'f', ...given }])).toEqual([{ name: 'f', arguments: expected }])
    expect(readToolCalls([{ tool_name: 'f', ...given }])).toEqual([{ name: 'f', arguments: expected }])
  })

  test.each([
    null,
    undefined,
    {},
    'x',
    3,
    true,
    [],
    { tool_calls: null },
    { tool_calls: [] },
    { content: 'text' },
    { content: [] },
    { choices: [] },
  ])('%j has no calls', (value) => {
    expect(readToolCalls(value)).toEqual([])
  })

  test('what stands among calls and is none is kept without a name, so that it is reported', () => {
    const odd = [null, 1, 'f', [], {}, { function: null }, { function: { name: 7 } }, { type: 'custom', custom: {} }]
    expect(readToolCalls({ tool_calls: odd })).toEqual(odd.map(() => ({ name: '', arguments: '{}' })))
    expect(readToolCalls({ tool_calls: 'f()' })).toEqual([{ name: '', arguments: '{}' }])
    expect(readToolCalls([{ type: 'tool_use', name: 5, input: [] }])).toEqual([{ name: '', arguments: '[]' }])
  })

  test('survives getters, cycles, proxies and values without JSON', () => {
    const cycle: Record<string, unknown> = {}
    cycle.self = cycle
    cycle.message = cycle
    const trap = {
      get function(): never {
        throw new Error('trap')
      },
    }
    const refusing = new Proxy({}, { get: () => { throw new Error('no') } }) // biome-ignore format: one line
    expect(readToolCalls(cycle)).toEqual([])
    expect(readToolCalls([trap, refusing])).toEqual([
      { name: '', arguments: '{}' },
      { name: '', arguments: '{}' },
    ])
    for (const odd of [cycle, 10n, () => 1, Symbol('x'), { a: 10n }])
      expect(() => JSON.parse(readToolCalls([{ name: 'f', arguments: odd }])[0]?.arguments ?? '')).toThrow(SyntaxError)
  })

  test('never crashes', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withMap: true, withSparseArray: true }), (value) => void readToolCalls(value)),
    )
  })

  test('names of the prototype are names like any other', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty']
    expect(readToolCalls(names.map((name) => ({ name, arguments: '{"__proto__":{"x":1}}' }))).map(({ name }) => name)).toEqual(names)
    expect(({} as Record<string, unknown>).x).toBeUndefined()
  })
})

describe('writeToolCalls', () => {
  test.each(responses)('gives back the same value when nothing changed: %s', (_name, response) => {
    expect(writeToolCalls(response, readToolCalls(response))).toBe(response)
  })

  test.each(responses)('keeps the shape of a changed call: %s', (_name, response) => {
    const before = JSON.stringify(response)
    const changed = [{ id: 'c', name: 'g', arguments: '{"b":[2]}' }]
    const written = writeToolCalls(response, changed)
    expect(readToolCalls(written)).toEqual(changed)
    // Only the name and the arguments are others.
    const expected = before
      .replace('"name":"f","arguments"', '"name":"g","arguments"')
      .replace('"name":"f","input"', '"name":"g","input"')
      .replace('"name":"f","parameters"', '"name":"g","parameters"')
      .replace('ool_name":"f"', 'ool_name":"g"')
      .replace('oolName":"f"', 'oolName":"g"')
      .replace('{"a":1}', '{"b":[2]}')
      .replace(String.raw`{\"a\":1}`, String.raw`{\"b\":[2]}`)
    expect(JSON.stringify(written)).toBe(expected)
    expect(JSON.stringify(response)).toBe(before)
  })

  test('an empty text stays one unless the arguments change', () => {
    const given = [{ function: { name: 'f', arguments: '' } }, { function: { name: 'g' } }]
    const [first, second] = readToolCalls(given)
    expect(writeToolCalls(given, [{ name: 'h', arguments: first?.arguments ?? '' }, second ?? call])).toEqual([
      { function: { name: 'h', arguments: '' } },
      { function: { name: 'g' } },
    ])
  })

  test('adds, drops and attaches calls', () => {
    const other = { id: 'd', name: 'g', arguments: '{}' }
    expect(readToolCalls(writeToolCalls({ tool_calls: [openai] }, [call, other]))).toEqual([call, other])
    expect(writeToolCalls({ tool_calls: [openai] }, [])).toEqual({ tool_calls: [] })
    const written = { id: 'd', type: 'function', function: { name: 'g', arguments: '{}' } }
    expect(writeToolCalls({ content: 'x' }, [other])).toEqual({ content: 'x', tool_calls: [written] })
    expect(writeToolCalls({ choices: [{ message: { content: 'x' } }] }, [other])).toEqual({
      choices: [{ message: { content: 'x', tool_calls: [written] } }],
    })
    expect(writeToolCalls({ type: 'message', content: [{ type: 'text', text: 'x' }] }, [other])).toEqual({
      type: 'message',
      content: [
        { type: 'text', text: 'x' },
        { type: 'tool_use', id: 'd', name: 'g', input: {} },
      ],
    })
    expect(writeToolCalls('text', [other])).toEqual([written])
    expect(writeToolCalls(null, [])).toBe(null)
    const single = { function_call: { name: 'f', arguments: '{}' } }
    expect(readToolCalls(writeToolCalls(single, [{ name: 'f', arguments: '{}' }, other]))).toEqual([{ name: 'f', arguments: '{}' }, other])
    expect(writeToolCalls(single, [{ name: 'g', arguments: '{}' }])).toEqual({ function_call: { name: 'g', arguments: '{}' } })
  })
})
