import { TooComplex } from '../../contract/too-complex.ts'

/** So many blocks of one answer are parsed. */
export const mostBlocks = 256

/** An answer with more blocks of code than are parsed. */
export function tooManyBlocks(): TooComplex {
  return new TooComplex({ en: `it has more than ${mostBlocks} blocks of code`, de: `sie hat mehr als ${mostBlocks} Codeblöcke` })
}
