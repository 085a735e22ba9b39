import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ContractByName, contract } from '../../../presets/src/testing/contract.ts'
import { manualClock } from '../testing/index.ts'
import { enforce, enforceStream } from './enforce.ts'
import type { EnforceOptions } from './run-state.ts'
import type { CallOptions, ModelEvent, ModelEvents, Runner } from './runner.ts'
import { RunnerFailure } from './runner-failure.ts'
import type { TraceEvent } from './trace.ts'

/** What a call brings: events, perhaps cut short by something that is thrown. */
interface Turn {
  readonly events: readonly unknown[]
  readonly thrown?: unknown
}

const text = (piece: unknown): unknown => ({ type: 'text', text: piece })
const usage = { promptTokens: 3, completionTokens: 4, cost: 0.25 }
const end = { type: 'end', finishReason: 'stop', usage }

/** Plays turns in one form only: the other one is a trap. */
function player(turns: readonly Turn[], form: 'pieces' | 'whole'): Runner & { readonly asked: unknown[] } {
  const asked: unknown[] = []
  const play = (question: unknown): ModelEvents => {
    const { events, ...turn } = turns[asked.length] ?? { events: [end] }
    asked.push(question)
    const trap = (): never => {
      throw new Error('the wrong form was read')
    }
    async function* pieces(): AsyncGenerator<ModelEvent> {
      yield* events as ModelEvent[]
      if ('thrown' in turn) throw turn.thrown
    }
    async function whole(): Promise<readonly ModelEvent[]> {
      await Promise.resolve()
      if ('thrown' in turn) throw turn.thrown
      return events as ModelEvent[]
    }
    return form === 'whole' ? { whole, [Symbol.asyncIterator]: trap } : { [Symbol.asyncIterator]: pieces }
  }
  return {
    asked,
    run: (session, prompt, { stream, timeLeftMs }) => play({ session, prompt, stream, timeLeftMs }),
    continue: (session, feedback, { original, rejected, stream }) => play({ session, feedback, original, rejected, stream }),
  }
}

async function tell(input: ContractByName, turns: readonly Turn[], form: 'pieces' | 'whole') {
  const runner = player(turns, form)
  const trace: Partial<TraceEvent>[] = []
  const onEvent = ({ at: _at, ...event }: TraceEvent): unknown => trace.push({ ...event, ...('ms' in event ? { ms: 0 } : {}) })
  const outcome = await enforce({ contract: contract(input), runner, prompt: 'Q', runId: 'r', onEvent, clock: manualClock() })
  return { outcome, trace, asked: runner.asked }
}

const marked: ContractByName = { checks: ['step_marker', { max_words: { limit: 6 } }], retries: 1 }

