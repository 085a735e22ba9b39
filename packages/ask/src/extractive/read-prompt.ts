import type { Message } from '@stickler/core'
import { contentText } from '@stickler/core/internal'

/** The question and the sources of a prompt of `askPrompt`. */
export interface ReadPrompt {
  readonly question: string
  readonly sources: readonly { readonly id: number; readonly text: string }[]
}

const element = /<source id="(\d{1,9})" urn="[^"<]*">([^<]*)<\/source>\n?/y
const asking = /\n(?:Question|Request):\n/y

const characters: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
])

/**
 * Reads the last user message with sources; look-alikes inside sources or questions are ignored.
 */
export function readPrompt(messages: readonly Message[]): ReadPrompt {
  const texts = messages.flatMap(({ role, content }) => (role === 'user' ? [contentText(content)] : []))
  for (const text of texts.toReversed()) {
    const start = text.indexOf('Sources:\n<source id="1" ')
    // Everything after the start of the question is the question.
    const asks = text.search(/\n(?:Question|Request):\n/)
    const read = start < 0 || (asks >= 0 && asks < start) ? undefined : readFrom(text, start + 'Sources:\n'.length)
    if (read !== undefined) return read
  }
  return { question: texts.at(-1) ?? '', sources: [] }
}

function readFrom(text: string, start: number): ReadPrompt | undefined {
  const sources: { id: number; text: string }[] = []
  let at = start
  for (;;) {
    element.lastIndex = at
    const found = element.exec(text)
    if (found === null) break
    sources.push({ id: Number(found[1]), text: unescaped(found[2] ?? '') })
    at = element.lastIndex
  }
  asking.lastIndex = at
  return asking.test(text) ? { question: text.slice(asking.lastIndex), sources } : undefined
}

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters.get(entity) ?? entity)
}
