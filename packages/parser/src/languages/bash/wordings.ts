import { quoted } from '../quoted.ts'

type Wording = (match: readonly string[], line: number) => string

/** What to do about reports of mvdan/sh, by their text; the first that matches is taken. */
const wordings: readonly (readonly [RegExp, Wording])[] = [
  [/^reached EOF without closing quote `"`/, () => 'Close the double quote that opens here.'],
  [/^reached EOF without closing quote `'`/, () => 'Close the single quote that opens here.'],
  [/^reached .+"`"/, () => 'Close the back-tick that opens here.'],
  [
    // backtracks: a report has at most 200 characters
    /^reached .+ without (?:matching|closing quote) `?(.+?)`? with `?(.+?)`?$/,
    ([, open = '', close = ''], line) => closing(open, close, line),
  ],
  // backtracks: a report has at most 200 characters
  [/^reached .+ without closing quote `?(.+?)`?$/, ([, mark = ''], line) => closing(mark, mark, line)],
  [/^`(\S+)`(?: statement)? must end with `(.+)`$/, ([, open = '', close = ''], line) => closing(open, close, line)],
  [
    /^unclosed here-document `?(.*?)`?$/,
    ([, end = '']) => `End the here-document that starts here with a line that holds only ${quoted(end)}.`,
  ],
  // backtracks: a report has at most 200 characters
  [/^`(\w+) .*[<[].*` must be followed by (.+)$/, ([, loop = '', next = '']) => `Write ${next} after the head of this ${quoted(loop)}.`],
  // backtracks: a report has at most 200 characters
  [/^(.+) must be followed by (.+)$/, ([, what = '', next = '']) => `Write ${next} after ${what}.`],
  [/^statements must be separated by/, () => 'Write a semicolon or a line break between these commands.'],
  [/^`(.+?)` can only (?:be used|immediately follow) /, ([, sign = '']) => misplaced(sign)],
  [/^a command can only contain words and redirects; encountered `?(.+?)`?$/, ([, sign = '']) => misplaced(sign)],
]

/** Longer reports quote the script. */
const maxReport = 200

/** One sentence on what to do about a report on a line. */
export function instruction(report: string, line: number): string {
  const said = report.slice(0, maxReport).replace(/; tried parsing as .*$/s, '')
  for (const [pattern, wording] of wordings) {
    const match = pattern.exec(said)
    if (match !== null) return wording(match, line)
  }
  return `Correct the command here: ${said}.`
}

function closing(open: string, close: string, line: number): string {
  return `Close the ${quoted(open)} of line ${line} with ${quoted(close)}.`
}

function misplaced(sign: string): string {
  return `Correct the command at ${quoted(sign)}: bash does not expect it here.`
}
