/** Measures all candidates in turns, each round in another order, so that noise hits all alike; returns what came out, round by round. */
export async function inRounds(candidates, rounds, measure) {
  const entries = Object.entries(candidates)
  const results = Object.fromEntries(entries.map(([name]) => [name, []]))
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < entries.length; turn++) {
      const [name, candidate] = entries[(round + turn) % entries.length]
      results[name].push(await measure(candidate))
    }
  }
  return results
}

/** The middle one of some numbers. */
export function middle(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
}
