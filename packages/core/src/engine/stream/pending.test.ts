import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { cutText } from '../../../../../attack/generators/chunks.ts'
import { contracts } from '../../../../../attack/generators/contracts.ts'
import { mixedTexts } from '../../../../../attack/generators/texts.ts'
import { contract } from '../../../../presets/src/testing/contract.ts'
import type { Contract } from '../../contract/contract.ts'
import { issue } from '../../contract/issue.ts'
import { defineValidator, type IncrementalCheck, type Progress } from '../../contract/validator.ts'
import { assertStreamable, manualClock, type ScriptedTurn, scripted } from '../../testing/index.ts'
import { enforceStream } from '../enforce.ts'
import type { EnforceOptions } from '../run-state.ts'

const runs = 120

type Ask = (text: string) => Promise<boolean>

/** Every text up to a full stop is judged elsewhere; what has no stop yet is held. */
const asked = (ask: Ask) =>
  defineValidator({
    name: 'asked',
    summary: 'Asks elsewhere about every sentence.',
    options: z.strictObject({}).default({}),
    codes: { ASKED: { severity: 'error', when: 'A sentence is wrong.', fix: 'Write another one.' } },
    instruct: () => 'Write right sentences.',
    prepare: () => ({
      async *check({ text }) {
        for (const sentence of text.split(/(?<=\.)/)) if (!(await ask(sentence))) yield issue('ASKED', 'Write another sentence.')
      },
      incremental: () => askedStream(ask),
    }),
  })

function askedStream(ask: Ask): IncrementalCheck<'ASKED'> {
  let text = ''
  let safe = 0
  const go = async (): Promise<Progress<'ASKED'>> => {
    const end = text.indexOf('.', safe) + 1
    if (end === 0) return { safe }
    if (!(await ask(text.slice(safe, end)))) return { safe, failure: { at: end, issues: [issue('ASKED', 'Write another sentence.')] } }
    safe = end
    return text.includes('.', safe) ? { safe, pending: go() } : { safe }
  }
  return {
    push(chunk) {
      text += chunk
      return text.includes('.', safe) ? { safe, pending: go() } : { safe }
    },
  }
}

const right: Ask = async (sentence) => !sentence.includes('wrong')

async function play(turns: (string | ScriptedTurn)[], ask: Ask, options: Partial<EnforceOptions> = {}) {
  const runner = scripted(turns)
  const rules = contract({ checks: [asked(ask)({})], retries: turns.length - 1 })
  const stream = enforceStream({ contract: rules, runner, prompt: 'p', ...options })
  const pieces: string[] = []
  for await (const piece of stream) pieces.push(piece)
  return { outcome: await stream.outcome, pieces, calls: runner.calls }
}

