import { fromFunction, type Runner } from '@stickler/core'
import { extractsFor } from './extract.ts'
import { readPrompt } from './read-prompt.ts'

const nothingFits = 'The sources do not answer this question.'
const noSources = 'This is a demo without a language model: it only quotes documents, and this message came without any.'

/**
 * A stand-in for a language model that needs no network: it quotes the sentences of the sources in its prompt that fit the question best, each with its marker.
 * It understands nothing, writes nothing of its own, and never cites a source that does not say what is quoted.
 */
export function extractiveRunner(): Runner {
  return fromFunction(async function* (messages) {
    const prompt = readPrompt(messages)
    const extracts = extractsFor(prompt)
    if (extracts.length === 0) yield prompt.sources.length === 0 ? noSources : nothingFits
    for (const [index, { sentence, source, goesOn }] of extracts.entries()) {
      if (index > 0) yield goesOn ? ' ' : '\n\n'
      yield* pieces(sentence)
      yield ` [^${source}]`
    }
  })
}

/** Word by word, as models write. */
function* pieces(text: string): Generator<string> {
  for (const [piece] of text.matchAll(/\S+\s*/g)) yield piece
}
