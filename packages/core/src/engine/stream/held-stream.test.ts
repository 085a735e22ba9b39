import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { chunkLengths, cutText } from '../../../../../attack/generators/chunks.ts'
import { contracts, validatorsOf } from '../../../../../attack/generators/contracts.ts'
import { offerContext, offers, scriptedTurn, scriptsFor } from '../../../../../attack/generators/scripts.ts'
import { type ContractByName, contract } from '../../../../presets/src/testing/contract.ts'
import { issue } from '../../contract/issue.ts'
import type { FilePort } from '../../contract/ports.ts'
import { defineValidator } from '../../contract/validator.ts'
import { type ScriptedTurn, scripted } from '../../runners/scripted.ts'
import { manualClock } from '../../testing/manual-clock.ts'
import { enforce, enforceStream } from '../enforce.ts'
import type { FailureKind } from '../runner-failure.ts'

const runs = 120

const files: FilePort = {
  kind: async (path) => (path.startsWith('src') ? 'file' : 'missing'),
  list: async () => ['src/a.ts', 'src/b.ts'],
}

/** What a run brought, and what the model was asked in it. */
async function play(rules: ContractByName, turns: readonly ScriptedTurn[], isStreamed: boolean, context = {}) {
  const runner = scripted(turns)
  const given = { contract: contract(rules), runner, prompt: 'Tabs or spaces?', context, ports: { files } }
  const shown: string[] = []
  const streamed = isStreamed ? enforceStream(given) : undefined
  if (streamed) for await (const piece of streamed) shown.push(piece)
  const outcome = streamed ? await streamed.outcome : await enforce(given)
  const asked = runner.calls.map(({ kind, session, prompt, feedback, rejected }) => ({ kind, session, prompt, feedback, rejected }))
  return { outcome, asked, shown, calls: runner.calls }
}

const faults = fc.constantFrom<FailureKind | undefined>(undefined, undefined, undefined, 'connection', 'timeout', 'http', 'empty', 'crash')
const budgets = fc.constantFrom({}, {}, { attempts: 2 }, { tokens: 30 }, { tokens: 200, money: 0.5 })
const presets = fc.constantFrom<ContractByName>({ preset: 'helix' }, { preset: 'techtime' }, { preset: 'reddb' })
const policies = fc.oneof({ weight: 5, arbitrary: contracts }, { weight: 1, arbitrary: presets })

describe('a held stream', { timeout: 3_600_000 }, () => {
  test('of any contract and model, in any chunks, is the run without a stream', async () => {
    const cases = fc
      .tuple(policies, budgets, offers, chunkLengths, faults, fc.boolean())
      .chain(([rules, budget, offer, lengths, fault, late]) =>
        scriptsFor(rules.preset === undefined ? validatorsOf(rules) : ['step_marker', 'adr_structure', 'citations']).map((turns) => {
          const retries = fault === undefined ? turns.length - 1 : turns.length
          return { rules: { ...rules, budget, retries, stream: 'hold' as const }, turns, offer, lengths, fault, late }
        }),
      )
    await fc.assert(
      fc.asyncProperty(cases, async ({ rules, turns, offer, lengths, fault, late }) => {
        const failing = (cut: boolean): ScriptedTurn[] => {
          if (fault === undefined) return []
          if (!late) return [{ failure: { kind: fault } }]
          return [{ ...(cut ? { chunks: ['ha', 'lf'] } : { text: 'half' }), failAfterText: { kind: fault } }]
        }
        const context = { ...offerContext(offer), sources: 1 }
        const whole = await play(rules, [...turns.map((turn) => scriptedTurn(turn)), ...failing(false)], false, context)
        const cut = turns.map((turn) => scriptedTurn(turn, cutText(turn.text, lengths)))
        const held = await play(rules, [...cut, ...failing(true)], true, context)
        // In mode shadow everything is passed on, so that a failure finds text that was shown.
        const isShown = rules.mode === 'shadow' && whole.outcome.status === 'failed'
        expect({ ...held.outcome, ...(isShown ? { text: '' } : {}) }).toEqual(whole.outcome)
        expect(held.asked).toEqual(whole.asked)
        expect(held.calls.some(({ aborted }) => aborted)).toBe(false)
      }),
      { numRuns: runs },
    )
  })

  test('tells the model all issues at once, as HELIX needs it', async () => {
    const sections = { Kontext: '## Kontext\n', Entscheidung: '## Entscheidung\n', Akzeptanzkriterien: '## Akzeptanzkriterien\n' }
    /** A model that mends exactly what it is told. */
    const turns = ['---\nadr_id: 1\n---\n\n# ADR-001\n\nText', '---\nadr_id: 1\ntitle: t\nstatus: s\n---\n\n# ADR-001\n\nText']
    const good = `${turns[1]}\n\n${Object.values(sections).join('\n- [ ] a\n- [ ] b\n- [ ] c\n')}\n- [ ] a\n\n<!-- STEP: generate -->\n`
    const script = [...turns, good].map((text) => ({ text, chunkSize: 7 }))
    const whole = await play({ preset: 'helix' }, script, false)
    const held = await play({ preset: 'helix' }, script, true)
    expect(held.asked).toEqual(whole.asked)
    expect(held.outcome).toEqual(whole.outcome)
    expect(held.outcome).toMatchObject({ status: 'valid', attempts: 3 })
    const first = held.asked[1]?.feedback ?? ''
    for (const word of ['MISSING_STEP_MARKER', 'Header: title', 'Header: status', ...Object.keys(sections)]) expect(first).toContain(word)
  })

  test('ends with its deadline, its caller and its reader, however much comes', async () => {
    const rules = contract({ checks: [{ max_words: { limit: 1 } }], stream: 'hold', budget: { deadlineMs: 100 } })
    const endless = { chunks: Array.from({ length: 1000 }, () => 'many words '), hang: true }
    const clock = manualClock()
    const late = enforceStream({ contract: rules, runner: scripted([endless]), prompt: '', clock })
    const reading = (async () => {
      for await (const _ of late);
    })()
    while (clock.pending === 0) await Promise.resolve()
    await clock.advance(100)
    await reading
    expect(await late.outcome).toMatchObject({ status: 'failed', failure: { kind: 'deadline' }, text: '' })
    const giveUp = new AbortController()
    const runner = scripted([endless])
    const left = enforceStream({ contract: rules, runner, prompt: '', signal: giveUp.signal })
    setTimeout(() => giveUp.abort(), 20)
    for await (const _ of left);
    expect(await left.outcome).toMatchObject({ status: 'failed', failure: { kind: 'aborted' }, text: '' })
    expect(runner.calls[0]?.aborted).toBe(true)
  })
})

