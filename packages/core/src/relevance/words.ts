const runs = /[\p{L}\p{M}\p{N}_]+/gu

/** Longer runs of letters are read in pieces: to normalise marks that follow each other takes quadratic time. */
const longestRun = 512

/** The words of a text as they are written, identifiers in one piece; a genitive without its s. */
export function* words(text: string): Generator<string> {
  for (const { 0: run, index } of text.matchAll(runs)) {
    if (run.length === 1 && (run === 's' || run === 'S') && isApostrophe(text.charCodeAt(index - 1))) continue
    if (run.length <= longestRun) yield run
    else for (let at = 0; at < run.length; at += longestRun) yield run.slice(at, at + longestRun)
  }
}

function isApostrophe(code: number): boolean {
  return code === 39 || code === 0x2019
}
