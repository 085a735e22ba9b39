import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { contracts, validatorsOf } from '../../../../attack/generators/contracts.ts'
import { offerContext, offers, scriptedTurn, scriptsFor } from '../../../../attack/generators/scripts.ts'
import { type ContractByName, contract } from '../../../presets/src/testing/contract.ts'
import { Answer } from '../answer/answer.ts'
import { type ScriptedTurn, scripted } from '../runners/scripted.ts'
import { manualClock } from '../testing/manual-clock.ts'
import { enforce, enforceStream } from './enforce.ts'
import { settle } from './repair/settle.ts'
import type { FailureKind } from './runner-failure.ts'
import type { TraceEvent } from './trace.ts'

const runs = 80

const ways = ['whole', 'hold', 'verified'] as const

async function play(rules: ContractByName, turns: readonly (string | ScriptedTurn)[], way: (typeof ways)[number], context = {}) {
  const runner = scripted(turns)
  const events: TraceEvent[] = []
  const onEvent = (event: TraceEvent): void => {
    events.push(event)
  }
  const given = { contract: contract({ ...rules, stream: way === 'verified' ? way : 'hold' }), runner, prompt: 'Q', onEvent, context }
  let shown = ''
  const stream = way === 'whole' ? undefined : enforceStream(given)
  if (stream) for await (const piece of stream) shown += piece
  const outcome = stream ? await stream.outcome : await enforce(given)
  return { outcome, shown: stream ? shown : outcome.delivered ? outcome.text : '', events, calls: runner.calls }
}

const marker = '\n\n<!-- STEP: done -->'
const last: ContractByName = { checks: ['step_marker'], repair: 'last' }
const usage = { promptTokens: 5, completionTokens: 2, cost: 0.5 }

describe.each(ways)('a retry that fails, %s', (way) => {
  // What has been shown is repaired at once, so nothing is asked again there.
  const rules: ContractByName = way === 'verified' ? { ...last, checks: [{ step_marker: { requireAtEnd: true } }] } : last
  const first = way === 'verified' ? '<!-- STEP: nope -->' : 'Use spaces.'
  const good = way === 'verified' ? '<!-- STEP: done -->' : `Use spaces.${marker}`

  test.each<[FailureKind, ScriptedTurn]>([
    ['connection', { failure: { kind: 'connection' } }],
    ['connection', { text: '<!-- STEP', chunkSize: 2, failAfterText: { kind: 'connection' } }],
    ['timeout', { failure: { kind: 'timeout' } }],
    ['http', { failure: { kind: 'http', status: 503, message: 'overloaded' } }],
    ['http', { failure: { kind: 'http', status: 400, message: 'context_length_exceeded' } }],
    ['exit', { failure: { kind: 'exit', exitCode: 1 } }],
    ['protocol', { failure: { kind: 'protocol' } }],
    ['empty', { text: '' }],
    ['crash', { throw: new TypeError('oops') }],
  ])('by %s leaves the repairable answer before it', async (kind, failing) => {
    const { outcome, shown, events } = await play(rules, [{ text: first, usage }, failing], way)
    expect(outcome).toMatchObject({
      status: 'repaired',
      delivered: true,
      text: good,
      reason: 'runner-failed',
      failure: { kind },
      attempts: 2,
    })
    expect(outcome.fixed).toHaveLength(1)
    expect(outcome.repairs).toHaveLength(1)
    expect(outcome.usage).toEqual(usage)
    expect(shown).toBe(good)
    const types = events.map(({ type }) => type).filter((type) => type !== 'text-released')
    expect(types.slice(-4)).toEqual(['runner-failed', 'repaired', 'decided', 'run-ended'])
    expect(events.filter(({ type }) => type === 'decided').at(-1)).toMatchObject({ attempt: 1, action: 'deliver', reason: 'clean' })
  })
})

