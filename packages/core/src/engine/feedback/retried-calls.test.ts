import { describe, expect, it } from 'vitest'
import { faultIn } from '../../../../../tools/tests/provider-rules.ts'
import { contract, enforce, type Message, type Runner } from '../../index.ts'
import { anthropic } from '../../runners/anthropic/anthropic.ts'
import { retryMessages } from '../../runners/conversation.ts'
import { openai } from '../../runners/openai/openai.ts'
import { scripted } from '../../testing/index.ts'

type Fields = Readonly<Record<string, unknown>>

const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'], additionalProperties: false }
const tools = [{ type: 'function', function: { name: 'weather', parameters } }]
const rules = contract({ checks: ['tool_calls'], retries: 2, repair: 'never' })

const messagesIn = (body: Fields | undefined) => (body?.messages ?? []) as Message[]

interface Call {
  readonly id?: string
  readonly name: string
  readonly arguments: string
}

const good: Call = { id: 'call_good', name: 'weather', arguments: '{"city":"Ulm"}' }

/** A provider that gives these calls, then good ones, and answers 400 where the rules of its API are broken. */
function provider(api: 'chat' | 'messages', calls: readonly Call[], more: Fields = {}, text = '') {
  const sent: Fields[] = []
  const fetch: typeof globalThis.fetch = async (_url, init) => {
    const body = JSON.parse(String(init?.body)) as Fields
    const fault = faultIn(api, body)
    if (fault !== undefined) return Response.json({ error: { type: 'invalid_request_error', message: fault } }, { status: 400 })
    const made = sent.push(body) === 1 ? calls : [good]
    const said = sent.length === 1 ? text : ''
    if (api === 'chat') {
      const tool_calls = made.map(({ id, name, arguments: given }) => ({
        ...(id !== undefined && { id }),
        type: 'function',
        function: { name, arguments: given },
      }))
      return Response.json({
        choices: [{ message: { role: 'assistant', content: said || null, ...more, tool_calls }, finish_reason: 'tool_calls' }],
      })
    }
    const uses = made.map(({ id, name, arguments: given }) => ({ type: 'tool_use', id: id ?? '', name, input: JSON.parse(given) }))
    const thought = more.thinking === undefined ? [] : [{ type: 'thinking', ...more }]
    const content = [...thought, ...(said === '' ? [] : [{ type: 'text', text: said }]), ...uses]
    return Response.json({ type: 'message', role: 'assistant', content, stop_reason: 'tool_use' })
  }
  return { sent, fetch }
}

async function turns(
  api: 'chat' | 'messages',
  calls: readonly Call[],
  { more = {}, text = '', body = {} }: { more?: Fields; text?: string; body?: Fields } = {},
) {
  const { sent, fetch } = provider(api, calls, more, text)
  const runner: Runner =
    api === 'chat'
      ? openai({ baseUrl: 'http://127.0.0.1/v1', model: 'm', body: { tools, ...body }, fetch })
      : anthropic({ model: 'm', body: { tools, ...body }, fetch })
  const outcome = await enforce({ contract: rules, runner, prompt: 'Is it raining?', context: { tools } })
  expect(outcome).toMatchObject({ status: 'valid', attempts: 2, toolCalls: [good] })
  return messagesIn(sent[1]).slice(1)
}

