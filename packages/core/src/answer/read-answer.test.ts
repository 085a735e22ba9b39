import { AIMessage } from '@langchain/core/messages'
import { generateText, jsonSchema, tool } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Answer } from './answer.ts'
import { readAnswer } from './read-answer.ts'
import { readToolCalls, writeToolCalls } from './tool-calls.ts'
import { answerShapes, UnreadableAnswerError } from './unreadable-answer.ts'

const call = { id: 'call_1', type: 'function', function: { name: 'ping', arguments: '{"host":"gw"}' } }
const inChat = (finish_reason: string, message: object) => ({
  id: 'x',
  choices: [{ index: 0, message: { role: 'assistant', ...message }, finish_reason }],
})
const item = { type: 'function_call', call_id: 'call_1', name: 'ping', arguments: '{"host":"gw"}', status: 'completed' }
const said = { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'One moment.', annotations: [] }] }
const block = { type: 'tool_use', id: 'call_1', name: 'ping', input: { host: 'gw' } }
const fromAiSdk = await generateText({
  model: new MockLanguageModelV3({
    doGenerate: {
      content: [
        { type: 'text', text: 'One moment.' },
        { type: 'tool-call', toolCallId: 'call_1', toolName: 'ping', input: '{"host":"gw"}' },
      ],
      finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
      usage: { inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 }, outputTokens: { total: 1, text: 1, reasoning: 0 } },
      warnings: [],
    },
  }),
  prompt: 'Go.',
  tools: { ping: tool({ inputSchema: jsonSchema<object>({ type: 'object' }) }) },
})

const text = 'One moment.'
const calls = [{ id: 'call_1', name: 'ping', arguments: '{"host":"gw"}' }]
const langchain = new AIMessage({
  content: text,
  tool_calls: [{ id: 'call_1', name: 'ping', args: { host: 'gw' } }],
  response_metadata: { finish_reason: 'tool_calls' },
})
const responses: [string, unknown, string | undefined][] = [
  ['OpenAI’s chat completion', inChat('tool_calls', { content: text, tool_calls: [call] }), 'tool_calls'],
  ['one of its choices', inChat('tool_calls', { content: text, tool_calls: [call] }).choices[0], 'tool_calls'],
  [
    'OpenAI’s Responses',
    { object: 'response', status: 'completed', output: [{ type: 'reasoning', summary: [{ text: 'Hm.' }] }, said, item] },
    'completed',
  ],
  [
    'Anthropic’s message',
    {
      type: 'message',
      role: 'assistant',
      content: [{ type: 'thinking', thinking: 'Hm.' }, { type: 'text', text }, block],
      stop_reason: 'tool_use',
    },
    'tool_use',
  ],
  [
    'Gemini',
    {
      candidates: [
        {
          content: {
            role: 'model',
            parts: [{ text: 'Hm.', thought: true }, { text }, { functionCall: { id: 'call_1', name: 'ping', args: { host: 'gw' } } }],
          },
          finishReason: 'STOP',
        },
      ],
    },
    'STOP',
  ],
  ['LangChain', langchain, 'tool_calls'],
  ['the AI SDK', fromAiSdk, 'tool-calls'],
  [
    'GlueLLM',
    { final_response: text, tool_execution_history: [{ id: 'call_1', tool_name: 'ping', arguments: { host: 'gw' }, result: 'ok' }] },
    undefined,
  ],
  ['Ollama', { message: { role: 'assistant', content: text, tool_calls: [call] }, done_reason: 'stop' }, 'stop'],
  [
    'Bedrock’s Converse',
    {
      output: {
        message: {
          role: 'assistant',
          content: [
            { reasoningContent: { reasoningText: { text: 'Hm.' } } },
            { text },
            { toolUse: { toolUseId: 'call_1', name: 'ping', input: { host: 'gw' } } },
          ],
        },
      },
      stopReason: 'tool_use',
    },
    'tool_use',
  ],
  ['LangChain’s message as JSON', JSON.parse(JSON.stringify(langchain)), 'tool_calls'],
  ['LangChain’s message as a dictionary', langchain.toDict(), 'tool_calls'],
  [
    'the AI SDK’s UI message',
    {
      id: 'm1',
      role: 'assistant',
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Hm.', state: 'done' },
        { type: 'text', text, state: 'done' },
        { type: 'tool-ping', toolCallId: 'call_1', state: 'input-available', input: { host: 'gw' } },
      ],
    },
    undefined,
  ],
  ['a bare list of parts', [{ type: 'thinking', thinking: 'Hm.' }, { type: 'text', text }, block], undefined],
  ['flat', { text, tool_calls: [call], finish_reason: 'length' }, 'length'],
]

