import type { CodeLanguage } from './code-language.ts'

/** How code without a fence may begin, by language. */
const beginnings: readonly (readonly [language: string, start: RegExp])[] = [
  ['bash', /^(?:#!.*\b(?:ba|da)?sh\b|(?:if|while) \[\[? .*\]; (?:then|do)$|for \w+ in .*; do$)/], // backtracks: at most 200 characters
  [
    'python',
    /^(?:#!.*\bpython|"""|(?:async )?def \w+ ?\(|from [\w.]+ import |import [\w.]+(?: as \w+)?$|class \w+ ?[:(]|print\(|@\w[\w.]*(?:\(.*\))?$)/, // backtracks: at most 200 characters
  ],
  ['go', /^(?:package \w+$|func (?:\(\w+ [*\w]+\) )?\w+\()/], // backtracks: at most 200 characters
  ['sql', /^(?:SELECT |INSERT INTO |UPDATE |DELETE FROM |CREATE |ALTER |DROP |WITH |select .* from )/], // backtracks: at most 200 characters
  ['sql', /^(?:insert into |update \w+ set |delete from |create table |alter table |drop table )/], // backtracks: at most 200 characters
  // A misspelt verb before columns and a table.
  [
    'sql',
    /^(?:[A-Z]{3,9} (?:\*|[a-z_][\w.]*(?:, ?[\w.]+)*) FROM|[a-z]{3,9} \* from) [\w."]+(?:;|\s(?:WHERE|ORDER|GROUP|LIMIT|JOIN|where|order)\s.*|$)/,
  ], // backtracks: at most 200 characters
  ['json', /^(?:[{[]$|\{\s*["}]|\[\s*["{[\]\d-])/], // backtracks: at most 200 characters
  [
    'typescript',
    /^(?:export |import ["'{*]|import \w+ from |(?:const|let|var) [\w${[]|(?:async )?function\b|interface \w|type \w+ ?[=<]|class \w+ ?(?:\{|extends |implements )|for \((?:const|let|var) |console\.\w+\()/, // backtracks: at most 200 characters
  ],
]

/** What opens a block in Python, with or without its colon. */
const pythonOpener = /^(?:try:|(?:if|while|for|with) \S.*:|for \w+(?:, ?\w+)* in .*\)|(?:if|while) [^({[].* [=<>!]=? .*)$/ // backtracks: at most 200 characters
/** A first line of such a block, which prose does not go on with. */
const pythonBody = /^[ \t]+(?:[A-Za-z_][\w.]*(?:[([]| ?[-+*/]?= )|(?:return|pass|raise|break|continue|yield)\b)(?:.*[^;{])?$/ // backtracks: at most 200 characters
/** An assignment as Python has it, of what a file of settings does not hold. */
const pythonAssignment = /^[a-z_]\w*(?:\.\w+)* [-+*/]?= (?:[([]|[a-z_]+(?:\.\w+)*\(|\d+(?:\.\d+)?(?: [-+*/%]|$))/ // backtracks: at most 200 characters

/** Of a longer line the start is enough. */
const longestLine = 200
/** So many lines are looked at. */
const mostLines = 40

/** The language that a text without fences seems to be written in, of the library's and others that are known; undefined in doubt. */
export function guessLanguage(text: string, others: readonly CodeLanguage[]): string | undefined {
  const lines = firstLines(text)
  const [first = '', second = ''] = lines
  const begin = first.trim()
  if (!mayBeginCode(begin, others)) return undefined
  const trimmed = lines.map((line) => line.trim())
  const other = others.find((language) => trimmed.every(language.isLine) && language.isCertain(trimmed))
  if (other !== undefined) return other.name
  const known = beginnings.find(([, start]) => start.test(begin))?.[0]
  if (known !== undefined) return known
  if (pythonOpener.test(begin) && pythonBody.test(second)) return 'python'
  return pythonAssignment.test(begin) && !trimmed.some((line) => /[;{}]$|=>|\$/.test(line)) ? 'python' : undefined
}

/** Whether a text may be code, by its first line that is neither blank nor a comment. */
export function mayBeginCode(line: string, others: readonly CodeLanguage[]): boolean {
  if (/[\p{L}\d][.!?]$/u.test(line)) return false
  return (
    beginnings.some(([, start]) => start.test(line)) ||
    pythonOpener.test(line) ||
    pythonAssignment.test(line) ||
    others.some(({ isLine }) => isLine(line))
  )
}

/** Cuts a line to what is looked at. */
export function cutLine(line: string): string {
  const start = line.search(/\S/)
  return start < 0 ? '' : line.slice(Math.max(0, start - 1), start + longestLine).trimEnd()
}

/** Whether a line says nothing about the language: a comment, or a heading. */
export function isSkipped(line: string): boolean {
  return line === '' || /^\s*(?:\/\/|#(?!!)|-- )/.test(line)
}

/** Where the line at an offset ends, without its line break. */
export function lineEnd(text: string, at: number): number {
  const breaks = /[\r\n]/g
  breaks.lastIndex = at
  return breaks.exec(text)?.index ?? text.length
}

function firstLines(text: string): string[] {
  const found: string[] = []
  let at = 0
  while (at < text.length && found.length < mostLines) {
    const end = lineEnd(text, at)
    const line = cutLine(text.slice(at, end))
    if (!isSkipped(line)) found.push(line)
    at = end + 1
  }
  return found
}
