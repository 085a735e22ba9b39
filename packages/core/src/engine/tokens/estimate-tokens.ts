import { isHighSurrogate, isLowSurrogate } from '../../answer/characters.ts'
import type { Prompt } from '../runner.ts'

const bytesPerToken = 4

/** Estimates the tokens of a text as its UTF-8 bytes divided by 4, rounded up; more text is never fewer tokens. */
export function estimateTokens(text: string): number {
  return estimateTokensOfBytes(utf8Length(text))
}

/** Estimates the tokens of a text from its UTF-8 bytes, for incremental counting. */
export function estimateTokensOfBytes(bytes: number): number {
  return Math.ceil(bytes / bytesPerToken)
}

/** Estimates the tokens of a prompt. */
export function promptTokens(prompt: Prompt): number {
  if (typeof prompt === 'string') return estimateTokens(prompt)
  return prompt.reduce((sum, { content }) => sum + estimateTokens(typeof content === 'string' ? content : JSON.stringify(content ?? '')), 0)
}

/** The number of bytes of a text in UTF-8, counted without encoding it; a lone surrogate counts as U+FFFD. `before` is the UTF-16 unit before the text. */
export function utf8Length(text: string, before = Number.NaN): number {
  let bytes = 0
  let previous = before
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    bytes += unitBytes(unit, previous)
    previous = unit
  }
  return bytes
}

/** The bytes that a UTF-16 unit adds; a pair counts 3 + 1, so that a text never has fewer than its beginning. */
function unitBytes(unit: number, previous: number): number {
  if (unit < 0x80) return 1
  if (unit < 0x800) return 2
  const closesPair = isLowSurrogate(unit) && isHighSurrogate(previous)
  return closesPair ? 1 : 3
}
