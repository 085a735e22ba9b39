import type { Issue } from '../api/run-types.ts'
import { hiddenCharacter } from './rounds.ts'

/** What a redaction puts in the place of a secret. */
const placeholder = /\[(?:[A-Z][A-Z_ ]*|hidden)\]/y

/**
 * The text of an attempt as spans count in it. Kept texts have placeholders for secrets, while spans refer to the text without them. A validator whose
 * every issue is at a placeholder has redacted these places; its secrets get their length back.
 */
export function unredacted(text: string, issues: readonly Issue[]): string {
  for (const validator of new Set(issues.map((issue) => issue.validator))) {
    const spans = issues.flatMap((issue) => (issue.validator === validator && issue.span ? [issue.span] : []))
    const found =
      spans.length === 0
        ? undefined
        : lengthened(
            text,
            spans.sort((a, b) => a.start - b.start),
          )
    if (found !== undefined) return found
  }
  return text
}

function lengthened(text: string, spans: readonly { readonly start: number; readonly end: number }[]): string | undefined {
  const pieces: string[] = []
  let at = 0
  let shift = 0
  for (const { start, end } of spans) {
    placeholder.lastIndex = start + shift
    const [found] = start + shift < at ? [] : (placeholder.exec(text) ?? [])
    if (found === undefined) return undefined
    pieces.push(text.slice(at, start + shift), hiddenCharacter.repeat(end - start))
    at = start + shift + found.length
    shift += found.length - (end - start)
  }
  return pieces.join('') + text.slice(at)
}
