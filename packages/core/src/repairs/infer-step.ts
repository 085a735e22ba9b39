import type { Answer } from '../answer/answer.ts'
import type { Step } from '../validators/step-marker/extract.ts'

/** Words that tell what an answer is about, in German and English. */
const finalised = ['finalisiert', 'finalized', 'finalised']
const created = ['erstellt', 'created']
const constraining = ['constraint', 'rahmenbedingung', 'randbedingung', 'einschränkung']

/** A question this close to the end is what the answer waits for. */
const questionWindow = 300

/** Infers from its content which step an answer belongs to. */
export function inferStep(answer: Answer, fallback: Step): Step {
  const body = answer.text.slice(answer.bodyStart)
  const lower = body.toLowerCase()
  const mentions = (words: readonly string[]): boolean => words.some((word) => lower.includes(word))
  const isAdr = body.includes('ADR-')
  // Before `generate`: a finalised ADR has usually been created too.
  if (isAdr && mentions(finalised)) return 'finalize'
  if (isAdr && (mentions(created) || answer.codeBlocks.some(({ language }) => language === 'yaml' || language === 'yml'))) return 'generate'
  if (/[?？]/.test(body.slice(-questionWindow))) return 'what'
  return mentions(constraining) ? 'constraints' : fallback
}
