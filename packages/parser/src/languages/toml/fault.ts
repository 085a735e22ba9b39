import type { SyntaxFault } from '@stickler/core/validators'
import type { TomlError } from 'smol-toml'
import { faultAt } from '../fault-at.ts'
import { afterLines } from '../offsets.ts'
import { quoted } from '../quoted.ts'
import { tooDeep } from '../too-deep.ts'

/** What to do about what the parser says; `$` is the code there. */
const wordings: readonly (readonly [RegExp, string])[] = [
  [/redefine/, 'Define $ once: it is defined above.'],
  [/^each key-value/, 'Start a new line before $, or put the whole value in quotes: a line holds one `key = value`.'],
  [/^expected comma/, 'Write `,` between the values, or close the bracket.'],
  [/^unfinished string/, 'Close this string with the quotes that open it, on the same line.'],
  [/^unfinished (?:array|table)/, 'Close the bracket that opens here.'],
  [/end of (?:key|table)/, 'Write `key = value` here, or close the name of the table with as many `]` as open it.'],
  [/^illegal (?:character in|empty bare) key/, 'Put the key $ in quotes: without them it may have letters, digits, `_` and `-`.'],
  [/^illegal leading zero/, 'Write the number $ without leading zeros, or as a string.'],
  [
    /^invalid value|^unfinished numeric/,
    'Write the value $ as a string in quotes, or as a number, `true`, `false`, a date, `[…]` or `{…}`.',
  ],
  [/escape/, 'Write the backslash as `\\\\`, or put the text in single quotes.'],
  [/^control characters/, 'Close the string on its line, or put it in three quotes; other control characters are escaped.'],
]

/** The fault that stopped the parser; throws where that is not a matter of syntax. */
export function tomlFault(error: TomlError, source: string): SyntaxFault {
  const reason = (error.message.split('\n', 1)[0] ?? '').replace(/^Invalid TOML document: /, '')
  if (/nested/.test(reason)) throw tooDeep()
  if (/unsafe property/.test(reason)) throw error
  const start = afterLines(source, error.line) + error.column - 1
  const word = /^[^\s,=\]}]*/.exec(source.slice(start, start + 200))?.[0] ?? ''
  // A line that ends in a key has no value, or its bracket is open.
  const told = word === '' && /key$/.test(reason) ? 'end of key' : reason
  const wording = wordings.find(([pattern]) => pattern.test(told))?.[1] ?? `Correct the TOML at $: ${reason}.`
  return faultAt(
    source,
    start,
    start + word.length,
    wording.replace(/ \$/, () => (word === '' ? '' : ` ${quoted(word)}`)),
  )
}
