/** Steps of an answer: its text as it is released, and then what came of it. */
type Steps<Result> = AsyncGenerator<string, Result>

/** What came of an answer whose text nobody reads before its end. */
export async function lastValue<Result>(steps: AsyncGenerator<unknown, Result>): Promise<Result> {
  for (;;) {
    const step = await steps.next()
    if (step.done) return step.value
  }
}

/** An answer to be read piece by piece; its result is that of `left` when the reader stops before the end. */
export function readSteps<Result>(
  steps: Steps<Result>,
  left: () => Promise<Result>,
): { readonly result: Promise<Result>; readonly [Symbol.asyncIterator]: () => Steps<void> } {
  let settle = (_result: Promise<Result>): void => {}
  const result = new Promise<Result>((resolve) => {
    settle = resolve
  })
  // A caller that only reads the text must not cause an unhandled rejection.
  result.catch(() => {})
  async function* read(): Steps<void> {
    let ended = left
    try {
      const value = yield* steps
      ended = async () => value
    } catch (error) {
      ended = () => Promise.reject(error)
      throw error
    } finally {
      // Also when the caller stops reading.
      settle(ended())
    }
  }
  return { result, [Symbol.asyncIterator]: read }
}
