import { describe, expect, it } from 'vitest'
import { call, post, setUp, stage, weather } from '../../testing/guardrail-front.ts'

setUp()

describe('LiteLLM', () => {
  const ask = async (contract: string, texts: unknown, more: object = {}) =>
    (
      await post(`litellm/${contract}/beta/litellm_basic_guardrail_api`, {
        input_type: 'response',
        texts,
        tool_calls: null,
        tools: null,
        structured_messages: null,
        images: null,
        model: 'gpt-5.4',
        litellm_call_id: 'b980db26-9512-45cc-b1da-c511a363b83f',
        litellm_trace_id: null,
        litellm_version: '1.83.0',
        request_data: { user_api_key_hash: '88dc28', user_api_key_user_id: 'u' },
        request_headers: { host: 'litellm' },
        additional_provider_specific_params: {},
        ...more,
      })
    ).body
  const passed = (...held: readonly number[]) => ({ action: 'NONE', stream_holdback_chars: held })
  const blocked = (why: string) => ({ action: 'BLOCKED', blocked_reason: expect.stringContaining(why) })

  it.each<readonly [string, string, unknown, object, object?]>([
    ['valid', 'short', ['two words'], passed(0)],
    ['unresolved', 'short', ['these are four words'], blocked('MAX_WORDS')],
    [
      'repaired',
      'mail',
      ['to jane@acme.com, today'],
      { action: 'GUARDRAIL_INTERVENED', texts: ['to [EMAIL], today'], stream_holdback_chars: [5] },
    ],
    ['unchecked', 'crash', ['x'], blocked('unchecked: crash')],
    ['unchecked, but delivered', 'open', ['x'], passed(1)],
    [
      'several choices',
      'mail',
      ['a@b.de ', 'fine. '],
      { action: 'GUARDRAIL_INTERVENED', texts: ['[EMAIL] ', 'fine. '], stream_holdback_chars: [0, 0] },
    ],
    ['one wrong choice of several', 'short', ['two words', 'these are four words'], blocked('MAX_WORDS')],
    ['held to the end', 'data', ['{"a":1}'], passed(7)],
    ['a repair of JSON', 'data', ['{"a":"1"}'], { action: 'GUARDRAIL_INTERVENED', texts: ['{"a":1}'], stream_holdback_chars: [7] }],
    ['no texts', 'short', [], { action: 'NONE' }],
    ['nothing', 'short', null, { action: 'NONE' }],
    ['no texts where JSON is needed', 'data', [], blocked('JSON')],
    ['nothing where JSON is needed', 'data', undefined, blocked('JSON')],
    ...['tool_calls', 'images', 'tools', 'structured_messages'].flatMap((name) =>
      [{ 0: 'x' }, 'x', 7].map((wrong) => [`${name}: ${JSON.stringify(wrong)}`, 'short', ['x'], blocked(name), { [name]: wrong }] as const),
    ),
    ['calls that are right', 'tools', [''], passed(0), { tool_calls: [call('weather', { days: 2 })], tools: [weather] }],
    ['calls without a text', 'tools', [], { action: 'NONE' }, { tool_calls: [call('weather', { days: 2 })], tools: [weather] }],
    ['calls that are wrong', 'tools', [''], blocked('MISSING_ARGUMENT'), { tool_calls: [call('weather', {})], tools: [weather] }],
    [
      'calls that need a repair',
      'tools',
      [],
      blocked('cannot be sent back'),
      { tool_calls: [call('weather', '{"days":2,}')], tools: [weather] },
    ],
    [
      'calls of several choices',
      'tools',
      ['a', 'b'],
      blocked('UNKNOWN_TOOL'),
      { tool_calls: [call('wether', { days: 2 })], tools: [weather] },
    ],
    ['calls without tools', 'tools', [], blocked('unchecked: tool_calls'), { tool_calls: [call('weather', { days: 2 })] }],
    ['calls that are none', 'tools', [''], blocked('UNKNOWN_TOOL'), { tool_calls: [7], tools: [weather] }],
    ...['short', 'mail'].flatMap((contract) =>
      [
        ['an unoffered call', 'UNKNOWN_TOOL', call('rm', {}), [weather]],
        ['a call where no tool was offered', 'UNKNOWN_TOOL', call('rm', {}), []],
        ['a broken call', 'INVALID_ARGUMENTS_JSON', call('weather', '{"days":2'), [weather]],
        ['a broken call where nobody knows the tools', 'INVALID_ARGUMENTS_JSON', call('weather', '{"days":2'), null],
      ].flatMap(([name, code, made, tools]) =>
        [[], ['x'], ['x', 'y']].map(
          (texts) =>
            [`${name} under ${contract}: ${texts}`, contract, texts, blocked(code as string), { tool_calls: [made], tools }] as const,
        ),
      ),
    ),
    ['calls whose tools nobody knows', 'short', ['x'], passed(0), { tool_calls: [call('weather', {})] }],
    [
      'a prompt with a call of before',
      'short',
      ['x'],
      { action: 'NONE' },
      { input_type: 'request', tool_calls: [call('rm', {})], tools: [weather] },
    ],
    ['as many choices as any API gives', 'short', Array(128).fill('x'), passed(...Array(128).fill(0))],
    ['more choices', 'short', Array(129).fill('x'), blocked('more than 128 choices')],
    ['a long prompt', 'short', Array(5000).fill('x'), { action: 'NONE' }, { input_type: 'request' }],
    ['a longer prompt', 'short', Array(5001).fill('x'), blocked('more than 5000 texts'), { input_type: 'request' }],
    ['images alone', 'short', [], { action: 'NONE' }, { images: ['https://example.com/a.png'] }],
    [
      'a prompt',
      'mail',
      ['You are kind.', 'I am a@b.de'],
      { action: 'GUARDRAIL_INTERVENED', texts: ['You are kind.', 'I am [EMAIL]'] },
      { input_type: 'request' },
    ],
    ['a right prompt', 'short', ['two words'], { action: 'NONE' }, { input_type: 'request' }],
    ['a wrong prompt', 'short', ['a', 'these are four words'], blocked('MAX_WORDS'), { input_type: 'request' }],
    ['a prompt with wrong calls', 'short', ['x'], blocked('tool_calls'), { input_type: 'request', tool_calls: {} }],
    [
      'a prompt with a call to redact',
      'mail',
      ['x'],
      blocked('cannot be sent back'),
      { input_type: 'request', tool_calls: [call('send', { to: 'a@b.de' })] },
    ],
    ['a prompt with a right call', 'mail', ['x'], { action: 'NONE' }, { input_type: 'request', tool_calls: [call('send', {})] }],
    [
      'a prompt in messages alone',
      'short',
      [],
      blocked('MAX_WORDS'),
      { input_type: 'request', structured_messages: [{ role: 'user', content: 'these are four words' }] },
    ],
    ['a check for its tag and model', 'tagged', ['these are four words'], blocked('MAX_WORDS')],
    ['a check for another model', 'tagged', ['these are four words'], passed(0), { model: 'claude' }],
  ])('%s', async (_name, contract, texts, expected, more) => {
    expect(await ask(contract as string, texts, more as object)).toEqual(expected)
  })

  it('records nothing of a response with too many choices', async () => {
    await ask('short', Array(9000).fill('x'))
    expect(stage.runs).toEqual([])
  })

  it('holds back what may still become a match, counted as Python counts', async () => {
    expect(await ask('mail', ['Write to 🙂 jane@ac'])).toEqual(passed(7))
    expect(await ask('mail', ['Done. '])).toEqual(passed(0))
    expect(await ask('mail', ['🙂🙂'])).toEqual(passed(2))
  })

  it('gives each beginning of a stream a text that the next ones go on', async () => {
    const text = 'Hi 🙂, write to jane.doe@acme.com or to x@y.org; thanks a lot, jane@'
    let shown = ''
    for (let end = 1; end <= text.length; end++) {
      const { action, texts, stream_holdback_chars: held } = await ask('mail', [text.slice(0, end)])
      expect(action).not.toBe('BLOCKED')
      const points = [...((texts as string[] | undefined)?.[0] ?? text.slice(0, end))]
      const now = points.slice(0, points.length - ((held as number[])[0] ?? 0)).join('')
      expect(now.startsWith(shown)).toBe(true)
      expect(now).not.toContain('jane')
      shown = now
    }
    expect(shown).toMatch(/^Hi 🙂, write to \[EMAIL\] or to \[EMAIL\]; thanks/u)
  })
})
