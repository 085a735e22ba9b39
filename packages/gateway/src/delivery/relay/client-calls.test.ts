import { afterAll, beforeAll, expect, test } from 'vitest'
import { answeringBody, answeringEvents } from '../../testing/programmable-upstream-answers.ts'
import { startTestGateway, type TestGateway } from '../../testing/test-gateway.ts'
import { ask, errorOf, verdictOf } from '../../testing/wire.ts'

// What a client runs is delivered only where its request offered it, with any contract.
const yaml = `
upstreams:
  - { name: model, kind: openai, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0, apis: [chat, responses] }
  - { name: claude, kind: anthropic, baseUrl: $UP/v1, apiKeyEnv: UP_KEY, retries: 0 }
contracts:
  judged: { checks: [{ max_words: { limit: 50 } }, tool_calls], retries: 0 }
  brief: { checks: [{ max_words: { limit: 50 } }], retries: 0 }
routes:
  - { model: judged, upstream: model, contract: judged }
  - { model: brief, upstream: model, contract: brief }
  - { model: claude, upstream: claude, contract: brief }
`

type Json = Readonly<Record<string, unknown>>

let gateway: TestGateway

beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const action = { type: 'exec', command: ['CANARY'], env: {} }
const cases: readonly (readonly [tool: Json, item: Json])[] = [
  [{ type: 'local_shell' }, { type: 'local_shell_call', action }],
  [{ type: 'shell' }, { type: 'shell_call', action: { commands: ['CANARY'], timeout_ms: null, max_output_length: null } }],
  [{ type: 'apply_patch' }, { type: 'apply_patch_call', operation: { type: 'update_file', path: 'a.txt', diff: 'CANARY' } }],
  [{ type: 'computer_use_preview' }, { type: 'computer_call', action: { type: 'type', text: 'CANARY' }, pending_safety_checks: [] }],
  [
    { type: 'mcp', server_label: 'files', server_url: 'https://example.org/mcp' },
    { type: 'mcp_approval_request', server_label: 'files', name: 'remove', arguments: '{"path":"CANARY"}' },
  ],
  [
    { type: 'custom', name: 'run_code' },
    { type: 'custom_tool_call', name: 'run_code', input: 'CANARY' },
  ],
]
const others: readonly Json[] = [
  { type: 'function', name: 'shell', parameters: { type: 'object' } },
  { type: 'function', name: 'shell_call', parameters: { type: 'object' } },
  { type: 'mcp', server_label: 'mail', server_url: 'https://example.org/mail' },
  { type: 'web_search' },
]
const message = {
  type: 'message',
  id: 'msg',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text: 'Fine.', annotations: [] }],
}

const placed = { output_index: 0, item_id: 'i' }
const response = (output: readonly Json[], status = 'completed'): Json => ({ id: 'r', object: 'response', status, output })
const call = (item: Json): Json => ({ id: 'i', call_id: 'c', status: 'completed', ...item })

/** The ways in which a call may reach a client, each as what the provider sends. */
function ways(item: Json): Readonly<Record<string, Json | readonly Json[]>> {
  const made = call(item)
  const [created, added, done] = [
    { type: 'response.created', response: response([], 'in_progress') },
    { type: 'response.output_item.added', output_index: 0, item: made },
    { type: 'response.output_item.done', output_index: 0, item: made },
  ]
  return {
    whole: response([made]),
    'beside text': response([message, made]),
    streamed: [created, added, done, { type: 'response.completed', response: response([made]) }],
    'streamed, without output at the end': [created, added, done, { type: 'response.completed', response: response([]) }],
    'streamed, not in the output at the end': [created, added, done, { type: 'response.completed', response: response([message]) }],
    'streamed, another one at the end': [
      created,
      added,
      done,
      { type: 'response.completed', response: response([{ ...made, call_id: 'd' }]) },
    ],
    'streamed, without a place': [
      created,
      { ...added, output_index: undefined },
      { type: 'response.completed', response: response([message]) },
    ],
    'streamed, another item in its place': [
      created,
      added,
      done,
      { type: 'response.output_item.added', output_index: 0, item: { ...message, content: [] } },
      { type: 'response.output_item.done', output_index: 0, item: message },
      { type: 'response.completed', response: response([message]) },
    ],
    'at the end alone': [created, { type: 'response.completed', response: response([made]) }],
  }
}

const asked = (model: string, given: Json | readonly Json[], fields: Json) => {
  gateway.upstream.otherwise(Array.isArray(given) ? answeringEvents(given) : answeringBody(given as Json))
  return ask(gateway, 'responses', { model, stream: Array.isArray(given), fields })
}

