import { errorsOf, type Issue, type Outcome } from '@stickler/core'

/** An error of an answer that is not delivered, all of which was shown; undefined when there is none, as it must be. */
export function wrongShown(outcome: Outcome, shown: string): Issue | undefined {
  if (outcome.status !== 'unresolved' || outcome.delivered) return undefined
  return errorsOf(outcome).find(({ code, span }) => {
    // A marker that has to stand at the end may still follow.
    if (code === 'MISSING_STEP_MARKER' || span === undefined) return false
    // What is shown in part can still be completed as it should be; a paragraph can be given its citation up to its end.
    return shown.length > (code === 'CITATION_MISSING' ? span.end : span.end - 1)
  })
}
