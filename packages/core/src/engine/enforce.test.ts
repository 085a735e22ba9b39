import { describe, expect, test } from 'vitest'
import * as z from 'zod'
import { type ContractByName, contract } from '../../../presets/src/testing/contract.ts'
import { defineContract } from '../contract/define-contract.ts'
import { fromFunction } from '../runners/from-function.ts'
import { manualClock, type ScriptedTurn, scripted } from '../testing/index.ts'
import { json } from '../validators/json/index.ts'
import { enforce, enforceStream } from './enforce.ts'
import type { EnforceOptions } from './run-state.ts'
import type { Runner } from './runner.ts'
import type { TraceEvent } from './trace.ts'

const good = 'Alles klar.\n\n<!-- STEP: done -->'
const bad = 'Alles klar.'
const usage = { promptTokens: 10, completionTokens: 5, cost: 0.5 }

async function play(input: ContractByName, turns: (string | ScriptedTurn)[], options: Partial<EnforceOptions> = {}) {
  const runner = scripted(turns)
  const events: TraceEvent[] = []
  const outcome = await enforce({ contract: contract(input), runner, prompt: 'Frage', onEvent: (event) => events.push(event), ...options })
  return { outcome, calls: runner.calls, events }
}

const helix: ContractByName = { preset: 'helix', checks: ['step_marker'] }

