import { RunnerFailure } from '@stickler/core'
import { asRunnerFailure } from '@stickler/core/internal'
import type { ChoiceEvent } from '@stickler/core/internal/apis'
import { type CallWatcher, type ChoiceEvents, ChoiceQueues, type UpstreamCall } from '@stickler/core/internal/relay'
import { createBreaker } from '@stickler/core/validators'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { resilient } from '../create-upstream.ts'
import type { Upstream } from '../upstream.ts'
import { failover } from './failover.ts'

/** What one read of a call brings: texts for these choices, or the failure that ends it. */
type Step = readonly number[] | RunnerFailure

const failures = {
  broken: new RunnerFailure('connection', 'broken'),
  busy: new RunnerFailure('http', 'busy', { status: 503 }),
  refused: new RunnerFailure('http', 'refused', { status: 400 }),
  nonsense: new RunnerFailure('protocol', 'nonsense'),
}
const end: ChoiceEvent = { type: 'end', toolCalls: [], refused: false, message: {}, fields: {} }
const count = 2

/** A call that plays these steps, then ends; it reports how it goes where `reports` is set. */
function playing(steps: readonly Step[], name: string, reports: boolean): UpstreamCall {
  let watcher: CallWatcher | undefined
  let at = 0
  let isReading = false
  let isLeft = false
  const read = (): void => {
    const step = steps[at++]
    if (step instanceof RunnerFailure) {
      if (!isLeft) watcher?.failed(step)
      queues.fail(step)
      return
    }
    for (const choice of step ?? []) queues.push(choice, { type: 'text', text: `${name}${at}` })
    if (step === undefined) {
      for (let choice = 0; choice < count; choice++) queues.push(choice, end)
      watcher?.ended()
    }
    if (queues.deliver(step === undefined)) setImmediate(read)
    else isReading = false
  }
  const queues = new ChoiceQueues(count, {
    pull() {
      if (!isReading) setImmediate(read)
      isReading = true
    },
    cancel() {
      isLeft = true
    },
  })
  const call: UpstreamCall = { choices: queues.choices, head: () => ({ fields: {} }), upstream: () => name }
  if (!reports) return call
  return {
    ...call,
    watch(given) {
      watcher = given
    },
  }
}

/** Reads so many events, or all, and says what came. */
async function read(choice: ChoiceEvents | undefined, most: number, whole: boolean): Promise<string> {
  let said = ''
  const take = (event: ChoiceEvent): void => {
    said += event.type === 'text' ? event.text : event.type
  }
  try {
    if (whole) await choice?.whole?.(take)
    else
      for await (const event of choice ?? []) {
        take(event)
        if (--most <= 0) break
      }
  } catch (thrown) {
    said += asRunnerFailure(thrown).message
  }
  return said
}

async function outcome(scripts: readonly (readonly (readonly Step[])[])[], readers: readonly Reader[], reports: boolean) {
  const seen: string[] = []
  const targets = scripts.map((calls, target) => {
    const name = 'ab'[target] ?? ''
    let next = 0
    const upstream: Upstream = { name, call: () => playing(calls[next++] ?? [], `${name}${next}.`, reports), close: async () => {} }
    const breaker = createBreaker({ failures: 2 }, { onChange: (state) => seen.push(`${name} ${state}`) })
    const tell = ({ message }: RunnerFailure): void => void seen.push(`${name} ${message}`)
    return { upstream: resilient(upstream, { retry: { retries: 1, baseDelayMs: 0, maxDelayMs: 0 }, breaker, tell }) }
  })
  const call = failover('all', targets).call({ model: 'm', messages: [] }, { signal: new AbortController().signal, requestId: 'r' })
  const said = await Promise.all(call.choices.map((choice, at) => read(choice, readers[at]?.most ?? 99, readers[at]?.whole ?? false)))
  return { said, seen, by: call.upstream() }
}

interface Reader {
  readonly most: number
  readonly whole: boolean
}

const step = fc.oneof({ weight: 3, arbitrary: fc.subarray([0, 1]) }, { weight: 1, arbitrary: fc.constantFrom(...Object.values(failures)) })
const calls = fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 3 })
const readers = fc.tuple(...[0, 1].map(() => fc.record({ most: fc.constantFrom(1, 2, 99), whole: fc.boolean() })))

it('a call that reports how it goes, and one that is only read, are the same to readers, breakers and logs', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 2 }), readers, async (scripts, readers) => {
      const reporting = await outcome(scripts, readers, true)
      const plain = await outcome(scripts, readers, false)
      expect(reporting).toEqual(plain)
    }),
    { numRuns: 300 },
  )
})

it('an answer is never put together from two calls', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(calls, { minLength: 1, maxLength: 2 }), readers, async (scripts, readers) => {
      const { said } = await outcome(scripts, readers, true)
      const callsSeen = new Set(said.flatMap((text) => text.match(/[ab]\d\./g) ?? []))
      expect(callsSeen.size).toBeLessThanOrEqual(1)
    }),
    { numRuns: 300 },
  )
})
