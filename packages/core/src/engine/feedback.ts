import type { Issue } from '../contract/issue.ts'
import type { Locale } from '../contract/locale.ts'
import { clamp } from '../contract/quote.ts'
import { feedbackCatalogue } from './feedback-catalogue.ts'

/** Feedback stays this small, whatever an answer holds. */
const mostIssues = 10
const longestLine = 400

/** How much of what was delivered is quoted back. */
const quotedTail = 200

/** The feedback that asks for a corrected answer; equal issues give equal bytes. */
export function feedback(issues: readonly Issue[], locale: Locale): string {
  const say = feedbackCatalogue[locale]
  return [say.opening, '', ...describeIssues(issues, locale), say.closing].join('\n')
}

/** The feedback that asks to go on from the text that has been delivered already. */
export function continuationFeedback(issues: readonly Issue[], delivered: string, locale: Locale): string {
  const say = feedbackCatalogue[locale]
  const tail = tailOf(delivered)
  const fence = unusedFence(tail)
  return [say.opening, '', ...describeIssues(issues, locale), say.delivered, fence, tail, fence, say.goOn].join('\n')
}

/** The end of the delivered text, as it is quoted to the model. */
export function tailOf(delivered: string): string {
  const start = Math.max(0, delivered.length - quotedTail)
  const splitsPair = isLowSurrogate(delivered.charCodeAt(start)) && start > 0
  return delivered.slice(splitsPair ? start + 1 : start)
}

function describeIssues(issues: readonly Issue[], locale: Locale): string[] {
  const say = feedbackCatalogue[locale]
  const shown = issues.slice(0, mostIssues)
  const lines = shown.flatMap(({ code, message, hint }) => [
    `**${code}**: ${oneLine(message)}`,
    ...(hint === undefined ? [] : [`  → Fix: ${oneLine(hint)}`]),
    '',
  ])
  if (issues.length > shown.length) lines.push(say.more(issues.length - shown.length), '')
  return lines.some((line) => line.includes('"')) ? [...lines, say.quoted, ''] : lines
}

/** Text of an answer must not start a line of its own in the feedback. */
export function oneLine(text: string): string {
  const line = clamp(text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' '), longestLine)
  // What is cut inside of a quotation would go on in the words behind it.
  return line.length < text.length && endsInQuotes(line) ? `${line}"` : line
}

function endsInQuotes(line: string): boolean {
  let isOpen = false
  for (let at = 0; at < line.length; at++) {
    if (line[at] === '"') isOpen = !isOpen
    else if (isOpen && line[at] === '\\') at++
  }
  return isOpen
}

/** A line that the quoted text cannot close. */
function unusedFence(text: string): string {
  let number = 1
  while (text.includes(`=== DELIVERED ${number} ===`)) number++
  return `=== DELIVERED ${number} ===`
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}
