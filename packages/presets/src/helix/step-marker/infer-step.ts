import { Answer } from '@stickler/core'
import { isMarkdown } from '@stickler/core/internal/validators'
import { hasAdrId } from '../records/decision-record.ts'
import { headersOf } from '../records/metadata-headers.ts'
import { namedStep, type Step } from './extract.ts'

/** Words that indicate the topic of an answer, in German and English. */
const finalised = ['finalisiert', 'finalized', 'finalised']
const created = ['erstellt', 'created']
const constraining = ['constraint', 'rahmenbedingung', 'randbedingung', 'einschränkung']

/** A question this close to the end is what the answer waits for. */
const questionWindow = 300

/** Words before another one that turn its meaning round. */
// backtracks: the text has at most 40 characters
const negated = /\b(?:nicht|noch nicht|nie|kein\w*|not|never|isn't|wasn't)\s+(?:\w+\s+){0,2}$/

/** Infers from its prose, not from code in it, which step an answer belongs to; `current` is that of its session. */
export function inferStep(answer: Answer, fallback: Step, current?: Step): Step {
  const texts = [answer]
  const prose = proseOf(answer, (content) => {
    const document = new Answer(content)
    texts.push(document)
    return proseOf(document, () => '')
  })
  const named = stepInMalformed(prose)
  if (named !== undefined) return named
  const lower = prose.toLowerCase()
  const mentions = (words: readonly string[]): boolean => words.some((word) => isSaid(lower, word))
  const isAdr = /\bADR\b/.test(prose)
  // Before `generate`: a finalised ADR has usually been created too.
  if (isAdr && mentions(finalised)) return 'finalize'
  if (headersOf(answer).some(hasAdrId) || (isAdr && (mentions(created) || texts.some(hasYaml)))) return 'generate'
  // A question mark ends a word: one inside an address or an expression is none.
  if (/[?？](?![\p{L}\p{N}=&/.])/u.test(prose.slice(-questionWindow))) return current ?? 'what'
  return mentions(constraining) ? 'constraints' : (current ?? fallback)
}

/** The step that a marker which is not written as one names last: `STEP: what`, `[STEP = why]`, `<!-- step done -->`. */
function stepInMalformed(prose: string): Step | undefined {
  const found = [...prose.matchAll(/(?:STEP|<!-- ?[Ss]tep)[ :=*-]{1,9}(\p{L}{1,30})/gu)]
  return found.reduce<Step | undefined>((last, [, name = '']) => namedStep(name) ?? last, undefined)
}

/** Whether a word is in a text without a negation before it. */
function isSaid(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length))
    if (!negated.test(text.slice(Math.max(0, at - 40), at))) return true
  return false
}

function hasYaml({ codeBlocks }: Answer): boolean {
  return codeBlocks.some(({ language }) => language === 'yaml' || language === 'yml')
}

/** The body without code and markers, and with what documents in fences say. */
function proseOf({ text, bodyStart, codeBlocks, inlineCode }: Answer, read: (document: string) => string): string {
  const fenced = codeBlocks.map(({ span, language, content }) => ({ span, says: isMarkdown(language) ? read(content) : '' }))
  const code = [...fenced, ...inlineCode.map((span) => ({ span, says: '' }))].sort((a, b) => a.span.start - b.span.start)
  let prose = ''
  let at = bodyStart
  for (const { span, says } of code) {
    if (span.start > at) prose += text.slice(at, span.start)
    prose += says
    at = Math.max(at, span.end)
  }
  return withoutMarkers(prose + text.slice(at))
}

/** A text without markers and templates of markers. */
function withoutMarkers(text: string): string {
  const pieces = text.split('<!--')
  return pieces.map((piece, index) => (index > 0 && /^-*\s*step\s*:/i.test(piece) ? piece.slice(piece.indexOf('-->') + 3) : piece)).join('')
}
