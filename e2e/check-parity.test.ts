import { answerFields } from '@stickler/core/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readRequest } from '../packages/cli/src/check/check-lines.ts'
import { HttpError } from '../packages/core/src/apis/shared/http-error.ts'
import { readCheckRequest } from '../packages/gateway/src/routes/check/check-request.ts'

const call = { id: 'a', type: 'function', function: { name: 'ping', arguments: '{}' } }
const tool = { name: 'ping', parameters: { type: 'object' } }
const turn = { role: 'assistant', content: null, tool_calls: [call] }

/** For each field a body that uses it, and a value that it cannot have. */
const cases: Readonly<Record<string, readonly [good: object, bad?: unknown]>> = {
  text: [{ text: 'Hi.' }, 7],
  tool_calls: [{ tool_calls: [call] }, {}],
  function_call: [{ function_call: call.function }, 'x'],
  invalid_tool_calls: [{ text: 'Hi.', invalid_tool_calls: [{ name: 'ping', args: '{', error: 'no' }] }, 7],
  tool_execution_history: [{ tool_execution_history: [{ tool_name: 'ping', arguments: {} }] }, {}],
  message: [{ message: turn }, { foo: 1 }],
  response: [{ response: { choices: [{ message: turn, finish_reason: 'tool_calls' }] } }, { choices: [{}, {}] }],
  finish_reason: [{ text: 'Hi.', finish_reason: 'length' }, 7],
  stop_reason: [{ text: 'Hi.', stop_reason: 'max_tokens' }, 7],
  tools: [{ text: 'Hi.', tools: { ping: { inputSchema: { type: 'object' } } } }, 7],
  functions: [{ text: 'Hi.', tools: [tool], functions: [tool] }, {}],
  tool_choice: [{ text: 'Hi.', tool_choice: 'none' }, 7],
  response_format: [{ text: 'Hi.', response_format: { type: 'json_object' } }, 7],
  parallel_tool_calls: [{ text: 'Hi.', parallel_tool_calls: false }, 'no'],
  prompt: [{ text: 'Hi.', prompt: 'Who?' }, 7],
  messages: [{ text: 'Hi.', messages: [turn] }, {}],
  input: [{ text: 'Hi.', input: [{ type: 'function_call', call_id: 'a', name: 'ping', arguments: '{}' }] }, 7],
  previous_response_id: [{ text: 'Hi.', previous_response_id: 'resp_1' }, 7],
  conversation: [{ text: 'Hi.', conversation: { id: 'conv_1' } }, 7],
  transcript: [{ text: 'Hi.', transcript: [{ name: 'ping', ok: true }] }, 'ping'],
  expected_sequence: [{ text: 'Hi.', expected_sequence: ['ping'] }, 'ping'],
  sources: [{ text: 'Hi.', sources: 3 }, -1],
  question: [{ text: 'Hi.', question: 'Who?' }, 7],
  context: [{ text: 'Hi.', context: { any: 1 } }],
}

function read(reader: typeof readRequest | typeof readCheckRequest, body: object): unknown {
  const { answer, rawToolCalls, context } = reader(body as Readonly<Record<string, unknown>>)
  return { text: answer.text, toolCalls: answer.toolCalls, finishReason: answer.finishReason, rawToolCalls, context }
}

describe('a JSON line and a body of /v1/check', () => {
  test('have the same fields', () => {
    expect(Object.keys(cases)).toEqual(answerFields())
  })

  test.each(Object.entries(cases))('read %s alike', (name, [good, bad]) => {
    const told = read(readRequest, good)
    expect(read(readCheckRequest, good)).toEqual(told)
    // The field has an effect.
    expect(told).not.toEqual(
      read(readRequest, { ...good, [name]: undefined, text: name === 'text' || !('text' in good) ? 'Another.' : good.text }),
    )
    if (bad === undefined) return
    const wrong = name === 'message' || name === 'response' ? { [name]: bad } : { ...good, [name]: bad }
    for (const reader of [readRequest, readCheckRequest]) expect(() => read(reader, wrong)).toThrow(new RegExp(`^${name}:? `))
  })

  test('are read or refused alike, with the same words, whatever they hold', () => {
    fc.assert(
      fc.property(body, (given) => {
        const [line, request] = [readRequest, readCheckRequest].map((reader) => outcome(reader, given))
        expect(request).toEqual(line)
      }),
      { numRuns: 500 },
    )
  })
})

/** What is read, or what is wrong: the field and the words, in whatever form they are told. */
function outcome(reader: typeof readRequest | typeof readCheckRequest, given: object): unknown {
  try {
    const { missing } = reader(given as Readonly<Record<string, unknown>>)
    return { ...(read(reader, given) as object), missing: missing?.message.replace(/^text:? |\.$/g, '') }
  } catch (error) {
    if (reader === readCheckRequest) expect(error).toBeInstanceOf(HttpError)
    return (error as Error).message.replace(/^([\w.[\]]+):? /, '$1 ').replace(/\.$/, '')
  }
}

const values = Object.values(cases).flatMap(([good, bad]) => [...Object.values(good), bad])
const many = Array.from({ length: 50_001 }, () => 0)
const anything = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...values) },
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    'x'.repeat(257),
    0,
    -1,
    1.5,
    1e300,
    true,
    [],
    {},
    [null],
    [[]],
    { content: 7 },
    { type: 'function' },
  ),
  fc.constantFrom<unknown>([{ parameters: { enum: many } }], { f: { required: many } }, { transcript: 7 }, { expected_sequence: [7] }),
  fc.jsonValue({ maxDepth: 3 }),
)
/** A few of the fields that both have, most of them with a value that some field may have. */
const body = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...answerFields(), 'repair'), anything), { maxLength: 5, selector: ([name]) => name })
  .map((entries) => Object.fromEntries(entries))
