import { isHighSurrogate } from '../answer/characters.ts'
import type { ContinueOptions, Message, Prompt } from '../engine/runner.ts'

/** How much of a rejected answer is shown to the model again by default. */
export const defaultEchoLimit = 8000

/** Gives any prompt the shape of a conversation. */
export function asMessages(prompt: Prompt): readonly Message[] {
  return typeof prompt === 'string' ? [{ role: 'user', content: prompt }] : (prompt as readonly Message[])
}

/**
 * The conversation of a retry for runners that keep no sessions: what was asked at first, the rejected answer, the feedback.
 * Earlier retries are left out, so its size does not grow with their number.
 */
export function retryMessages(
  feedback: string,
  { original, rejected }: Pick<ContinueOptions, 'original' | 'rejected'>,
  echoLimit: number = defaultEchoLimit,
): readonly Message[] {
  const echo = clampMiddle(rejected, echoLimit)
  const assistant: readonly Message[] = echo === '' ? [] : [{ role: 'assistant', content: echo }]
  return [...asMessages(original), ...assistant, { role: 'user', content: feedback }]
}

/** Cuts the middle out of a text that is longer than `limit`, and says so in its place. */
export function clampMiddle(text: string, limit: number): string {
  if (text.length <= limit) return text
  const room = limit - mark(text.length).length
  if (room < 2) return text.slice(0, wholeBefore(text, limit))
  const head = wholeBefore(text, Math.ceil(room / 2))
  const tail = wholeAfter(text, text.length - Math.floor(room / 2))
  return text.slice(0, head) + mark(tail - head) + text.slice(tail)
}

function mark(count: number): string {
  return `\n[… ${count} characters left out …]\n`
}

function wholeBefore(text: string, index: number): number {
  return isInsidePair(text, index) ? index - 1 : index
}

function wholeAfter(text: string, index: number): number {
  return isInsidePair(text, index) ? index + 1 : index
}

function isInsidePair(text: string, index: number): boolean {
  return isHighSurrogate(text.charCodeAt(index - 1)) && (text.charCodeAt(index) & 0xfc00) === 0xdc00
}
