import type { FinishMissing } from '../answer/finish-reason.ts'
import type { ToolCall } from '../answer/tool-calls.ts'
import type { Fields } from '../answer/tool-shapes/fields.ts'
import type { FinishReason, ModelEvent, Usage } from '../engine/runner.ts'

/** What a runner may know when a model has ended. */
export interface Ending {
  readonly session?: string | undefined
  readonly finishReason?: FinishReason | undefined
  readonly finishMissing?: FinishMissing | undefined
  readonly unread?: string | undefined
  readonly usage?: Usage | undefined
  readonly toolCalls?: readonly ToolCall[] | undefined
  /** What must come back beside them. */
  readonly message?: Fields | undefined
}

/** The last event of a call, without the fields of which nothing is known. */
export function endEvent({ session, finishReason, finishMissing, unread, usage, toolCalls = [], message }: Ending): ModelEvent {
  return {
    type: 'end',
    ...(session === undefined ? {} : { session }),
    ...(finishReason === undefined ? {} : { finishReason }),
    ...(finishMissing === undefined ? {} : { finishMissing }),
    ...(unread === undefined ? {} : { unread }),
    ...(usage === undefined ? {} : { usage }),
    ...(toolCalls.length === 0 ? {} : { toolCalls, ...(message && { message }) }),
  }
}

/** Holds text back until the end, for callers that do not want it in pieces. */
export async function* inOnePiece(events: AsyncIterable<ModelEvent>): AsyncGenerator<ModelEvent> {
  const pieces: string[] = []
  for await (const event of events) {
    if (event.type === 'text') {
      pieces.push(event.text)
      continue
    }
    const text = pieces.join('')
    if (text !== '') yield { type: 'text', text }
    yield event
  }
}