describe('enforce', () => {
  test('delivers a good answer as it is', async () => {
    const { outcome, calls } = await play(helix, [{ text: good, usage }])
    expect(outcome).toMatchObject({ status: 'valid', text: good, attempts: 1, issues: [], repairs: [], usage, reason: 'clean' })
    expect(calls).toHaveLength(1)
  })

  test.each<[string, ScriptedTurn, string]>([
    ['an answer', { text: '{"n": 1}' }, 'answer 1'],
    ['a repaired answer', { text: '{"n": 1,}' }, 'answer 1'],
    ['a turn that only calls tools', { toolCalls: [{ name: 'f', arguments: '{}' }] }, 'calls f'],
    ['an answer beside calls', { text: '{"n": 1}', toolCalls: [{ name: 'f', arguments: '{}' }] }, 'answer 1'],
  ])('the value of %s, read as its type asks for', async (_case, turn, expected) => {
    const rules = defineContract({ checks: [json({ schema: z.object({ n: z.number() }) })] })
    const context = { tools: [{ name: 'f' }] }
    const outcome = await enforce({ contract: rules, runner: scripted([turn]), prompt: 'Frage', context })
    if (outcome.status !== 'valid' && outcome.status !== 'repaired') throw new Error(outcome.status)
    expect(outcome.value === undefined ? `calls ${outcome.toolCalls[0]?.name}` : `answer ${outcome.value.n}`).toBe(expected)
  })

  test('asks again with feedback, in the session that the call before returned', async () => {
    const turns = [
      { text: bad, session: 's1', usage },
      { text: bad + bad, session: 's2', usage },
      { text: good, usage },
    ]
    const { outcome, calls } = await play(helix, turns, { session: 's0' })
    expect(outcome).toMatchObject({ status: 'valid', attempts: 3, session: 's2' })
    expect(calls.map(({ kind, session }) => [kind, session])).toEqual([
      ['run', 's0'],
      ['continue', 's1'],
      ['continue', 's2'],
    ])
    expect(calls[1]?.feedback).toContain('**MISSING_STEP_MARKER**: Response enthält keinen STEP-Marker')
    expect(outcome.usage).toEqual({ promptTokens: 30, completionTokens: 15, cost: 1.5 })
  })

  test('helix repairs after the last retry, and tells what was fixed apart from what remains', async () => {
    const adr = '---\nadr_id: 1\ntitle: x\nstatus: y\n---\n## Kontext\nx\n## Entscheidung\ny\n## Akzeptanzkriterien\n- [ ] z\n'
    const { outcome } = await play({ preset: 'helix', checks: ['step_marker', 'adr_structure'] }, [adr, `${adr} `, `${adr}  `])
    expect(outcome).toMatchObject({ status: 'repaired', attempts: 3, reason: 'clean' })
    expect(outcome.fixed.map(({ code }) => code)).toEqual(['MISSING_STEP_MARKER'])
    expect(outcome.issues.map(({ code }) => code)).toEqual(['INSUFFICIENT_CRITERIA'])
    expect(outcome.repairs).toEqual([expect.objectContaining({ rule: 'append-step-marker', class: 'lossless' })])
  })

  test('repair: first spends no retry on what can be repaired without loss', async () => {
    const { outcome, calls } = await play({ checks: ['step_marker'] }, [bad])
    expect(outcome).toMatchObject({ status: 'repaired', attempts: 1, text: `${bad}\n\n<!-- STEP: done -->` })
    expect(calls).toHaveLength(1)
  })

  test('feedback leaves out what a repair mends for nothing', async () => {
    const both: ContractByName = { checks: ['step_marker', { max_words: { limit: 6 } }] }
    const { outcome, calls } = await play(both, ['one two three four five six seven', 'short'])
    expect(calls[1]?.feedback).toContain('MAX_WORDS')
    expect(calls[1]?.feedback).not.toContain('MISSING_STEP_MARKER')
    expect(outcome).toMatchObject({ status: 'repaired', text: 'short\n\n<!-- STEP: done -->' })
  })

  test('gives up when retries are used up, and never calls more', async () => {
    const { outcome, calls } = await play({ checks: [{ max_words: { limit: 1 } }], retries: 1 }, ['a b', 'a b c', 'a'])
    expect(outcome).toMatchObject({ status: 'unresolved', attempts: 2, reason: 'no-retries-left', text: 'a b c' })
    expect(outcome.issues.map(({ code }) => code)).toEqual(['MAX_WORDS'])
    expect(calls).toHaveLength(2)
  })

  test('stops when an attempt brings the same again', async () => {
    const { outcome } = await play({ checks: [{ max_words: { limit: 1 } }], retries: 9 }, ['a b', 'a b', 'a'])
    expect(outcome).toMatchObject({ status: 'unresolved', attempts: 2, reason: 'no-progress' })
  })

  test.each([
    ['attempts', { attempts: 2 }, 'budget-attempts', 2],
    ['tokens', { tokens: 44 }, 'budget-tokens', 2],
    ['tokens, at the limit', { tokens: 45 }, 'budget-tokens', 3],
    ['money', { money: 0.9 }, 'budget-money', 1],
  ])('keeps the budget: %s', async (_name, budget, reason, attempts) => {
    const turns = Array.from({ length: 9 }, (_, index) => ({ text: `a ${index}`, usage }))
    const { outcome } = await play({ checks: [{ max_words: { limit: 1 } }], retries: 8, budget }, turns)
    expect(outcome).toMatchObject({ status: 'unresolved', reason, attempts })
  })

  test('one deadline bounds all attempts', async () => {
    const clock = manualClock()
    const runner = scripted(
      [
        { text: 'a b', delayMs: 60 },
        { text: 'a c', delayMs: 60 },
      ],
      { clock },
    )
    const running = enforce({
      contract: contract({ checks: [{ max_words: { limit: 1 } }], budget: { deadlineMs: 100 } }),
      runner,
      prompt: 'p',
      clock,
    })
    await clock.advanceAsync(60)
    await clock.advanceAsync(60)
    expect(await running).toMatchObject({ status: 'failed', attempts: 2, failure: { kind: 'deadline' } })
    expect(runner.calls[1]?.aborted).toBe(true)
    expect(clock.pending).toBe(0)
  })

  test('lenient delivers with issues, shadow never changes', async () => {
    expect((await play({ mode: 'lenient', checks: [{ max_words: { limit: 1 } }] }, ['a b'])).outcome).toMatchObject({
      status: 'unresolved',
      reason: 'lenient',
      attempts: 1,
    })
    expect((await play({ mode: 'lenient', checks: ['step_marker'] }, [bad])).outcome.status).toBe('repaired')
    const shadow = (await play({ mode: 'shadow', checks: ['step_marker'] }, [bad])).outcome
    expect(shadow).toMatchObject({ status: 'unresolved', reason: 'shadow', text: bad, repairs: [] })
  })

  test('an answer that was cut off is never completed', async () => {
    const { outcome } = await play({ checks: ['step_marker'], retries: 0 }, [{ text: bad, finishReason: 'length' }])
    expect(outcome).toMatchObject({ status: 'unresolved', text: bad, repairs: [] })
    expect(outcome.issues.map(({ code }) => code)).toEqual(['TRUNCATED', 'MISSING_STEP_MARKER'])
  })

  test('the filter applies to checking, repairing and checking again', async () => {
    const { outcome } = await play({ preset: 'helix', repair: 'first' }, ['# ADR-1: x\n\n## Kontext'], { only: ['step_marker'] })
    expect(outcome.status).toBe('repaired')
    expect((await play({ preset: 'helix' }, [bad], { only: [] })).outcome.status).toBe('valid')
    await expect(play(helix, [bad], { only: ['adr'] })).rejects.toThrow('unknown validator "adr"')
  })

  test('context reaches validators, never the runner', async () => {
    const { calls } = await play(helix, [bad, good], { context: { secret: 'xyzzy' } })
    expect(JSON.stringify(calls)).not.toContain('xyzzy')
  })

  test('instruct tells the rules up front', async () => {
    const { calls } = await play({ checks: [{ max_words: { limit: 5 } }], instruct: true }, ['a'])
    expect(calls[0]?.prompt).toBe('Frage\n\nAnswer in at most 5 words.')
    const messages = [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
    ] as const
    const conversation = await play({ checks: [{ max_words: { limit: 5 } }], instruct: true }, ['a'], { prompt: messages })
    expect(conversation.calls[0]?.prompt).toEqual([{ role: 'system', content: 's\n\nAnswer in at most 5 words.' }, messages[1]])
  })
})