describe('a check that waits for verdicts', () => {
  test('has its safe text shown before the verdict, and the next chunk read after it', async () => {
    const log: string[] = []
    const ask: Ask = async (sentence) => {
      log.push(`asked ${sentence}`)
      await new Promise((resolve) => setTimeout(resolve, 5))
      log.push(`judged ${sentence}`)
      return true
    }
    const rules = contract({ checks: [asked(ask)({})] })
    const stream = enforceStream({ contract: rules, runner: scripted([{ chunks: ['One', '.', 'Two.'] }]), prompt: 'p' })
    for await (const piece of stream) log.push(`shown ${piece}`)
    expect(log.slice(0, 6)).toEqual(['asked One.', 'judged One.', 'shown One.', 'asked Two.', 'judged Two.', 'shown Two.'])
  })

  test('stops a call at a bad verdict, and the retry goes on from what was shown', async () => {
    const { outcome, pieces, calls } = await play([{ chunks: ['Fine. ', 'Quite wrong. ', 'More.'] }, 'All right.'], right)
    expect(pieces.join('')).toBe('Fine.All right.')
    expect(outcome).toMatchObject({ status: 'valid', attempts: 2 })
    expect(calls[0]).toMatchObject({ aborted: true, taken: 'Fine. Quite wrong. '.length })
  })

  test('holds the text to the end when the promise is rejected', async () => {
    let calls = 0
    const ask: Ask = async () => {
      if (++calls === 2) throw new Error('gone')
      return true
    }
    const { outcome, pieces } = await play([{ chunks: ['One.', 'Two.', 'Three.', 'Four.'] }], ask)
    expect(pieces).toEqual(['One.', 'Two.Three.Four.'])
    expect(outcome.status).toBe('valid')
  })

  test('holds the text to the end when the verdict takes longer than the time limit', async () => {
    const clock = manualClock()
    let calls = 0
    const ask: Ask = () => (++calls === 1 ? new Promise(() => setTimeout(() => clock.advance(5000))) : Promise.resolve(true))
    const { outcome, pieces } = await play([{ chunks: ['One.', 'Two.'] }], ask, { clock })
    expect(pieces).toEqual(['One.Two.'])
    expect(outcome.status).toBe('valid')
  })

  test.each(['abort', 'deadline'])('stops waiting at an %s', async (kind) => {
    const leaving = new AbortController()
    const clock = manualClock()
    const end = () => (kind === 'abort' ? leaving.abort() : clock.advance(1000))
    const never: Ask = () => new Promise(() => setTimeout(end))
    const rules = contract({ checks: [asked(never)({})], ...(kind === 'abort' ? {} : { budget: { deadlineMs: 1000 } }) })
    const stream = enforceStream({ contract: rules, runner: scripted(['One.']), prompt: 'p', signal: leaving.signal, clock })
    for await (const piece of stream) expect(piece).toBe('')
    expect(await stream.outcome).toMatchObject({ status: 'failed', failure: { kind: kind === 'abort' ? 'aborted' : 'deadline' } })
  })

  test('is asked a bounded number of times again when the reason of a stop is searched for', async () => {
    const sentences = Array.from({ length: 40 }, (_, index) => `Sentence ${index}.`)
    const asked40: string[] = []
    const ask: Ask = async (sentence) => {
      asked40.push(sentence)
      return right(sentence)
    }
    const rules = contract({ checks: [asked(ask)({}), { max_words: { limit: 60 } }], retries: 0 })
    const text = `${sentences.join(' ')} This is wrong.${' More words.'.repeat(40)}`
    const stream = enforceStream({ contract: rules, runner: scripted([{ chunks: [text] }]), prompt: 'p' })
    for await (const piece of stream) expect(piece).not.toBe('')
    expect((await stream.outcome).status).toBe('unresolved')
    expect(asked40.length).toBeLessThan(sentences.length * 8)
  })

  test('may keep verdicts for the attempts and checks of one run', async () => {
    const seen: (Map<unknown, unknown> | undefined)[] = []
    const remembers = defineValidator({
      ...asked(right).definition,
      prepare: () => ({
        // biome-ignore lint/correctness/useYield: it only looks at its context.
        *check(_answer, { memory }) {
          seen.push(memory)
        },
        incremental({ memory }) {
          seen.push(memory)
          return askedStream(right)
        },
      }),
    })
    const run = async () => {
      const runner = scripted([{ chunks: ['Fine.', 'This is wrong.'] }, 'Good.'])
      const stream = enforceStream({ contract: contract({ checks: [remembers({})] }), runner, prompt: 'p' })
      for await (const piece of stream) expect(piece).not.toBe('')
      return seen.splice(0)
    }
    const [first, second] = [await run(), await run()]
    expect([first.length, new Set(first).size, first[0] instanceof Map]).toEqual([3, 1, true])
    expect(second[0]).not.toBe(first[0])
  })

  test.each(['Fine. One wrong. Two. Wrong wrong.', 'a b c d wrong. e', 'One.Two.Three wrong words here', '.wrong.'])(
    'gives one verdict for every chunking, also beside others that fail: %s',
    async (text) => {
      const check = asked(right)({})
      await assertStreamable(contract({ checks: [check] }), text)
      await assertStreamable(contract({ checks: [{ max_words: { limit: 4 } }, check] }), text)
      await assertStreamable(contract({ checks: [check, 'step_marker'] }), text)
    },
  )
})

describe('any contract whose checks wait at random', { timeout: 3_600_000 }, () => {
  test('comes out as the contract whose checks never wait', async () => {
    const lengths = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(contracts, mixedTexts, lengths, fc.infiniteStream(fc.nat(3)), async (input, text, sizes, delays) => {
        const rules = contract({ ...input, retries: 0 })
        const streamed = async (one: Contract) => {
          const stream = enforceStream({ contract: one, runner: scripted([{ chunks: cutText(text, sizes) }]), prompt: '' })
          let shown = ''
          for await (const piece of stream) shown += piece
          const { usage: _usage, ...outcome } = await stream.outcome
          return { outcome, shown }
        }
        const [waiting, ready] = [await streamed(slowed(rules, delays)), await streamed(rules)]
        expect(waiting.outcome).toEqual(ready.outcome)
        // Before a verdict that stops the stream, safe text of the same chunk may have been shown.
        expect(waiting.shown.startsWith(ready.shown)).toBe(true)
        expect(waiting.outcome.text.startsWith(waiting.shown)).toBe(true)
      }),
      { numRuns: runs },
    )
  })
})

/** The same contract with incremental checks that tell what they know some turns of the event loop later. */
function slowed(rules: Contract, delays: Iterator<number>): Contract {
  const wait = async (progress: Progress, turns: number): Promise<Progress> => {
    for (let turn = 0; turn < turns; turn++) await Promise.resolve()
    return turns % 2 === 0 ? progress : { safe: 0, pending: Promise.resolve(progress) }
  }
  const slow = (check: IncrementalCheck): IncrementalCheck => {
    let safe = 0
    return {
      push(chunk, reader) {
        const progress = check.push(chunk, reader)
        const before = safe
        safe = progress.safe
        const turns = delays.next().value as number
        return turns === 0 ? progress : { safe: before, pending: wait(progress, turns) }
      },
    }
  }
  const validators = rules.validators.map((validator) => {
    const { prepared } = validator
    const incremental = prepared.incremental?.bind(prepared)
    return incremental
      ? { ...validator, prepared: { ...prepared, incremental: (context: never, told: never) => slow(incremental(context, told)) } }
      : validator
  })
  return { ...rules, validators }
}
