import { type as arktype } from 'arktype'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { cut, damages, pieceSizes, tripSchema, tripSchemas, trips, wrappings } from '../../../../../attack/generators/trips.ts'
import { contract } from '../../catalogue.ts'
import { enforce, enforceStream } from '../../engine/enforce.ts'
import type { TraceEvent } from '../../engine/trace.ts'
import { type ScriptedTurn, scripted } from '../../runners/scripted.ts'
import { json } from './index.ts'

const runs = 40
const right = '{"city": "Ulm", "days": 2}'

type Stopped = Extract<TraceEvent, { type: 'attempt-stopped' }>

async function play(first: ScriptedTurn, options: Parameters<typeof json>[0], policy: object = {}) {
  const runner = scripted([first, right])
  let stopped: Stopped | undefined
  const onEvent = (event: TraceEvent) => {
    if (event.type === 'attempt-stopped') stopped ??= event
  }
  const stream = enforceStream({ contract: contract({ checks: [json(options)], retries: 1, ...policy }), runner, prompt: 'p', onEvent })
  const outcome = await stream.outcome
  return { outcome, stopped, taken: runner.calls[0]?.taken }
}

const tail = `, "note": "${'and so on '.repeat(20)}"}`

describe('a stream that only the model can correct is stopped', () => {
  test.each<[string, string, string, object]>([
    ['a scalar of the wrong type', '{"city": "Ulm", "days": "many"', 'SCHEMA_MISMATCH', {}],
    ['another word than those allowed', '{"pace": "never"', 'SCHEMA_MISMATCH', {}],
    ['an item too many', '{"tags": ["a", "b", "c", "d", "e", "f"]', 'SCHEMA_MISMATCH', {}],
    ['a list for an object', '[{"city": "Ulm"', 'SCHEMA_MISMATCH', {}],
    ['a list for a text', '{"city": [', 'SCHEMA_MISMATCH', {}],
    ['a part that lacks something', '{"stops": [{"hours": 1}', 'SCHEMA_MISMATCH', {}],
    ['an unknown key, where nothing may be removed', '{"stops": [{"name": "a", "zip": 1', 'SCHEMA_MISMATCH', { allow: ['lossless'] }],
    ['what is not JSON for good', '{"city": :', 'INVALID_JSON', {}],
    ['in a code block', 'Here:\n\n```json\n{"days": "many"', 'SCHEMA_MISMATCH', {}],
    ['behind prose', 'Here it is:\n{"days": "many"', 'SCHEMA_MISMATCH', {}],
    ['behind reasoning', '<think>{"days": 1}</think>{"days": "many"', 'SCHEMA_MISMATCH', {}],
  ])('%s', async (_name, text, code, options) => {
    const whole = text + tail
    for (const chunkSize of [1, 3, whole.length]) {
      const { outcome, stopped, taken } = await play({ text: whole, chunkSize }, { schema: tripSchema, ...options })
      expect(stopped?.issues.map((issue) => issue.code)).toEqual(expect.arrayContaining([code]))
      expect(outcome).toMatchObject({ status: 'valid', attempts: 2, value: { city: 'Ulm', days: 2 } })
      if (chunkSize === 1) expect(taken).toBeLessThan(text.length + 12)
    }
  })

  test.each<[string, string, object, object]>([
    ['what a repair makes right', '{"city": "Ulm", "days": "2"', {}, {}],
    ['where a guess is allowed', '{"city": "Ulm", "days": "many"', { allow: ['guess'] }, { allow: ['guess'] }],
    ['an attempt that may be the last one', '{"city": "Ulm", "days": "many"', {}, { retries: 0, lastResort: ['guess'] }],
    ['a budget that may end the run', '{"city": "Ulm", "days": "many"', {}, { budget: { tokens: 100_000 }, lastResort: ['guess'] }],
    ['a contract that is read to its end', '{"city": "Ulm", "days": "many"', {}, { stop: 'end' }],
    ['null for what need not be there', '{"city": "Ulm", "days": 2, "tags": null', {}, { allow: ['lossless', 'lossy'] }],
    ['a reference', '[1] says "many"', {}, {}],
    ['an object in a sentence', 'Not {"days": "many"} but this:', {}, {}],
  ])('but not %s', async (_name, text, options, policy) => {
    expect((await play({ text: text + tail, chunkSize: 2 }, { schema: tripSchema, ...options }, policy)).stopped).toBeUndefined()
  })

  test.each([
    ['Zod', z.object({ city: z.string(), days: z.int() })],
    ['ArkType', arktype({ city: 'string', days: 'number.integer' })],
  ])('by the schema of %s', async (_name, schema) => {
    const text = `{"city": 7.5, "days": {"from": 1}${tail}`
    const { outcome, stopped } = await play({ text, chunkSize: 2 }, { schema })
    expect([stopped?.issues[0]?.code, stopped?.issues[0]?.path]).toEqual(['SCHEMA_MISMATCH', ['days']])
    expect(outcome).toMatchObject({ status: 'valid', attempts: 2 })
  })

  test('and the model is told what is wrong', async () => {
    const events: TraceEvent[] = []
    const runner = scripted([`{"city": "Ulm", "days": "many"${tail}`, right])
    const stream = enforceStream({
      contract: contract({ checks: [json({ schema: tripSchema })] }),
      runner,
      prompt: 'p',
      onEvent: (event) => events.push(event),
    })
    expect((await stream.outcome).status).toBe('valid')
    expect(events.flatMap((event) => (event.type === 'feedback-sent' ? [event.feedback] : [])).join()).toContain(
      'Make days an integer; it is the string',
    )
  })
})

describe('on any text', { timeout: 3_600_000 }, () => {
  const policies = fc.constantFrom<object>(
    {},
    { repair: 'never' },
    { repair: 'last' },
    { allow: ['lossless', 'lossy'] },
    { allow: ['lossy'] },
  )

  test.each(['~~~ {"days": "x"}', '```json {"days": "x"}', '~~~json title={"days": "x"}'])(
    'no line that opens a fence is a value: %s',
    async (opening) => {
      const text = `${opening}\n${right}\n${opening.slice(0, 3)}\n`
      for (const chunkSize of [1, 3, text.length])
        expect(await play({ text, chunkSize }, { schema: tripSchema })).toMatchObject({ outcome: { text }, stopped: undefined })
    },
  )

  test('only what the whole check rejects is stopped, at the same place for every chunking', async () => {
    await fc.assert(
      fc.asyncProperty(trips, tripSchemas, wrappings, damages, pieceSizes, policies, async (value, schema, wrap, damage, sizes, policy) => {
        const text = wrap(damage(JSON.stringify(value)))
        const rules = contract({ checks: [json({ schema })], retries: 1, ...policy })
        const whole = await enforce({ contract: rules, runner: scripted([text, right]), prompt: 'p' })
        const streamed = await play({ chunks: cut(text, sizes) }, { schema }, policy)
        const uncut = await play({ text }, { schema }, policy)
        if (whole.attempts === 1 && streamed.stopped) throw new Error(`stopped at ${streamed.stopped.offset}: ${JSON.stringify(text)}`)
        if (whole.attempts === 1) expect(streamed.outcome).toMatchObject({ status: whole.status, attempts: 1, value: whole.value })
        expect([uncut.stopped?.offset, uncut.stopped?.issues]).toEqual([streamed.stopped?.offset, streamed.stopped?.issues])
      }),
      { numRuns: runs },
    )
  })
})
