/** The seed of every random test: fixed, so that a run repeats the last one; `npm run test:random` draws another. */
export const seed = numberFrom('STICKLER_SEED', 22)

/** How many times as many cases as a test asks for are run. */
export const times = numberFrom('STICKLER_TIMES', 1)

/** The time after which a property ends with the cases that it has had; only runs of more cases need one. */
export const timeLimit = times > 1 ? 20_000 : undefined

function numberFrom(variable: string, usual: number): number {
  const given = process.env[variable] ?? String(usual)
  if (!/^\d{1,10}$/.test(given)) throw new Error(`${variable} must be a number, but is ${given}`)
  return Number(given)
}
