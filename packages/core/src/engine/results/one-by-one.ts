import type { Batches } from './bytes-of-text.ts'

/** Reads texts one by one that came together. */
export function oneByOne(batches: Batches): AsyncIterator<string, undefined> {
  let texts: readonly string[] = []
  let taken = 0
  const first = (step: IteratorResult<readonly string[], undefined>): IteratorResult<string, undefined> => {
    if (step.done) return step
    texts = step.value
    taken = 1
    return { done: false, value: texts[0] ?? '' }
  }
  return {
    next: () => {
      const text = texts[taken++]
      return text === undefined ? batches.next().then(first) : Promise.resolve({ done: false, value: text })
    },
    return: async () => {
      await batches.return?.()
      return { done: true, value: undefined }
    },
  }
}
