/** Limits of concurrent work. */
interface Bounds<Item> {
  readonly items: number
  readonly weight: number
  weigh(item: Item): number
}

/** Processes items concurrently and delivers results in order, as soon as possible; waits when too much is in progress. */
export async function inOrder<Item, Result>(
  items: AsyncIterable<Item>,
  work: (item: Item) => Promise<Result>,
  deliver: (result: Result) => Promise<void>,
  bounds: Bounds<Item>,
): Promise<void> {
  const source = items[Symbol.asyncIterator]()
  const underWay: { readonly result: Promise<Result>; readonly weight: number }[] = []
  let weight = 0
  let failure: { readonly error: unknown } | undefined
  /** What was read and waits for its turn; undefined while the source is read, and at its end. */
  let item: { readonly value: Item } | undefined
  let reading: Promise<void> | undefined

  const read = (): void => {
    const take = ({ done, value }: IteratorResult<Item>): void => {
      if (!done) item = { value }
    }
    // Results of what came before a source broke are still delivered.
    const fail = (error: unknown): void => {
      failure = { error }
    }
    reading = source
      .next()
      .then(take, fail)
      .finally(() => {
        reading = undefined
      })
  }

  read()
  for (;;) {
    const [first] = underWay
    if (item !== undefined) {
      const added = bounds.weigh(item.value)
      // At least one item is always processed, however large.
      if (first === undefined || (underWay.length < bounds.items && weight + added <= bounds.weight)) {
        const result = work(item.value)
        // After a failure nothing waits for the later ones.
        result.catch(() => {})
        underWay.push({ result, weight: added })
        weight += added
        item = undefined
        read()
        continue
      }
    }
    if (first !== undefined) {
      // More is read while the first one is worked on.
      if (reading !== undefined && !(await Promise.race([first.result.then(() => true), reading]))) continue
      await deliver(await first.result)
      underWay.shift()
      weight -= first.weight
    } else if (reading !== undefined) await reading
    else break
  }
  if (failure) throw failure.error
}
