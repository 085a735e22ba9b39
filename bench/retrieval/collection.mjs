const vocabulary = 50_000
const chunkCharacters = 1000
const documentChunks = 10
const queryWords = 8

/** Numbers between 0 and 1, the same for the same seed (mulberry32). */
function randomFrom(seed) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Words of one to four syllables, short ones first, as frequent words are. */
function makeWords(random) {
  const one = (letters) => letters[Math.floor(random() * letters.length)]
  const syllable = () => one('bcdfghklmnprstvwz') + one('aeiou') + (random() < 0.4 ? one('lmnrst') : '')
  const words = new Set()
  while (words.size < vocabulary) words.add(Array.from({ length: 1 + Math.floor(random() * 4) }, syllable).join(''))
  return [...words].sort((one, other) => one.length - other.length)
}

/** Picks places as words occur in a language: the frequency falls with the rank. */
function zipf(random) {
  const sums = new Float64Array(vocabulary)
  let sum = 0
  for (let rank = 0; rank < vocabulary; rank++) {
    sum += 1 / (rank + 2.7)
    sums[rank] = sum
  }
  return () => {
    const aim = random() * sum
    let [low, high] = [0, vocabulary - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle] < aim) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** Documents of ten passages of about 1 KB, and questions of eight words that follow each other in a passage. */
export function makeCollection(seed) {
  const random = randomFrom(seed)
  const words = makeWords(random)
  const pick = zipf(random)
  const passage = () => {
    const text = []
    for (let length = 0; length < chunkCharacters; length += text.at(-1).length + 1) text.push(words[pick()])
    return text
  }
  return {
    /** The texts of a document's passages. */
    nextDocument: () => Array.from({ length: documentChunks }, () => passage().join(' ')),
    nextQuery: () => passage().slice(0, queryWords).join(' '),
  }
}
