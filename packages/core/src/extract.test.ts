import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { ConfigurationError } from './contract/configuration-error.ts'
import { defineContract } from './contract/define-contract.ts'
import { UndeliveredError } from './engine/results/undelivered-error.ts'
import { extract } from './extract.ts'
import { fromFunction } from './runners/from-function.ts'
import { maxWords } from './validators/max-words.ts'

const schema = z.object({ name: z.string(), age: z.int() })
const prompt = 'Who is it?'

/** A model that gives these answers one after the other, and what it was asked. */
function playing(...answers: (string | object)[]) {
  const asked: string[] = []
  return {
    asked,
    model: (messages: { role: string; content: string }[]) => {
      asked.push(messages.map(({ role, content }) => `${role}: ${content}`).join('\n'))
      return answers.shift() ?? ''
    },
  }
}

describe('extract', () => {
  it('returns the value that the schema describes, and tells the model the schema', async () => {
    const { model, asked } = playing('Here:\n```json\n{"name":"Ada","age":36,}\n```')
    expect(await extract({ schema, model, prompt })).toEqual({ name: 'Ada', age: 36 })
    expect(asked).toHaveLength(1)
    expect(asked[0]).toContain('"age"')
    expect(asked[0]).toContain(prompt)
  })

  it('takes a JSON Schema and a runner too', async () => {
    const runner = fromFunction(() => '[1, 2]')
    expect(await extract({ schema: { type: 'array', items: { type: 'integer' } }, runner, prompt })).toEqual([1, 2])
  })

  it('asks again with what is wrong', async () => {
    const { model, asked } = playing('{"name":"Ada","age":"old"}', '{"name":"Ada","age":36}')
    expect(await extract({ schema, model, prompt })).toEqual({ name: 'Ada', age: 36 })
    expect(asked).toHaveLength(2)
    expect(asked[1]).toContain('assistant: {"name":"Ada","age":"old"}')
  })

  it.each<[string, (string | object)[], object]>([
    [
      'an answer that never matches',
      ['{}', '{}', '{}', '{}'],
      { status: 'unresolved', issues: [{ code: 'SCHEMA_MISMATCH' }, { code: 'SCHEMA_MISMATCH' }] },
    ],
    ['no JSON', ['no'], { status: 'unresolved', issues: [{ code: 'MISSING_JSON' }] }],
    ['JSON that was cut off', ['{"name":"Ada","a'], { status: 'unresolved', issues: [{ code: 'TRUNCATED' }] }],
    [
      'a turn that only calls tools',
      [
        {
          choices: [
            {
              message: { content: null, tool_calls: [{ id: '1', type: 'function', function: { name: 'f', arguments: '{}' } }] },
              finish_reason: 'tool_calls',
            },
          ],
        },
      ],
      { status: 'unresolved', issues: [{ code: 'MISSING_JSON' }] },
    ],
    ['what is no answer', [{ nothing: true }], { status: 'failed', failure: { kind: 'crash' } }],
  ])('throws for %s', async (_, answers, error) => {
    const { model } = playing(...answers)
    const thrown = await extract({ schema, model, retries: answers.length - 1, prompt }).catch((caught: unknown) => caught)
    expect(thrown).toBeInstanceOf(UndeliveredError)
    expect(thrown).toMatchObject(error)
  })

  it('runs further checks', async () => {
    const { model } = playing('{"name":"Ada","age":36} and some more words')
    await expect(extract({ schema, model, retries: 0, prompt, checks: [maxWords({ limit: 2 })] })).rejects.toThrow('MAX_WORDS')
  })

  it('stops when it is aborted', async () => {
    const signal = AbortSignal.abort()
    await expect(extract({ schema, model: () => '{}', prompt, signal })).rejects.toMatchObject({
      status: 'failed',
      failure: { kind: 'aborted' },
    })
  })

  it.each<[string, object]>([
    ['neither a runner nor a model', {}],
    ['both', { runner: fromFunction(() => ''), model: () => '' }],
    ['an option that does not exist', { model: () => '', retires: 1 }],
    ['a contract, which it makes itself', { model: () => '', contract: defineContract({ checks: [] }) }],
    ['a schema that is none', { model: () => '', schema: { type: 'strnig' } }],
    ['no schema', { model: () => '', schema: undefined }],
    ['one check that is in no list', { model: () => '', checks: maxWords({ limit: 2 }) }],
  ])('rejects %s', async (_, options) => {
    await expect(extract({ schema, prompt, ...options } as Parameters<typeof extract>[0])).rejects.toThrow(ConfigurationError)
  })

  it.each([
    ['its own options', { retires: 1 }, /unknown option "retires"; did you mean "retries"\?/],
    [
      'how checks are passed',
      { checks: ['citations'] },
      /pass a validator itself, such as one of @stickler\/core\/validators, not its name/,
    ],
  ])('says %s', async (_, options, message) => {
    await expect(extract({ schema, prompt, model: () => '', ...options } as Parameters<typeof extract>[0])).rejects.toThrow(message)
  })
})
