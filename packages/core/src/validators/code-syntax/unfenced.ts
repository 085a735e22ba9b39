import { type IssueDraft, issue } from '../../contract/issue.ts'
import type { Locale } from '../../contract/locale.ts'
import type { SyntaxFault } from '../../contract/syntax.ts'
import { codeMessages } from './messages.ts'
import type { Snippet } from './snippet.ts'

/** How a call, an assignment or a function begins: whatever it names, it is not prose. */
const begins = /^(?:function\s+)?[\p{L}_$][\p{L}\p{N}_$]*(?:\.\w+|\[[^[\]]*\])*\s?(?:(\()|=(?!=))/u
/** How a line ends that begins with a call, but for a comment. */
const ends = /[)};{]\s*(?:$|\/[/*]|#)/

/** White space, or a comment, which may say anything. */
const neutral = /^(?:$|\/\/|\/\*)/

/** Whether a text has a line in the form of a statement; without one it is prose, and no parser is asked. */
export function hasStatement(source: string): boolean {
  return trimmedLines(source).some(isStatement)
}

/** Whether a text has the form of code from its first line to its last, as far as that shows without a parser. */
export function seemsCode(source: string): boolean {
  return trimmedLines(source).every((line) => neutral.test(line) || isStatement(line) || /^(?:return\b|\}$)/.test(line))
}

/** What a text without a fence is by the trace of its parser: code from its first line to its last, or else the issue of a mixture; nothing for prose. */
export function judgeUnfenced(
  { source, span, place, language }: Snippet,
  trace: readonly SyntaxFault[],
  locale: Locale,
): 'code' | readonly IssueDraft<'CODE_NOT_FENCED'>[] {
  const faulty = new Set(trace.map(({ line }) => line))
  const lines = trimmedLines(source)
  const [code, prose]: number[][] = [[], []]
  for (const [index, line] of lines.entries())
    if (!neutral.test(line)) (!faulty.has(index + 1) || isStatement(line) ? code : prose)?.push(index + 1)
  const [first, other] = [code?.[0], prose?.[0]]
  if (first === undefined) return []
  if (other === undefined) return 'code'
  const say = codeMessages[locale]
  const start = place(offsetOfLine(source, first))
  const at = { start, end: Math.min(span.end, start + (lines[first - 1]?.length ?? 0)) }
  return [issue('CODE_NOT_FENCED', say.notFenced(first, other), { span: at, hint: say.fence(language) })]
}

function isStatement(line: string): boolean {
  const begun = begins.exec(line)
  return begun !== null && (begun[1] === undefined || ends.test(line))
}

function trimmedLines(source: string): string[] {
  return source.split(/\r\n|[\r\n]/).map((line) => line.trim())
}

/** Where the text of a line begins, counted from 1. */
function offsetOfLine(source: string, line: number): number {
  const breaks = /\r\n|[\r\n]/g
  for (let at = 1; at < line; at++) breaks.exec(source)
  return breaks.lastIndex + (/\S/.exec(source.slice(breaks.lastIndex))?.index ?? 0)
}