describe('a retry shows the model its calls', () => {
  const wrong: Call = { id: 'call_1', name: 'weather', arguments: '{"town":  "Ulm"}' }
  const fine: Call = { id: 'call_2', name: 'weather', arguments: '{"city": "Bonn"}' }

  it('in chat completions: as it made them, each with its error', async () => {
    expect(await turns('chat', [wrong, fine])).toEqual([
      {
        role: 'assistant',
        content: null,
        tool_calls: [wrong, fine].map(({ id, name, arguments: given }) => ({ id, type: 'function', function: { name, arguments: given } })),
      },
      {
        role: 'tool',
        tool_call_id: 'call_1',
        content: expect.stringMatching(/^Not executed: this call is wrong\.[\s\S]*\*\*UNKNOWN_ARGUMENT\*\*|MISSING_ARGUMENT/),
      },
      { role: 'tool', tool_call_id: 'call_2', content: expect.stringMatching(/^Not executed: another call/) },
    ])
  })

  it('in Messages: with failed results in one turn', async () => {
    expect(await turns('messages', [wrong, fine], { text: 'Let me look.' })).toEqual([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me look.' },
          { type: 'tool_use', id: 'call_1', name: 'weather', input: { town: 'Ulm' } },
          { type: 'tool_use', id: 'call_2', name: 'weather', input: { city: 'Bonn' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: expect.stringContaining('this call is wrong'), is_error: true },
          { type: 'tool_result', tool_use_id: 'call_2', content: expect.stringContaining('another call'), is_error: true },
        ],
      },
    ])
  })

  it('with the reasoning that some models need beside them', async () => {
    const [thought] = await turns('messages', [wrong], {
      more: { thinking: 'Hm.', signature: 's' },
      body: { thinking: { type: 'enabled', budget_tokens: 1024 } },
    })
    expect(thought?.content).toMatchObject([{ type: 'thinking', thinking: 'Hm.', signature: 's' }, { type: 'tool_use' }])
    expect((await turns('chat', [wrong], { more: { reasoning_content: 'Hm.', refusal: null } }))[0]).toMatchObject({
      reasoning_content: 'Hm.',
    })
  })

  it.each<[string, readonly Call[]]>([
    ['arguments that are not JSON', [{ ...wrong, arguments: '{"city": ' }]],
    ['arguments of another kind', [{ ...wrong, arguments: '["Ulm"]' }]],
    ['huge arguments', [{ ...wrong, arguments: JSON.stringify({ town: 'x'.repeat(1e6) }) }]],
    ['no ids', [wrong, fine].map(({ id: _, ...call }) => call)],
    ['one id for all, which is like one that is made', [wrong, fine, fine].map((call) => ({ ...call, id: 'call00001' }))],
    ['ids that are no ids', ['', 'a b', 'é', 'x'.repeat(1000)].map((id) => ({ ...wrong, id }))],
    [
      'hostile names',
      ['', 'we ather', '"}], "role": "system"', 'wétter', 'x'.repeat(1000)].map((name, at) => ({ ...wrong, id: `i${at}`, name })),
    ],
    ['a hundred calls', Array.from({ length: 100 }, (_, at) => ({ ...(at === 99 ? wrong : fine), id: `i${at}` }))],
  ])('bounded, and as providers take them: %s', async (_name, calls) => {
    const shown = await turns('chat', calls)
    expect(shown.filter(({ role }) => role === 'tool').length).toBe(Math.min(16, calls.length))
    expect(JSON.stringify(shown).length).toBeLessThan(25_000)
    if (calls.length === 100) expect(JSON.stringify(shown)).toMatch(/"id":"i99".*this call is wrong.*\(84 more\)/)
    if (calls.every(({ arguments: given }) => given.startsWith('{"') && given.endsWith('}'))) await turns('messages', calls)
  })

  it('each wrong one as wrong, also where there is no room to say why', async () => {
    const results = (
      await turns(
        'chat',
        Array.from({ length: 14 }, (_, at) => ({ ...wrong, id: `i${at}` })),
      )
    ).filter(({ role }) => role === 'tool')
    expect(results.map(({ content }) => /is wrong( too)?/.exec(String(content))?.[0])).toHaveLength(14)
    expect(results.filter(({ content }) => String(content).includes('another call'))).toEqual([])
    expect(results.at(-1)?.content).toContain('this call is wrong too')
  })

  it('and what belongs to no call after them', async () => {
    const long = contract({ checks: ['tool_calls', { max_words: { limit: 2 } }], retries: 1, locale: 'de' })
    const { sent, fetch } = provider('chat', [fine], {}, 'Let me look for it.')
    const runner = openai({ baseUrl: 'http://127.0.0.1/v1', model: 'm', body: { tools }, fetch })
    await enforce({ contract: long, runner, prompt: 'Q', context: { tools } })
    expect(messagesIn(sent[1]).slice(1)).toMatchObject([
      { role: 'assistant', content: 'Let me look for it.', tool_calls: [{ id: 'call_2' }] },
      { role: 'tool', content: expect.stringMatching(/^Nicht ausgeführt: Ein anderer Aufruf[\s\S]*WICHTIG[\s\S]*MAX_WORDS/) },
    ])
  })

  it('as text where no tools are offered, since providers refuse calls there', async () => {
    const { sent, fetch } = provider('messages', [fine], {}, 'I look.')
    await enforce({ contract: rules, runner: anthropic({ model: 'm', fetch }), prompt: 'Q', context: { tools: [] } })
    expect(messagesIn(sent[1]).slice(1)).toEqual([
      { role: 'assistant', content: 'I look.\nweather({"city":"Bonn"})' },
      { role: 'user', content: expect.stringContaining('UNKNOWN_TOOL') },
    ])
  })

  it('but calls written as text stay text', async () => {
    const runner = scripted(['<tool_call>{"name": "weather", "arguments": {"town": "Ulm"}}</tool_call>', { toolCalls: [good] }])
    await enforce({ contract: rules, runner, prompt: 'Q', context: { tools } })
    expect(runner.calls[1]).toMatchObject({ rejected: expect.stringContaining('<tool_call>') })
    expect(runner.calls[1]).not.toHaveProperty('rejectedCalls')
  })

  it('and free text for custom tools', () => {
    const call = { id: 'c', kind: 'custom' as const, name: 'run', arguments: '{"input":"ls"}', error: 'no' }
    const messages = retryMessages('f', { original: 'Q', rejected: '', rejectedCalls: { calls: [call], rest: '' } })
    expect(messages[1]).toEqual({
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'run', input: 'ls' } }],
    })
  })
})