describe('a runner that fails is not an answer', () => {
  test.each<[string, string | ScriptedTurn, string]>([
    ['throws anything', { throw: 'boom' }, 'crash'],
    ['exits with an error', { failure: { kind: 'exit', exitCode: 2, stderr: 'no' } }, 'exit'],
    ['breaks off', { text: good, failAfterText: { kind: 'connection' } }, 'connection'],
  ])('%s', async (_name, turn, kind) => {
    const { outcome } = await play(helix, [turn])
    expect(outcome).toMatchObject({ status: 'failed', reason: 'runner-failed', text: '', issues: [], failure: { kind } })
  })

  test.each(['', ' \n'])('returns %j, and nobody says that it is whole', async (text) => {
    const outcome = await enforce({ contract: contract(helix), runner: fromFunction(() => text), prompt: 'Frage' })
    expect(outcome).toMatchObject({ status: 'failed', reason: 'runner-failed', issues: [], failure: { kind: 'empty' } })
  })

  test('an empty answer that the provider has ended is judged, unless something was said before it', async () => {
    const judged = async (input: ContractByName, turns: readonly (string | ScriptedTurn)[]) => {
      const { status, attempts, issues, failure } = (await play(input, [...turns])).outcome
      return [status, attempts, issues.map(({ code }) => code), failure?.kind]
    }
    const strict: ContractByName = { preset: 'techtime', strict: true }
    expect(await judged(strict, ['', ' '])).toEqual(['unresolved', 2, ['EMPTY_CONTENT'], undefined])
    expect(await judged(strict, ['\u2800\u3164', ''])).toEqual(['unresolved', 2, ['EMPTY_CONTENT'], undefined])
    expect(await judged(strict, ['', 'Fine.'])).toEqual(['valid', 2, [], undefined])
    expect(await judged({ preset: 'techtime' }, [''])).toEqual(['valid', 1, ['EMPTY_CONTENT'], undefined])
    expect(await judged({ checks: [{ max_words: { limit: 1 } }] }, [''])).toEqual(['valid', 1, [], undefined])
    expect((await judged({ checks: [{ max_words: { limit: 1 } }] }, ['one two', '']))[3]).toBe('empty')
  })

  test.each([
    '\u200b\ufeff',
    '\u00ad',
    ' \n\t',
    '\u3164\u2800\u{e0001}\ufe0f',
    '<think>hm</think>',
    '\n<thinking>\nhm\n</thinking>\n\u200b',
  ])('an answer that nobody sees is empty, streamed or not: %j', async (text) => {
    const rules = contract({ preset: 'techtime', strict: true })
    const stream = enforceStream({ contract: rules, runner: scripted([{ chunks: [...text] }, { chunks: [text] }]), prompt: '' })
    for await (const piece of stream) expect(piece).toBe('nothing')
    for (const outcome of [await stream.outcome, await enforce({ contract: rules, runner: scripted([text, text]), prompt: '' })])
      expect(outcome).toMatchObject({ status: 'unresolved', issues: [{ code: 'EMPTY_CONTENT' }] })
  })

  test('keeps what the provider said, and the usage so far', async () => {
    const failure = { kind: 'http', status: 429, body: 'slow down', retryAfterMs: 1000 } as const
    const { outcome } = await play(helix, [{ text: bad, usage }, { failure }])
    expect(outcome).toMatchObject({ status: 'repaired', reason: 'runner-failed', attempts: 2, usage, failure })
  })

  test.each<[string, unknown[]]>([
    ['text that is none', [{ type: 'text', text: null }, { type: 'end' }]],
    ['a number', [5]],
    ['nothing', [null]],
    ['text behind the end', [{ type: 'end' }, { type: 'text', text: 'x' }]],
    ['no end', [{ type: 'text', text: good }]],
  ])('a runner that sends %s keeps no contract itself', async (_name, events) => {
    const odd = {
      async *run() {
        yield* events
      },
    } as unknown as Runner
    const outcome = await enforce({ contract: contract(helix), runner: odd, prompt: 'p' })
    expect(outcome).toMatchObject({ status: 'failed', failure: { kind: 'protocol' } })
  })

  test('usage that cannot be is not counted', async () => {
    const turns = [
      { text: 'a b', usage: { promptTokens: Number.NaN, completionTokens: -5 } },
      { text: 'a', usage },
    ]
    expect((await play({ checks: [{ max_words: { limit: 1 } }] }, turns)).outcome.usage).toEqual(usage)
  })

  test('an abort ends a runner that does not listen', async () => {
    const controller = new AbortController()
    const deaf: Runner = {
      run: () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) }),
      continue: () => {
        throw new Error('no')
      },
    }
    const running = enforce({ contract: contract(helix), runner: deaf, prompt: 'p', signal: controller.signal })
    setTimeout(() => controller.abort(), 5)
    expect(await running).toMatchObject({ status: 'failed', failure: { kind: 'aborted' } })
  })

  test('half a code point stays as it is', async () => {
    const { outcome } = await play({ checks: [] }, ['a \ud83d'])
    expect(outcome).toMatchObject({ status: 'valid', text: 'a \ud83d' })
  })
})

