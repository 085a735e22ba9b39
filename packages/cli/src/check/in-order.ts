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
  const underWay: { readonly result: Promise<Result>; readonly weight: number }[] = []
  let weight = 0
  let state: 'reading' | 'read' | 'broken' = 'reading'
  let wake = (): void => {}
  const change = (): Promise<void> =>
    new Promise((resolve) => {
      const before = wake
      wake = () => {
        before()
        resolve()
      }
    })
  const changed = (): void => {
    const waiting = wake
    wake = () => {}
    waiting()
  }

  async function read(): Promise<void> {
    for await (const item of items) {
      const added = bounds.weigh(item)
      // At least one item is always processed, however large.
      while (state !== 'broken' && underWay.length > 0 && (underWay.length >= bounds.items || weight + added > bounds.weight))
        await change()
      if (state === 'broken') return
      weight += added
      const result = work(item)
      // After a failure nothing waits for the later ones; a caller that does still gets their errors.
      result.catch(() => {})
      underWay.push({ result, weight: added })
      changed()
    }
  }

  async function hand(): Promise<void> {
    for (;;) {
      const first = underWay[0]
      if (first) {
        await deliver(await first.result)
        underWay.shift()
        weight -= first.weight
        changed()
      } else if (state === 'reading') await change()
      else return
    }
  }

  let failure: { readonly error: unknown } | undefined
  const reading = read()
    // Results that are complete are still delivered.
    .catch((error: unknown) => {
      failure = { error }
    })
    .finally(() => {
      if (state === 'reading') state = 'read'
      changed()
    })
  try {
    await hand()
  } catch (error) {
    // Not awaited: reading may hang as long as its source does.
    state = 'broken'
    changed()
    throw error
  }
  await reading
  if (failure) throw failure.error
}
