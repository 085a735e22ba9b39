import { describe, expect, it } from 'vitest'
import { call, post, setUp, stage, weather } from '../../testing/guardrail-front.ts'

setUp()

describe('Portkey', () => {
  const after = async (contract: string, json: unknown, more: object = {}, asked: object = {}) =>
    (
      await post(`portkey/${contract}`, {
        request: {
          json: { model: 'gpt-5.4', messages: [{ role: 'user', content: 'Hi' }], ...asked },
          text: 'Hi',
          isStreamingRequest: false,
          isTransformed: false,
        },
        response: { json, text: 'only the first choice', statusCode: 200, isTransformed: false },
        provider: 'openai',
        requestType: 'chatComplete',
        metadata: {},
        eventType: 'afterRequestHook',
        ...more,
      })
    ).body
  const chat = (...choices: readonly object[]) => ({
    id: 'chatcmpl-1',
    object: 'chat.completion',
    choices: choices.map((choice, index) => ({ index, finish_reason: 'stop', ...choice })),
    usage: { total_tokens: 3 },
  })
  const said = (content: unknown, more: object = {}) => ({ message: { role: 'assistant', content, ...more } })
  const claude = (content: unknown, stop = 'end_turn') => ({ id: 'msg_1', type: 'message', role: 'assistant', content, stop_reason: stop })
  const no = (why: string) => ({ verdict: false, data: { explanation: expect.stringContaining(why) } })
  const changed = (json: unknown) => ({ verdict: true, transformedData: { response: { json } } })

  it.each<readonly [string, string, unknown, object, object?]>([
    ['valid', 'short', chat(said('two words')), { verdict: true }],
    ['repaired', 'mail', chat(said('to a@b.de')), changed(chat(said('to [EMAIL]')))],
    ['unresolved', 'short', chat(said('these are four words')), no('MAX_WORDS')],
    ['unchecked', 'crash', chat(said('x')), no('unchecked: crash')],
    ['truncated', 'short', chat({ ...said('two'), finish_reason: 'length' }), no('TRUNCATED')],
    ['the second choice', 'short', chat(said('two words'), said('these are four words')), no('MAX_WORDS')],
    ['a repair of one choice', 'mail', chat(said('x'), said('a@b.de')), changed(chat(said('x'), said('[EMAIL]')))],
    [
      'parts',
      'mail',
      chat(
        said([
          { type: 'text', text: 'a@b' },
          { type: 'text', text: '.de!' },
        ]),
      ),
      changed(
        chat(
          said([
            { type: 'text', text: '' },
            { type: 'text', text: '[EMAIL]!' },
          ]),
        ),
      ),
    ],
    ['a message of Anthropic', 'mail', claude([{ type: 'text', text: 'a@b.de' }]), changed(claude([{ type: 'text', text: '[EMAIL]' }]))],
    ['a cut message', 'short', claude([{ type: 'text', text: 'two' }], 'max_tokens'), no('TRUNCATED')],
    [
      'a response of OpenAI',
      'mail',
      { output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'a@b.de' }] }], status: 'completed' },
      changed({
        output: [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text: '[EMAIL]' }] }],
        status: 'completed',
      }),
    ],
    [
      'a response of OpenAI with a copy of its text',
      'mail',
      { output_text: 'a@b.de', output: [{ type: 'message', content: [{ type: 'output_text', text: 'a@b.de' }] }] },
      changed({ output_text: '[EMAIL]', output: [{ type: 'message', content: [{ type: 'output_text', text: '[EMAIL]' }] }] }),
    ],
    [
      'a response of OpenAI with another text',
      'mail',
      { output_text: 'to a@b.de', output: [{ type: 'message', content: [{ type: 'output_text', text: 'a@b.de' }] }] },
      no(''),
    ],
    [
      'a completion',
      'mail',
      { choices: [{ text: 'a@b.de', index: 0, finish_reason: 'stop' }] },
      changed({ choices: [{ text: '[EMAIL]', index: 0, finish_reason: 'stop' }] }),
      { requestType: 'complete' },
    ],
    ['choices that are none', 'short', { choices: { 0: said('x') }, content: [{ type: 'text', text: 'x' }] }, no('choices')],
    [
      'two answers',
      'short',
      { ...chat(said('x')), output: [{ type: 'message', content: [{ type: 'output_text', text: 'x' }] }] },
      no('output'),
    ],
    ['a stream', 'short', null, no('response.json'), { response: { json: null, text: '', statusCode: 200 } }],
    ['an error of the provider', 'short', { error: { message: 'busy' } }, no('cannot be read')],
    ['embeddings', 'short', { data: [] }, { verdict: true }, { requestType: 'embed' }],
    ['another event', 'short', chat(said('two')), no('eventType'), { eventType: 'x' }],
  ])('%s', async (_name, contract, json, expected, more) => {
    expect(await after(contract as string, json, more as object)).toEqual(expected)
  })

  it('judges and repairs the tool calls of a response by the tools of its request', async () => {
    const calls = (given: unknown) => chat({ ...said(null, { tool_calls: [call('weather', given)] }), finish_reason: 'tool_calls' })
    const asked = { tools: [weather] }
    expect(await after('tools', calls({ days: 2 }), {}, asked)).toEqual({ verdict: true })
    expect(await after('tools', calls({}), {}, asked)).toEqual(no('MISSING_ARGUMENT'))
    expect(await after('tools', calls('{"days":2,}'), {}, asked)).toEqual(changed(calls('{"days":2}')))
    const older = (given: unknown, more: object = {}) => chat(said(null, { function_call: given, ...more }))
    const wrong = { name: 'Weather', arguments: "{'days':2}" }
    expect(await after('tools', older(wrong), {}, asked)).toEqual(changed(older({ name: 'weather', arguments: '{"days":2}' })))
    expect(await after('tools', older(wrong, { tool_calls: [call('weather', { days: 2 })] }), {}, asked)).toEqual(no(''))
    const use = (input: unknown) => claude([{ type: 'tool_use', id: 'a', name: 'weather', input }], 'tool_use')
    expect(await after('tools', use({ days: 2 }), {}, asked)).toEqual({ verdict: true })
    expect(await after('tools', use({ days: '2' }), {}, asked)).toEqual(no('tool calls'))
  })

  it.each(['short', 'mail'])('judges tool calls by the tools of the request whatever the contract is about: %s', async (contract) => {
    const calls = (made: object) => chat({ ...said(null, { tool_calls: [made] }), finish_reason: 'tool_calls' })
    const asked = { tools: [weather] }
    expect(await after(contract, calls(call('weather', { days: 2 })), {}, asked)).toEqual({ verdict: true })
    expect(await after(contract, calls(call('rm', {})), {}, asked)).toEqual(no('UNKNOWN_TOOL'))
    expect(await after(contract, calls(call('rm', {})), {})).toEqual(no('UNKNOWN_TOOL'))
    expect(await after(contract, calls(call('weather', '{"days":2')), {}, asked)).toEqual(no('INVALID_ARGUMENTS_JSON'))
    const unknown = { request: { json: {}, text: '' } }
    expect(await after(contract, calls(call('rm', {})), unknown)).toEqual({ verdict: true })
    expect(await after(contract, calls(call('rm', '{')), unknown)).toEqual(no('INVALID_ARGUMENTS_JSON'))
    const use = claude([{ type: 'tool_use', id: 'a', name: 'rm', input: {} }], 'tool_use')
    expect(await after(contract, use, {}, asked)).toEqual(no('UNKNOWN_TOOL'))
  })

  const thought = (said: string) => [{ type: 'thinking', thinking: said, signature: 's' }]
  it.each<readonly [string, (said: string) => object]>([
    ['blocks', (said) => ({ content_blocks: [{ type: 'text', text: said }] })],
    ['fields of the provider', (said) => ({ provider_specific_fields: { text: said } })],
    ['texts', (said) => ({ text: said, output_text: said, parts: [{ text: said }] })],
    ['a value', (said) => ({ content_blocks: [{ type: 'text', text: { value: said } }], provider_specific_fields: said })],
    ['reasoning', (said) => ({ reasoning_content: said, thinking_blocks: thought(said) })],
  ])('redacts copies of a text: %s', async (_name, copy) => {
    const reply = (text: string) => chat(said(text, copy(text)))
    expect(await after('mail', reply('to a@b.de'))).toEqual(changed(reply('to [EMAIL]')))
    expect(await after('mail', reply('ok'))).toEqual({ verdict: true })
  })

  it('redacts reasoning beside a text that is right, and withholds what was not judged', async () => {
    expect(await after('mail', chat(said('ok', { reasoning: 'a@b.de' })))).toEqual(changed(chat(said('ok', { reasoning: '[EMAIL]' }))))
    const blocks = (text: string) => ({ content_blocks: [{ type: 'text', text }] })
    expect(await after('short', chat(said('ok', blocks('these are four words'))))).toEqual(changed(chat(said('ok'))))
    expect(await after('mail', claude([...thought('a@b.de'), { type: 'text', text: 'ok' }]))).toEqual(
      changed(claude([...thought('[EMAIL]'), { type: 'text', text: 'ok' }])),
    )
  })

  it.each<readonly [string, object]>([
    ['a text beside a message', { ...said('ok'), text: 'these are four words' }],
    ['a delta beside a message', { ...said('ok'), delta: { content: 'these are four words' } }],
    ['a delta beside a text', { text: 'ok', delta: { content: 'these are four words' } }],
    ['a delta alone', { delta: { content: 'these are four words' } }],
    ['a text beside null', { message: null, text: 'these are four words' }],
    ['a text that is none', { ...said('ok'), text: { a: 'these are four words' } }],
    ['a refusal beside a text', said('ok', { refusal: 'these are four words' })],
    ['another parsed value', said('ok', { parsed: { a: 'these are four words' } })],
  ])('refuses %s', async (_name, choice) => {
    expect(await after('short', chat(choice))).toEqual(no(''))
    expect(stage.runs).toEqual([])
  })

  const part = (text: string) => [{ type: 'text', text }]
  const item = (text: string) => [{ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] }]
  it.each<readonly [string, object]>([
    ['a message of Anthropic and an output', { ...claude(part('these are four words')), output: item('ok') }],
    ['an output and a text', { object: 'response', status: 'completed', output: item('these are four words'), text: 'ok' }],
    [
      'a message of Anthropic and candidates',
      { ...claude(part('these are four words')), candidates: [{ content: { parts: part('ok') } }] },
    ],
    ['a message and a content', { message: { role: 'assistant', content: 'ok' }, content: part('these are four words') }],
    ['a message of Anthropic and a completion', { ...claude(part('ok')), completion: 'these are four words' }],
    ['choices and a message', { ...chat(said('ok')), message: { content: 'these are four words' } }],
  ])('refuses two answers: %s', async (_name, json) => {
    expect(await after('short', json)).toEqual(no('has both'))
  })

  it('reads a response whose format is repeated', async () => {
    const json = { object: 'response', status: 'completed', output: item('ok'), output_text: 'ok', text: { format: { type: 'text' } } }
    expect(await after('short', json)).toEqual({ verdict: true })
  })

  it('repairs a text that is repeated beside its message', async () => {
    const reply = (text: string) => chat({ ...said(text), text })
    expect(await after('mail', reply('a@b.de'))).toEqual(changed(reply('[EMAIL]')))
  })

  it('refuses more choices than any API gives, and records none', async () => {
    expect(await after('short', chat(...Array(129).fill(said('x'))))).toEqual(no('more than 128 choices'))
    expect(stage.runs).toEqual([])
  })

  it('judges prompts', async () => {
    const before = (contract: string, ...messages: readonly object[]) =>
      after(contract, {}, { eventType: 'beforeRequestHook', request: { json: { model: 'm', messages }, text: 'x' }, response: {} })
    const user = (content: unknown) => ({ role: 'user', content })
    expect(await before('short', user('two words'))).toEqual({ verdict: true })
    expect(await before('short', user('two'), user('these are four words'))).toEqual(no('MAX_WORDS'))
    const image = { type: 'image_url', image_url: { url: 'x' } }
    expect(await before('mail', user('ok'), user([{ type: 'text', text: 'I am a@b.de' }, image]))).toEqual({
      verdict: true,
      transformedData: { request: { json: { model: 'm', messages: [user('ok'), user([{ type: 'text', text: 'I am [EMAIL]' }, image])] } } },
    })
    expect(stage.runs.map(({ status }) => status)).toEqual(['valid', 'unresolved', 'repaired'])
  })
  describe('reads all of a prompt, or refuses it', () => {
    const before = (contract: string, json: object) =>
      after(contract, {}, { eventType: 'beforeRequestHook', request: { json: { messages: [], ...json }, text: 'x' }, response: {} })
    const message = (content: unknown, more: object = {}) => ({ messages: [{ role: 'user', content, ...more }] })

    it.each<readonly [string, (text: string) => object]>([
      ['a list of strings', (text) => message([text])],
      ['a result of a tool', (text) => message([{ type: 'tool_result', tool_use_id: '1', content: text }])],
      ['parts of a result', (text) => message([{ type: 'tool_result', tool_use_id: '1', content: [{ type: 'text', text }] }])],
      ['the input of a call', (text) => message([{ type: 'tool_use', id: '1', name: 'a', input: { to: [text] } }])],
      ['a call', (text) => message(null, { tool_calls: [call('a', { to: text })] })],
      ['an older call', (text) => message(null, { function_call: { name: 'a', arguments: JSON.stringify({ to: text }) } })],
      ['a document', (text) => message([{ type: 'document', source: { type: 'text', media_type: 'text/plain', data: text } }])],
      ['a refusal', (text) => message([{ type: 'refusal', refusal: text }])],
      ['a system prompt', (text) => ({ system: text })],
      ['parts of a system prompt', (text) => ({ system: [{ type: 'text', text }] })],
      ['instructions', (text) => ({ instructions: text })],
    ])('%s', async (_name, json) => {
      const given = { messages: [], ...json('jane@acme.com') }
      const redacted = { messages: [], ...json('[EMAIL]') }
      expect(await before('mail', given)).toEqual({ verdict: true, transformedData: { request: { json: redacted } } })
      expect(await before('mail', redacted)).toEqual({ verdict: true })
    })

    const asking = (contract: string, json: object) =>
      after(contract, {}, { eventType: 'beforeRequestHook', request: { json, text: 'x' }, response: {} })
    const item = (given: object) => ({ model: 'm', input: [{ type: 'message', role: 'user', content: 'ok' }, given] })
    it.each<readonly [string, (text: string) => object]>([
      ['a completion', (text) => ({ prompt: text })],
      ['several completions', (text) => ({ prompt: ['ok', text] })],
      ['a response', (text) => ({ input: text })],
      ['a message of a response', (text) => item({ role: 'user', content: [{ type: 'input_text', text }] })],
      ['an answer of a response', (text) => item({ type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] })],
      ['a call of a response', (text) => item({ type: 'function_call', call_id: 'c', name: 'a', arguments: JSON.stringify({ to: text }) })],
      ['a result of a response', (text) => item({ type: 'function_call_output', call_id: 'c', output: text })],
      ['a custom call', (text) => item({ type: 'custom_tool_call', call_id: 'c', name: 'a', input: text })],
      ['parts of a result', (text) => item({ type: 'custom_tool_call_output', call_id: 'c', output: [{ type: 'input_text', text }] })],
    ])('%s, without messages', async (_name, json) => {
      const redacted = { verdict: true, transformedData: { request: { json: json('[EMAIL]') } } }
      expect(await asking('mail', json('jane@acme.com'))).toEqual(redacted)
      expect(await asking('mail', json('ok'))).toEqual({ verdict: true })
      expect(await asking('short', json('these are four words'))).toEqual(no('MAX_WORDS'))
    })

    it.each<readonly [string, object]>([
      ['neither messages nor anything else', { model: 'm' }],
      ['nothing but a system prompt', { system: 'x' }],
      ['messages that are none', { messages: 'x', prompt: 'x' }],
      ['numbers for tokens', { prompt: [1, 2] }],
      ['an item of an unknown type', item({ type: 'mystery', text: 'x' })],
      ['an item that is none', { input: [7] }],
      ['a call with other arguments', item({ type: 'custom_tool_call', input: { a: 'x' } })],
      ['thoughts to redact', item({ type: 'reasoning', summary: [{ type: 'summary_text', text: 'a@b.de' }] })],
    ])('%s', async (_name, json) => {
      expect(await asking('mail', json)).toEqual(no(''))
    })

    it.each<readonly [string, object]>([
      ['an object', message({ text: 'x' })],
      ['a number', message(7)],
      ['a part without a text', message([{}])],
      ['a part that is none', message([7])],
      ['another type', message([{ type: 'Text', text: 'x' }])],
      ['a wrong result', message([{ type: 'tool_result', content: { text: 'x' } }])],
      ['wrong calls', message(null, { tool_calls: { 0: call('a', {}) } })],
      ['a wrong older call', message(null, { function_call: 'a' })],
      ['a wrong system prompt', { system: { text: 'x' } }],
      ['signed thoughts to redact', message([{ type: 'thinking', thinking: 'a@b.de', signature: 's' }])],
    ])('%s', async (_name, json) => {
      expect(await before('mail', json)).toEqual(no(''))
    })
  })
})
