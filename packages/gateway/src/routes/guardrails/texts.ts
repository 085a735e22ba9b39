import { type Fields, isFields } from '@stickler/core/internal'
import { distribute } from '@stickler/core/internal/apis'
import { Unreadable, type Verdict } from './guardrail.ts'

const textTypes: ReadonlySet<unknown> = new Set([undefined, 'text', 'input_text', 'output_text'])

/** The texts of a message's content, in order. */
function contentTexts(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content]
  return Array.isArray(content) ? content.flatMap((part) => (isText(part) ? [part.text] : [])) : []
}

/** The content with other texts in place of its own. */
function withTexts(content: unknown, texts: readonly string[]): unknown {
  if (typeof content === 'string') return texts[0] ?? content
  if (!Array.isArray(content)) return content
  let at = 0
  return content.map((part: unknown) => (isText(part) ? { ...part, text: texts[at++] ?? part.text } : part))
}

function isText(part: unknown): part is { readonly text: string } {
  return isFields(part) && typeof part.text === 'string' && textTypes.has(part.type)
}

/** The content that a verdict leaves; throws when its text is not that of the answer, so that a change has no place. */
export function settledContent(content: unknown, { given, settled }: Verdict): unknown {
  if (settled.text === given.text) return content
  const texts = contentTexts(content)
  if (texts.join('') !== given.text) throw new Unreadable('The repaired text has no place in the response.')
  return withTexts(content, distribute(texts, settled.text, settled.repairs))
}

/** Whether calls were changed, or made of text. */
export function changesCalls({ given, settled }: Verdict): boolean {
  const calls = settled.toolCalls
  const isSame = (index: number): boolean =>
    calls[index]?.name === given.toolCalls[index]?.name && calls[index]?.arguments === given.toolCalls[index]?.arguments
  return calls.length !== given.toolCalls.length || !calls.every((_call, index) => isSame(index))
}

/** A list of objects in a body; throws when it is something else. */
export function objectsIn(holder: unknown, name: string): readonly Fields[] {
  const list = isFields(holder) ? holder[name] : undefined
  if (!Array.isArray(list) || !list.every(isFields)) throw new Unreadable(`${name} must be a list of objects.`)
  return list
}
