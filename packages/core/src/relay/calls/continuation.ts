import type { Continuation, OpenSession } from './upstream-call.ts'

/** What a retry continues: the session of the previous attempt, which has seen everything but the feedback. */
export function retryContinuation(place: string, session: string, feedback: string): Continuation {
  return { take: findOnce(async (at) => (at === place ? { session, messages: [{ role: 'user', content: feedback }] } : undefined)) }
}

/** Finds a session once. */
export function findOnce(find: Continuation['take']): Continuation['take'] {
  let isTaken = false
  return async (place): Promise<OpenSession | undefined> => {
    if (isTaken) return undefined
    isTaken = true
    return find(place)
  }
}
