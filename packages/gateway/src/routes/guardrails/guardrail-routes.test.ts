import { describe, expect, it } from 'vitest'
import { key, post, setUp, stage } from '../../testing/guardrail-front.ts'
import { startFront } from '../../testing/http-front.ts'
import { guardrailRoutes } from './guardrail-routes.ts'

setUp()

/** The paths of a contract, and how each caller is refused. */
const callers: readonly {
  readonly name: string
  path(contract: string): string
  readonly status?: number
  refused(why: unknown): object
}[] = [
  {
    name: 'LiteLLM',
    path: (name) => `litellm/${name}/beta/litellm_basic_guardrail_api`,
    refused: (why) => ({ action: 'BLOCKED', blocked_reason: why }),
  },
  { name: 'Portkey', path: (name) => `portkey/${name}`, refused: (why) => ({ verdict: false, data: { explanation: why } }) },
  ...['inlet', 'outlet'].map((way) => ({
    name: `Open WebUI, ${way}`,
    path: (name: string) => `open-webui/v1/${name}/filter/${way}`,
    status: 400,
    refused: (why: unknown) => ({ detail: why }),
  })),
]

describe('a body that cannot be read is refused by the means of its caller', () => {
  const bodies: readonly (readonly [string, string | Uint8Array])[] = [
    ['no JSON', '{'],
    ['a list', '[]'],
    ['an empty object', '{}'],
    ['wrong types', '{"input_type":"response","texts":"x","eventType":"afterRequestHook","response":{"json":"x"},"body":7}'],
    [
      'wrong items',
      '{"input_type":"response","texts":[7],"eventType":"afterRequestHook","response":{"json":{"choices":[7]}},"body":{"choices":[7],"messages":[7]}}',
    ],
    [
      'no choices',
      '{"input_type":"x","eventType":"afterRequestHook","response":{"json":{"choices":[]}},"body":{"choices":[],"messages":{}}}',
    ],
    ['bad UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['a prototype', '{"__proto__":{}}'],
    ['endless depth', `${'{"body":'.repeat(2000)}1${'}'.repeat(2000)}`],
    ['too many bytes', JSON.stringify({ input_type: 'response', texts: ['x'.repeat(1 << 17)] })],
  ]
  it.each(callers.flatMap((caller) => bodies.map(([what, body]) => [caller.name, what, caller, body] as const)))(
    '%s: %s',
    async (_name, _what, { path, status = 200, refused }, body) => {
      expect(await post(path('short'), body)).toEqual({ status, body: refused(expect.stringMatching(/\w/)) })
      expect(stage.runs).toEqual([])
    },
  )
})

describe('a request whose body is not read is refused by the means of its caller', () => {
  const gzip = { ...key, 'content-encoding': 'gzip' }
  const chunks = (count: number) =>
    new ReadableStream({ pull: (controller) => (count-- > 0 ? controller.enqueue(new Uint8Array(1 << 12).fill(32)) : controller.close()) })
  const sends: readonly (readonly [string, Record<string, string>, () => unknown])[] = [
    ['another type', { ...key, 'content-type': 'text/plain' }, () => '{}'],
    ['an encoding', gzip, () => 'zz'],
    ['a long body in chunks', key, () => chunks(40)],
  ]
  it.each(callers.flatMap((caller) => sends.map(([what, headers, body]) => [caller.name, what, caller, headers, body] as const)))(
    '%s: %s',
    async (_name, _what, { path, status = 200, refused }, headers, body) => {
      const response = await fetch(`http://127.0.0.1:${stage.front.port}/guardrails/${path('short')}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: body() as string,
        duplex: 'half',
      } as RequestInit)
      expect([response.status, await response.json()]).toEqual([status, refused(expect.stringMatching(/\w/))])
    },
  )
})

describe.each(callers)('$name', ({ path, status = 200, refused }) => {
  it.each(['%ZZ', 'a/b/c/d/e', '', '..%2f'])('is refused at a path with "%s"', async (name) => {
    expect(await post(path(name), {})).toEqual({ status, body: refused('There is no guardrail at this path.') })
    expect(await post(`${path('short')}/${name}`, {})).toEqual({ status, body: refused('There is no guardrail at this path.') })
    expect((await post(path(name), {}, {})).status).toBe(401)
  })

  it('needs a key, of a client', async () => {
    expect((await post(path('short'), {}, {})).status).toBe(401)
    expect((await post(path('short'), {}, { 'x-api-key': 'wrong' })).status).toBe(401)
    expect((await post(path('short'), '{', { 'x-api-key': 'secret-key-1' })).status).toBe(status)
  })

  it('is refused under an unknown contract', async () => {
    const { body } = await post(path('shrot'), {})
    expect(body).toEqual(refused('unknown contract "shrot"; did you mean "short"?'))
  })
})

describe('Open WebUI', () => {
  const turns = (question: string, answer: unknown) => ({
    model: 'm',
    chat_id: 'c',
    messages: [
      { role: 'user', content: 'a@b.de' },
      { role: 'assistant', content: 'a@b.de' },
      { role: 'user', content: question },
      { role: 'assistant', content: answer },
    ],
  })
  const ask = (contract: string, way: string, body: unknown) =>
    post(`open-webui/v1/${contract}/filter/${way}`, { user: { id: '1', email: 'a@b.de', name: 'A', role: 'user' }, body })

  const copy = (text: string) => [
    { type: 'reasoning', summary: [] },
    { type: 'open_webui:code_interpreter', code: '1 + 1' },
    { type: 'message', content: [{ type: 'output_text', text }] },
  ]

  it('gets both copies of an answer repaired', async () => {
    const body = (text: string) => ({ messages: [{ role: 'assistant', content: text, output: copy(text) }] })
    expect(await ask('mail', 'outlet', body('to a@b.de'))).toEqual({ status: 200, body: body('to [EMAIL]') })
  })

  it.each<readonly [string, (said: string) => object]>([
    ['reasoning', (said) => ({ output: [{ type: 'reasoning', content: [{ type: 'text', text: said }] }] })],
    ['code', (said) => ({ output: [{ type: 'open_webui:code_interpreter', id: 'a', code: said, output: { stdout: said } }] })],
    ['calls', (said) => ({ output: [{ type: 'function_call', call_id: 'a', arguments: JSON.stringify({ to: said }) }] })],
    ['results', (said) => ({ output: [{ type: 'function_call_output', call_id: 'a', output: [{ type: 'input_text', text: said }] }] })],
    ['searches', (said) => ({ output: [{ type: 'web_search_call', action: { query: said } }] })],
    ['reasoning of a message', (said) => ({ reasoning_content: said })],
  ])('gets secrets redacted in the steps to an answer: %s', async (_name, steps) => {
    const body = (said: string) => ({ messages: [{ role: 'assistant', content: 'fine', ...steps(said) }] })
    expect(await ask('mail', 'outlet', body('to a@b.de'))).toEqual({ status: 200, body: body('to [EMAIL]') })
    expect(await ask('short', 'outlet', body('these are four words'))).toEqual({ status: 200, body: body('these are four words') })
  })

  it('gets copies of an answer changed with it, or withheld', async () => {
    const body = (content: string, more: object = {}) => ({ messages: [{ role: 'assistant', content, ...more }] })
    const blocks = (text: string) => ({ content_blocks: [{ type: 'text', text }] })
    const ok = (sent: object) => ({ status: 200, body: sent })
    expect(await ask('mail', 'outlet', body('a@b.de', blocks('a@b.de')))).toEqual(ok(body('[EMAIL]', blocks('[EMAIL]'))))
    expect(await ask('mail', 'outlet', body('fine', blocks('fine')))).toEqual(ok(body('fine', blocks('fine'))))
    expect(await ask('short', 'outlet', body('fine', blocks('these are four words')))).toEqual(ok(body('fine')))
  })

  it('refuses items that it does not know', async () => {
    const item = { type: 'open_webui:message', content: [{ type: 'output_text', text: 'a@b.de' }] }
    const { status, body } = await ask('mail', 'outlet', { messages: [{ role: 'assistant', content: 'fine', output: [item] }] })
    expect([status, JSON.stringify(body)]).toEqual([400, expect.stringContaining('open_webui:message')])
  })

  it('lists contracts as filters', async () => {
    const url = `http://127.0.0.1:${stage.front.port}/guardrails/open-webui/v1/models`
    const list = (await (await fetch(url, { headers: key })).json()) as { pipelines: unknown; data: unknown[] }
    expect(list.pipelines).toBe(true)
    expect(list.data[0]).toEqual({ id: 'short', name: 'short', pipeline: { type: 'filter', pipelines: ['*'], priority: 0, valves: false } })
    expect((await fetch(url)).status).toBe(401)
  })

  it('gets the body back, with the newest turn repaired', async () => {
    expect(await ask('short', 'outlet', turns('Hi', 'two words'))).toEqual({ status: 200, body: turns('Hi', 'two words') })
    expect(await ask('mail', 'outlet', turns('x@y.de', 'x@y.de'))).toEqual({ status: 200, body: turns('x@y.de', '[EMAIL]') })
    expect(await ask('mail', 'inlet', turns('x@y.de', 'x@y.de'))).toEqual({ status: 200, body: turns('[EMAIL]', 'x@y.de') })
  })

  it.each([
    ['short', 'outlet', turns('Hi', 'these are four words'), 'MAX_WORDS'],
    ['short', 'inlet', turns('these are four words', 'Hi'), 'MAX_WORDS'],
    ['crash', 'outlet', turns('Hi', 'x'), 'unchecked: crash'],
    ['short', 'outlet', turns('Hi', { text: 'two words' }), 'content'],
    ['short', 'outlet', turns('Hi', [{ type: 'other', text: 'two words' }]), 'cannot be read'],
    ['short', 'outlet', { messages: [{ role: 'Assistant', content: 'x' }] }, 'role'],
    ['short', 'outlet', { messages: [{ role: 'assistant', content: 'x', output: 'x' }] }, 'lists'],
    ['short', 'outlet', { messages: [{ role: 'assistant', content: 'x', output: [{ type: 'other' }] }] }, 'other'],
    ['short', 'outlet', { messages: [{ role: 'assistant', content: 'x', output: copy('these are four words') }] }, 'MAX_WORDS'],
    ['short', 'inlet', { messages: [] }, 'role'],
  ])('%s refuses at the %s', async (contract, way, body, why) => {
    expect(await ask(contract, way, body)).toEqual({ status: 400, body: { detail: expect.stringContaining(why) } })
  })
})

describe('Claude Code', () => {
  const ask = async (contract: string, input: unknown) => (await post(`claude-code/${contract}`, input)).body
  const stop = (text: unknown, more: object = {}) => ({
    hook_event_name: 'Stop',
    session_id: 's',
    stop_hook_active: false,
    last_assistant_message: text,
    ...more,
  })

  it('sends a turn back, and not for ever', async () => {
    expect(await ask('short', stop('two words'))).toEqual({})
    const seen: unknown[] = []
    for (const stop_hook_active of [false, true, true])
      seen.push(Object.keys(await ask('short', stop('these are four words', { stop_hook_active }))))
    expect(seen).toEqual([['decision', 'reason'], ['decision', 'reason'], ['systemMessage']])
    expect(stage.runs.map(({ status, contract }) => [status, contract])).toEqual([
      ['valid', 'short'],
      ...Array(3).fill(['unresolved', 'short']),
    ])
  })

  it.each<readonly [string, string, unknown, unknown]>([
    [
      'a call to redact',
      'mail',
      { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { a: 'a@b.de' } },
      { hookSpecificOutput: expect.objectContaining({ updatedInput: { a: '[EMAIL]' } }) },
    ],
    [
      'a crash',
      'crash',
      { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {} },
      { hookSpecificOutput: expect.objectContaining({ permissionDecision: 'deny' }) },
    ],
    ['a crash at the end', 'crash', stop('x'), { systemMessage: expect.stringContaining('unchecked: crash') }],
    [
      'an unknown contract',
      'shrot',
      { hook_event_name: 'PreToolUse' },
      { hookSpecificOutput: expect.objectContaining({ permissionDecision: 'deny' }) },
    ],
    ['an unknown contract at the end', 'shrot', stop('x'), { systemMessage: expect.stringContaining('unknown contract') }],
    ['another event', 'short', { hook_event_name: 'SessionEnd' }, {}],
  ])('%s', async (_name, contract, input, expected) => {
    expect(await ask(contract, input)).toEqual(expected)
  })
})

describe('an event of Claude Code that cannot be read fails as it must', () => {
  const event = (name: string, rest: string) => `{"session_id":"s","hook_event_name": "${name}","tool_name":"Bash","tool_input":${rest}`
  const bodies: readonly (readonly [string, (name: string) => string | Uint8Array])[] = [
    ['deep', (name) => event(name, `{"a":${'['.repeat(300)}${']'.repeat(300)}}}`)],
    ['a prototype', (name) => event(name, '{"__proto__":1}}')],
    ['broken off', (name) => event(name, '{')],
    ['bad UTF-8', (name) => Buffer.concat([Buffer.from(event(name, '{"a":"')), Buffer.from([0xff]), Buffer.from('"}}')])],
    ['too large', (name) => event(name, `{"a":"${'x'.repeat(1 << 20)}"}}`)],
    ['far too large', (name) => event(name, `{"a":"${'x'.repeat(1 << 25)}"}}`)],
  ]
  const verdicts: Readonly<Record<string, object>> = {
    PreToolUse: { hookSpecificOutput: expect.objectContaining({ permissionDecision: 'deny' }) },
    PostToolUse: { hookSpecificOutput: expect.objectContaining({ updatedToolOutput: '[withheld by Stickler]' }) },
    UserPromptSubmit: { decision: 'block', reason: expect.any(String) },
    Stop: { systemMessage: expect.stringContaining('could not check') },
    SessionEnd: {},
  }

  it.each(bodies)('%s', async (_name, body) => {
    for (const [name, verdict] of Object.entries(verdicts))
      expect(await post('claude-code/short', body(name))).toEqual({ status: 200, body: verdict })
    expect(stage.runs).toEqual([])
  })

  it.each([
    ['in chunks, too large', {}, 'x'.repeat(1 << 17)],
    ['of another type', { 'content-type': 'text/plain' }, '1'],
    ['encoded', { 'content-encoding': 'gzip' }, '1'],
  ])('%s', async (_name, headers, rest) => {
    const text = event('PreToolUse', `{"a":"${rest}"}}`)
    const pieces = [text.slice(0, 20), text.slice(20, 60), text.slice(60)].map((piece) => new TextEncoder().encode(piece))
    const body = new ReadableStream({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 5))
        const piece = pieces.shift()
        if (piece === undefined) controller.close()
        else controller.enqueue(piece)
      },
    })
    const response = await fetch(`http://127.0.0.1:${stage.front.port}/guardrails/claude-code/short`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...key, ...headers } as Record<string, string>,
      body,
      duplex: 'half',
    } as RequestInit)
    expect([response.status, await response.json()]).toEqual([200, verdicts.PreToolUse])
  })

  it('at an overloaded gateway', async () => {
    const busy = await startFront(guardrailRoutes(stage.parts), { settings: { maxInFlight: 0 } })
    try {
      const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: event('PreToolUse', '{}}') }
      const response = await fetch(`http://127.0.0.1:${busy.port}/guardrails/claude-code/short`, init)
      expect([response.status, await response.json()]).toEqual([200, verdicts.PreToolUse])
    } finally {
      await busy.close()
    }
  })

  it('also where the client falls silent', async () => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode('{"hook_event_name":"Pre')) })
    const headers = { 'content-type': 'text/plain', ...key }
    const url = `http://127.0.0.1:${stage.front.port}/guardrails/claude-code/short`
    expect((await fetch(url, { method: 'POST', headers, body, duplex: 'half' } as RequestInit)).status).toBe(400)
  })
})

