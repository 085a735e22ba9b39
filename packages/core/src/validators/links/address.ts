import type { TextSpan } from '../../answer/span.ts'
import { escapes, readReference, readSign, references, signs } from '../shared/character-reference.ts'
import { RewrittenText } from '../shared/rewritten-text.ts'

/** A place that a link or an image leads to. */
export interface LinkTarget {
  readonly span: TextSpan
  /** The address in every way in which renderers and browsers may read it. */
  readonly addresses: readonly string[]
  /** Whether another link may begin inside of it, so that nobody can tell where it leads. */
  readonly isSplit: boolean
}

/** Adds a target unless it is empty. */
export function add(found: LinkTarget[], span: TextSpan, addresses: readonly string[], isSplit: boolean): void {
  if (span.end > span.start) found.push({ span, addresses, isSplit })
}

/** An address ends before a parenthesis that it has not opened, and before the signs that end a sentence. */
export function endOfAddress(text: string, start: number, most: number): number {
  let depth = 0
  let end = start
  for (; end < most; end++) {
    const unit = text[end]
    if (unit === '\\') end++
    else if (unit === '(') depth++
    else if (unit === ')' && --depth < 0) break
  }
  end = Math.min(end, most)
  while (end > start + 1 && /[.,;:!?*_~\]]/.test(text[end - 1] as string)) end--
  return end
}

/** Matches nothing. */
export const never = /(?!)/g
/** An address as it is written, and as renderers and browsers read it: its references, in Markdown its escapes, and without the characters that browsers leave out. */
export function readings(written: string, isMarkdown: boolean): string[] {
  const read = new Set([written])
  if (/[\\&]/.test(written)) {
    read.add(decode(written, references, readReference))
    if (isMarkdown) {
      read.add(decode(written, signs, readSign))
      read.add(decode(written.replace(escapes, '$1'), references, readReference))
    }
  }
  for (const one of [...read]) {
    read.delete(one)
    // As a browser does, and as others may.
    read.add(one.replace(/[\t\n\r]/g, '').trim())
    read.add(one.replace(/[\p{Cc}\p{Default_Ignorable_Code_Point}\s]/gu, ''))
  }
  return [...read]
}

function decode(written: string, pattern: RegExp, read: typeof readReference): string {
  return new RewrittenText(written, pattern, read).plain
}
