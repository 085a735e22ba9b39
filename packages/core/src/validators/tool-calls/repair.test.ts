import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ContractByName, contract } from '../../../../presets/src/testing/contract.ts'
import { Answer } from '../../answer/answer.ts'
import type { ToolCall } from '../../answer/tool-calls.ts'
import { enforce } from '../../engine/enforce.ts'
import { settle } from '../../engine/repair/settle.ts'
import { type ScriptedTurn, scripted } from '../../testing/index.ts'

const tools = [
  { type: 'function', function: { name: 'get_ip_config', parameters: { type: 'object', properties: { adapter: { type: 'string' } } } } },
  {
    type: 'function',
    function: {
      name: 'ping_gateway',
      parameters: {
        type: 'object',
        properties: { count: { type: 'integer' }, hosts: { type: 'array', items: { type: 'string' } }, mode: { enum: ['fast', 'slow'] } },
        required: ['count'],
      },
    },
  },
  {
    name: 'trace',
    parameters: [
      { name: 'host', type: 'string', required: true },
      { name: 'hops', type: 'integer', required: true, default: 30 },
      { name: 'family', type: 'string', required: false, enum: ['ipv4', 'ipv6'], default: 'ipv4' },
      { name: 'odd', type: 'string', required: false, enum: ['a'], default: 'b' },
    ],
  },
]
const strict: ContractByName = { checks: [{ tool_calls: { strict: true } }] }

const guessing: ContractByName = { ...strict, allow: ['lossless', 'guess'] }

async function mend(calls: ToolCall[], input: ContractByName = strict, text = '', finishReason: string | null = 'tool_calls') {
  const answer = new Answer(text, { toolCalls: calls, finishReason: finishReason ?? undefined })
  const { status, text: after, toolCalls, repairs } = await settle(contract(input), answer, { context: { tools } })
  return { status, calls: toolCalls, text: after, repairs }
}