it('a hook of Claude Code without an event is an error, which its `onFailure` is for', async () => {
  for (const input of ['{', 'x'.repeat(1 << 17), {}, { hook_event_name: null }, { hook_event_name: ['PreToolUse'] }])
    expect(await post('claude-code/short', input)).toEqual({ status: 400, body: { error: { message: expect.any(String) } } })
})

it('a caller with too many requests at once gets a verdict too', async () => {
  const busy = await startFront(guardrailRoutes(stage.parts), { settings: { maxInFlight: 0 } })
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${busy.port}/guardrails/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    })
  try {
    const response = await ask('portkey/short')
    expect([response.status, await response.json()]).toEqual([200, { verdict: false, data: { explanation: expect.any(String) } }])
  } finally {
    await busy.close()
  }
})

describe('a run', () => {
  const body = { input_type: 'response', texts: ['two words', 'two words'] }
  const path = 'litellm/short/beta/litellm_basic_guardrail_api'

  it('is recorded of every choice', async () => {
    await post(path, body)
    const kept = { api: 'check', key: 'alice', contract: 'short', status: 'valid', httpStatus: 200, model: '', attempts: [] }
    expect(stage.runs).toMatchObject([
      { ...kept, id: 'run-1', choice: 0 },
      { ...kept, id: 'run-2', choice: 1 },
    ])
  })

  it('that cannot be kept is a refusal, without a word of the cause', async () => {
    stage.recording = () => Promise.reject(new Error('disk full of secrets'))
    expect(await post(path, body)).toEqual({ status: 200, body: { action: 'BLOCKED', blocked_reason: 'The check failed.' } })
  })
})
