import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readTranscript } from './transcript.ts'

const call = (id: string, name: string) => ({ id, type: 'function', function: { name, arguments: '{}' } })
const chatTurn = (id: string, name: string, content: unknown) => [
  { role: 'assistant', content: null, tool_calls: [call(id, name)] },
  { role: 'tool', tool_call_id: id, content },
]
const blocks = (id: string, name: string, result: object) => [
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'One moment.' },
      { type: 'tool_use', id, name, input: {} },
    ],
  },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, ...result }] },
]
const items = (id: string, name: string, output: unknown) => [
  { type: 'function_call', call_id: id, name, arguments: '{}' },
  { type: 'function_call_output', call_id: id, output },
]
const converse = (toolUseId: string, name: string, ok: boolean) => [
  { role: 'assistant', content: [{ text: 'One moment.' }, { toolUse: { toolUseId, name, input: {} } }] },
  { role: 'user', content: [{ toolResult: { toolUseId, content: [{ text: 'done' }], status: ok ? 'success' : 'error' } }] },
]
const uiMessage = (toolCallId: string, name: string, ok: boolean) => ({
  id: toolCallId,
  role: 'assistant',
  parts: [
    { type: 'step-start' },
    ok
      ? { type: `tool-${name}`, toolCallId, state: 'output-available', input: {}, output: 'done' }
      : { type: 'dynamic-tool', toolName: name, toolCallId, state: 'output-error', input: {}, errorText: 'failed' },
  ],
})
const langchain = (id: string, name: string, ok: boolean) => [
  new HumanMessage({ content: 'Go.', name: 'alice' }),
  new AIMessage({ content: '', tool_calls: [{ id, name, args: {} }] }),
  new ToolMessage({ content: 'done', tool_call_id: id, name, status: ok ? 'success' : 'error' }),
]