for (const [tool, item] of cases) {
  for (const model of ['judged', 'brief']) {
    test(`${item.type} needs its tool in the request, ${model}`, async () => {
      for (const [way, given] of Object.entries(ways(item))) {
        const offers: readonly Json[] = [{}, { tools: [] }, { tools: others }, { tools: [tool], tool_choice: 'none' }]
        for (const fields of offers) {
          const reply = await asked(model, given, fields)
          expect([way, fields, reply.body.includes('CANARY'), errorOf(reply) === undefined]).toEqual([way, fields, false, false])
        }
      }
    })

    test(`${item.type} passes where its tool is offered, ${model}`, async () => {
      const { whole, 'beside text': beside, streamed } = ways(item)
      for (const given of [whole, beside, streamed] as readonly (Json | readonly Json[])[]) {
        for (const fields of [{ tools: [...others, tool] }, { tools: [tool], tool_choice: 'auto' }]) {
          const reply = await asked(model, given, fields)
          expect([reply.status, reply.body.includes('CANARY')]).toEqual([200, true])
          expect(verdictOf(reply)).toMatchObject({ status: 'valid', issues: [] })
        }
      }
    })
  }
}

// What events tell of a call is what was judged, whichever of them a client acts on.
for (const [tool, item] of cases) {
  test(`${item.type} is the same in all events`, async () => {
    const made = call(item)
    const other = JSON.parse(JSON.stringify(made).replaceAll('CANARY', 'EVIL')) as Json
    const named = { ...made, ...(item.name === undefined ? { action: { type: 'EVIL' } } : { name: 'EVIL' }) }
    const [created, added, done, ended] = (ways(item).streamed ?? []) as readonly Json[]
    const told = (kind: string, what: string, more: Json): Json => ({ type: `response.${kind}.${what}`, ...placed, ...more })
    const given: readonly (readonly (Json | undefined)[])[] = [
      [created, { ...added, item: other }, done, ended],
      [created, { ...added, item: named }, done, ended],
      ...[
        ['custom_tool_call_input', 'input'],
        ['shell_call_command', 'command'],
        ['apply_patch_call_operation_diff', 'diff'],
      ].flatMap(([kind = '', whole = '']) => [
        [created, added, told(kind, 'delta', { delta: 'EVIL' }), told(kind, 'done', { [whole]: 'CANARY' }), done, ended],
        [created, added, told(kind, 'delta', { delta: 'EVIL' }), done, ended],
        [created, added, told(kind, 'delta', { delta: ['EVIL'] }), done, ended],
        [created, added, told(kind, 'done', { [whole]: 'EVIL' }), done, ended],
        [created, added, told(kind, 'done', { [whole]: made.id }), done, ended],
      ]),
    ]
    for (const events of given) {
      const reply = await asked('brief', events as readonly Json[], { tools: [tool] })
      expect([events, reply.body.includes('EVIL'), errorOf(reply)]).toEqual([
        events,
        false,
        expect.objectContaining({ type: expect.stringMatching(/^contract_/) }),
      ])
    }
    // As providers send it: begun with little, told in pieces, and done.
    const begun = JSON.parse(JSON.stringify(made).replaceAll('CANARY', '').replaceAll('completed', 'in_progress')) as Record<
      string,
      unknown
    >
    if (begun.arguments !== undefined) begun.arguments = ''
    const piece = (kind: string): readonly Json[] => ['CAN', 'ARY'].map((delta) => told(kind, 'delta', { delta }))
    const whole = { custom_tool_call: 'input', shell_call: 'command', apply_patch_call: 'diff' }[String(item.type)]
    const kind = { input: 'custom_tool_call_input', command: 'shell_call_command', diff: 'apply_patch_call_operation_diff' }[whole ?? '']
    const pieces = kind === undefined ? [] : [...piece(kind), told(kind, 'done', { [whole ?? '']: 'CANARY' })]
    const reply = await asked('brief', [created, { ...added, item: begun }, ...pieces, done, ended] as readonly Json[], { tools: [tool] })
    expect(verdictOf(reply)).toMatchObject({ status: 'valid' })
  })
}

test.each([
  ['bash_20250124', 'bash'],
  ['text_editor_20250728', 'str_replace_based_edit_tool'],
  ['computer_20250124', 'computer'],
  ['memory_20250818', 'memory'],
  ['custom', 'run_code'],
])('a call of Anthropic’s %s needs its tool in the request', async (type, name) => {
  const block = { type: 'tool_use', id: 't', name, input: { command: 'CANARY' } }
  const base = { id: 'm', type: 'message', role: 'assistant', stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } }
  const whole = { ...base, content: [block], stop_reason: 'tool_use' }
  const events = [
    { type: 'message_start', message: { ...base, content: [], stop_reason: null } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'tool_use', stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  ]
  const tool = type === 'custom' ? { name, input_schema: { type: 'object' } } : { type, name }
  const hosted = { type: 'web_search_20250305', name }
  const offers: readonly (readonly [Json, boolean])[] = [
    [{ tools: [tool] }, true],
    [{ tools: [tool], tool_choice: { type: 'any' } }, true],
    [{}, false],
    [{ tools: [hosted] }, false],
    [{ tools: [tool], tool_choice: { type: 'none' } }, false],
  ]
  for (const given of [whole, events]) {
    for (const [fields, passes] of offers) {
      gateway.upstream.otherwise(Array.isArray(given) ? answeringEvents(given) : answeringBody(given as Json))
      const reply = await ask(gateway, 'messages', { model: 'claude', stream: Array.isArray(given), fields })
      expect([fields, reply.body.includes('CANARY'), errorOf(reply) === undefined]).toEqual([fields, passes, passes])
    }
  }
})

