import { closest } from '@stickler/core/internal'

/** Letters that may be compared with letters in one check: some hundred milliseconds at most. */
const mostComparisons = 5_000_000

/** Words of which one may be close, and how many letters they have. */
class Words {
  readonly list: string[] = []
  letters = 0

  add(word: string): void {
    this.list.push(word)
    this.letters += word.length
  }
}

/** Finds the file that a wrong path was probably meant to be. */
export class PathSuggester {
  readonly #byName = new Map<string, Words>()
  readonly #byFolder = new Map<string, Words>()
  readonly #names = new Words()
  /** The files that are written the same but for separators, case, Unicode form and quotes. */
  readonly #bySpelling = new Map<string, string[]>()
  #budget = mostComparisons

  /** Among the files some are not suggested, since they are named already. */
  constructor(files: Iterable<string>, named: ReadonlySet<string> = new Set()) {
    for (const file of files) {
      const spelling = spellingOf(file)
      this.#bySpelling.set(spelling, [...(this.#bySpelling.get(spelling) ?? []), file])
      if (named.has(file)) continue
      const { folder, name } = splitPath(file)
      const key = name.toLowerCase()
      if (!this.#byName.has(key)) this.#names.add(key)
      group(this.#byName, key).add(file)
      group(this.#byFolder, folder).add(name)
    }
  }

  /** The one file that is meant beyond doubt: only its separators, case, Unicode form or quotes differ. */
  sameFile(path: string): string | undefined {
    const files = this.#bySpelling.get(spellingOf(path)) ?? []
    return files.length === 1 ? files[0] : undefined
  }

  /** The file of the same spelling or name, else one of a similar name in the same folder, else one of a similar name anywhere. */
  suggest(path: string): string | undefined {
    const same = this.sameFile(path)
    if (same !== undefined) return same
    const { folder, name } = splitPath(path.replaceAll('\\', '/'))
    const namesake = this.#namesake(path, name)
    if (namesake !== undefined) return namesake
    const neighbour = this.#closest(name, this.#byFolder.get(folder))
    if (neighbour !== undefined) return folder === '' ? neighbour : `${folder}/${neighbour}`
    const similar = this.#closest(name, this.#names)
    // Elsewhere in the project only a file of the same kind can have been meant.
    return similar === undefined || extensionOf(similar) !== extensionOf(name) ? undefined : this.#namesake(path, similar)
  }

  /** The one file of this name, or the one whose path is alike. */
  #namesake(path: string, name: string): string | undefined {
    const files = this.#byName.get(name.toLowerCase())
    return files && files.list.length > 1 ? this.#closest(path, files) : files?.list[0]
  }

  #closest(word: string, words: Words | undefined): string | undefined {
    const cost = (words?.letters ?? 0) * word.length
    if (words === undefined || cost > this.#budget) return undefined
    this.#budget -= cost
    return closest(word, words.list)
  }
}

function spellingOf(path: string): string {
  const isQuoted = /^(["'`])[^"'`]+\1$/.test(path)
  return (isQuoted ? path.slice(1, -1) : path).replaceAll('\\', '/').normalize('NFC').toLowerCase()
}

function extensionOf(name: string): string {
  return /\.[^.]*$/.exec(name)?.[0].toLowerCase() ?? ''
}

function splitPath(path: string): { readonly folder: string; readonly name: string } {
  const slash = path.lastIndexOf('/')
  return { folder: path.slice(0, Math.max(slash, 0)), name: path.slice(slash + 1) }
}

function group(groups: Map<string, Words>, key: string): Words {
  const words = groups.get(key) ?? new Words()
  groups.set(key, words)
  return words
}
