import type { Prompt } from '../runner.ts'
import { utf8Length } from './utf8-length.ts'

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
