import { languageOf } from '../../answer/markdown/code-language.ts'

/** Endings of files that hold code. */
const endings = new Set(
  'avap bash c cc cjs cpp cs css cts cxx go h hpp ini java js json jsonc jsx mjs mts php ps1 py rb rs sh sql ts tsx yaml yml'.split(' '),
)

/** The language of a file of code, by the ending of its name; undefined for any other file. */
export function languageOfFile(name: string): string | undefined {
  const ending = name.slice(name.lastIndexOf('.') + 1).toLowerCase()
  return name.includes('.') && endings.has(ending) ? languageOf(ending) : undefined
}