describe('the trace', () => {
  test('tells the run in order, and a listener that throws changes nothing', async () => {
    const { events } = await play(helix, [bad, good])
    expect(events.map(({ type }) => type)).toEqual([
      'run-started',
      'attempt-started',
      'attempt-received',
      'checked',
      'decided',
      'feedback-sent',
      'attempt-started',
      'attempt-received',
      'checked',
      'decided',
      'run-ended',
    ])
    expect(new Set(events.map(({ run }) => run)).size).toBe(1)
    const throwing = await play(helix, [good], {
      onEvent: () => {
        throw new Error('listener')
      },
    })
    expect(throwing.outcome.status).toBe('valid')
  })
})

describe('configuration', () => {
  test.each<[string, ContractByName, string]>([
    ['negative retries', { retries: -1 }, 'retries'],
    ['half a retry', { retries: 1.5 }, 'retries'],
    ['an unknown key', { retires: 1 } as ContractByName, 'retires: unknown key "retires"; did you mean "retries"?'],
    ['an unknown budget', { budget: { atempts: 1 } } as unknown as ContractByName, 'did you mean "attempts"?'],
    ['an unknown preset', { preset: 'helx' }, 'did you mean "helix"?'],
    ['an unknown check', { checks: ['step_maker'] }, 'checks.0: unknown validator "step_maker"; did you mean "step_marker"?'],
    [
      'an unknown option',
      { checks: [{ step_marker: { requireAtEnt: true } }] },
      'checks.0.step_marker.requireAtEnt: unknown key "requireAtEnt"; did you mean "requireAtEnd"?',
    ],
    ['the same check twice', { checks: ['step_marker', { step_marker: {} }] }, 'twice'],
    ['a check that is no check', { checks: [null] } as unknown as ContractByName, 'checks.0: a check is a name'],
    ['checks that are no list', { checks: 'step_marker' } as unknown as ContractByName, 'checks must be a list'],
    ['prototype names', { checks: ['__proto__'] }, 'unknown validator "__proto__"'],
    ['a check that only looks like one', { checks: [{ definition: { name: 'x' } }] }, 'unknown validator "definition"'],
    ['prototype presets', { preset: 'constructor' }, 'unknown preset "constructor"'],
  ])('%s is refused at construction', (_name, input, message) => {
    expect(() => contract(input as ContractByName)).toThrow(message)
  })

  test('an empty list of checks means no validation', async () => {
    expect((await play({ preset: 'helix', checks: [] }, ['x'])).outcome.status).toBe('valid')
  })
})
