import type { Answer } from '../../answer/answer.ts'
import type { Step } from './extract.ts'

/** Words that tell what an answer is about, in German and English. */
const finalised = ['finalisiert', 'finalized', 'finalised']
const created = ['erstellt', 'created']
const constraining = ['constraint', 'rahmenbedingung', 'randbedingung', 'einschränkung']

/** A question this close to the end is what the answer waits for. */
const questionWindow = 300

/** Words before another one that turn its meaning round. */
// backtracks: the text has at most 40 characters
const negated = /\b(?:nicht|noch nicht|nie|kein\w*|not|never|isn't|wasn't)\s+(?:\w+\s+){0,2}$/

/** Infers from its prose, not from code in it, which step an answer belongs to. */
export function inferStep(answer: Answer, fallback: Step): Step {
  const prose = proseOf(answer)
  const lower = prose.toLowerCase()
  const mentions = (words: readonly string[]): boolean => words.some((word) => isSaid(lower, word))
  const isAdr = /\bADR\b/.test(prose)
  // Before `generate`: a finalised ADR has usually been created too.
  if (isAdr && mentions(finalised)) return 'finalize'
  if (isAdr && (mentions(created) || answer.codeBlocks.some(({ language }) => language === 'yaml' || language === 'yml'))) return 'generate'
  // A question mark ends a word: one inside an address or an expression is none.
  if (/[?？](?![\p{L}\p{N}=&/.])/u.test(prose.slice(-questionWindow))) return 'what'
  return mentions(constraining) ? 'constraints' : fallback
}

/** Whether a word stands in a text without a negation before it. */
function isSaid(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    if (!negated.test(text.slice(Math.max(0, at - 40), at))) return true
  return false
}

/** The body without code. */
function proseOf({ text, bodyStart, codeBlocks, inlineCode }: Answer): string {
  const code = [...codeBlocks.map(({ span }) => span), ...inlineCode].sort((a, b) => a.start - b.start)
  let prose = ''
  let at = bodyStart
  for (const { start, end } of code) {
    if (start > at) prose += text.slice(at, start)
    at = Math.max(at, end)
  }
  return prose + text.slice(at)
}
