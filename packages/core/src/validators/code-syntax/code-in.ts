import { Answer } from '../../answer/answer.ts'
import { TooComplex } from '../../contract/too-complex.ts'
import { choiceOf } from './choice.ts'
import { isBlank, selectCode } from './selection.ts'

/** The code of an answer that is checked when it must be in a language, block by block; none where the answer is too complex to be read. */
export function codeIn(text: string, language: string): string[] {
  try {
    const choice = choiceOf({ language, whole: false, anywhere: true })({ context: {} })
    return selectCode(new Answer(text), choice).flatMap((snippet) => (isBlank(snippet) || snippet.isDoubtful ? [] : [snippet.source]))
  } catch (error) {
    if (error instanceof TooComplex) return []
    throw error
  }
}
