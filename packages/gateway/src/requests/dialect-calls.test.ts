import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { answering } from '../testing/programmable-upstream-answers.ts'
import { apis } from '../testing/speaking-clients.ts'
import { startTestGateway, type TestGateway } from '../testing/test-gateway.ts'

const yaml = `
upstreams:
  - { name: up, kind: openai, baseUrl: $UP/v1, retries: 0 }
contracts:
  named: { checks: [tool_calls: { dialects: [kimi_k2, glm, mistral] }], retries: 0 }
  plain: { checks: [tool_calls], retries: 0 }
routes:
  - { model: named, upstream: up, contract: named }
  - { model: plain, upstream: up, contract: plain }
`
let gateway: TestGateway
beforeAll(async () => {
  gateway = await startTestGateway({ yaml })
})
afterAll(() => gateway.close())

const parameters = { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } }, required: ['city'] }
const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }]
const section =
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.get_weather:0<|tool_call_argument_begin|>{"city": "Rome"}<|tool_call_end|>'

describe.each(Object.keys(apis) as (keyof typeof apis)[])('%s', (api) => {
  test.each([false, true])('calls in the dialect of the contract are native calls, and no mark is seen; stream: %j', async (stream) => {
    for (const [text, expected] of [
      [`Let me see. ${section}<|tool_calls_section_end|>`, { city: 'Rome' }],
      [
        'Let me see. <tool_call>get_weather\n<arg_key>city</arg_key><arg_value>7</arg_value><arg_key>days</arg_key><arg_value>7</arg_value></tool_call>',
        { city: '7', days: 7 },
      ],
      ['Let me see. [TOOL_CALLS]get_weather[ARGS]{"city": "Rome"}', { city: 'Rome' }],
    ] as const) {
      gateway.upstream.enqueue(answering(text))
      const seen = await apis[api](gateway, { model: 'named', stream, tools })
      expect(seen).toMatchObject({ status: 200, verdict: 'repaired', calls: [['get_weather', expected]] })
      expect(seen.text.trim()).toBe('Let me see.')
    }
  })

  test.each([false, true])('what cannot be read, or is only guessed, is refused; stream: %j', async (stream) => {
    for (const [model, text, code] of [
      ['plain', section, 'TOOL_CALL_IN_TEXT'],
      ['named', '[TOOL_CALLS]nothing to see', 'TOOL_CALL_IN_TEXT'],
      ['named', section.slice(0, -20), 'TRUNCATED'],
    ] as const) {
      gateway.upstream.enqueue(answering(text))
      expect(await apis[api](gateway, { model, stream, tools })).toMatchObject({ status: 422, code, calls: [], text: '' })
    }
  })
})
