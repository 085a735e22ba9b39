import { execFileSync } from 'node:child_process'
import { readAnswerRequest } from '@stickler/core/internal'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seedCallingRun, seedRun, seedRunWithoutTexts } from '../../testing/seed-run.ts'
import { caseOf, curlOf, missingTools, whyNoAnswer } from './reproduce.ts'

const place = { origin: 'http://127.0.0.1:8080', hasKeys: true }

/** What a shell makes of a command: its words. */
function wordsOf(command: string): string[] {
  const said = execFileSync('sh', ['-c', `curl() { printf '%s\\0' "$@"; }; ${command}`], {
    env: { STICKLER_KEY: 'secret' },
    encoding: 'utf8',
  })
  return said.split('\0').slice(0, -1)
}

describe('a run as a command', () => {
  it('is what a shell passes on, whatever the texts are', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("'", '"', '\\', '$(id)', '`id`', '\n', '😀', 'a', '!', '\u0000') }), (text) => {
        const command = curlOf(seedRun('r', { prompt: [{ role: 'user', text }] }), place) ?? ''
        const words = wordsOf(command)
        expect(words.slice(0, -1)).toEqual([
          'http://127.0.0.1:8080/v1/chat/completions',
          '-H',
          'content-type: application/json',
          '-H',
          'authorization: Bearer secret',
          '-d',
        ])
        expect(JSON.parse(words.at(-1) ?? '')).toEqual({ model: 'gpt-5-mini', messages: [{ role: 'user', content: text }], stream: true })
      }),
      { numRuns: 25 },
    )
  })

  it.each([
    [
      'messages',
      '/v1/messages',
      { system: expect.stringContaining('help desk'), messages: [{ role: 'user', content: 'Where is my refund?' }] },
    ],
    ['responses', '/v1/responses', { input: [{ role: 'system' }, { role: 'user', content: 'Where is my refund?' }] }],
    ['check', '/v1/check', { contract: 'support-answer', question: 'Where is my refund?' }],
  ])('of %s', (api, path, body) => {
    const words = wordsOf(curlOf(seedRun('r', { api }), { ...place, hasKeys: false }) ?? '')
    expect(words[0]).toBe(`http://127.0.0.1:8080${path}`)
    expect(JSON.parse(words.at(-1) ?? '')).toMatchObject(body)
  })

  it('is not there without texts', () => {
    expect(curlOf(seedRunWithoutTexts('r'), place)).toBeUndefined()
    expect(caseOf(seedRunWithoutTexts('r'))).toBeUndefined()
  })
})

it('as a case is what `stickler check` reads: the answer as the model wrote it', () => {
  const run = seedRun('r')
  const { answer, context } = readAnswerRequest(JSON.parse(caseOf(run) ?? ''), (param, message) => new Error(`${param} ${message}`))
  expect([answer.text, answer.finishReason, context.question]).toEqual([run.attempts[1]?.text, 'stop', 'Where is my refund?'])
})

it('as a case has calls of custom tools and of groups as what they are', () => {
  const calls = [{ name: 'run', arguments: '{"input":"1"}', kind: 'custom', namespace: 'code' }] as const
  const run = seedRun('r', { attempts: [{ number: 1, call: 'run', ms: 1, issues: [], text: '', toolCalls: calls }] })
  const { answer } = readAnswerRequest(JSON.parse(caseOf(run) ?? ''), (param, message) => new Error(`${param} ${message}`))
  expect(answer.toolCalls).toEqual(calls)
})

describe('the tools of a request', () => {
  const parameters = { type: 'object', properties: { order: { type: 'string' } } }
  const made = { name: 'refund_order', description: 'Refund it.', parameters }
  const context = {
    tools: [
      { type: 'function', function: made },
      { name: 'old', parameters },
    ],
  }
  const calling = { ...seedCallingRun('r'), context }

  it.each([
    [
      'chat',
      [
        { type: 'function', function: made },
        { type: 'function', function: { name: 'old', parameters } },
      ],
    ],
    [
      'responses',
      [
        { type: 'function', ...made },
        { type: 'function', name: 'old', parameters },
      ],
    ],
    [
      'messages',
      [
        { name: 'refund_order', description: 'Refund it.', input_schema: parameters },
        { name: 'old', input_schema: parameters },
      ],
    ],
  ])('are in the command as %s has them', (api, tools) => {
    expect(JSON.parse(wordsOf(curlOf({ ...calling, api }, place) ?? '').at(-1) ?? '')).toMatchObject({ tools })
    expect(missingTools({ ...calling, api })).toBeUndefined()
  })

  it('are in the case, beside the calls', () => {
    const { answer, context: told } = readAnswerRequest(
      JSON.parse(caseOf(calling) ?? ''),
      (param, message) => new Error(`${param} ${message}`),
    )
    expect(answer.toolCalls.map(({ name }) => name)).toEqual(['refund_order', 'send_mail'])
    expect(told.tools).toHaveLength(2)
    expect(JSON.parse(caseOf({ ...calling, context: {} }) ?? '')).toMatchObject({ tools: [] })
    const asked = { toolChoice: 'required', responseFormat: { type: 'json_object' } }
    expect(JSON.parse(caseOf({ ...calling, context: asked }) ?? '')).toMatchObject({
      tool_choice: 'required',
      response_format: { type: 'json_object' },
    })
  })

  it.each([undefined, { 'omitted characters': 40_000 }])('are missed where the record has %j', (kept) => {
    const { context: _context, ...others } = calling
    const run = { ...others, ...(kept && { context: kept }) }
    expect(missingTools(run)).toContain('not kept')
    expect(JSON.parse(caseOf(run) ?? '')).not.toHaveProperty('tools')
  })
})

it.each([
  ['calls that were cut', { toolCalls: [{ name: 'f', arguments: '{', cut: 90 }] }, /tool calls/],
  ['hidden arguments', { toolCalls: [{ name: 'f', arguments: '[hidden]' }] }, /tool calls/],
  ['calls that are not there', {}, /tool calls/],
  ['a failure', { failure: 'network', finishReason: undefined, text: undefined }, /failed/],
])('there is no case of %s', (_, more, why) => {
  const attempt = { number: 1, call: 'run', ms: 1, issues: [], text: '', finishReason: 'tool_calls', ...more }
  const { toolCalls: _calls, ...run } = seedRun('r', { status: 'failed', text: '', repairs: [] })
  const failed = { ...run, attempts: [JSON.parse(JSON.stringify(attempt))] }
  expect(caseOf(failed)).toBeUndefined()
  expect(whyNoAnswer(failed)).toMatch(why)
})
