import { ConfigurationError } from '@stickler/core'
import { closest } from '@stickler/core/internal'
import type { Language } from '@stickler/core/validators'
import { languages } from './index.ts'

/** Catalogues by the name of their language, as they are written in JSON. */
export type Catalogues = Readonly<Record<string, unknown>>

/** All languages, some of them with another catalogue; throws ConfigurationError for one that is not right. */
export function languagesWith(catalogues: Catalogues): readonly Language[] {
  const replaceable = languages.filter((language) => language.with !== undefined)
  const replaced = new Map(Object.entries(catalogues).map(([name, catalogue]) => [name, withCatalogue(name, catalogue, replaceable)]))
  return languages.map((language) => replaced.get(language.name) ?? language)
}

function withCatalogue(name: string, catalogue: unknown, replaceable: readonly Language[]): Language {
  const language = replaceable.find((one) => one.name === name)
  if (language?.with === undefined) {
    const names = replaceable.map((one) => one.name)
    const guess = closest(name, names)
    const advice = guess === undefined ? `those that do: ${names.join(', ')}` : `did you mean "${guess}"?`
    throw new ConfigurationError([{ path: ['catalogues', name], message: `no language of this name takes a catalogue; ${advice}` }])
  }
  try {
    return language.with(catalogue)
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error
    throw new ConfigurationError(error.problems.map(({ message, path }) => ({ message, path: ['catalogues', name, ...path] })))
  }
}
