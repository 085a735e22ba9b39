import { lineAt } from '../line-at.ts'
import type { Mistake } from '../model-mistakes.ts'

/** Operators of other languages, and what Python has for them. */
const operators: readonly (readonly [string, string])[] = [
  ['&&', 'and'],
  ['||', 'or'],
  ['===', '=='],
  ['!==', '!='],
  ['<>', '!='],
]

/** Lines that are not Python: the pattern of their start, and what to do. */
const lines: readonly (readonly [RegExp, string])[] = [
  [/^\s*>>>/, 'Remove the prompt (`>>>` or `...`) and the output: write only the code.'],
  [/^\s*[!%]{1,2}\w/, 'Remove this notebook command: it is not Python.'],
  [/^\s*\$ \w/, 'Remove this shell command: it is not Python.'],
  [/^\s*print\s+[^\s=(.,[]/, 'Call print with parentheses: print(…).'],
  [/^\s*exec\s+["']/, 'Call exec with parentheses: exec(…).'],
  [/^\s*raise\s+[\w.]+\s*,/, 'Raise one exception: raise Error(message).'],
  [/^\s*except\s+[\w.]+\s*,\s*[a-z_]\w*\s*:/, 'Write `except Error as name:`, or put several exceptions in parentheses.'],
  [/^\s*(?:let|var|const)\s+\w/, 'Remove the `let`, `var` or `const`: Python has no keyword for variables.'],
  [/^\s*switch\s+\w/, 'Write `match` instead of `switch`.'],
  [/^\s*function\s+\w/, 'Write `def` instead of `function`.'],
  [
    /^\s*(?:async\s+)?(?:def|class|if|elif|else|for|while|try|with)\b[^#:]*\{\s*$/,
    'End this line with `:` instead of `{`, and indent the block.',
  ],
  [/^\s*\/\//, 'Write comments with `#`, not `//`.'],
  [/^\s*\/\*/, 'Write comments with `#`, not `/* */`.'],
  [/^\s*else if\b/, 'Write `elif` instead of `else if`.'],
  [/^\s*\w[\w.]*(?:\+\+|--)[\s;]*$/, 'Write `+= 1` or `-= 1`: Python has no `++` and `--`.'],
]

/** Finds syntax of another language, or of another version of Python, at the place of a fault. */
export function foreignAt(source: string, offset: number): Mistake | undefined {
  for (const [operator, wanted] of operators) {
    const start = source.slice(Math.max(0, offset - 2), offset + operator.length).indexOf(operator)
    if (start >= 0) return { message: `Write \`${wanted}\` instead of \`${operator}\`.`, suggestion: wanted }
  }
  if (source.charAt(offset) === '?') return { message: 'Write a conditional as `a if condition else b`: Python has no `?`.' }
  const line = lineAt(source, offset)
  const found = lines.find(([pattern]) => pattern.test(line))
  return found === undefined ? undefined : { message: found[1] }
}
