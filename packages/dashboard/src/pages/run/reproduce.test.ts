import { execFileSync } from 'node:child_process'
import { readAnswerRequest } from '@stickler/core/internal'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { seedRun, seedRunWithoutTexts } from '../../testing/seed-run.ts'
import { caseOf, curlOf } from './reproduce.ts'

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
