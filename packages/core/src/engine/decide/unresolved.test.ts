import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cutText } from '../../../../../attack/generators/chunks.ts'
import { contracts } from '../../../../../attack/generators/contracts.ts'
import { mixedTexts } from '../../../../../attack/generators/texts.ts'
import { type ContractByName, contract } from '../../../../presets/src/testing/contract.ts'
import { type ScriptedTurn, scripted } from '../../runners/scripted.ts'
import { enforce, enforceStream } from '../enforce.ts'
import type { Outcome } from '../outcome.ts'

const runs = 100

const ways = ['whole', 'hold', 'verified'] as const
type Way = (typeof ways)[number]

async function play(input: ContractByName, turns: readonly (string | ScriptedTurn)[], way: Way) {
  const runner = scripted(turns)
  const given = { contract: contract({ ...input, stream: way === 'verified' ? way : 'hold' }), runner, prompt: 'Q' }
  if (way === 'whole') {
    const outcome = await enforce(given)
    return { outcome, shown: outcome.delivered ? outcome.text : '', calls: runner.calls }
  }
  const stream = enforceStream(given)
  let shown = ''
  for await (const piece of stream) shown += piece
  return { outcome: await stream.outcome, shown, calls: runner.calls }
}

const short: ContractByName = { checks: [{ max_words: { limit: 3 } }], retries: 1, unresolved: 'deliver' }
const long = 'one two three four five'

describe.each(ways)('an answer that stays invalid, %s', (way) => {
  test('is delivered after the retries with its issues', async () => {
    const { outcome, shown, calls } = await play(
      short,
      [
        { text: `${long} six`, chunkSize: 4 },
        { text: long, chunkSize: 4 },
      ],
      way,
    )
    expect(outcome).toMatchObject({ status: 'unresolved', delivered: true, attempts: 2, reason: 'no-retries-left' })
    expect(outcome.issues.map(({ code }) => code)).toEqual(['MAX_WORDS'])
    expect(shown).toBe(outcome.text)
    expect(outcome.value).toBeUndefined()
    // What may be delivered is read to its end.
    expect(calls.map(({ aborted }) => aborted)).toEqual([false, false])
  })

  test('is not delivered when the retry is right', async () => {
    const rules: ContractByName = { ...short, checks: [{ step_marker: { requireAtEnd: true } }], repair: 'never' }
    const { outcome, shown } = await play(rules, ['A <!-- STEP: nope -->', '<!-- STEP: done -->'], way)
    expect(outcome).toMatchObject({ status: 'valid', attempts: 2 })
    expect(shown).toBe(outcome.text)
  })

  test.each<[string, ScriptedTurn]>([
    ['connection', { failure: { kind: 'connection' } }],
    ['http', { failure: { kind: 'http', status: 503, message: 'overloaded' } }],
    ['empty', { text: '' }],
  ])('is delivered as it was judged when the retry fails by %s', async (kind, failing) => {
    const { outcome, shown } = await play(short, [{ text: long, chunkSize: 5 }, failing], way)
    expect(outcome).toMatchObject({
      status: 'unresolved',
      delivered: true,
      text: long,
      attempts: 2,
      reason: 'runner-failed',
      failure: { kind },
    })
    expect(outcome.issues).toHaveLength(1)
    expect(shown).toBe(long)
  })

  test('is not asked for again without end', async () => {
    const { outcome, calls } = await play({ ...short, retries: 5 }, [long, long, long], way)
    expect(calls.length).toBeLessThanOrEqual(3)
    expect(outcome).toMatchObject({ status: 'unresolved', delivered: true })
  })
})

test('a reply that contradicts what was shown follows it, and is judged with it', async () => {
  const rules: ContractByName = { checks: [{ step_marker: { requireAtEnd: true } }], retries: 1, repair: 'never', unresolved: 'deliver' }
  const first = { text: 'Here is the plan for today: <!-- STEP: nope -->', chunkSize: 3 }
  const second = { text: 'Here is the plan for tomorrow: <!-- STEP: done -->', chunkSize: 3 }
  const { outcome, shown } = await play(rules, [first, second], 'verified')
  expect(shown).toBe(`Here is the plan for today: \n\n${second.text}`)
  expect(outcome).toMatchObject({ status: 'valid', attempts: 2, text: shown })
})

describe('any answer without a retry', { timeout: 3_600_000 }, () => {
  test('comes out as in mode lenient, which always delivers', async () => {
    const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(contracts, mixedTexts, sizes, fc.constantFrom(...ways), async (input, text, lengths, way) => {
        const rules: ContractByName = { ...input, retries: 0, unchecked: 'deliver' }
        // Both repair whatever they can, so the order of repairs must not matter.
        const strict = await play({ ...rules, mode: 'strict', unresolved: 'deliver' }, [{ chunks: cutText(text, lengths) }], way)
        const lenient = await play({ ...rules, mode: 'lenient' }, [{ chunks: cutText(text, lengths) }], way)
        expect(comparable(strict.outcome)).toEqual(comparable(lenient.outcome))
        if (strict.outcome.status !== 'failed') expect([strict.outcome.delivered, strict.shown]).toEqual([true, strict.outcome.text])
      }),
      { numRuns: runs },
    )
  })
})

function comparable({ reason: _reason, ...outcome }: Outcome): Omit<Outcome, 'reason' | 'ok' | 'unwrap'> {
  return outcome
}
