import type { ChoiceEvent, ChoiceEvents } from './upstream.ts'

/** Reads a choice to its end. */
export function wholeOf(choice: ChoiceEvents): Promise<readonly ChoiceEvent[]> {
  return choice.whole === undefined ? collect(choice) : choice.whole()
}

async function collect(choice: ChoiceEvents): Promise<readonly ChoiceEvent[]> {
  const events: ChoiceEvent[] = []
  for await (const event of choice) events.push(event)
  return events
}
