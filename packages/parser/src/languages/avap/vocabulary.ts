import type { AvapAlias, AvapCatalogue, AvapCommand, AvapConstruct } from './catalogue.ts'

/** What names mean in one program: those of the catalogue, and its own. */
export interface Vocabulary {
  readonly commands: ReadonlyMap<string, AvapCommand>
  readonly builtins: ReadonlySet<string>
  readonly aliases: ReadonlyMap<string, AvapAlias>
  /** Functions of the program, wherever it defines them. */
  readonly functions: ReadonlySet<string>
  /** Variables that the program has assigned so far. */
  readonly assigned: Set<string>
  /** Everything that could have been meant by a name. */
  names(): Iterable<string>
  construct(word: string): AvapConstruct | undefined
  isForeignRoot(word: string): boolean
  /** Takes note of the arguments of a command, which may name variables. */
  noteWords(given: string): void
}

/** A name is compared with this many functions of a program at most. */
const mostFunctions = 100

/** Makes the vocabulary of a program, given its functions. */
export type VocabularyOf = (functions: ReadonlySet<string>) => Vocabulary

/** Reads a catalogue once, for all programs. */
export function vocabularyOf(catalogue: AvapCatalogue): VocabularyOf {
  const commands = new Map(
    Object.entries(catalogue.commands).map(([name, command]): [string, AvapCommand] => [
      name,
      typeof command === 'object' && 'arguments' in command ? command : { arguments: command },
    ]),
  )
  const aliases = new Map(Object.entries(catalogue.aliases))
  const roots = new Set(catalogue.roots)
  const builtins = new Set(catalogue.functions)
  const constructs = new Map(catalogue.constructs.flatMap((one) => one.words.map((word) => [word, one] as const)))
  return (functions) => {
    const assigned = new Set<string>()
    const candidates = [...functions].slice(0, mostFunctions)
    return {
      commands,
      builtins,
      aliases,
      functions,
      assigned,
      names: () => [...commands.keys(), ...candidates],
      // Not with a capital alone: prose begins with `For` and `While` too.
      construct: (word) => constructs.get(word) ?? (word === word.toUpperCase() ? constructs.get(word.toLowerCase()) : undefined),
      noteWords: (given) => {
        for (const word of given.split(/[^\w$]+/)) if (roots.has(word)) assigned.add(word)
      },
      isForeignRoot: (word) => roots.has(word) && !assigned.has(word),
    }
  }
}
