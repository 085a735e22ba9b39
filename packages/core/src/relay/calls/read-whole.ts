import type { ChoiceEvent } from '../../apis/shared/choice-event.ts'
import type { MaybePromise } from '../../engine/waiting/deferred.ts'
import type { ChoiceEvents } from './upstream-call.ts'

/** Reads a choice to its end, and returns its events as they arrive. */
export function readWhole(choice: ChoiceEvents, take: (event: ChoiceEvent) => void): MaybePromise<void> {
  return choice.whole === undefined ? readEach(choice, take) : choice.whole(take)
}

async function readEach(choice: ChoiceEvents, take: (event: ChoiceEvent) => void): Promise<void> {
  for await (const event of choice) take(event)
}