// What nobody knows to be run by the provider may be run by the client.
const rocket = { type: 'rocket_call', id: 'i', call_id: 'c', status: 'completed', action: { command: 'CANARY' } }
const said = (...events: Json[]): readonly Json[] => [
  { type: 'response.created', response: response([], 'in_progress') },
  ...events,
  { type: 'response.completed', response: response([message]) },
]

test.each<readonly [string, Json | readonly Json[]]>([
  ['an item', response([message, rocket])],
  ['an item with a call_id', response([message, { ...rocket, type: 'rocket' }])],
  ['an item of a use', response([message, { ...rocket, type: 'rocket_tool_use' }])],
  ['an item that is added', said({ type: 'response.output_item.added', output_index: 1, item: rocket })],
  ['an item at the end', said({ type: 'response.in_progress', response: response([rocket]) })],
  ['a delta', said({ type: 'response.rocket_call.delta', ...placed, delta: 'CANARY' })],
  ['arguments', said({ type: 'response.rocket_call_arguments.delta', ...placed, delta: 'CANARY' })],
  ['a command', said({ type: 'response.rocket_call.in_progress', ...placed, command: 'CANARY' })],
  ['a command of a call that no item shows', said({ type: 'response.shell_call_command.delta', ...placed, delta: 'CANARY' })],
  ['a patch of a call that no item shows', said({ type: 'response.apply_patch_call_operation_diff.delta', ...placed, delta: 'CANARY' })],
])('a call of an unknown kind is not delivered: %s', async (_name, given) => {
  for (const fields of [{}, { tools: [{ type: 'shell' }, { type: 'apply_patch' }, { type: 'rocket' }] }]) {
    const reply = await asked('brief', given, fields)
    expect([reply.body.includes('CANARY'), errorOf(reply)]).toEqual([false, expect.objectContaining({ type: 'contract_unchecked' })])
  }
})

test('a block of Anthropic’s that calls in an unknown way is not delivered', async () => {
  const base = { id: 'm', type: 'message', role: 'assistant', stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } }
  const fine = { type: 'text', text: 'Fine.' }
  for (const [type, passes] of [
    ['rocket_tool_use', false],
    ['server_tool_use', true],
    ['mcp_tool_use', true],
  ] as const) {
    const block = { type, id: 't', name: 'run', input: { command: 'CANARY' } }
    const events = [
      { type: 'message_start', message: { ...base, content: [], stop_reason: null } },
      { type: 'content_block_start', index: 0, content_block: block },
      { type: 'content_block_stop', index: 0 },
      { type: 'content_block_start', index: 1, content_block: fine },
      { type: 'content_block_stop', index: 1 },
      { type: 'message_delta', delta: { stop_reason: 'end_turn', stop_sequence: null }, usage: { output_tokens: 1 } },
      { type: 'message_stop' },
    ]
    for (const given of [{ ...base, content: [block, fine], stop_reason: 'end_turn' }, events]) {
      gateway.upstream.otherwise(Array.isArray(given) ? answeringEvents(given) : answeringBody(given as Json))
      const reply = await ask(gateway, 'messages', { model: 'claude', stream: Array.isArray(given) })
      expect([type, reply.body.includes('CANARY'), errorOf(reply) === undefined]).toEqual([type, passes, passes])
    }
  }
})

