import { expect, test } from 'vitest'
import type { ChoiceEvent } from '../../apis/shared/choice-event.ts'
import type { ModelEvent } from '../../engine/runner.ts'
import { Attempt } from '../attempts/attempt.ts'
import { ChoiceQueues } from './choice-queues.ts'
import type { UpstreamCall } from './upstream-call.ts'

const end: ChoiceEvent = { type: 'end', toolCalls: [], refused: false, message: {}, fields: {} }

/** A choice whose events are pushed so many at a time, whenever its reader waits. */
function choiceOf(events: readonly ChoiceEvent[], atOnce: number): Attempt {
  let at = 0
  let isReading = false
  const queues = new ChoiceQueues(1, {
    pull() {
      if (isReading) return
      isReading = true
      do {
        for (const event of events.slice(at, at + atOnce)) queues.push(0, event)
        at += atOnce
      } while (queues.deliver(at >= events.length))
      isReading = false
    },
    cancel() {},
  })
  const call = { choices: queues.choices, head: () => ({ fields: {} }), upstream: () => 'u' } satisfies UpstreamCall
  return new Attempt(call, { price: undefined }, [])
}

async function read(attempt: Attempt): Promise<ModelEvent[]> {
  const found: ModelEvent[] = []
  for await (const event of attempt) found.push(event)
  return found
}

/** The same, without promises. */
function readInto(attempt: Attempt): Promise<ModelEvent[]> {
  const events = attempt[Symbol.asyncIterator]()
  const found: ModelEvent[] = []
  return new Promise((resolve, reject) => {
    const take = (result: IteratorResult<ModelEvent, undefined>): void => {
      if (result.done === true) resolve(found)
      else {
        found.push(result.value)
        events.nextInto?.(take, reject)
      }
    }
    events.nextInto?.(take, reject)
  })
}

test.each([1, 7, 1_000_000])('events that come at once do not fill the stack, however they are read: %d', async (atOnce) => {
  const side: ChoiceEvent = { type: 'fields', fields: { reasoning_content: 'Hm.' } }
  const events = [...Array.from({ length: 60_000 }, (_, at) => (at % 3 === 0 ? ({ type: 'text', text: 'a' } as const) : side)), end]
  const found = await readInto(choiceOf(events, atOnce))
  expect(found).toEqual(await read(choiceOf(events, atOnce)))
  expect(found.flatMap((event) => (event.type === 'text' ? [event.text] : [])).join('')).toBe('a'.repeat(20_000))
})