describe('readAnswer', () => {
  test.each(responses)('%s', (_name, response, finishReason) => {
    const { text, toolCalls, ...rest } = readAnswer(response)
    expect([text, toolCalls, rest.finishReason]).toEqual(['One moment.', calls, finishReason])
    expect(readAnswer(response)).toBeInstanceOf(Answer)
  })

  test.each(responses)('%s takes repaired calls back', (_name, response) => {
    const changed = [{ ...calls[0], name: 'ping', arguments: '{"host":"dns"}' }]
    expect(readToolCalls(writeToolCalls(response, changed))).toEqual(changed)
    expect(writeToolCalls(response, readToolCalls(response))).toBe(response)
  })

  test.each<[string, unknown, Partial<Answer>]>([
    ['a text', 'Hi.', { text: 'Hi.', toolCalls: [] }],
    ['a list of calls', [call], { text: '', toolCalls: calls }],
    [
      'the old function_call',
      inChat('function_call', { content: null, function_call: call.function }),
      { text: '', toolCalls: [{ name: 'ping', arguments: '{"host":"gw"}' }] },
    ],
    [
      'cut by Anthropic',
      { content: [{ type: 'text', text: 'On' }], stop_reason: 'max_tokens' },
      { text: 'On', finishReason: 'max_tokens' },
    ],
    [
      'cut in Responses',
      { output: [said], status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
      { finishReason: 'max_output_tokens' },
    ],
    ['a refusal', inChat('stop', { content: null, refusal: 'No.' }), { text: 'No.', finishReason: 'refusal' }],
    [
      'a refusal in Responses',
      { output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'No.' }] }], status: 'completed' },
      { text: 'No.', finishReason: 'refusal' },
    ],
    ['audio', inChat('stop', { content: null, audio: { id: 'a', transcript: 'Hi.' } }), { text: '', unread: 'audio' }],
    ['nothing said', inChat('stop', { content: null }), { text: '', toolCalls: [] }],
    ['an output that is no response', { output: [{ name: 'eth0' }], text: 'Hi.' }, { text: 'Hi.', toolCalls: [] }],
  ])('%s', (_name, response, expected) => {
    expect(readAnswer(response)).toMatchObject(expected)
  })

  test('LangChain’s calls that it could not parse', () => {
    const message = new AIMessage({
      content: '',
      tool_calls: [{ id: 'call_1', name: 'ping', args: { host: 'gw' } }],
      invalid_tool_calls: [{ id: 'call_2', name: 'ping', args: "{'host': 'gw'}", error: 'Malformed args.' }],
    })
    expect(readAnswer(message).toolCalls).toEqual([...calls, { id: 'call_2', name: 'ping', arguments: "{'host': 'gw'}" }])
    const repaired = writeToolCalls(message, [...calls, { id: 'call_2', name: 'ping', arguments: '{"host": "gw"}' }])
    expect(repaired).toMatchObject({
      tool_calls: [{ id: 'call_1' }, { type: 'tool_call', id: 'call_2', args: { host: 'gw' } }],
      invalid_tool_calls: [],
    })
  })

  test.each<[unknown, string]>([
    [undefined, 'it is of type undefined'],
    [null, 'it is null'],
    [7, 'it is of type number'],
    [{}, 'it is empty'],
    [Promise.resolve(inChat('stop', {})), 'it is a promise; await it'],
    [(async function* () {})(), 'it is a stream; read it to its end'],
    [{ error: { message: 'Overloaded' } }, 'it is an error: Overloaded'],
    [{ id: 1, usage: {} }, `it has neither text nor calls in a known place; its keys are id, usage; known are ${answerShapes.join(', ')}`],
    [[], 'it is empty'],
    [{ output: [] }, 'it is empty'],
    [{ content: [] }, 'it is empty'],
    [{ choices: [{ message: { content: 'Hi.' } }, { message: { tool_calls: [call] } }] }, 'it has 2 choices; give one of them'],
    [{ candidates: [{}, {}, {}] }, 'it has 3 candidates; give one of them'],
    [{ content: [{ type: 'hologram', call: {} }] }, 'parts of unknown types: hologram'],
    [[{ type: 'text', text: 'Hi.' }, { type: 'hologram' }], 'parts of unknown types: hologram'],
    [{ content: [{ citationsContent: {} }, null, 7] }, 'parts of unknown types: citationsContent, number'],
    [{ output: [said, { type: 'hologram_call', name: 'rm', input: 'x' }] }, 'parts of unknown types: hologram_call'],
    [{ output: [said], output_text: 'Something else.' }, 'its output_text is not the text of its output'],
    [{ output: [said, { type: 'custom_tool_call', name: 'rm', input: ['x'] }] }, 'parts of unknown types: custom_tool_call'],
    [{ output: [{ type: 'message', content: [{ type: 'refusal', refusal: ['No.'] }] }] }, 'parts of unknown types: refusal'],
    [{ output: [{ type: 'message', content: [{ type: 'hologram' }] }] }, 'parts of unknown types: hologram'],
    [{ text: 'ok', content: 'Something else.' }, 'its text is not that of its content'],
    [{ text: 'ok', content: [{ type: 'text', text: 'Else.' }] }, 'its text is not that of its content'],
    [{ final_response: 'ok', content: 'Else.' }, 'its final_response is not that of its content'],
    [{ content: 7 }, 'its content is neither a text nor a list of parts'],
  ])('cannot read %o', (response, why) => {
    expect(() => readAnswer(response)).toThrow(new UnreadableAnswerError(why))
  })

  test('whatever it is given, it reads or says why not', () => {
    const key = fc.constantFrom(
      'choices',
      'message',
      'content',
      'output',
      'candidates',
      'parts',
      'tool_calls',
      'text',
      'type',
      'name',
      'functionCall',
    )
    const anything = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom(null, 7, 'x', true),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.dictionary(key, tie('value'), { maxKeys: 4 }),
      ),
    })).value
    fc.assert(
      fc.property(anything, (response) => {
        try {
          expect(readAnswer(response)).toBeInstanceOf(Answer)
        } catch (error) {
          expect(String(error)).toContain('this is not a response that can be read')
        }
      }),
    )
  })
})

