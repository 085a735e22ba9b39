import { utf8Length } from './utf8-length.ts'

/** Estimates the tokens of a text as its UTF-8 bytes divided by 4, rounded up; more text is never fewer tokens. */
export function estimateTokens(text: string): number {
  return Math.ceil(utf8Length(text) / 4)
}
