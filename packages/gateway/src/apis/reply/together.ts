/** Waits for all; for a single one, the common case, without the cost of `Promise.all`. */
export async function together<Result>(promises: readonly Promise<Result>[]): Promise<readonly Result[]> {
  const [only] = promises
  return promises.length === 1 && only !== undefined ? [await only] : Promise.all(promises)
}
