import type { Locale } from '../../contract/locale.ts'
import { quote } from '../../contract/quote.ts'
import type { Path } from './faults/value-order.ts'
import { listNames, pathLabel, showName } from './words.ts'

/** The messages on calls that are not readable or not offered. */
export interface SoundMessages {
  readonly instruct: string
  unknownTool(name: string, tools: readonly string[]): string
  parallel(count: number): string
  oneObject(tool: string): string
  duplicate(tool: string, path: Path): string
}

/** Ends a list that is cut, in English. */
export const more = (count: number): string => `and ${count} more`
/** Ends a list that is cut, in German. */
export const weitere = (count: number): string => `und ${count} weitere`

/** What every check of calls says, by language; small bundles need no other messages. */
export const soundMessages: Readonly<Record<Locale, SoundMessages>> = {
  en: {
    instruct: 'Call only the tools that are offered, with one JSON object of arguments that matches the schema of the tool.',
    unknownTool: (name, tools) => {
      const list = listNames(tools, more)
      return list === ''
        ? `Do not call tools: none are offered, so ${showName(name)} is unknown.`
        : `Call only the tools that are offered (${list}); ${showName(name)} is none of them.`
    },
    parallel: (count) => `Make one tool call at a time; the answer has ${count}.`,
    oneObject: (tool) => `Give the arguments of ${quote(tool)} as one JSON object.`,
    duplicate: (tool, path) => `Give ${quote(tool)} the argument ${pathLabel(path)} once; it is given twice, with different values.`,
  },
  de: {
    instruct: 'Rufe nur die angebotenen Tools auf, mit einem JSON-Objekt als Argumenten, das zum Schema des Tools passt.',
    unknownTool: (name, tools) => {
      const list = listNames(tools, weitere)
      return list === ''
        ? `Rufe keine Tools auf: keines wird angeboten, also ist ${showName(name)} unbekannt.`
        : `Rufe nur die angebotenen Tools auf (${list}); ${showName(name)} gehört nicht dazu.`
    },
    parallel: (count) => `Rufe nur ein Tool auf einmal auf; die Antwort hat ${count} Aufrufe.`,
    oneObject: (tool) => `Gib die Argumente von ${quote(tool)} als ein JSON-Objekt an.`,
    duplicate: (tool, path) =>
      `Gib ${quote(tool)} das Argument ${pathLabel(path)} einmal an; es kommt zweimal vor, mit verschiedenen Werten.`,
  },
}
