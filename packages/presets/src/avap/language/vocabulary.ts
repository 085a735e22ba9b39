import { closest } from '@stickler/core/internal'
import type { Arity, AvapAlias, AvapCatalogue, AvapCommand, AvapConstruct } from './catalogue.ts'

/** What names mean in one program: those of the catalogue, and its own. */
export interface Vocabulary {
  readonly commands: ReadonlyMap<string, AvapCommand>
  readonly builtins: ReadonlySet<string>
  readonly aliases: ReadonlyMap<string, AvapAlias>
  /** Functions of the program, wherever it defines them, and how many parameters they have. */
  readonly functions: ReadonlyMap<string, Arity>
  /** Variables that the program has assigned so far. */
  readonly assigned: Set<string>
  /** Everything that could have been meant by a name. */
  names(): Iterable<string>
  construct(word: string): AvapConstruct | undefined
  isForeignRoot(word: string): boolean
  /** What was meant by a call inside an expression or argument; undefined where it may be right. */
  unknownNested(name: string): MeantCommand | undefined
  /** Whether a name belongs to the syntax of blocks, so that nothing else can have it. */
  isReserved(name: string): boolean
  /** Takes note of the arguments of a command, which may name variables. */
  noteWords(given: string): void
}

/** The command that a name was probably meant to be, when there is one. */
export interface MeantCommand {
  readonly command?: string | undefined
  readonly wording?: AvapAlias['wording']
}

/** What may be called inside expressions and arguments, beside the functions of the catalogue. */
const nestedFunctions = new Set(['round', 'abs', 'min', 'max', 'sum'])

/** Commands that belong to the syntax of blocks. */
const blockWords = new Set(['if', 'else', 'end', 'startLoop', 'endLoop', 'try', 'exception'])

/** A name is compared with this many functions of a program at most. */
const mostFunctions = 100

/** Makes the vocabulary of a program, given its functions. */
export type VocabularyOf = (functions: ReadonlyMap<string, Arity>) => Vocabulary

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
  const isBlock = (name: string): boolean => commands.has(name) && (blockWords.has(name) || commands.get(name)?.block === true)
  // What opens and closes blocks returns nothing that could be nested.
  const nestable = [...commands.keys()].filter((name) => !isBlock(name))
  const isReserved = (name: string): boolean => name === 'function' || name === 'return' || isBlock(name)
  return (defined) => {
    // A command with the name of a block still opens it.
    const functions = new Map([...defined].filter(([name]) => !isReserved(name)))
    const near = new Map<string, MeantCommand | undefined>()
    const assigned = new Set<string>()
    const candidates = [...functions.keys()].slice(0, mostFunctions)
    return {
      commands,
      builtins,
      aliases,
      functions,
      assigned,
      names: () => [...commands.keys(), ...candidates],
      // Not with a capital alone: prose begins with `For` and `While` too.
      construct: (word) => constructs.get(word) ?? (word === word.toUpperCase() ? constructs.get(word.toLowerCase()) : undefined),
      isReserved,
      unknownNested: (name) => {
        if (functions.has(name) || commands.has(name) || builtins.has(name) || nestedFunctions.has(name)) return undefined
        // A name that is called often is compared once.
        if (!near.has(name)) near.set(name, aliases.get(name) ?? nearest(name, nestable))
        return near.get(name)
      },
      noteWords: (given) => {
        for (const word of given.split(/[^\w$]+/)) if (roots.has(word)) assigned.add(word)
      },
      isForeignRoot: (word) => roots.has(word) && !assigned.has(word),
    }
  }
}

function nearest(name: string, commands: readonly string[]): MeantCommand | undefined {
  const command = closest(name, commands)
  return command === undefined ? undefined : { command }
}
