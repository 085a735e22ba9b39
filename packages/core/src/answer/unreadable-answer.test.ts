import { AIMessage, HumanMessage } from '@langchain/core/messages'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readAnswer } from './read-answer.ts'
import { answerShapes, UnreadableAnswerError } from './unreadable-answer.ts'

const said = { role: 'assistant', content: 'Hi.' }
const ping = { name: 'ping', arguments: '{}' }

/** Samples of each shape that an error lists; a shape without one does not compile. */
const samples: Readonly<Record<(typeof answerShapes)[number], readonly unknown[]>> = {
  'a text': ['Hi.'],
  '{text, tool_calls}': [{ text: 'Hi.' }, { tool_calls: [ping] }, { text: 'Hi.', tool_calls: [ping] }],
  'a message {role, content}': [said],
  'OpenAI {choices} or {output: […]}': [
    { choices: [{ message: said, finish_reason: 'stop' }] },
    { output: [{ type: 'message', content: [{ type: 'output_text', text: 'Hi.' }] }] },
  ],
  'Anthropic {content: […]}': [{ content: [{ type: 'text', text: 'Hi.' }], stop_reason: 'end_turn' }],
  'Gemini {candidates}': [{ candidates: [{ content: { role: 'model', parts: [{ text: 'Hi.' }] }, finishReason: 'STOP' }] }],
  'Bedrock {output: {message}}': [{ output: { message: { role: 'assistant', content: [{ text: 'Hi.' }] } }, stopReason: 'end_turn' }],
  LangChain: [new AIMessage('Hi.'), JSON.parse(JSON.stringify(new AIMessage('Hi.'))), new AIMessage('Hi.').toDict()],
  'AI SDK {text, toolCalls} or {parts}': [
    { text: 'Hi.', toolCalls: [] },
    { role: 'assistant', parts: [{ type: 'text', text: 'Hi.' }] },
  ],
  'GlueLLM {final_response}': [{ final_response: 'Hi.', tool_execution_history: [] }],
  'a list of parts or calls': [[{ type: 'text', text: 'Hi.' }], [ping]],
  'one call {name, arguments}': [ping],
}

test.each(Object.entries(samples))('a listed shape can be read: %s', (_shape, given) => {
  expect(given).not.toEqual([])
  for (const one of given) {
    const { text, toolCalls } = readAnswer(one)
    expect([text, toolCalls.map(({ name }) => name)]).toBeOneOf([
      ['Hi.', []],
      ['', ['ping']],
      ['Hi.', ['ping']],
    ])
  }
})