test('calls that the provider runs pass', async () => {
  const items: readonly Json[] = [
    { type: 'web_search_call', id: 'a', status: 'completed', action: { type: 'search', query: 'CANARY' } },
    { type: 'file_search_call', id: 'b', status: 'completed', queries: ['CANARY'], results: null },
    { type: 'code_interpreter_call', id: 'c', status: 'completed', code: 'CANARY', container_id: 'd', outputs: [] },
    { type: 'mcp_call', id: 'd', server_label: 'files', name: 'read', arguments: '{"path":"CANARY"}', output: 'CANARY' },
    { type: 'mcp_list_tools', id: 'e', server_label: 'files', tools: [{ name: 'CANARY', input_schema: {} }] },
    { type: 'function_call_output', id: 'f', call_id: 'c', output: 'CANARY' },
  ]
  const events: readonly Json[] = [
    { type: 'response.web_search_call.searching', ...placed, note: 'CANARY' },
    { type: 'response.code_interpreter_call_code.delta', ...placed, delta: 'CANARY' },
    { type: 'response.mcp_call_arguments.delta', ...placed, delta: 'CANARY' },
    { type: 'response.mcp_list_tools.completed', ...placed, note: 'CANARY' },
  ]
  for (const given of [...items.map((item) => response([item, message])), ...events.map((event) => said(event))]) {
    const reply = await asked('brief', given, {})
    expect([reply.status, reply.body.includes('CANARY'), verdictOf(reply)]).toEqual([
      200,
      true,
      expect.objectContaining({ status: 'valid' }),
    ])
  }
})

// A tool is offered as one of a kind, and in a namespace.
const parameters = { type: 'object' }
const fn = { type: 'function', name: 'f', parameters }
const custom = { type: 'custom', name: 'f' }
const crm = { type: 'namespace', name: 'crm', description: 'Customers', tools: [fn] }
const called = { type: 'function_call', name: 'f', arguments: '{"input":"CANARY"}' }
const told = { type: 'custom_tool_call', name: 'f', input: 'CANARY' }

test.each<readonly [tools: readonly Json[], item: Json, passes: boolean]>([
  [[fn], called, true],
  [[fn], told, false],
  [[custom], told, true],
  [[custom], called, false],
  [[custom, fn], told, true],
  [[custom, fn], called, true],
  [[fn], { ...called, namespace: 'crm' }, false],
  [[fn], { ...called, namespace: ['crm'] }, false],
  [[crm], { ...called, namespace: 'crm' }, true],
  [[crm], called, true],
  [[crm], { ...called, namespace: 'mail' }, false],
  [[crm], { ...told, namespace: 'crm' }, false],
  [[custom], { ...told, namespace: 'crm' }, false],
])('a call is one of a tool that was offered as such: %j %j', async (tools, item, passes) => {
  for (const model of ['brief', 'judged']) {
    for (const given of Object.values(ways(item)).slice(0, 3)) {
      const reply = await asked(model, given, { tools })
      expect([reply.body.includes('CANARY'), errorOf(reply) === undefined], reply.body).toEqual([passes, passes])
    }
  }
})

test('the namespace of a call is the same in all events', async () => {
  const [, added, , completed] = ways({ ...called, namespace: 'crm' }).streamed as readonly Json[]
  const done = { type: 'response.output_item.done', output_index: 0, item: call({ ...called, namespace: 'mail' }) }
  const given = [{ type: 'response.created', response: response([], 'in_progress') }, added, done, completed] as readonly Json[]
  const reply = await asked('brief', given, { tools: [crm] })
  expect([reply.body.includes('mail'), errorOf(reply)]).toEqual([false, expect.objectContaining({ type: 'contract_unchecked' })])
})

test('a call of a chat completion is one of a tool of its kind', async () => {
  const inner = { name: 'f', arguments: '{"input":"CANARY"}' }
  const [asFunction, asCustom] = [
    { index: 0, id: 'a', type: 'function', function: inner },
    { index: 0, id: 'a', type: 'custom', custom: { name: 'f', input: 'CANARY' } },
  ]
  const [offersFunction, offersCustom] = [
    { type: 'function', function: { name: 'f', parameters } },
    { type: 'custom', custom: { name: 'f' } },
  ]
  for (const [tool, entry, passes] of [
    [offersFunction, asFunction, true],
    [offersFunction, asCustom, false],
    [offersCustom, asCustom, true],
    [offersCustom, asFunction, false],
    [offersCustom, { ...asCustom, function: inner }, false],
    [offersFunction, { ...asFunction, custom: asCustom.custom }, false],
  ] as const) {
    const head = { id: 'c', created: 1, model: 'm' }
    const whole = {
      ...{ ...head, object: 'chat.completion' },
      choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: [entry] }, finish_reason: 'tool_calls' }],
    }
    const chunk = (delta: Json, finish: string | null) => ({
      ...{ ...head, object: 'chat.completion.chunk' },
      choices: [{ index: 0, delta, finish_reason: finish }],
    })
    for (const given of [whole, [chunk({ role: 'assistant', tool_calls: [entry] }, null), chunk({}, 'tool_calls')]]) {
      gateway.upstream.otherwise(Array.isArray(given) ? answeringEvents(given) : answeringBody(given))
      const reply = await ask(gateway, 'chat', { model: 'brief', stream: Array.isArray(given), fields: { tools: [tool] } })
      expect([tool, entry, reply.body.includes('CANARY'), errorOf(reply) === undefined], reply.body).toEqual([tool, entry, passes, passes])
    }
  }
})
