import { safeJson } from '../terminal/printable.ts'

/** A text as a YAML value that is read back exactly: a word, a block of lines where that is possible, else in quotes. */
export function yamlText(text: string, indent: string): string {
  if (isBlock(text)) {
    const body = text.endsWith('\n') ? text.slice(0, -1) : text
    return `|${text.endsWith('\n') ? '' : '-'}\n${body
      .split('\n')
      .map((line) => (line === '' ? '' : `${indent}${line}`))
      .join('\n')}`
  }
  return isWord(text) ? text : safeJson(text)
}

/** Whether a text has several lines, none of which YAML would change. */
function isBlock(text: string): boolean {
  if (!text.includes('\n') || text.endsWith('\n\n') || /^[\s]/.test(text)) return false
  return !/(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(text) && !/[ ](?:\n|$)/.test(text)
}

/** Words that YAML reads as something else. */
const reserved = /^(?:true|false|null|yes|no|on|off|y|n)$/i

/** Whether a text needs no quotes. */
function isWord(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_ .-]{0,78}[A-Za-z0-9_.]$/.test(text) && !reserved.test(text) && !/ {2}/.test(text)
}

/** Data as YAML in the flow style, which is JSON. */
export function yamlData(value: unknown): string {
  return safeJson(value)
}
