import { enforce, enforceStream, type Outcome } from '@stickler/core'
import { scripted } from '@stickler/core/testing'
import { describe, expect, test } from 'vitest'
import { withSoundCalls } from '../../packages/core/src/relay/sound-calls.ts'
import { type AdapterCase, cases, question, refusal, type Seen, weatherSchema } from './cases.ts'

const offered = [{ type: 'function', function: { name: 'get_weather', parameters: weatherSchema } }]

function optionsOf({ contract, tools, answers }: Pick<AdapterCase, 'contract' | 'tools' | 'answers'>) {
  const turns = answers.map(({ text = '', calls, finish, refusal: refused }) => ({
    text,
    finishReason: finish ?? (calls ? 'tool_calls' : refused === undefined ? 'stop' : 'refusal'),
    ...(calls && { toolCalls: calls.map((call, at) => ({ id: `call_${at}`, ...call })) }),
  }))
  return { contract: withSoundCalls(contract), runner: scripted(turns), prompt: question, context: { tools: tools ? offered : [] } }
}

function seenOf({ delivered, text, toolCalls, status, attempts, issues }: Outcome): Seen {
  if (!delivered) {
    const code = issues.find(({ severity }) => severity === 'error')?.code
    return { delivered, status, attempts, ...(code !== undefined && { code }) }
  }
  const calls = toolCalls.map(({ name, arguments: given }) => ({ name, arguments: JSON.parse(given) as unknown }))
  return { delivered, text, calls, status, attempts }
}

describe('the library has the outcome that all adapters have', () => {
  test.each(cases)('$name, whole', async (one) => {
    expect(seenOf(await enforce(optionsOf(one)))).toEqual(one.seen)
  })

  test.each(cases)('$name, streamed', async (one) => {
    const stream = enforceStream(optionsOf(one))
    for await (const _ of stream) void _
    expect(seenOf(await stream.outcome)).toEqual(one.seen)
  })

  test('a refusal', async () => {
    expect(seenOf(await enforce(optionsOf(refusal)))).toMatchObject(refusal.thrown)
  })

  test('a refusal, streamed', async () => {
    const stream = enforceStream(optionsOf(refusal))
    for await (const _ of stream) void _
    expect(seenOf(await stream.outcome)).toMatchObject(refusal.thrown)
  })
})