describe('the best answer so far', () => {
  const down: ScriptedTurn = { failure: { kind: 'connection' } }

  test('is the latest one that a repair makes good', async () => {
    const rules: ContractByName = { checks: ['step_marker', { max_words: { limit: 6 } }], repair: 'last', retries: 3 }
    const { outcome } = await play(rules, ['Tabs.', 'Use spaces.', 'That depends on your team and your tools.', down], 'whole')
    expect(outcome).toMatchObject({ status: 'repaired', text: `Use spaces.${marker}`, attempts: 4 })
  })

  test.each<[string, ContractByName, readonly (string | ScriptedTurn)[]]>([
    ['nothing came before', last, [down]],
    ['no repair makes it good', { checks: [{ max_words: { limit: 1 } }] }, ['Use spaces.', down]],
    ['the contract repairs nothing', { ...last, repair: 'never' }, ['Use spaces.', down]],
    ['the contract does not allow the class', { checks: ['json'], allow: [], repair: 'last' }, ['{"a": 1,}', down]],
    ['the answer was cut off', last, [{ text: 'Use spaces.', finishReason: 'length' }, down]],
    ['the caller gave up', last, ['Use spaces.', { failure: { kind: 'aborted' } }]],
  ])('does not exist when %s', async (_name, rules, turns) => {
    for (const way of ways) {
      const { outcome, shown } = await play(rules, turns, way)
      if (way === 'verified' && rules === last && outcome.status === 'repaired') continue
      expect(outcome).toMatchObject({ status: 'failed', delivered: false, issues: [], reason: 'runner-failed' })
      expect(outcome.text).toBe(shown)
    }
  })

  test.each([true, false])('is delivered at the deadline, streamed: %s', async (streamed) => {
    const clock = manualClock()
    const rules = contract({ ...last, stream: 'hold', budget: { deadlineMs: 100 } })
    const runner = scripted(['Use spaces.', { text: 'half', hang: true }], { clock })
    const given = { contract: rules, runner, prompt: 'Q', clock }
    const stream = streamed ? enforceStream(given) : undefined
    const reading = (async () => {
      if (stream) for await (const _piece of stream);
    })()
    const ending = stream ? stream.outcome : enforce(given)
    while (runner.calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 1))
    await clock.advance(100)
    await reading
    expect(await ending).toMatchObject({ status: 'repaired', text: `Use spaces.${marker}`, failure: { kind: 'deadline' } })
    expect(runner.calls[1]?.aborted).toBe(true)
    expect(clock.pending).toBe(0)
  })

  test('is not used for a caller who gives up', async () => {
    const giveUp = new AbortController()
    const runner = scripted(['Use spaces.', { text: 'half', hang: true }])
    const ending = enforce({ contract: contract(last), runner, prompt: 'Q', signal: giveUp.signal })
    while (runner.calls.length < 2) await new Promise((resolve) => setTimeout(resolve, 1))
    giveUp.abort()
    expect(await ending).toMatchObject({ status: 'failed', failure: { kind: 'aborted' } })
  })

  test('must begin with what has been shown', async () => {
    const rules: ContractByName = {
      checks: [{ step_marker: { requireAtEnd: true } }, { max_words: { limit: 4 } }],
      repair: 'last',
      retries: 2,
    }
    const { outcome, shown } = await play(
      rules,
      [{ chunks: ['one two ', 'three four five'] }, { chunks: ['one two ', 'and'], failAfterText: { kind: 'connection' } }],
      'verified',
    )
    expect(outcome).toMatchObject({ status: 'failed', text: shown })
    expect(shown).not.toBe('')
  })

  test('of any contract and any answers is what settling them one by one would deliver, and nothing else', {
    timeout: 3_600_000,
  }, async () => {
    const cases = fc
      .tuple(contracts, offers)
      .chain(([rules, offer]) => scriptsFor(validatorsOf(rules)).map((turns) => ({ rules, offer, turns })))
    await fc.assert(
      fc.asyncProperty(cases, async ({ rules, offer, turns }) => {
        const context = { ...offerContext(offer), sources: 1 }
        const script = [...turns.map((turn) => scriptedTurn(turn)), down]
        const { outcome, shown } = await play({ ...rules, retries: turns.length }, script, 'hold', context)
        if (outcome.failure === undefined) return
        const built = contract(rules)
        let expected: Partial<typeof outcome> = { status: 'failed', delivered: false, text: '' }
        // What came before an answer that was empty cannot be told from here.
        const seen = outcome.failure.kind === 'connection' ? turns : turns.slice(0, outcome.attempts - 1)
        for (const { text, toolCalls = [], finishReason, refusal } of seen) {
          const reason = refusal === undefined ? (finishReason ?? (toolCalls.length > 0 ? 'tool_calls' : 'stop')) : 'refusal'
          const settled = await settle(built, new Answer(text, { toolCalls, finishReason: reason }), { context })
          const { repair, unresolved } = built.policy
          if (settled.decision.action !== 'deliver' || (repair === 'never' && unresolved === 'withhold')) continue
          expected = {
            status: settled.status,
            delivered: true,
            text: settled.text,
            toolCalls: settled.toolCalls,
            issues: settled.issues,
            fixed: settled.fixed,
            repairs: settled.repairs,
          }
        }
        expect(outcome).toMatchObject(expected)
        expect(shown).toBe(outcome.delivered ? outcome.text : rules.mode === 'shadow' ? shown : '')
      }),
      { numRuns: runs },
    )
  })
})