describe('rows that are not responses', () => {
  test.each<[string, unknown]>([
    ['a generation of a log', { name: 'gen', completion: 'garbage' }],
    ['a call without arguments', { name: 'gen' }],
    ['a generation with its parameters', { name: 'gen', parameters: { temperature: 0 }, completion: 'garbage' }],
    [
      'Langfuse',
      {
        id: 'o1',
        type: 'GENERATION',
        name: 'chat',
        input: [{ role: 'user', content: 'Go.' }],
        output: { role: 'assistant', content: '{}' },
      },
    ],
    ['a trace of Langfuse', { id: 't1', name: 'chat', input: {}, output: { content: '{}' }, metadata: {} }],
    ['LangSmith', { id: 'r1', name: 'ChatOpenAI', run_type: 'llm', inputs: {}, outputs: { generations: [[{ text: '{}' }]] } }],
    ['a span of OpenTelemetry', { name: 'chat', attributes: { 'gen_ai.completion': '{}' }, status: {} }],
    [
      'a batch of OpenAI',
      {
        custom_id: 'a',
        response: { status_code: 200, body: { choices: [{ message: { role: 'assistant', content: '{}' }, finish_reason: 'stop' }] } },
      },
    ],
    [
      'a training example',
      {
        messages: [
          { role: 'user', content: 'Go.' },
          { role: 'assistant', content: '{}' },
        ],
      },
    ],
    ['prompt and completion', { prompt: 'Go.', completion: '{}' }],
    ['question and answer', { question: 'Who?', answer: 'Ada' }],
    ['a legacy completion', { choices: [{ text: '{}', finish_reason: 'stop' }] }],
    ['an event', { type: 'message.created', data: { content: '{}' } }],
    ['an audio file', { audio: 'a.wav', transcript: '{}' }],
    ['texts by language', { text: { en: 'Hi.' } }],
    ['a number as text', { text: 7 }],
    ['a function by name', { function: 'gen', completion: '{}' }],
    ['a record of a tool', { tool_name: 'ping', output: { ok: true } }],
    ['a tool without input', { toolName: 'ping', result: 1 }],
    ['calls that are not a list', { content: 'Hi.', tool_calls: 'ping' }],
    ['an output of names', { output: [{ name: 'eth0' }] }],
    ['a list of rows', [{ name: 'gen', completion: 'garbage' }]],
    ['a list of numbers', [1, 2]],
    ['a list of objects', [{ a: 1 }]],
    ['parts that are rows', { content: [{ name: 'gen', completion: 'garbage' }] }],
    ['a message of a user', { role: 'user', content: 'Go.' }],
    ['the result of a tool', { role: 'tool', tool_call_id: 'call_1', content: '{}' }],
    ['LangChain’s message of a human', JSON.parse(JSON.stringify(new HumanMessage('Go.')))],
    ['the same as a dictionary', new HumanMessage('Go.').toDict()],
    ['the same as an object', new HumanMessage('Go.')],
    ['no content', { content: null }],
  ])('%s', (_name, row) => {
    expect(() => readAnswer(row)).toThrow(UnreadableAnswerError)
  })

  test('the error names the keys and what could be read', () => {
    expect(() => readAnswer({ name: 'gen', completion: 'garbage' })).toThrow(
      /: it has neither text nor calls in a known place; its keys are name, completion; known are a text, .*OpenAI \{choices\}.*, one call \{name, arguments\}$/,
    )
    const error = new UnreadableAnswerError('x')
    expect([error instanceof TypeError, error.shapes]).toEqual([true, answerShapes])
  })

  const odd = [
    'name',
    'completion',
    'answer',
    'input',
    'outputs',
    'prompt',
    'metadata',
    'label',
    'args',
    'parameters',
    'arguments',
    'result',
    'function',
    'tool_name',
    'toolName',
    'tool',
    'type',
    'data',
    'id',
    'value',
    'score',
    'kwargs',
    'usage',
  ]
  const row = fc.dictionary(fc.oneof(fc.constantFrom(...odd), fc.string({ maxLength: 6 })), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 5 })
  const places = new Set([
    'text',
    'final_response',
    'output_text',
    'refusal',
    'content',
    'parts',
    'output',
    'audio',
    'tool_calls',
    'toolCalls',
    'invalid_tool_calls',
    'tool_execution_history',
    'function_call',
    'message',
    'choices',
    'candidates',
  ])

  test('no object without a documented place is an answer, unless it is nothing but a call', () => {
    fc.assert(
      fc.property(row, (given) => {
        fc.pre(Object.keys(given).every((key) => !places.has(key)))
        const named = ['name', 'toolName', 'tool_name'].filter((key) => typeof given[key] === 'string' && given[key] !== '')
        const isPlain =
          named.length === 1 &&
          ['arguments', 'args', 'parameters', 'input'].some((key) => key in given) &&
          !['completion', 'answer', 'outputs', 'prompt', 'metadata', 'label', 'value', 'score', 'usage', 'data', 'tool'].some(
            (key) => key in given,
          )
        const isTyped = ['function', 'function_call', 'tool_call', 'tool-call', 'tool_use', 'invalid_tool_call'].includes(
          String(given.type),
        )
        const isWrapped = ['function', 'functionCall', 'toolUse'].some(
          (key) => typeof given[key] === 'object' && given[key] !== null && !Array.isArray(given[key]),
        )
        try {
          const read = readAnswer(given)
          expect([read.text, isPlain || isTyped || isWrapped]).toEqual(['', true])
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableAnswerError)
        }
      }),
    )
  })
})
