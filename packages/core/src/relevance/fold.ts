const accents = /[\u0300-\u036f]/g

/** A word in small letters without accents, so that it does not matter whether they were typed. */
export function fold(word: string): string {
  let plain = true
  for (let at = 0; at < word.length && plain; at++) plain = word.charCodeAt(at) < 128
  return plain ? word : word.normalize('NFD').replace(accents, '').normalize('NFC').replaceAll('ß', 'ss').replaceAll('ς', 'σ')
}
