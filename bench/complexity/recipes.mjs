/** A generator of numbers between 0 and 1 that a seed determines (mulberry32). */
export function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
}

/** How a text is built from the tokens of a grammar: parts that are written once, and parts that are repeated until the text is long enough. */
export function makeRecipe({ tokens, starts }, random) {
  const pick = (list) => list[Math.floor(random() * list.length)]
  const sequence = (most) => Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(tokens)).join('')
  // Most scanners only do their work inside of something.
  const parts = random() < 0.5 ? [{ once: pick(starts) }] : []
  const count = 1 + Math.floor(random() * 3)
  for (let index = 0; index < count; index++) {
    if (random() < 0.5) parts.push({ once: sequence(3) })
    parts.push({ repeated: sequence(random() < 0.6 ? 2 : 6) })
  }
  if (random() < 0.5) parts.push({ once: sequence(3) })
  return parts
}

/** The text of a recipe at a size. */
export function cook(recipe, size) {
  const share = size / recipe.filter(({ repeated }) => repeated).length
  return recipe.map(({ once, repeated }) => once ?? repeated.repeat(Math.ceil(share / repeated.length))).join('')
}

/** A recipe as it is shown. */
export function showRecipe(recipe) {
  return recipe.map(({ once, repeated }) => (once ? JSON.stringify(once) : `${JSON.stringify(repeated)}×n`)).join(' + ')
}