describe('nothing of a response is lost in silence', () => {
  test.each<[string, unknown]>([
    ['a refusal beside text', { content: 'partial', refusal: 'I cannot' }],
    [
      'a refusal among parts',
      {
        content: [
          { type: 'text', text: 'a' },
          { type: 'refusal', refusal: 'no' },
        ],
      },
    ],
    ['a refusal in the second message', { output: [said, { type: 'message', content: [{ type: 'refusal', refusal: 'no' }] }] }],
    ['a refusal in the first message', { output: [{ type: 'message', content: [{ type: 'refusal', refusal: 'no' }] }, said] }],
  ])('%s counts', (_name, response) => {
    expect(readAnswer(response).finishReason).toBe('refusal')
  })

  test.each<[string, unknown]>([
    ['its output is not a list', { output: 'Bad' }],
    ['its refusal is not a text', { content: 'x', refusal: ['no'] }],
    ['it has both tool_calls and function_call', { content: 'x', tool_calls: [call], function_call: { name: 'rm', arguments: '{}' } }],
    [
      'its tool_calls cannot be read',
      {
        content: 'x',
        get tool_calls(): unknown {
          throw new Error('gone')
        },
      },
    ],
  ])('%s', (why, response) => {
    expect(() => readAnswer(response)).toThrow(`this is not a response that can be read: ${why}`)
  })
})

test('what a documented shape has beside it changes nothing', () => {
  const shaped = responses.filter(([, response]) => !Array.isArray(response) && Object.getPrototypeOf(response) === Object.prototype)
  fc.assert(
    fc.property(
      fc.constantFrom(...shaped),
      fc.dictionary(fc.stringMatching(/^[a-z]{4,9}_x$/), fc.jsonValue({ maxDepth: 2 })),
      ([, response], beside) => {
        expect(readAnswer({ ...beside, name: 'gen', completion: 'x', ...(response as object) })).toMatchObject({
          text: 'One moment.',
          toolCalls: calls,
        })
      },
    ),
  )
})

test('reads a response of OpenAI whose text is the format that was asked for', () => {
  const response = { object: 'response', status: 'completed', output: [said], text: { format: { type: 'text' }, verbosity: 'medium' } }
  expect(readAnswer(response).text).toBe('One moment.')
  expect(() => readAnswer({ output: [said], text: { format: {} } })).toThrow('its text is not a text')
})