describe('an answer that is taken whole is the same as one that is read piece by piece', () => {
  test.each<[string, string, ContractByName, readonly Turn[]]>([
    ['in one piece', 'valid', { checks: [] }, [{ events: [text('fine'), end] }]],
    ['in many pieces', 'valid', marked, [{ events: ['All ', '', 'fine. <!-', '- STEP: do', 'ne -->'].map(text).concat(end) }]],
    ['with a character in two pieces', 'valid', { checks: [] }, [{ events: [text('a \ud83d'), text('\ude00'), end] }]],
    ['with half a character', 'valid', { checks: [] }, [{ events: [text('a \ud83d'), end] }]],
    ['that is repaired', 'repaired', marked, [{ events: [text('All fine.'), end] }]],
    [
      'that is asked for again',
      'valid',
      { ...marked, repair: 'never' },
      [
        { events: [text('a b c d e f g h'), { ...end, session: 's1' }] },
        { events: [text('a <!-- STEP: why -->'), { ...end, session: 's2' }] },
      ],
    ],
    ['that stays wrong', 'unresolved', { ...marked, repair: 'never' }, [{ events: [text('a'), end] }, { events: [text('a'), end] }]],
    ['that only calls tools', 'valid', { checks: [] }, [{ events: [{ type: 'end', toolCalls: [{ name: 'f', arguments: '{}' }] }] }]],
    ['that was cut off', 'unresolved', { checks: [], retries: 0 }, [{ events: [text('a'), { type: 'end', finishReason: 'length' }] }]],
    ['with odd words at its end', 'valid', { checks: [] }, [{ events: [text('a'), { type: 'end', finishReason: '', usage: null }] }]],
    ['that is empty', 'valid', { checks: [] }, [{ events: [text(' \n'), end] }]],
    ['that is empty, and nobody says that it is whole', 'failed', { checks: [] }, [{ events: [text(' \n'), { type: 'end' }] }]],
    ['that is empty where nothing is judged', 'valid', { checks: [], mode: 'shadow' }, [{ events: [end] }]],
    ['without an end', 'failed', { checks: [] }, [{ events: [text('a')] }]],
    ['of nothing', 'failed', { checks: [] }, [{ events: [] }]],
    ['with text behind its end', 'failed', { checks: [] }, [{ events: [end, text('a')] }]],
    ['with two ends', 'failed', { checks: [] }, [{ events: [text('a'), end, end] }]],
    ['with text that is none', 'failed', { checks: [] }, [{ events: [text(null), end] }]],
    ['with null', 'failed', { checks: [] }, [{ events: [null] }]],
    ['with a hole', 'failed', { checks: [] }, [{ events: new Array(1) }]],
    ['with something else', 'failed', { checks: [] }, [{ events: [text('a'), { type: 'image' }, end] }]],
    ['whose call fails', 'failed', { checks: [] }, [{ events: [text('a')], thrown: new RunnerFailure('http', 'no', { status: 429 }) }]],
    ['whose call throws anything', 'failed', { checks: [] }, [{ events: [], thrown: 'boom' }]],
    [
      'whose second call fails',
      'failed',
      { ...marked, repair: 'never' },
      [{ events: [text('a'), end] }, { events: [], thrown: new RunnerFailure('connection', 'gone') }],
    ],
  ])('%s', async (_name, status, input, turns) => {
    const whole = await tell(input, turns, 'whole')
    expect(whole).toEqual(await tell(input, turns, 'pieces'))
    expect(whole.outcome.status).toBe(status)
  })

  const piece = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom('a ', '', '\n', '<!-- STEP: why -->', '\ud83d', '\ude00', 'b c d e f g h ').map(text) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(null, 5, {}, text(1), { type: 'text' }, end) },
  )
  const finish = fc.constantFrom<unknown>(end, { type: 'end' }, { ...end, finishReason: 'length' }, { ...end, session: 's' })
  const turn: fc.Arbitrary<Turn> = fc.oneof(
    { weight: 9, arbitrary: fc.tuple(fc.array(piece, { maxLength: 6 }), finish).map(([events, last]) => ({ events: [...events, last] })) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>('boom', new RunnerFailure('exit', 'no')).map((thrown) => ({ events: [], thrown })) },
  )

  test('whatever comes', async () => {
    const modes = fc.constantFrom<ContractByName['mode']>('strict', 'lenient', 'shadow')
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 3 }), modes, async (turns, mode) => {
        const input: ContractByName = { ...marked, mode: mode ?? 'strict', retries: 2 }
        expect(await tell(input, turns, 'whole')).toEqual(await tell(input, turns, 'pieces'))
      }),
    )
  })
})

/** A runner of one call that gives all at once. */
function offering(whole: (options: CallOptions) => unknown): Runner {
  const run: Runner['run'] = (_session, _prompt, options) => ({
    whole: () => whole(options) as Promise<readonly ModelEvent[]>,
    async *[Symbol.asyncIterator]() {
      yield { type: 'text', text: 'in pieces' }
      yield { type: 'end' }
    },
  })
  return { run, continue: (session, feedback, options) => run(session, feedback, options) }
}

const ask = (runner: Runner, options: Partial<EnforceOptions> = {}) =>
  enforce({ contract: contract({ checks: [] }), runner, prompt: 'Q', ...options })

