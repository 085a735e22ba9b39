/** The stem of a German word in small letters, by the Snowball algorithm `german`; umlauts are written as their vowels. */
export function stemGerman(given: string): string {
  let word = markConsonants(given.replaceAll('ß', 'ss'))
  const afterFirst = afterVowelAndConsonant(word, 0)
  const r2 = afterVowelAndConsonant(word, afterFirst)
  // At least three letters always stay.
  const r1 = Math.max(afterFirst, 3)
  if (word.length < 3) return plainVowels(word)
  word = dropEnding(word, r1)
  word = dropComparison(word, r1)
  word = dropDerivation(word, r1, r2)
  return plainVowels(word)
}

/** Writes `u` and `y` between vowels in capitals: they are consonants there. */
function markConsonants(given: string): string {
  let word = given
  for (let at = 1; at < word.length - 1; at++) {
    const code = word.charCodeAt(at)
    if (code !== 117 && code !== 121) continue
    if (isVowel(word.charCodeAt(at - 1)) && isVowel(word.charCodeAt(at + 1))) {
      word = word.slice(0, at) + (code === 117 ? 'U' : 'Y') + word.slice(at + 1)
    }
  }
  return word
}

function afterVowelAndConsonant(word: string, from: number): number {
  for (let at = from + 1; at < word.length; at++) {
    if (!isVowel(word.charCodeAt(at)) && isVowel(word.charCodeAt(at - 1))) return at + 1
  }
  return word.length
}

/** Step 1: endings of cases and persons. */
function dropEnding(word: string, r1: number): string {
  for (const suffix of ['ern', 'em', 'er', 'en', 'es', 'e']) {
    if (!word.endsWith(suffix)) continue
    const rest = word.slice(0, -suffix.length)
    if (rest.length < r1) return word
    const bare = suffix === 'en' || suffix === 'es' || suffix === 'e'
    return bare && rest.endsWith('niss') ? rest.slice(0, -1) : rest
  }
  if (word.endsWith('s') && word.length - 1 >= r1 && 'bdfghklmnrt'.includes(word[word.length - 2] ?? ' ')) return word.slice(0, -1)
  return word
}

/** Step 2: comparison and second person. */
function dropComparison(word: string, r1: number): string {
  for (const suffix of ['est', 'en', 'er']) {
    if (word.endsWith(suffix)) return word.length - suffix.length >= r1 ? word.slice(0, -suffix.length) : word
  }
  const rest = word.length - 2
  const drops = word.endsWith('st') && rest >= r1 && rest >= 4 && 'bdfghklmnt'.includes(word[rest - 1] ?? ' ')
  return drops ? word.slice(0, -2) : word
}

/** Step 3: endings that make one word of another. */
function dropDerivation(word: string, r1: number, r2: number): string {
  const suffix = ['isch', 'lich', 'heit', 'keit', 'end', 'ung', 'ig', 'ik'].find((one) => word.endsWith(one))
  if (!suffix) return word
  const start = word.length - suffix.length
  if (start < r2) return word
  const rest = word.slice(0, start)
  if (suffix === 'end' || suffix === 'ung') {
    return rest.endsWith('ig') && start - 2 >= r2 && rest[start - 3] !== 'e' ? rest.slice(0, -2) : rest
  }
  if (suffix === 'ig' || suffix === 'ik' || suffix === 'isch') return rest.endsWith('e') ? word : rest
  if (suffix === 'keit') {
    if (rest.endsWith('lich') && start - 4 >= r2) return rest.slice(0, -4)
    return rest.endsWith('ig') && start - 2 >= r2 ? rest.slice(0, -2) : rest
  }
  return (rest.endsWith('er') || rest.endsWith('en')) && start - 2 >= r1 ? rest.slice(0, -2) : rest
}

function plainVowels(word: string): string {
  return /[UYäöü]/.test(word) ? word.replace(/[UYäöü]/g, (letter) => plain[letter] ?? letter) : word
}

const plain: Readonly<Record<string, string>> = { U: 'u', Y: 'y', ä: 'a', ö: 'o', ü: 'u' }

/** One of a, e, i, o, u, y, ä, ö, ü. */
function isVowel(code: number): boolean {
  if (code < 128) return code === 97 || code === 101 || code === 105 || code === 111 || code === 117 || code === 121
  return code === 0xe4 || code === 0xf6 || code === 0xfc
}