function readObject(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

describe('the repair of tool calls', () => {
  test.each<[string, string, unknown]>([
    ['single quotes', "{'count': 3}", { count: 3 }],
    ['a trailing comma', '{"count": 3,}', { count: 3 }],
    ['a fence', '```json\n{"count": 3}\n```', { count: 3 }],
    ['a number in quotes', '{"count": "3"}', { count: 3 }],
    ['a list in quotes', '{"count": 3, "hosts": "[\\"a\\"]"}', { count: 3, hosts: ['a'] }],
    ['everything in quotes', '"{\\"count\\": 3}"', { count: 3 }],
    ['a word in another case', '{"count": 3, "mode": "Fast"}', { count: 3, mode: 'fast' }],
    ['a key in another spelling', '{"Count": 3}', { count: 3 }],
    ['pairs without the opening brace', '"count": 3}', { count: 3 }],
    ['pairs with quotes, commas and keys of their own', " 'count': 3 mode: 'SLOW'}\n", { count: 3, mode: 'slow' }],
    ['several at once', "{'Count': '3', mode: 'SLOW',}", { count: 3, mode: 'slow' }],
  ])('mends %s, with certificates', async (_name, given, expected) => {
    const result = await mend([{ name: 'ping_gateway', arguments: given }])
    expect(result.status).toBe('repaired')
    expect(JSON.parse(result.calls[0]?.arguments ?? '')).toEqual(expected)
    expect(result.repairs.every((one) => one.class === 'lossless' && one.in?.call === 0 && one.path?.[0] === 'tool_calls')).toBe(true)
  })

  test.each<[string, string, unknown]>([
    ['a missing closer', '{"count": 3, "mode": "fast"', { count: 3, mode: 'fast' }],
    ['several missing closers', '{"count": 3, "hosts": ["8.8.8.8"', { count: 3, hosts: ['8.8.8.8'] }],
    ['pairs without braces', '"count": 3, "mode": "fast"', { mode: 'fast', count: 3 }],
    ['pairs with quotes, commas and keys of their own', " 'count': 3 mode: 'SLOW'\n", { count: 3, mode: 'slow' }],
    ['pairs whose texts look like others', '"count": 3, "hosts": ["a: {", "\\", \\"b\\": 2"]', { count: 3, hosts: ['a: {', '", "b": 2'] }],
  ])('closes %s as a guess, where it is known that nothing was cut off', async (_name, given, expected) => {
    const calls = [{ name: 'ping_gateway', arguments: given }]
    const result = await mend(calls, guessing)
    expect([result.status, JSON.parse(result.calls[0]?.arguments ?? '')]).toEqual(['repaired', expected])
    expect(result.repairs.some((one) => one.class === 'guess')).toBe(true)
    expect((await mend(calls)).status).toBe('unresolved')
    for (const finishReason of ['', 'length', 'abort', 'odd'])
      expect((await mend(calls, guessing, '', finishReason)).status).not.toBe('repaired')
  })

  test.each<[string, string, unknown]>([
    ['with a number at the end', '"mode": "fast", "count": 3', { mode: 'fast', count: 3 }],
    ['with one number', '"count": 3', { count: 3 }],
    ['with keys of the tool', 'count: 3, hosts: ["a"]', { count: 3, hosts: ['a'] }],
  ])('wraps pairs without braces that fit the tool, unless they were cut off: %s', async (_name, given, expected) => {
    const calls = [{ name: 'ping_gateway', arguments: given }]
    for (const finishReason of ['tool_calls', 'stop', null]) {
      const result = await mend(calls, guessing, '', finishReason)
      expect([result.status, JSON.parse(result.calls[0]?.arguments ?? '')]).toEqual(['repaired', expected])
      expect(result.repairs.filter(({ rule }) => rule === 'wrap-pairs').map((one) => one.class)).toEqual(['guess', 'guess'])
      expect((await mend(calls, strict, '', finishReason)).status).toBe('unresolved')
    }
    for (const finishReason of ['length', 'content_filter', 'abort', 'odd'])
      expect((await mend(calls, guessing, '', finishReason)).status).not.toBe('repaired')
    // Another call shows that it was not cut off.
    const both = [...calls, { name: 'ping_gateway', arguments: given }]
    expect((await mend(both, guessing, '', 'length')).calls[1]?.arguments).toBe(given)
  })

  test.each<[string, unknown, unknown, string?]>([
    ['another type', { host: 'gw', hops: 'many' }, { host: 'gw', hops: 30 }],
    ['null', { host: 'gw', hops: null }, { host: 'gw', hops: 30 }],
    ['a value that is not among those listed', { host: 'gw', hops: 3, family: 'ipx' }, { host: 'gw', hops: 3, family: 'ipv4' }],
    ['beside what is repaired otherwise', { Host: 'gw', hops: '3', family: 'ipx' }, { host: 'gw', hops: 3, family: 'ipv4' }],
  ])('replaces an invalid value by its default, as a guess: %s', async (_name, given, expected) => {
    const calls = [{ name: 'trace', arguments: JSON.stringify(given) }]
    const result = await mend(calls, guessing)
    expect([result.status, JSON.parse(result.calls[0]?.arguments ?? '')]).toEqual(['repaired', expected])
    expect(result.repairs.filter(({ rule }) => rule === 'fill-default').map((one) => one.class)).toEqual(['guess'])
    expect((await mend(calls)).status).toBe('unresolved')
  })

  test.each<[string, unknown, unknown]>([
    ['a list around the value', { host: 'gw', hops: [3] }, { host: 'gw', hops: 3 }],
    ['another case', { host: 'gw', hops: 3, family: 'IPv6' }, { host: 'gw', hops: 3, family: 'ipv6' }],
    ['null for what need not be there', { host: 'gw', hops: 3, family: null }, { host: 'gw', hops: 3 }],
    ['no default', { host: 7.5, hops: 3 }, { host: '7.5', hops: 3 }],
    ['a default that is invalid itself', { host: 'gw', hops: 3, odd: 'c' }, { host: 'gw', hops: 3, odd: 'c' }],
  ])('keeps what was said rather than a default: %s', async (_name, given, expected) => {
    const result = await mend([{ name: 'trace', arguments: JSON.stringify(given) }], { ...strict, allow: ['lossless', 'lossy', 'guess'] })
    expect(JSON.parse(result.calls[0]?.arguments ?? '')).toEqual(expected)
    expect(result.repairs.map(({ rule }) => rule)).not.toContain('fill-default')
  })

  test.each([
    ['arguments that end inside a value', '{"count": 3, "mode": "fa'],
    ['arguments that end behind a comma', '{"count": 3,'],
    ['a missing argument', '{}'],
    ['arguments that end with a number', '{"count": 3'],
    ['arguments that end with a number and white space', '{"count": 3\n'],
    ['arguments that end with a literal', '{"count": 3, "deep": true'],
    ['pairs that end with a number and do not fit', '"mode": "fast", "hosts": 3'],
    ['pairs that end with a literal', '"count": 3, "deep": null'],
    ['pairs that end inside a text', '"count": 3, "mode": "fa'],
    ['pairs that end inside a key', '"count": 3, "mo'],
    ['pairs that end behind a colon', '"count": 3, "mode":'],
    ['pairs that end behind a comma', '"count": 3,'],
    ['pairs that end inside a list', '"count": 3, "hosts": ["a"'],
    ['pairs with a key twice', '"count": 3, "count": 4'],
    ['words before a colon', 'Note: "count" is 3'],
    ['null', 'null'],
    ['a list', '[1]'],
    ['prose', 'three'],
    ['two objects', '{"count": 1}{"count": 2}'],
    ['a choice of two', 'not {"count": 1} but {"count": 2}'],
    ['an afterthought', '{"count": 1}\n\nActually no, use 2'],
  ])('never completes or invents: %s', async (_name, given) => {
    for (const input of [strict, guessing]) {
      const result = await mend([{ name: 'ping_gateway', arguments: given }], input)
      expect(result).toMatchObject({ status: 'unresolved', repairs: [] })
      expect(result.calls[0]?.arguments).toBe(given)
    }
  })

  test('many changes are no problem', async () => {
    const given = `{"count": 1, "mode": "fast", "hosts": ["${'\n'.repeat(200_000)}"]}`
    expect((await mend([{ name: 'ping_gateway', arguments: given }], { ...strict, timeoutMs: 60_000 })).status).toBe('repaired')
  })

  test.each([null, 5, undefined])('a call whose name is %j is no call of a tool', async (name) => {
    expect((await mend([{ name, arguments: '{}' } as unknown as ToolCall])).status).toBe('unresolved')
  })

  test('of pairs without braces, those are wrapped that JSON reads between braces, and no others', async () => {
    const values = fc.dictionary(fc.string({ minLength: 1 }), fc.jsonValue({ maxDepth: 2 }), { minKeys: 1, maxKeys: 4 })
    const open: ContractByName = { checks: ['tool_calls'], allow: ['lossless', 'guess'] }
    await fc.assert(
      fc.asyncProperty(values, fc.nat(), async (object, length) => {
        const pairs = JSON.stringify(object).slice(1, -1)
        const part = pairs.slice(0, 1 + (length % pairs.length))
        const { status, calls, repairs } = await mend([{ name: 'get_ip_config', arguments: part }], open)
        // As in the plan: the text between braces is JSON.
        const read = readObject(`{${part}}`)
        const wraps = repairs.filter(({ rule }) => rule === 'wrap-pairs').length
        if (read === undefined || status !== 'repaired') expect(wraps).toBe(0)
        else expect([calls[0]?.arguments, wraps, repairs.length]).toEqual([`{${part}}`, 2, 2])
      }),
      { numRuns: 300 },
    )
  })

  test('a right call stays as it is, to the byte', async () => {
    const call = { name: 'ping_gateway', arguments: '{ "count":1e2 }' }
    expect(await mend([call])).toMatchObject({ status: 'valid', calls: [call] })
  })

  test('a name in another spelling costs nothing, a similar one is a guess', async () => {
    expect(await mend([{ name: 'Get-IP-Config', arguments: "{'adapter': 'eth0'}" }])).toMatchObject({
      status: 'repaired',
      calls: [{ name: 'get_ip_config', arguments: '{"adapter": "eth0"}' }],
    })
    const similar = [{ name: 'get_ip_konfig', arguments: '{}' }]
    expect((await mend(similar)).status).toBe('unresolved')
    expect(await mend(similar, { ...strict, allow: ['lossless', 'guess'] })).toMatchObject({
      status: 'repaired',
      calls: [{ name: 'get_ip_config' }],
    })
  })

  test('a call that arrives as text becomes a call when every part is right', async () => {
    const text = 'I look it up.\n\n<tool_call>{"name": "ping_gateway", "arguments": {"count": 2}}</tool_call>'
    const result = await mend([], guessing, text)
    expect(result).toMatchObject({ status: 'repaired', text: 'I look it up.\n\n', calls: [{ name: 'ping_gateway' }] })
    expect(JSON.parse(result.calls[0]?.arguments ?? '')).toEqual({ count: 2 })
    const wrong = [
      text.replace('"count": 2', '"count": "x"'),
      text.replace('2}}</tool_call>', ''),
      `I never send ${text} because it harms.`,
    ]
    for (const one of wrong) expect(await mend([], guessing, one)).toMatchObject({ status: 'unresolved', calls: [], text: one })
    const example = 'Do not run this:\n```json\n{"name": "ping_gateway", "arguments": {"count": 1}}\n```\nIt would flood the network.'
    const lenient = { checks: ['tool_calls'], allow: ['lossless', 'guess'] } satisfies ContractByName
    expect(await mend([], lenient, example)).toMatchObject({ status: 'valid', calls: [], text: example })
    expect(await mend([], guessing, example)).toMatchObject({ status: 'unresolved', calls: [], text: example })
  })
})

describe('techtime', () => {
  const play = async (turns: ScriptedTurn[], input: ContractByName = { preset: 'techtime' }) => {
    const runner = scripted(turns)
    return { outcome: await enforce({ contract: contract(input), runner, prompt: 'p', context: { tools } }), calls: runner.calls }
  }
  const call = (name: string, given: string): ToolCall => ({ id: 'c1', name, arguments: given })

  test('repairs for nothing, asks again for a guess, and never runs what was cut off', async () => {
    const repaired = await play([{ toolCalls: [call('Get-IP-Config', "{'adapter': 'eth0'}")] }])
    expect(repaired.outcome).toMatchObject({ status: 'repaired', attempts: 1, toolCalls: [{ id: 'c1', name: 'get_ip_config' }] })

    const right = { toolCalls: [call('get_ip_config', '{}')] }
    const similar = await play([{ toolCalls: [call('get_ip_konfig', '{}')] }, right])
    expect(similar.outcome).toMatchObject({ status: 'valid', attempts: 2 })
    expect(similar.calls[1]?.feedback).toContain('get_ip_config')

    const cut = await play([{ toolCalls: [call('ping_gateway', '{"count": 3, "mode": "fa')], finishReason: 'length' }, right])
    expect(cut.outcome).toMatchObject({ status: 'valid', attempts: 2 })
  })

  test('an unknown tool makes a response invalid', async () => {
    const { outcome } = await play([{ toolCalls: [call('nonexistent_tool', '{}')] }], { preset: 'techtime', retries: 0 })
    expect(outcome.status).toBe('unresolved')
    expect(outcome.issues.map(({ code }) => code)).toEqual(['UNKNOWN_TOOL'])
  })
})
