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
      'a completion',
      'mail',
      { choices: [{ text: 'a@b.de', index: 0, finish_reason: 'stop' }] },
      changed({ choices: [{ text: '[EMAIL]', index: 0, finish_reason: 'stop' }] }),
      { requestType: 'complete' },
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
    const use = (input: unknown) => claude([{ type: 'tool_use', id: 'a', name: 'weather', input }], 'tool_use')
    expect(await after('tools', use({ days: 2 }), {}, asked)).toEqual({ verdict: true })
    expect(await after('tools', use({ days: '2' }), {}, asked)).toEqual(no('tool calls'))
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
})
