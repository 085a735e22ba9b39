import type { ModelEvent, ModelEvents, Runner } from '@stickler/core'
import { ReasoningSkipper } from '@stickler/core/internal'

/** A runner whose answers lack the reasoning before them, and calls, because no tools were offered. */
export function answersAlone(runner: Runner): Runner {
  return {
    takesSchema: runner.takesSchema,
    ownSchema: runner.ownSchema,
    run: (session, prompt, options) => answerAlone(runner.run(session, prompt, options)),
    continue: (session, feedback, options) => answerAlone(runner.continue(session, feedback, options)),
  }
}

function answerAlone(events: ModelEvents): ModelEvents {
  const { usage } = events
  return { [Symbol.asyncIterator]: () => answerEvents(events), ...(usage && { usage: () => usage.call(events) }) }
}

async function* answerEvents(events: ModelEvents): AsyncGenerator<ModelEvent, undefined> {
  const reasoning = new ReasoningSkipper()
  let hasBegun = false
  const shown = (body: string): string => {
    const text = hasBegun || reasoning.bodyStart === 0 ? body : body.trimStart()
    hasBegun ||= text !== ''
    return text
  }
  for await (const event of events) {
    const text = shown(event.type === 'text' ? reasoning.push(event.text) : reasoning.end())
    if (text !== '') yield { type: 'text', text }
    if (event.type !== 'text') yield { ...event, toolCalls: [] }
  }
}
