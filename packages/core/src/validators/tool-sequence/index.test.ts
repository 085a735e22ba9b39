import { describe, expect, test } from 'vitest'
import { contract } from '../../../../presets/src/testing/contract.ts'
import { Answer } from '../../answer/answer.ts'
import { readTranscript } from '../../answer/transcript.ts'
import { check } from '../../engine/check/check.ts'
import { localeFaults } from '../../testing/locale-faults.ts'
import { toolSequence } from './index.ts'

type Options = NonNullable<Parameters<typeof toolSequence>[0]>

async function judge(names: readonly string[], options: Options, context: Record<string, unknown> = {}) {
  const answer = new Answer('', { toolCalls: names.map((name) => ({ name, arguments: '{}' })) })
  return (await check(contract({ checks: [toolSequence(options)] }), answer, { context })).issues
}

async function said(names: string, options: Options, context = {}): Promise<string> {
  const issues = await judge(names.split(' ').filter(Boolean), options, context)
  return issues.map(({ code, path }) => `${code}${path?.[1] === undefined ? '' : ` ${path[1]}`}`).join(', ')
}

describe('tool_sequence', () => {
  test.each([
    ['', ''],
    ['a b c', ''],
    ['a c', ''],
    ['b c', ''],
    ['a a b b c c', ''],
    ['x c y', ''],
    ['c', ''],
    ['c c', ''],
    ['b a', 'OUT_OF_ORDER 1'],
    ['c x a b', 'OUT_OF_ORDER 2, OUT_OF_ORDER 3'],
    ['a b a', 'OUT_OF_ORDER 2'],
    ['a b c c c b', 'OUT_OF_ORDER 5'],
  ])('order a b c: %j', async (names, expected) => {
    expect(await said(names, { order: ['a', 'b', 'c'] })).toBe(expected)
  })

  test('the message names the later tool that was really called', async () => {
    const [first, second] = await judge(['c', 'a'], { order: ['a', 'b', 'c'] })
    expect([first?.message, first?.severity, second]).toEqual(['Call a before c, which has been called already.', 'warning', undefined])
    expect((await judge(['c', 'a'], { order: ['a', 'b', 'c'], strict: true })).map(({ severity }) => severity)).toEqual(['error'])
  })

  test.each<[NonNullable<Options['match']>, string, string]>([
    ['exact', 'a b c', ''],
    ['exact', 'a b', 'MISSING_CALL'],
    ['exact', '', 'MISSING_CALL, MISSING_CALL, MISSING_CALL'],
    ['exact', 'a b c c', 'UNEXPECTED_CALL 3'],
    ['exact', 'a x b c', 'UNEXPECTED_CALL 1'],
    ['exact', 'a c b', 'OUT_OF_ORDER 1'],
    ['exact', 'c x a', 'UNEXPECTED_CALL 1, MISSING_CALL, OUT_OF_ORDER 0'],
    ['prefix', '', ''],
    ['prefix', 'a b', ''],
    ['prefix', 'a b c', ''],
    ['prefix', 'b', 'MISSING_CALL'],
    ['prefix', 'b a', 'OUT_OF_ORDER 0'],
    ['prefix', 'a b c d', 'UNEXPECTED_CALL 3'],
    ['in_order', 'x a y b b c z', ''],
    ['in_order', 'c a b', 'OUT_OF_ORDER 0'],
    ['in_order', 'a c', 'MISSING_CALL'],
    ['any_order', 'c x b a a', ''],
    ['any_order', 'c b', 'MISSING_CALL'],
  ])('expect a b c, %s: %j', async (match, names, expected) => {
    expect(await said(names, { expect: ['a', 'b', 'c'], match })).toBe(expected)
  })

  test('an expected call counts as often as it is expected', async () => {
    expect(await said('a', { expect: ['a', 'a'] })).toBe('MISSING_CALL')
    expect(await said('a x a', { expect: ['a', 'a'], match: 'any_order' })).toBe('')
    expect(await said('a', { expect: ['a', 'a'], match: 'in_order' })).toBe('MISSING_CALL')
  })

  test('the expected sequence of a request, of which a prefix is fine', async () => {
    const context = { expected_sequence: ['a', 'b'] }
    expect(await said('a', { expect: 'context' }, context)).toBe('')
    expect(await said('a b c', { expect: 'context' }, context)).toBe('UNEXPECTED_CALL 2')
    expect(await said('a b c', { expect: 'context' })).toBe('')
    expect(await said('b', { expect: ['b'] }, context)).toBe('MISSING_CALL')
    const wrong = await check(contract({ checks: [toolSequence({ expect: 'context' })] }), '', { context: { expected_sequence: 'a' } })
    expect(wrong.unchecked).toMatchObject([{ validator: 'tool_sequence', cause: 'unavailable' }])
  })

  test('a conversation that is kept elsewhere cannot be judged', async () => {
    const context = { transcript: { input: [], previous_response_id: 'resp_1' } }
    const report = await check(
      contract({ preset: 'techtime' }),
      new Answer('', { toolCalls: [{ name: 'ping_gateway', arguments: '{}' }] }),
      { context },
    )
    expect(report.unchecked).toContainEqual(expect.objectContaining({ validator: 'tool_sequence', cause: 'unavailable' }))
  })

  test.each<Options>([{}, { strict: true }, { match: 'prefix' }, { order: [], never: [], at_most: {} }])('%j has no rule', (options) => {
    expect(() => contract({ checks: [toolSequence(options)] })).toThrow('tool_sequence has no rule')
  })

  test.each<[string, Options, string, string]>([
    ['before', { before: [['a', 'b']] }, 'b a', 'OUT_OF_ORDER 0'],
    ['before', { before: [['a', 'b']] }, 'a b', ''],
    ['never', { never: ['a', '__proto__'] }, 'x a __proto__', 'UNEXPECTED_CALL 1, UNEXPECTED_CALL 2'],
    ['at_most', { at_most: { a: 1, b: 0 } }, 'a a b', 'UNEXPECTED_CALL 1, UNEXPECTED_CALL 2'],
    // A call in the same answer has not succeeded yet.
    ['requires', { requires: { b: ['a'] } }, 'a b', 'OUT_OF_ORDER 1'],
    ['names of the prototype', { at_most: { a: 1 }, requires: { b: ['c'] } }, 'constructor toString', ''],
  ])('%s', async (_name, options, names, expected) => {
    expect(await said(names, options)).toBe(expected)
  })

  test('the transcript counts, but is not judged', async () => {
    const transcript = [{ name: 'c' }, { name: 'a', ok: true }, { name: 'b', ok: false }]
    expect(await said('d', { requires: { d: ['a'] } }, { transcript })).toBe('')
    expect(await said('d', { requires: { d: ['b'] } }, { transcript })).toBe('OUT_OF_ORDER 0')
    expect(await said('d', { before: [['b', 'd']] }, { transcript })).toBe('')
    expect(await said('', { order: ['a', 'c'], never: ['a'] }, { transcript })).toBe('')
    expect(await said('a', { order: ['a', 'c'] }, { transcript })).toBe('OUT_OF_ORDER 0')
    expect(await said('a', { at_most: { a: 1 } }, { transcript })).toBe('UNEXPECTED_CALL 0')
    expect(await said('d', { expect: ['c', 'a', 'b', 'd'] }, { transcript })).toBe('')
    expect(await said('', { order: ['a'] }, { transcript: 'x' })).toBe('')
  })

  test.each<[unknown, string]>([
    [[{ foo: 1 }], 'entry 1 (foo)'],
    [{ messages: [{ role: 'user', content: 'Hi.' }, { foo: 1 }] }, 'entry 2 (foo)'],
    [[{ role: 'assistant', content: [{ type: 'hologram' }] }], 'entry 1 (hologram)'],
  ])('a conversation that cannot be read is unchecked where a rule depends on it: %j', async (transcript, where) => {
    const answer = new Answer('', { toolCalls: [{ name: 'a', arguments: '{}' }] })
    const judged = (options: Options) => check(contract({ checks: [toolSequence(options)] }), answer, { context: { transcript } })
    for (const options of [{ order: ['a', 'b'] }, { requires: { a: ['b'] } }, { expect: ['a'] }])
      expect(await judged(options)).toMatchObject({
        unchecked: [{ validator: 'tool_sequence', message: `a part of the conversation cannot be read: ${where}` }],
      })
    expect(await judged({ never: ['b'] })).toMatchObject({ unchecked: [], issues: [] })
  })

  test.each([
    ['en', 'Leave out the call of a; c comes after it and has been called already.', 'Call one of c, d, or answer without it'],
    [
      'de',
      'Lass den Aufruf von a weg; c kommt danach und wurde schon aufgerufen.',
      'Rufe eines von c, d auf, oder antworte ohne diesen Aufruf',
    ],
  ] as const)('what an earlier turn made impossible is not asked for: %s', async (locale, message, hint) => {
    const answer = new Answer('', { toolCalls: [{ name: 'a', arguments: '{}' }] })
    const options = { order: ['a', 'b', 'c', 'd'] }
    const judged = (transcript: string[]) =>
      check(contract({ checks: [toolSequence(options)], locale }), answer, { context: { transcript } })
    expect((await judged(['c'])).issues).toMatchObject([{ code: 'OUT_OF_ORDER', message, hint }])
    expect((await judge(['d', 'a'], options, { transcript: ['b'] }))[0]?.hint).toBe('Call one of b, c, d, or answer without it')
    expect((await judge(['c', 'a'], options))[0]?.message).toBe('Call a before c, which has been called already.')
  })

  test.each<[string, Options, string, string]>([
    ['order starts over', { scope: 'question', order: ['a', 'b', 'c'] }, 'a b', ''],
    ['order holds within', { scope: 'question', order: ['a', 'b', 'c'] }, 'c a', 'OUT_OF_ORDER 1'],
    ['order of the conversation does not', { order: ['a', 'b', 'c'] }, 'a b', 'OUT_OF_ORDER 0, OUT_OF_ORDER 1'],
    ['what is expected starts over', { scope: 'question', expect: ['a'] }, 'a', ''],
    ['requires looks at the conversation', { scope: 'question', requires: { d: ['c'] } }, 'd', ''],
    ['before does', { scope: 'question', before: [['c', 'd']] }, 'd', ''],
    ['at most does', { scope: 'question', at_most: { c: 1 } }, 'c', 'UNEXPECTED_CALL 0'],
    ['never does', { scope: 'question', never: ['c'] }, 'c', 'UNEXPECTED_CALL 0'],
  ])('after another question: %s', async (_case, options, names, expected) => {
    const call = { id: 'c1', type: 'function', function: { name: 'c', arguments: '{}' } }
    const transcript = [
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'done' },
      { role: 'assistant', content: 'So.' },
      { role: 'user', content: 'And now?' },
    ]
    expect(await said(names, options, { transcript })).toBe(expected)
  })

  test.each<[string, unknown, boolean]>([
    ['an assent', 'Ja', false],
    ['a polite one', 'Yes, please!', false],
    ['one without spaces', '好的', false],
    [
      'one in parts',
      [
        { type: 'text', text: 'OK,' },
        { type: 'text', text: ' weiter' },
      ],
      false,
    ],
    ['a fact', '192.168.178.1', false],
    ['a question', 'Warum?', true],
    ['a sentence', 'Der Drucker geht auch nicht', true],
    ['a sentence without spaces', '我的打印机坏了', true],
    ['a long word', 'x'.repeat(50), true],
    [
      'a picture',
      [
        { type: 'text', text: 'Ja' },
        { type: 'image_url', image_url: { url: 'data:,' } },
      ],
      true,
    ],
  ])('an order goes on over a short reply: %s', async (_case, content, startsOver) => {
    const transcript = [
      { role: 'user', content: 'My network is down.' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'c', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'c1', content: 'done' },
      { role: 'assistant', content: 'Shall I go on?' },
      { role: 'user', content },
    ]
    const options = { scope: 'question', order: ['a', 'b', 'c'] } as const
    expect(await said('b', options, { transcript })).toBe(startsOver ? '' : 'OUT_OF_ORDER 0')
    // As in a run, where validators see the calls without the conversation.
    expect(await said('b', options, { transcript: readTranscript(transcript).calls })).toBe(startsOver ? '' : 'OUT_OF_ORDER 0')
  })

  test.each<[string, object, string | undefined, boolean]>([
    ['a result', { content: 'connected' }, undefined, true],
    ['an error by its flag', { content: 'no', is_error: true }, undefined, false],
    ['a list of errors', { content: '{"errors":["x"]}' }, undefined, false],
    ['an empty list of errors', { content: '{"errors":[]}' }, undefined, true],
    ['a code of HTTP', { content: '{"statusCode":401}' }, undefined, false],
    ['a code of HTTP that succeeds', { content: '{"status_code":200}' }, undefined, true],
    ['by its status', { content: 'no', status: 'error' }, undefined, false],
    ['by a status that it has not come to its end', { content: 'no', status: 'incomplete' }, undefined, false],
    ['by a status that it has', { content: '{"status":"incomplete"}', status: 'completed' }, undefined, true],
    ['by a status in its JSON', { content: '{"status": "failed", "detail": "x"}' }, undefined, false],
    ['by an HTTP status', { content: '{"status": 503}' }, undefined, false],
    ['by the pattern of the contract', { content: 'Host unreachable' }, 'unreachable|timed out', false],
    ['not by a pattern that does not match', { content: 'connected' }, 'unreachable|timed out', true],
    ['in a part of the result', { content: [{ type: 'text', text: 'timed out' }] }, 'unreachable|timed out', false],
  ])('requires needs a success: %s', async (_case, result, failure, succeeded) => {
    const transcript = [
      { role: 'assistant', content: null, tool_calls: [{ id: 'a1', type: 'function', function: { name: 'a', arguments: '{}' } }] },
      { role: 'tool', tool_call_id: 'a1', ...result },
    ]
    const options = { requires: { b: ['a'] }, ...(failure !== undefined && { failure }) }
    expect(await said('b', options, { transcript })).toBe(succeeded ? '' : 'OUT_OF_ORDER 0')
    // As in a run, where validators see the calls without the conversation.
    expect(await said('b', options, { transcript: readTranscript(transcript).calls })).toBe(succeeded ? '' : 'OUT_OF_ORDER 0')
  })

  test('a pattern that no linear engine can run is a configuration error', () => {
    for (const failure of ['(', '(a)\\1'])
      expect(() => contract({ checks: [toolSequence({ order: ['a'], failure })] })).toThrow(/tool_sequence|failure/)
  })

  test('tells the model the rules', () => {
    const options = { order: ['a', 'b'], before: [['a', 'b'] as [string, string]], requires: { c: ['a'] }, never: ['d'], at_most: { a: 1 } }
    const [rule] = contract({ checks: [toolSequence(options)] }).validators
    expect(rule?.instruction).toBe(
      'Call these tools in this order: a, b. Call a before b. Call c only after these have succeeded: a. Never call d. Call a at most once.',
    )
  })

  test('floods are cut short', async () => {
    expect((await judge(Array(10_000).fill('a'), { never: ['a'] })).length).toBe(50)
  })
})

test('says everything in both languages', async () => {
  const order = ['first', 'second']
  const calls = (...given: [name: string, text: string][]) => ({
    parts: { toolCalls: given.map(([name, text]) => ({ name, arguments: text })) },
  })
  expect(
    await localeFaults('tool_sequence', [
      { options: { order }, ...calls(['second', '{}'], ['first', '{}']) },
      { options: { expect: ['first'] }, ...calls(['nmap', '{}']) },
      { options: { expect: ['first', 'second'] }, ...calls(['first', '{}']) },
    ]),
  ).toEqual([])
})
