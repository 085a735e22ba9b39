import { RunnerFailure } from '@stickler/core'
import { asRunnerFailure } from '@stickler/core/internal'
import type { ChatRequest, ChoiceEvent } from '@stickler/core/internal/apis'
import { type ChoiceEvents, ChoiceQueues, readWhole } from '@stickler/core/internal/relay'
import { createBreaker } from '@stickler/core/validators'
import { expect, it } from 'vitest'
import { resilient } from '../create-upstream.ts'
import { failover } from '../resilience/failover.ts'
import type { Upstream } from '../upstream.ts'

const end: ChoiceEvent = { type: 'end', toolCalls: [], refused: false, message: {}, fields: {} }
const text = (said: string): ChoiceEvent => ({ type: 'text', text: said })
const request: ChatRequest = { model: 'm', messages: [] }
const options = () => ({ signal: new AbortController().signal, requestId: 'r' })

/** What one pull of a source brings. */
type Pull = readonly ChoiceEvent[] | RunnerFailure

const broken = new RunnerFailure('connection', 'broken')
const refused = new RunnerFailure('http', 'no', { status: 400 })
const busy = new RunnerFailure('http', 'busy', { status: 503 })

const scripts: readonly (readonly [string, readonly (readonly Pull[])[]])[] = [
  ['an answer at once', [[[text('a'), end]]]],
  ['an answer in pieces', [[[text('a')], [], [text('b'), text('c')], [{ type: 'fields', fields: { x: 1 } }, end]]]],
  ['nothing but an end', [[[end]]]],
  ['a failure, then an answer', [[broken], [[text('a'), end]]]],
  ['two failures, then an answer', [[busy], [broken], [[text('a'), end]]]],
  ['too many failures', [[broken], [broken], [busy], [[text('a'), end]]]],
  ['a refusal', [[refused], [[text('a'), end]]]],
  ['a source that ends before the choice does', [[[text('a')]]]],
  ['a failure in the middle, which nobody may make good', [[[text('a')], broken], [[text('b'), end]]]],
]

/** An upstream that plays one script call by call, on top of everything that calls go through. */
function playing(script: readonly (readonly Pull[])[]): { upstream: Upstream; cancelled: () => number } {
  let call = 0
  let cancelled = 0
  const bare: Upstream = {
    name: 'bare',
    call() {
      const pulls = [...(script[call++] ?? [])]
      const queues = new ChoiceQueues(1, {
        pull: () => queueMicrotask(read),
        cancel: () => cancelled++,
      })
      const read = (): void => {
        const pull = pulls.shift()
        if (!(pull instanceof RunnerFailure)) for (const event of pull ?? []) queues.push(0, event)
        if (pull instanceof RunnerFailure) queues.fail(pull)
        else if (queues.deliver(pulls.length === 0)) read()
      }
      return { choices: queues.choices, head: () => ({ fields: {} }), upstream: () => 'bare' }
    },
    close: async () => {},
  }
  const patient = resilient(bare, { breaker: createBreaker(), retry: { baseDelayMs: 1, maxDelayMs: 1 } })
  return { upstream: failover('all', [{ upstream: patient }]), cancelled: () => cancelled }
}

async function outcome(read: () => Promise<readonly ChoiceEvent[]>): Promise<unknown> {
  try {
    return joined(await read())
  } catch (thrown) {
    return asRunnerFailure(thrown).message
  }
}

/** How a text is cut up says nothing. */
function joined(events: readonly ChoiceEvent[]): unknown {
  const others = events.filter(({ type }) => type !== 'text')
  return [events.map((event) => (event.type === 'text' ? event.text : '')).join(''), others]
}

async function collected(choice: ChoiceEvents): Promise<readonly ChoiceEvent[]> {
  const events: ChoiceEvent[] = []
  await readWhole(choice, (event) => events.push(event))
  return events
}

async function oneByOne(choice: ChoiceEvents | undefined): Promise<readonly ChoiceEvent[]> {
  const events: ChoiceEvent[] = []
  for await (const event of choice ?? []) events.push(event)
  return events
}

it.each(scripts)('a whole choice is what its events are one by one: %s', async (_, script) => {
  const pieces = playing(script)
  const whole = playing(script)
  const [one] = pieces.upstream.call(request, options()).choices
  const [other = { [Symbol.asyncIterator]: () => [][Symbol.iterator]() as never }] = whole.upstream.call(request, options()).choices
  expect(other.whole).toBeTypeOf('function')
  const expected = await outcome(() => oneByOne(one))
  expect(await outcome(() => collected(other))).toEqual(expected)
})

it('what has come is told also when the rest never does', async () => {
  const [choice] = playing([[[text('a')], [text('b')], broken]]).upstream.call(request, options()).choices
  const heard: ChoiceEvent[] = []
  await expect(readWhole(choice as ChoiceEvents, (event) => heard.push(event))).rejects.toBe(broken)
  expect(heard).toEqual([text('a'), text('b')])
})

it('failures of whole choices count for the breaker, and successes too', async () => {
  const states: string[] = []
  const breaker = createBreaker({ failures: 2, openMs: 60_000 }, { onChange: (state) => states.push(state) })
  const fails: Upstream = {
    name: 'u',
    call: () => ({ choices: [{ [Symbol.asyncIterator]: failing }], head: () => ({ fields: {} }), upstream: () => 'u' }),
    close: async () => {},
  }
  const upstream = resilient(fails, { breaker, retry: { retries: 0 } })
  for (let call = 0; call < 3; call++) {
    const [choice] = upstream.call(request, options()).choices
    expect(await outcome(() => collected(choice as ChoiceEvents))).toMatch(call < 2 ? 'broken' : /u/)
  }
  expect(states).toEqual(['open'])
})

// biome-ignore lint/correctness/useYield: it fails before its first event.
async function* failing(): AsyncGenerator<ChoiceEvent> {
  throw broken
}
