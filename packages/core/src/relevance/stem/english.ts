/** Words whose stem the rules would get wrong, and words that have to be kept. */
const exceptions: ReadonlyMap<string, string> = new Map([
  ['skis', 'ski'],
  ['skies', 'sky'],
  ['dying', 'die'],
  ['lying', 'lie'],
  ['tying', 'tie'],
  ['idly', 'idl'],
  ['gently', 'gentl'],
  ['ugly', 'ugli'],
  ['early', 'earli'],
  ['only', 'onli'],
  ['singly', 'singl'],
  ...['sky', 'news', 'howe', 'atlas', 'cosmos', 'bias', 'andes'].map((word) => [word, word] as const),
])

const keptAfterPlural: ReadonlySet<string> = new Set(['inning', 'outing', 'canning', 'herring', 'earring', 'proceed', 'exceed', 'succeed'])

/** A suffix, and what is written in its place. */
type Rule = readonly [string, string]

/** Longest first, as the longest match counts even when it then changes nothing. */
const step2 = byLastLetter([
  ['ization', 'ize'],
  ['ational', 'ate'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['iveness', 'ive'],
  ['tional', 'tion'],
  ['biliti', 'ble'],
  ['lessli', 'less'],
  ['entli', 'ent'],
  ['ation', 'ate'],
  ['alism', 'al'],
  ['aliti', 'al'],
  ['ousli', 'ous'],
  ['iviti', 'ive'],
  ['fulli', 'ful'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['abli', 'able'],
  ['izer', 'ize'],
  ['ator', 'ate'],
  ['alli', 'al'],
  ['bli', 'ble'],
  ['ogi', 'og'],
  ['li', ''],
])

const step3 = byLastLetter([
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['alize', 'al'],
  ['icate', 'ic'],
  ['iciti', 'ic'],
  ['ative', ''],
  ['ical', 'ic'],
  ['ness', ''],
  ['ful', ''],
])

const step4 = byLastLetter(
  'ement,ance,ence,able,ible,ment,ant,ent,ism,ate,iti,ous,ive,ize,ion,al,er,ic'.split(',').map((suffix) => [suffix, '']),
)

const noRules: readonly Rule[] = []

/** The stem of an English word in small letters, by Martin Porter's second algorithm (Snowball `english`). */
export function stemEnglish(given: string): string {
  if (given.length < 3) return given
  const exception = exceptions.get(given)
  if (exception !== undefined) return exception
  let word = markConsonantY(given)
  const r1 = startOfR1(word)
  const r2 = afterVowelAndConsonant(word, r1)
  word = dropPlural(word)
  if (keptAfterPlural.has(word)) return word
  word = dropPast(word, r1)
  if (word.length > 2 && isY(word.charCodeAt(word.length - 1)) && !isVowel(word.charCodeAt(word.length - 2))) word = `${word.slice(0, -1)}i`
  word = replaceStep2(word, r1)
  word = replaceStep3(word, r1, r2)
  word = dropStep4(word, r2)
  word = dropFinal(word, r1, r2)
  return word.includes('Y') ? word.replaceAll('Y', 'y') : word
}

/** Writes a `y` that is a consonant as `Y`: at the start and after a vowel. */
function markConsonantY(given: string): string {
  let word = given
  for (let at = word.indexOf('y'); at >= 0; at = word.indexOf('y', at + 1)) {
    if (at === 0 || isVowel(word.charCodeAt(at - 1))) word = `${word.slice(0, at)}Y${word.slice(at + 1)}`
  }
  return word
}

function startOfR1(word: string): number {
  for (const prefix of ['gener', 'commun', 'arsen']) if (word.startsWith(prefix)) return prefix.length
  return afterVowelAndConsonant(word, 0)
}

/** Where the text after the first consonant that follows a vowel begins. */
function afterVowelAndConsonant(word: string, from: number): number {
  for (let at = from + 1; at < word.length; at++) {
    if (!isVowel(word.charCodeAt(at)) && isVowel(word.charCodeAt(at - 1))) return at + 1
  }
  return word.length
}

/** Step 1a. */
function dropPlural(word: string): string {
  if (word.endsWith('ied') || word.endsWith('ies')) return word.slice(0, word.length > 4 ? -2 : -1)
  if (!word.endsWith('s')) return word
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (word.endsWith('us') || word.endsWith('ss')) return word
  return hasVowel(word, word.length - 2) ? word.slice(0, -1) : word
}

/** Step 1b. */
function dropPast(word: string, r1: number): string {
  const suffix = pastSuffix(word)
  if (suffix === '') return word
  const rest = word.slice(0, -suffix.length)
  if (suffix.startsWith('ee')) return rest.length >= r1 ? `${rest}ee` : word
  if (!hasVowel(rest, rest.length)) return word
  if (rest.endsWith('at') || rest.endsWith('bl') || rest.endsWith('iz')) return `${rest}e`
  const last = rest.charCodeAt(rest.length - 1)
  if (last === rest.charCodeAt(rest.length - 2) && 'bdfgmnprt'.includes(rest.slice(-1))) return rest.slice(0, -1)
  return rest.length <= r1 && endsInShortSyllable(rest) ? `${rest}e` : rest
}

function pastSuffix(word: string): string {
  const last = word.charCodeAt(word.length - 1)
  if (last === 100) return word.endsWith('eed') ? 'eed' : word.endsWith('ed') ? 'ed' : ''
  if (last === 103) return word.endsWith('ing') ? 'ing' : ''
  if (last !== 121 || !word.endsWith('ly')) return ''
  if (word.endsWith('ingly')) return 'ingly'
  return word.endsWith('eedly') ? 'eedly' : word.endsWith('edly') ? 'edly' : ''
}

function replaceStep2(word: string, r1: number): string {
  const rule = ruleFor(word, step2)
  if (!rule) return word
  const [suffix, replacement] = rule
  const start = word.length - suffix.length
  if (start < r1) return word
  if (suffix === 'ogi' && word[start - 1] !== 'l') return word
  if (suffix === 'li' && !'cdeghkmnrt'.includes(word[start - 1] ?? ' ')) return word
  return word.slice(0, start) + replacement
}

function replaceStep3(word: string, r1: number, r2: number): string {
  const rule = ruleFor(word, step3)
  if (!rule) return word
  const start = word.length - rule[0].length
  return start < (rule[0] === 'ative' ? r2 : r1) ? word : word.slice(0, start) + rule[1]
}

function dropStep4(word: string, r2: number): string {
  const rule = ruleFor(word, step4)
  if (!rule) return word
  const start = word.length - rule[0].length
  if (start < r2 || (rule[0] === 'ion' && word[start - 1] !== 's' && word[start - 1] !== 't')) return word
  return word.slice(0, start)
}

/** The rule with the longest suffix that the word has. */
function ruleFor(word: string, rules: readonly (readonly Rule[])[]): Rule | undefined {
  for (const rule of rules[word.charCodeAt(word.length - 1) - 97] ?? noRules) if (word.endsWith(rule[0])) return rule
  return undefined
}

/** By the place of their last letter in the alphabet, because most words have none of the suffixes. */
function byLastLetter(rules: readonly Rule[]): readonly (readonly Rule[])[] {
  return Array.from({ length: 26 }, (_, letter) => rules.filter(([suffix]) => suffix.charCodeAt(suffix.length - 1) - 97 === letter))
}

/** Step 5. */
function dropFinal(word: string, r1: number, r2: number): string {
  const end = word.length - 1
  if (word.endsWith('e')) {
    const drops = end >= r2 || (end >= r1 && !endsInShortSyllable(word.slice(0, end)))
    return drops ? word.slice(0, end) : word
  }
  return word.endsWith('ll') && end >= r2 ? word.slice(0, end) : word
}

function endsInShortSyllable(word: string): boolean {
  const [before, vowel, last] = [word.charCodeAt(word.length - 3), word.charCodeAt(word.length - 2), word.charCodeAt(word.length - 1)]
  if (isVowel(last) || !isVowel(vowel)) return false
  return word.length === 2 || (word.length > 2 && !isVowel(before) && !'wxY'.includes(word.slice(-1)))
}

function hasVowel(word: string, end: number): boolean {
  for (let at = 0; at < end; at++) if (isVowel(word.charCodeAt(at))) return true
  return false
}

function isY(code: number): boolean {
  return code === 121 || code === 89
}

/** One of a, e, i, o, u, y. */
function isVowel(code: number): boolean {
  return code === 97 || code === 101 || code === 105 || code === 111 || code === 117 || code === 121
}
