const unstorable = /[\0\p{Cs}]/gu

/**
 * A text as every engine can store it: NUL and lone surrogates, which databases cut off or reject,
 * become U+FFFD.
 */
export function storedText(text: string): string {
  return text.replace(unstorable, '\ufffd')
}

/** A path as it is compared, without the slash at its end. */
export function folderPath(path: string): string {
  return storedText(path.endsWith('/') ? path.slice(0, -1) : path)
}

/** What most terms are: nothing about them has to be changed. */
const plain = /^[0-9a-z]{1,64}$/
const asciiSeparators = /[\0-/:-@[-`{-\x7f]+/
const longestTerm = 100
const mostQueryTerms = 64

/**
 * Terms as every engine can store and compare them: ASCII letters in lower case, no ASCII
 * punctuation or spaces, of bounded length.
 */
export function storedTerms(terms: readonly string[]): string[] {
  const stored: string[] = []
  for (const term of terms) {
    if (plain.test(term)) stored.push(term)
    else for (const part of storedText(term.toLowerCase().slice(0, longestTerm)).split(asciiSeparators)) if (part !== '') stored.push(part)
  }
  return stored
}

/** The terms of a search: the first distinct ones, up to 64. */
export function queryTerms(terms: readonly string[]): string[] {
  const distinct = new Set<string>()
  for (const term of terms) {
    for (const part of storedTerms([term])) if (distinct.size < mostQueryTerms) distinct.add(part)
    if (distinct.size === mostQueryTerms) break
  }
  return [...distinct]
}
