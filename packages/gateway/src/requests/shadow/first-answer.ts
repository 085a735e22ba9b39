import type { Answer } from '@stickler/core'
import type { ChoiceEnd } from '@stickler/core/internal/apis'
import { type ArrivalListener, endedAnswer } from '@stickler/core/internal/relay'

/** Keeps the first answer of a choice as the model sent it, beside what the engine makes of it. */
export class FirstAnswer {
  #pieces: string[] = []
  #end: ChoiceEnd | undefined

  /** Takes what arrives, then lets another listener have it. */
  listener(other: ArrivalListener | undefined): ArrivalListener {
    return (event) => {
      if (this.#end === undefined) {
        if (event.type === 'text') this.#pieces.push(event.text)
        else if (event.type === 'end') this.#end = event
      }
      other?.(event)
    }
  }

  /** The answer; undefined if the model did not come to its end. */
  take(): Answer | undefined {
    const end = this.#end
    const pieces = this.#pieces
    this.#pieces = []
    return end && endedAnswer(pieces.join(''), end)
  }
}
