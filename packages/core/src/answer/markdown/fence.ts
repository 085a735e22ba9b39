const backtick = 96
const tilde = 126

/** The opening line of a fenced code block. */
export interface FenceOpening {
  readonly char: '`' | '~'
  readonly length: number
  readonly info: string
}

/** Reads the opening line of a fence at `at`, the first character that is not white space. */
export function readFenceOpening(line: string, at: number): FenceOpening | undefined {
  const code = line.charCodeAt(at)
  if (code !== backtick && code !== tilde) return undefined
  const end = endOfRun(line, at, code)
  if (end - at < 3) return undefined
  // An info string with a backtick would be inline code.
  if (code === backtick && line.indexOf('`', end) >= 0) return undefined
  return { char: code === backtick ? '`' : '~', length: end - at, info: line.slice(end).trim() }
}

/** Whether the line closes a fence. */
export function closesFence(line: string, at: number, fence: { readonly char: string; readonly length: number }): boolean {
  const code = fence.char.charCodeAt(0)
  if (line.charCodeAt(at) !== code) return false
  const end = endOfRun(line, at, code)
  if (end - at < fence.length) return false
  for (let index = end; index < line.length; index++) {
    const rest = line.charCodeAt(index)
    if (rest !== 32 && rest !== 9) return false
  }
  return true
}

/** The language that an info string names: its first word, in lower case. */
export function languageOf(info: string): string {
  // Most of them are one word in lower case already.
  if (isPlainWord(info)) return info
  return /^[^\s{,]*/.exec(info)?.[0].toLowerCase() ?? ''
}

function isPlainWord(info: string): boolean {
  for (let at = 0; at < info.length; at++) if (info.charCodeAt(at) < 97 || info.charCodeAt(at) > 122) return false
  return true
}

/** Whether a fence in this language holds a Markdown document. */
export function isMarkdown(language: string): boolean {
  return language === 'markdown' || language === 'md' || language === 'adr'
}

function endOfRun(line: string, from: number, code: number): number {
  let end = from
  while (line.charCodeAt(end) === code) end++
  return end
}