describe('stop', () => {
  const limit = { checks: [{ max_words: { limit: 2 } }], retries: 0 }
  const turn = { chunks: ['one two three ', 'four five'] }

  test.each<[string, ContractByName, boolean]>([
    ['a held stream is read to its end', { ...limit, stream: 'hold' }, false],
    ['a held stream is stopped where that is asked for', { ...limit, stream: 'hold', stop: 'early' }, true],
    ['a released stream is stopped', { ...limit, stream: 'verified' }, true],
    ['a released stream is read to its end where that is asked for', { ...limit, stream: 'verified', stop: 'end' }, false],
    ['nothing stops what is passed on', { ...limit, stream: 'pass', stop: 'end' }, false],
    ['nothing stops a lenient stream', { ...limit, mode: 'lenient' }, false],
  ])('%s', async (_name, rules, isStopped) => {
    const { calls, outcome } = await play(rules, [turn], true)
    expect(calls[0]).toMatchObject({ aborted: isStopped, taken: isStopped ? 14 : 23 })
    expect(outcome.issues[0]?.message).toContain(isStopped ? 'it has 3' : 'it has 5')
  })

  test.each<[ContractByName, string]>([
    [{ stop: 'early', stream: 'pass' }, 'stop: early contradicts stream: pass'],
    [{ stop: 'early', mode: 'lenient' }, 'stop: early contradicts mode: lenient'],
    [{ stop: 'early', mode: 'shadow', stream: 'hold' }, 'stop: early contradicts mode: shadow'],
    [{ stop: 'early', unresolved: 'deliver' }, 'stop: early contradicts unresolved: deliver'],
    [{ preset: 'helix', stop: 'early', stream: 'pass' }, 'stop: early contradicts stream: pass'],
    [{ stop: 'eraly' as 'early' }, 'did you mean "early"?'],
  ])('%j is a configuration error', (rules, message) => {
    expect(() => contract({ checks: [], ...rules })).toThrow(message)
  })
})

describe('the feedback on a stream that was stopped', () => {
  /** Each `!` is wrong for certain; an end without a full stop is wrong only at the end. */
  const marks = (name: string) =>
    defineValidator({
      name,
      summary: 's',
      options: z.strictObject({ mark: z.string() }),
      codes: { MARK: { severity: 'error', when: 'w', fix: 'f' }, END: { severity: 'error', when: 'w', fix: 'f' } },
      instruct: () => 'i',
      prepare: ({ mark }) => ({
        *check({ text }) {
          for (const { index } of text.matchAll(new RegExp(mark, 'g'))) yield issue('MARK', `${name} at ${index}`)
          if (!text.endsWith('.')) yield issue('END', 'no end')
        },
        incremental: () => {
          let text = ''
          return {
            push(chunk) {
              text += chunk
              const [first, ...rest] = [...text.matchAll(new RegExp(mark, 'g'))].map(({ index }) => index)
              if (first === undefined) return { safe: text.length }
              const say = (index: number) => issue('MARK', `${name} at ${index}`)
              return { safe: first, failure: { at: first + 1, issues: [say(first)], further: rest.map(say) } }
            },
          }
        },
      }),
    })({ mark: name === 'bangs' ? '!' : '#' })
  const checks = [marks('bangs'), marks('hashes')]
  const text = 'a # b ! c ! d # e ! f'

  test.each(['hold', 'verified'] as const)(
    'lists all that is wrong in the text received, and nothing that had not come yet: %s',
    async (stream) => {
      const rules: ContractByName = { checks, retries: 1, stream, stop: 'early' }
      const atOnce = await play(rules, [{ chunks: [text.slice(0, 16), text.slice(16)] }, { text: 'good.' }], true)
      const feedback = atOnce.asked[1]?.feedback ?? ''
      const told = [...feedback.matchAll(/(?:bangs|hashes) at \d+|no end/g)].map(([found]) => found)
      expect(told).toEqual(['bangs at 6', 'bangs at 10', 'hashes at 2', 'hashes at 14'])
    },
  )

  test('changes no verdict: issues and text are the same in any chunks', async () => {
    const rules: ContractByName = { checks, retries: 0, stream: 'hold', stop: 'early' }
    for (const chunkSize of [1, 3, 5, 100]) {
      const { outcome } = await play(rules, [{ text, chunkSize }], true)
      expect(outcome).toMatchObject({ status: 'unresolved', text: 'a #', issues: [{ message: 'hashes at 2' }] })
      expect(outcome.issues).toHaveLength(1)
    }
  })
})