describe('taking an answer whole', () => {
  test('is for those who show nothing on the way', async () => {
    const stream = enforceStream({ contract: contract({ checks: [] }), runner: offering(() => Promise.reject('no')), prompt: 'Q' })
    const shown: string[] = []
    for await (const one of stream) shown.push(one)
    expect(shown).toEqual(['in pieces'])
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['a text', 'fine'],
    ['an object', { length: 1, 0: end }],
  ])('refuses %s in place of a list', async (_name, brought) => {
    expect(await ask(offering(() => Promise.resolve(brought)))).toMatchObject({ status: 'failed', failure: { kind: 'protocol' } })
  })

  test('takes a list that is there at once, and an error that is', async () => {
    expect(await ask(offering(() => [text('fine'), end]))).toMatchObject({ status: 'valid', text: 'fine' })
    const crashing = offering(() => {
      throw new Error('boom')
    })
    expect(await ask(crashing)).toMatchObject({ status: 'failed', failure: { kind: 'crash', message: 'the runner threw: boom' } })
  })

  test.each<[string, (fail: (error: Error) => void) => void]>([
    ['says nothing', () => {}],
    ['fails when nobody waits any more', (fail) => setTimeout(() => fail(new Error('late')), 15)],
  ])('an abort ends the wait for a runner that %s', async (_name, then) => {
    const controller = new AbortController()
    const deaf = offering(() => new Promise((_resolve, reject) => then(reject)))
    setTimeout(() => controller.abort(new Error('enough')), 5)
    const outcome = await ask(deaf, { signal: controller.signal })
    expect(outcome).toMatchObject({ status: 'failed', attempts: 1, failure: { kind: 'aborted', message: 'the run was aborted' } })
    // An unhandled rejection would fail the test run.
    await new Promise((resolve) => setTimeout(resolve, 30))
  })

  test('a run that is aborted before it began waits for nothing', async () => {
    let taken = false
    const runner = offering(() => {
      taken = true
      return [text('fine'), end]
    })
    expect(await ask(runner, { signal: AbortSignal.abort() })).toMatchObject({ status: 'failed', failure: { kind: 'aborted' } })
    expect(taken).toBe(false)
  })

  test('the deadline ends the wait, and leaves no timer behind', async () => {
    const clock = manualClock()
    const limited = contract({ checks: [], budget: { deadlineMs: 100 } })
    const running = ask(
      offering(() => new Promise(() => {})),
      { contract: limited, clock },
    )
    await clock.advanceAsync(100)
    expect(await running).toMatchObject({ status: 'failed', failure: { kind: 'deadline' } })
    expect(clock.pending).toBe(0)
  })
})

describe('the signal that a runner is given', () => {
  test('is one of its own, which fires with that of the caller, and at the end of the run', async () => {
    const heard: unknown[] = []
    const listening = offering(({ signal }) => {
      signal.addEventListener('abort', () => heard.push(signal.reason))
      return [text('fine'), end]
    })
    expect(await ask(listening)).toMatchObject({ status: 'valid' })
    expect(heard).toEqual([expect.objectContaining({ message: 'the run has ended' })])

    const controller = new AbortController()
    const waiting = offering(({ signal }) => {
      expect(signal).not.toBe(controller.signal)
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    })
    setTimeout(() => controller.abort('enough'), 5)
    expect(await ask(waiting, { signal: controller.signal })).toMatchObject({ failure: { kind: 'aborted' } })
  })

  test('travels with a copy of the options, and is over when it is read too late', async () => {
    let kept: CallOptions | undefined
    let copy: CallOptions | undefined
    const runner = offering((options) => {
      kept = options
      copy = { ...options }
      return [text('fine'), end]
    })
    await ask(runner)
    expect(copy?.signal).toBe(kept?.signal)
    const late = offering((options) => {
      kept = options
      return [text('fine'), end]
    })
    await ask(late)
    expect(kept?.signal.aborted).toBe(true)
  })

  test('a caller whose signal lives on is left alone', async () => {
    const { signal } = new AbortController()
    const listeners = new Set<unknown>()
    let added = 0
    const { addEventListener, removeEventListener } = signal
    signal.addEventListener = (...call: Parameters<typeof addEventListener>) => {
      added++
      listeners.add(call[1])
      addEventListener.apply(signal, call)
    }
    signal.removeEventListener = (...call: Parameters<typeof removeEventListener>) => {
      listeners.delete(call[1])
      removeEventListener.apply(signal, call)
    }
    await ask(
      offering(() => [text('fine'), end]),
      { signal },
    )
    expect(added).toBeGreaterThan(0)
    expect(listeners.size).toBe(0)
  })
})
