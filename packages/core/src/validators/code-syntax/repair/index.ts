import type { Answer } from '../../../answer/answer.ts'
import { readFenceOpening } from '../../../answer/markdown/fence.ts'
import type { CodeBlock } from '../../../answer/outline.ts'
import type { TextSpan } from '../../../answer/span.ts'
import type { Certificate } from '../../../contract/certificate.ts'
import { changedText, type TextChange } from '../../../repairs/apply.ts'
import { meantBlocks, type Snippet, textAt } from '../snippet.ts'
import type { Verdicts } from '../verdicts.ts'

const double = /[\u201c\u201d\u201e\u201f]/
const single = /[\u2018\u2019\u201a\u201b]/
const space = /[\u00a0\u2007\u202f\u3000]/
const invisible = /[\u200b\u2060\ufeff]/

/** Characters that word processors and web pages put in place of those that code is written with. */
type Foreign = 'double' | 'single' | 'space'

/** The change of one of them. */
interface ForeignCharacter extends TextChange {
  readonly kind: Foreign
}

/** The changes that would write foreign characters as code has them, outside of strings in straight quotes, in text order. */
function foreignCharacters(source: string): readonly ForeignCharacter[] {
  const edits: ForeignCharacter[] = []
  let at = 0
  // After the last straight quote of a kind on a line no string of its kind is closed.
  const last = { '"': -1, "'": -1, line: -1 }
  while (at < source.length) {
    const char = source.charAt(at)
    if (char === '"' || char === "'") {
      at = endOfString(source, at, char, last)
      continue
    }
    if (char > '\u007f' && !isApostrophe(source, at)) {
      const replaced = replacementOf(char)
      if (replaced) edits.push({ start: at, before: char, ...replaced })
    }
    at++
  }
  return edits
}

/** The apostrophe in `it’s`, which closes no string. */
function isApostrophe(source: string, at: number): boolean {
  return source.charAt(at) === '\u2019' && /^\p{L}.\p{L}$/u.test(source.slice(at - 1, at + 2))
}

function replacementOf(char: string): Pick<ForeignCharacter, 'kind' | 'after'> | undefined {
  if (double.test(char)) return { kind: 'double', after: '"' }
  if (single.test(char)) return { kind: 'single', after: "'" }
  if (space.test(char)) return { kind: 'space', after: ' ' }
  return invisible.test(char) ? { kind: 'space', after: '' } : undefined
}

/** Where a string on one line ends; after its quote when it is not closed there. */
function endOfString(source: string, start: number, quote: '"' | "'", last: { '"': number; "'": number; line: number }): number {
  if (start > last.line) {
    const end = source.indexOf('\n', start)
    last.line = end < 0 ? source.length : end
    const line = source.slice(start, last.line)
    last['"'] = start + line.lastIndexOf('"')
    last["'"] = start + line.lastIndexOf("'")
  }
  if (last[quote] <= start) return start + 1
  for (let at = start + 1; at <= last[quote]; at++) {
    if (source.charAt(at) === '\\') at++
    else if (source.charAt(at) === quote) return at + 1
  }
  last[quote] = start
  return start + 1
}

/** Longer code is not repaired: it is parsed many times. */
const longestSource = 100_000

/** More foreign characters are not a slip; each of them costs a call of the parser. */
const mostCharacters = 32

/** A change of the code with the rule that makes it. */
interface RuledEdit extends TextChange {
  readonly rule: 'correct-fence' | 'straighten-quotes' | 'plain-spaces'
}

/** The characters that are tried, fewest kinds first. */
const attempts: readonly (readonly Foreign[])[] = [['space'], ['double'], ['single'], ['double', 'single'], ['double', 'single', 'space']]

/** Finds the fewest changes that make code parse without a doubt; undefined where there are none. */
export async function findRepair(snippet: Snippet, verdicts: Verdicts, signal: AbortSignal): Promise<readonly RuledEdit[] | undefined> {
  const { language, source } = snippet
  if (source.length > longestSource) return undefined
  const parses = async (edits: readonly TextChange[]): Promise<boolean> => {
    const changed = changedText(source, edits)
    if (changed === undefined) return false
    const verdict = await verdicts.on(language, changed, signal)
    return !(verdict instanceof Error) && verdict.verdict === 'valid'
  }
  const fences: readonly RuledEdit[] = strayFences(source).map((edit) => ({ ...edit, rule: 'correct-fence' }))
  if (fences.length > 0 && (await parses(fences))) return fences
  const found = foreignCharacters(source)
  if (found.length === 0 || found.length > mostCharacters) return undefined
  for (const base of fences.length > 0 ? [[], fences] : [[]]) {
    let tried = 0
    for (const kinds of attempts) {
      const chosen = found.filter(({ kind }) => kinds.includes(kind))
      // Kinds that are not there make no further attempt.
      if (chosen.length === 0 || (kinds.length > 1 && chosen.length === tried)) continue
      tried = Math.max(tried, chosen.length)
      const edits = outermost([...base, ...chosen.map(ruled)])
      if (await parses(edits)) return needed(edits, parses)
    }
  }
  return undefined
}

