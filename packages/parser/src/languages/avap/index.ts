import type { Language } from '../language.ts'
import type { AvapCatalogue } from './catalogue.ts'
import { defaultCatalogue } from './default-catalogue.ts'
import { parseAvap } from './parse-avap.ts'
import { readCatalogue } from './read-catalogue.ts'
import { vocabularyOf } from './vocabulary.ts'

/** AVAP with the commands of a catalogue. */
export function avapLanguage(catalogue: AvapCatalogue = defaultCatalogue): Language {
  return {
    name: 'avap',
    async load() {
      const vocabulary = vocabularyOf(catalogue)
      return (source) => parseAvap(source, vocabulary)
    },
    with: (written) => avapLanguage(readCatalogue(written)),
  }
}
