import { familyOf } from '../../answer/markdown/code-language.ts'
import type { SyntaxFault } from '../../contract/syntax.ts'

/** What code may have that does not parse. */
export interface Allowances {
  /** Whether `<repo-url>` may take the place of a value. */
  readonly placeholders: boolean
  /** Whether code may be a part of something, such as the members of an object, with `...` where something is left out. */
  readonly fragments: boolean
}

/** Something to be filled in: words in angle brackets, or a name in double braces. */
const placeholder = /<[A-Za-z](?:[\w .:/|-]{0,60}[\w)])?>|\{\{ ?[A-Za-z][\w.-]{0,60} ?\}\}/g

const inJson = /("(?:\\.|[^"\\\r\n])*"?|\/\/.*)|<[A-Za-z](?:[\w .:/|-]{0,60}[\w)])?>|\{\{ ?[A-Za-z][\w.-]{0,60} ?\}\}/g

/** Placeholders beside the strings and comments of languages in which a bare name is no value: what is in those parses as it is. */
const besideTexts: ReadonlyMap<string, RegExp> = new Map([
  ['json', inJson],
  ['jsonc', inJson],
  [
    'toml',
    /("""(?:\\[\s\S]|[^\\])*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\r\n])*"?|'[^'\r\n]*'?|#.*)|<[A-Za-z](?:[\w .:/|-]{0,60}[\w)])?>|\{\{ ?[A-Za-z][\w.-]{0,60} ?\}\}/g,
  ],
])

/** Code with a name in place of every placeholder, or a string where a name is no value; every character keeps its place. */
export function withoutPlaceholders(language: string, source: string): string {
  const beside = besideTexts.get(language)
  if (beside === undefined) return source.replace(placeholder, ({ length }) => 'x'.repeat(length))
  return source.replace(beside, (found, kept?: string) => kept ?? `"${'x'.repeat(found.length - 2)}"`)
}

/** Whether a fault names what is in place of a placeholder, which nobody wrote. */
export function namesStandIn({ message, suggestion = '' }: SyntaxFault, source: string): boolean {
  return (`${message} ${suggestion}`.match(/x{3,}|\bx+\b/g) ?? []).some((word) => !source.includes(word))
}

/** What goes around a fragment, so that it is whole. */
type Frame = readonly [before: string, after: string]

const scripts: readonly Frame[] = [
  ['(', '\n)'],
  ['async function* f() {', '\n}'],
  ['class C {', '\n}'],
  ['({', '\n})'],
  ['[', '\n]'],
  ['<>', '\n</>'],
  ['switch (x) {', '\n}'],
]

/** The frames of a fragment, by language. */
const frames: ReadonlyMap<string, readonly Frame[]> = new Map([
  [
    'json',
    [
      ['{', '\n}'],
      ['[', '\n]'],
    ],
  ],
  [
    'jsonc',
    [
      ['{', '\n}'],
      ['[', '\n]'],
    ],
  ],
  ['javascript', scripts],
  ['typescript', [...scripts, ['interface I {', '\n}']]],
  [
    'python',
    [
      ['{', '\n}'],
      ['[', '\n]'],
      ['f(', '\n)'],
      ['if x:\n pass\n', ''],
      ['try:\n pass\n', ''],
    ],
  ],
  [
    'rust',
    [
      ['fn f() {', '\n}'],
      ['impl S {', '\n}'],
      ['struct S {', '\n}'],
    ],
  ],
  [
    'java',
    [
      ['class C { void f() {', '\n} }'],
      ['enum E {', '\n}'],
    ],
  ],
  [
    'csharp',
    [
      ['class C { void f() {', '\n} }'],
      ['enum E {', '\n}'],
    ],
  ],
  [
    'sql',
    [
      ['select * from t ', ''],
      ['create table t (', '\n)'],
      ['select ', ''],
    ],
  ],
])

/** What a fragment may be in full: without what is left out, and in each frame of its language. */
export function* wholesOf(language: string, source: string): Generator<string> {
  const text = withoutElisions(language, source)
  if (text !== source) yield text
  const part = text.replace(/,\s*$/, '')
  for (const [before, after] of frames.get(familyOf(language)) ?? []) yield before + part + after
  if (language === 'python') yield `async def f():\n${indented(text)}`
}

/** A part of a block of Python, as the body of a function. */
function indented(source: string): string {
  const lines = source.split('\n')
  const margin = lines.reduce((least, line) => (line.trim() === '' ? least : Math.min(least, line.search(/\S/))), Number.POSITIVE_INFINITY)
  return lines.map((line) => ` ${line.slice(margin)}`).join('\n')
}

/** Strings, which stay, and an ellipsis with the words after it on a line of its own, or with its commas. */
const elision =
  /"(?:\\.|[^"\\\r\n])*"?|'(?:\\.|[^'\\\r\n])*'?|`(?:\\[\s\S]|[^`\\])*`?|(?=\.{3}|…)(?<=^[ \t]*)(?:\.{3}|…)[^\S\r\n]*(?:[\w (][^\r\n]*|,)?$|(?:(,)[ \t]?)?(?:\.{3}|…)(?![\w$([{"'`.])[ \t]?(,?)/gm

/** Code without its ellipses, of which one of two commas stays; every character keeps its place. */
function withoutElisions(language: string, source: string): string {
  const bare = source.replace(elision, (text: string, before: string | undefined, after: string | undefined, at: number) => {
    if (/^["'`]/.test(text)) return text
    // Python has a value for it.
    if (language === 'python') return '...'.padEnd(text.length)
    if (before === ',' && after === ',') return ','.padEnd(text.length)
    // What is left out of a pair is a value.
    return /[:=]\s?$/.test(source.slice(Math.max(0, at - 2), at)) ? `0${after ?? ''}`.padEnd(text.length) : ' '.repeat(text.length)
  })
  // What was left out at the end of a list leaves a comma there.
  // backtracks: the white space after a comma is read once
  return bare === source ? source : bare.replace(/,(?=\s*[}\])])/g, ' ')
}