/** Leaves out every change of a character without which the code parses too, such as one in a comment. */
async function needed(
  edits: readonly RuledEdit[],
  parses: (edits: readonly TextChange[]) => Promise<boolean>,
): Promise<readonly RuledEdit[]> {
  let kept = edits
  for (const edit of edits) {
    const fewer = kept.filter((one) => one !== edit)
    if (edit.rule !== 'correct-fence' && (await parses(fewer))) kept = fewer
  }
  return kept
}

function ruled({ kind, ...change }: ForeignCharacter): RuledEdit {
  return { ...change, rule: kind === 'space' ? 'plain-spaces' : 'straighten-quotes' }
}

/** In text order, without those inside of another. */
function outermost(edits: readonly RuledEdit[]): readonly RuledEdit[] {
  let end = 0
  return [...edits]
    .sort((a, b) => a.start - b.start || b.before.length - a.before.length)
    .filter(({ start, before }) => {
      if (start < end) return false
      end = start + before.length
      return true
    })
}

/** The changes that take fence lines off the start and the end of code, where a fence was doubled or has the wrong length. */
function strayFences(source: string): readonly TextChange[] {
  const start = endOfLeadingFence(source)
  const end = startOfTrailingFence(source)
  // Code that is nothing but fences has none.
  if (start >= end) return []
  return [
    ...(start > 0 ? [{ start: 0, before: source.slice(0, start), after: '' }] : []),
    ...(end < source.length ? [{ start: end, before: source.slice(end), after: '' }] : []),
  ]
}

/** Where the code starts after a fence line; 0 without one. */
function endOfLeadingFence(source: string): number {
  const line = source.trimStart()
  const length = line.search(/[\r\n]/)
  if (length < 0 || readFenceOpening(line.slice(0, length), 0) === undefined) return 0
  return source.length - line.length + length + (line.startsWith('\r\n', length) ? 2 : 1)
}

/** Where the code ends before a bare fence line, with its line break; the length without one. */
function startOfTrailingFence(source: string): number {
  const text = source.trimEnd()
  const lineStart = Math.max(text.lastIndexOf('\n'), text.lastIndexOf('\r')) + 1
  const opening = readFenceOpening(text.slice(lineStart).trimStart(), 0)
  if (lineStart === 0 || opening === undefined || opening.info !== '') return source.length
  return text.charAt(lineStart - 2) === '\r' ? lineStart - 2 : lineStart - 1
}

/** Yields the changes that make the code of an answer parse, where they are unambiguous; code that parses is left alone. */
export async function* repairCode(
  answer: Answer,
  snippets: readonly Snippet[],
  verdicts: Verdicts,
  signal: AbortSignal,
): AsyncGenerator<Certificate> {
  const { text } = answer
  const blocks = meantBlocks(text)
  for (const snippet of snippets) {
    const verdict = await verdicts.of(snippet, signal)
    if (verdict instanceof Error) continue
    if (verdict.verdict === 'mistagged' && snippet.tag !== undefined) {
      const { span } = snippet.tag
      yield { rule: 'correct-tag', class: 'lossless', span, before: textAt(text, span), after: verdict.holds }
    }
    if (verdict.verdict !== 'invalid') continue
    const edits = (await findRepair(snippet, verdicts, signal)) ?? []
    for (const { start, before: written, after, rule } of edits) {
      const span = { start: snippet.place(start), end: snippet.place(start + written.length) }
      const before = textAt(text, span)
      const closing = rule === 'correct-fence' && start > 0 ? closingFence(blocks, snippet) : undefined
      // A fence of the wrong length was meant to close the block.
      yield { rule, class: 'lossless', span, before, after: closing === undefined ? after : withoutFence(before) + closing }
    }
    const doubled = edits.some(({ rule, start }) => rule === 'correct-fence' && start === 0)
      ? closedTwice(text, blocks, snippet)
      : undefined
    if (doubled) yield { rule: 'correct-fence', class: 'lossless', span: doubled, before: textAt(text, doubled), after: '' }
  }
}

/** A text without the fence at its end. */
function withoutFence(text: string): string {
  const trimmed = text.trimEnd()
  let end = trimmed.length
  while (end > 0 && '`~'.includes(trimmed.charAt(end - 1))) end--
  return trimmed.slice(0, end)
}

/** The fence that closes a block that is not closed. */
function closingFence(codeBlocks: readonly CodeBlock[], { span, closed, number }: Snippet): string | undefined {
  const block = closed || number === undefined ? undefined : codeBlocks.find(({ span: { start } }) => start === span.start)
  return block?.char.repeat(block.length)
}

/** The second of two closing fences, which opens a block without anything in it. */
function closedTwice(text: string, codeBlocks: readonly CodeBlock[], { span, closed }: Snippet): TextSpan | undefined {
  const next = codeBlocks.find(({ span: { start } }) => start >= span.end)
  if (!closed || next === undefined || next.info !== '' || next.content.trim() !== '') return undefined
  return text.slice(span.end, next.span.start).trim() === '' ? { start: span.end, end: next.span.start + next.length } : undefined
}
