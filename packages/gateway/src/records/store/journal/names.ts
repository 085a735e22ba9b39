/** The name of a file of a journal, by owner and number. */
export function segmentName(owner: string, number: number): string {
  return `journal-${owner}-${number}.jsonl`
}

/** The name of the lock of an owner. */
export function lockName(owner: string): string {
  return `journal-${owner}.lock`
}

/** The owners of all journals among the names, each with its files in order. */
export function ownersOf(names: readonly string[]): Map<string, string[]> {
  const numbers = new Map<string, number[]>()
  for (const name of names) {
    const [, owner, number, locked] = /^journal-([0-9a-z]{1,64})(?:-(\d{1,15})\.jsonl|(\.lock))$/.exec(name) ?? []
    if (owner === undefined) continue
    const known = numbers.get(owner) ?? []
    numbers.set(owner, locked === undefined ? [...known, Number(number)] : known)
  }
  return new Map([...numbers].map(([owner, list]) => [owner, list.sort((a, b) => a - b).map((number) => segmentName(owner, number))]))
}
