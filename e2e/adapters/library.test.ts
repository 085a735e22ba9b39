import { enforce, enforceStream, type Outcome } from '@stickler/core'
import { type ScriptedTurn, scripted } from '@stickler/core/testing'
import { describe, expect, test } from 'vitest'
import { withSoundCalls } from '../../packages/core/src/relay/sound-calls.ts'
import { type AdapterCase, cases, longAnswer, question, refusal, type Seen, weatherSchema } from './cases.ts'
import { readSlowly } from './slow-reader.ts'

const offered = [{ type: 'function', function: { name: 'get_weather', parameters: weatherSchema } }]

function optionsOf({ contract, tools, answers }: Pick<AdapterCase, 'contract' | 'tools' | 'answers'>) {
  const turns = answers.map(({ text = '', piece, calls, finish, refusal: refused }) => ({
    text,
    ...(piece !== undefined && { chunkSize: piece }),
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
  test('a slow reader gets everything, and nothing of what is rejected', async () => {
    expect(await readSlowly(enforceStream(optionsOf(longAnswer)))).toBe(longAnswer.seen.text)
  })

  test('a slow reader slows the model down', async () => {
    const options = optionsOf({ ...longAnswer, answers: longAnswer.answers.slice(1) })
    for await (const _ of enforceStream(options)) {
      await new Promise((resolve) => setTimeout(resolve, 50))
      break
    }
    expect(options.runner.calls).toMatchObject([{ aborted: true }])
    expect(options.runner.calls[0]?.taken).toBeLessThan(10_000)
  })

  const ask = async (turn: ScriptedTurn, isStreamed: boolean, signal?: AbortSignal) => {
    const options = { ...optionsOf(longAnswer), runner: scripted([turn]), ...(signal && { signal }) }
    if (!isStreamed) return { calls: options.runner.calls, outcome: await enforce(options) }
    const stream = enforceStream(options)
    for await (const _ of stream) void _
    return { calls: options.runner.calls, outcome: await stream.outcome }
  }

  test.each([false, true])('an abort midway: stream %s', async (isStreamed) => {
    const { calls, outcome } = await ask({ text: 'Use spaces.', hang: true }, isStreamed, AbortSignal.timeout(50))
    expect([outcome.delivered, outcome.status, calls[0]?.aborted]).toEqual([false, 'failed', true])
  })

  test.each([false, true])('an error of the provider: stream %s', async (isStreamed) => {
    const { outcome } = await ask({ failure: { kind: 'http', message: 'The key is wrong.' } }, isStreamed)
    expect(outcome).toMatchObject({
      delivered: false,
      status: 'failed',
      failure: { message: expect.stringContaining('The key is wrong.') },
    })
  })
})