describe('readTranscript', () => {
  test.each<[string, unknown, [string, boolean | undefined][]]>([
    ['nothing', undefined, []],
    [
      'names',
      ['ping', 'status'],
      [
        ['ping', undefined],
        ['status', undefined],
      ],
    ],
    [
      'names with results',
      [
        { name: 'ping', ok: true },
        { name: 'status', ok: false },
      ],
      [
        ['ping', true],
        ['status', false],
      ],
    ],
    [
      'chat completions',
      [{ role: 'user', name: 'alice', content: 'Go.' }, ...chatTurn('a', 'ping', 'ok'), ...chatTurn('b', 'status', 'Error: no adapter')],
      [
        ['ping', true],
        ['status', false],
      ],
    ],
    [
      'reports without an error',
      [{ error: 0 }, { error: [], errors: [] }, { error: {}, ms: 3 }, { error: 1 }, { error: { code: 0 } }].flatMap((report, at) =>
        chatTurn(`call_${at}`, 'ping', JSON.stringify(report)),
      ),
      [
        ['ping', true],
        ['ping', true],
        ['ping', true],
        ['ping', false],
        ['ping', false],
      ],
    ],
    ['a call without a result', [{ role: 'assistant', tool_calls: [call('a', 'ping')] }], [['ping', undefined]]],
    ['a request', { model: 'm', messages: chatTurn('a', 'ping', [{ type: 'text', text: '{"ok": false}' }]) }, [['ping', false]]],
    [
      'the old function_call',
      [
        { role: 'assistant', content: null, function_call: { name: 'ping', arguments: '{}' } },
        { role: 'function', name: 'ping', content: '{"ms": 3}' },
      ],
      [['ping', true]],
    ],
    [
      'Anthropic',
      [...blocks('a', 'ping', { content: 'ok' }), ...blocks('b', 'status', { content: 'ok', is_error: true })],
      [
        ['ping', true],
        ['status', false],
      ],
    ],
    [
      'Responses',
      { input: [...items('a', 'ping', '3 ms'), ...items('b', 'status', '{"error": "no adapter"}')] },
      [
        ['ping', true],
        ['status', false],
      ],
    ],
    [
      'Gemini',
      {
        contents: [
          { role: 'model', parts: [{ functionCall: { name: 'ping', args: {} } }, { functionCall: { name: 'ping', args: {} } }] },
          {
            role: 'user',
            parts: [
              { functionResponse: { name: 'ping', response: { ms: 3 } } },
              { functionResponse: { name: 'ping', response: { error: 'down' } } },
            ],
          },
        ],
      },
      [
        ['ping', true],
        ['ping', false],
      ],
    ],
    [
      'the AI SDK',
      [
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: 'a', toolName: 'ping', input: {} },
            { type: 'tool-call', toolCallId: 'b', toolName: 'status', input: {} },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: 'b', toolName: 'status', output: { type: 'error-text', value: 'no' } },
            { type: 'tool-result', toolCallId: 'a', toolName: 'ping', output: { type: 'json', value: { ms: 3 } } },
          ],
        },
      ],
      [
        ['ping', true],
        ['status', false],
      ],
    ],
    [
      'LangChain',
      [
        new HumanMessage({ content: 'Go.', name: 'alice' }),
        new AIMessage({
          content: '',
          tool_calls: [
            { id: 'a', name: 'ping', args: {} },
            { id: 'b', name: 'status', args: {} },
          ],
        }),
        new ToolMessage({ content: 'ok', tool_call_id: 'a', name: 'ping' }),
        new ToolMessage({ content: 'no', tool_call_id: 'b', name: 'status', status: 'error' }),
      ],
      [
        ['ping', true],
        ['status', false],
      ],
    ],
    [
      'GlueLLM',
      [
        { tool_name: 'ping', arguments: {}, result: 'ok' },
        { tool_name: 'status', arguments: {}, result: '', error: 'no adapter' },
      ],
      [
        ['ping', true],
        ['status', false],
      ],
    ],
  ])('%s', (_name, given, expected) => {
    expect(readTranscript(given).calls.map(({ name, ok }) => [name, ok])).toEqual(expected)
    expect(readTranscript(given)).toEqual({ calls: expect.anything() })
  })

  test.each<[unknown, string]>([
    ['ping', 'entry 1 (string)'],
    [{ foo: 1 }, 'entry 1 (foo)'],
    [[{ foo: 1 }], 'entry 1 (foo)'],
    [['ping', { ok: true }, 7], 'entry 2 (ok)'],
    [['ping', null], 'entry 2 (null)'],
    [[{ role: 'assistant', tool_calls: [{ foo: 1 }] }], 'entry 1 (a call without a name)'],
    [[{ role: 'assistant', content: '', parts: [{ type: 'tool-invocation', toolInvocation: {} }] }], 'entry 1 (tool-invocation)'],
    [[{ role: 'assistant', content: '', toolInvocations: [{}] }], 'entry 1 (toolInvocations)'],
    [[{ role: 'assistant', content: { foo: 1 } }], 'entry 1 (content)'],
    [[{ role: 'assistant', body: 'x' }], 'entry 1 (role)'],
    [[{ type: 'hologram_call', call_id: 'a' }], 'entry 1 (hologram_call)'],
  ])('what cannot be read is named: %j', (given, unread) => {
    expect(readTranscript(given).unread).toBe(unread)
  })

  test.each<[string, unknown[]]>([
    ['parts of users', [{ role: 'user', content: [{ type: 'hologram' }] }]],
    ['thoughts and files', [{ role: 'assistant', content: [{ type: 'thinking', thinking: 'Hm.' }, { type: 'image_url' }] }]],
    [
      'items of Responses',
      [{ type: 'reasoning', summary: [] }, { type: 'web_search_call' }, { type: 'message', role: 'user', content: [] }],
    ],
    ['an empty message', [{ role: 'assistant', content: null }]],
  ])('what holds no call is not missed: %s', (_name, given) => {
    expect(readTranscript(given)).toEqual({ calls: [] })
  })

  test.each([
    [{ input: 'And now?', previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ input: 'And now?', conversation: 'conv_1' }, 'conversation'],
    [[{ type: 'item_reference', id: 'item_1' }], 'item_reference'],
    [{ input: 'And now?', previous_response_id: null }, undefined],
  ])('a conversation that is kept elsewhere has a gap: %j', (given, gap) => {
    expect(readTranscript(given).gap).toBe(gap)
  })

  const saying = [
    ['chat', (id: string) => chatTurn(id, 'ping', 'done'), { role: 'user', content: 'And now?' }],
    ['messages', (id: string) => blocks(id, 'ping', { content: 'done' }), { role: 'user', content: [{ type: 'text', text: 'And now?' }] }],
    [
      'responses',
      (id: string) => items(id, 'ping', 'done'),
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Now?' }] },
    ],
    ['converse', (id: string) => converse(id, 'ping', true), { role: 'user', content: [{ text: 'And now?' }] }],
    ['UI messages', (id: string) => [uiMessage(id, 'ping', true)], { role: 'user', parts: [{ type: 'text', text: 'And now?' }] }],
    ['langchain', (id: string) => langchain(id, 'ping', true).slice(1), new HumanMessage('And now?')],
    [
      'langchain as JSON',
      (id: string) => JSON.parse(JSON.stringify(langchain(id, 'ping', true).slice(1))),
      JSON.parse(JSON.stringify(new HumanMessage('Now?'))),
    ],
    [
      'langchain as dictionaries',
      (id: string) =>
        langchain(id, 'ping', true)
          .slice(1)
          .map((one) => one.toDict()),
      new HumanMessage('Now?').toDict(),
    ],
  ] as const
  test.each(saying)('what the user says ends a question, results do not: %s', (_api, turn, said) => {
    const entries: unknown[] = [said, ...turn('a'), ...turn('b'), said, ...turn('c')]
    expect(readTranscript(entries).calls.map(({ earlier }) => earlier)).toEqual([true, true, undefined])
    // What was read once reads the same again.
    expect(readTranscript(readTranscript(entries).calls)).toEqual(readTranscript(entries))
    for (const silent of [
      { role: 'user', content: ' ' },
      { role: 'user', content: [] },
      { role: 'user', content: [{ type: 'text', text: ' \n' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: '\u200b' }] },
      { role: 'system', content: 'Be brief.' },
    ])
      expect(readTranscript([...turn('a'), silent]).calls.map(({ earlier }) => earlier)).toEqual([undefined])
  })

  test('the same calls read the same in every API', () => {
    const history = fc.array(fc.record({ name: fc.constantFrom('ping', 'status', 'config'), ok: fc.boolean() }), { maxLength: 12 })
    fc.assert(
      fc.property(history, (calls) => {
        const text = (ok: boolean) => (ok ? 'done' : 'Error: failed')
        const shapes: unknown[][] = [
          calls,
          calls.flatMap(({ name, ok }, at) => chatTurn(`call_${at}`, name, text(ok))),
          calls.flatMap(({ name, ok }, at) => blocks(`call_${at}`, name, { content: 'done', is_error: !ok })),
          calls.flatMap(({ name, ok }, at) => items(`call_${at}`, name, text(ok))),
          calls.flatMap(({ name, ok }, at) => converse(`call_${at}`, name, ok)),
          calls.map(({ name, ok }, at) => uiMessage(`call_${at}`, name, ok)),
          JSON.parse(JSON.stringify(calls.flatMap(({ name, ok }, at) => langchain(`call_${at}`, name, ok)))),
          calls.flatMap(({ name, ok }, at) => langchain(`call_${at}`, name, ok).map((message) => message.toDict())),
        ]
        for (const shape of shapes) expect(readTranscript(shape).calls.map(({ name, ok }) => ({ name, ok }))).toEqual(calls)
      }),
    )
  })

  test.each([
    { toolCalls: [{ function: { name: 'ping', arguments: '{}' } }] },
    { tool_execution_history: [{ tool_name: 'ping', arguments: {} }] },
    { invalid_tool_calls: [{ name: 'ping', args: '{', type: 'invalid_tool_call' }] },
    { tool_calls: [{ function: { name: 'ping', arguments: '{}' } }] },
    { function_call: { name: 'ping', arguments: '{}' } },
    { output: [{ type: 'function_call', name: 'ping', arguments: '{}' }] },
  ])('calls beside a text are read: %j', (held) => {
    const { calls } = readTranscript([{ role: 'assistant', content: '', ...held }])
    expect(calls.map(({ name }) => name)).toEqual(['ping'])
  })

  test('whatever stands in a conversation is no crash', () => {
    fc.assert(
      fc.property(fc.anything(), (given) => void [readTranscript(given), readTranscript([given, { role: 'tool', content: [given] }])]),
    )
  })
})
