const lineLength = 160

/** Writes the module with the table: `common` has the share of passages by term. */
export function writeTable(common, termsVersion) {
  let before = ''
  const entries = [...common.keys()].sort().map((term) => {
    let shared = 0
    while (shared < 25 && shared < term.length && term[shared] === before[shared]) shared++
    before = term
    const halvings = Math.round(-2 * Math.log2(common.get(term)))
    return `${String.fromCharCode(65 + shared)}${term.slice(shared)}${String.fromCharCode(65 + halvings)}`
  })
  const lines = ['']
  for (const entry of entries) {
    if (lines[lines.length - 1].length + entry.length > lineLength) lines.push('')
    lines[lines.length - 1] += entry
  }
  return `// Written by tools/word-weights/generate.mjs from ${entries.length} terms of version ${termsVersion}.

/**
 * Terms in their order: a capital letter for how many letters are those of the term before (A for none), the other letters, and a capital
 * letter for how rare the term is: A when it is in every passage of English or German text, C in every second one, E in every fourth.
 */
export const wordCounts =
  '${lines.join("' +\n  '")}'
`
}
