import { positionAt } from '@stickler/core/internal'
import type { OxcError } from 'oxc-parser'
import { type Mistake, mistakeAt } from '../model-mistakes.ts'
import { quoted } from '../quoted.ts'
import { skipSpace } from '../skip-space.ts'

/** What is known where an error is. */
interface Circumstances {
  readonly match: RegExpExecArray
  /** The word or sign at the fault; empty at the end of the code. */
  readonly token: string
}

type Wording = (circumstances: Circumstances) => Mistake

const fixed =
  (message: string, suggestion?: string): Wording =>
  () =>
    suggestion === undefined ? { message } : { message, suggestion }

/** What to do about the parser's errors, by their text; the first that matches is taken. */
const wordings: readonly (readonly [RegExp, Wording])[] = [
  [/^Expected a semicolon or an implicit semicolon/, ({ token }) => ({ message: separate(token) })],
  [
    /^Unexpected token\. Did you mean `(.*?)` or `(.*?)`/,
    ({ match }) => ({ message: `Write ${match[1]} or ${match[2]} for this sign in JSX text.` }),
  ],
  [/^Unexpected token$/, ({ token }) => ({ message: unexpected(token) })],
  [/^Unexpected end of file/, fixed('Complete the code: it ends too early.')],
  [/^Unterminated string/, fixed('Close the string that starts here with the quote that opened it, on the same line.')],
  [/^Unterminated multiline comment/, fixed('Close the comment that starts here with `*/`.')],
  [/^Unterminated regular expression/, fixed('Close the regular expression that starts here with `/`, on the same line.')],
  [/^Unterminated template/, fixed('Close the template literal that starts here with a back-tick.')],
  [/^(?:Type \w+|.*) can only be used in TypeScript files/, fixed('Remove the TypeScript syntax, or mark the code as TypeScript.')],
  [/^Invalid Character/, ({ token }) => ({ message: `Remove or replace the character ${quoted(token)}: it is not allowed here.` })],
  [
    /^Identifier `(.*)` has already been declared/,
    ({ match }) => ({ message: `Rename or remove this second declaration of ${quoted(match[1] ?? '')}.` }),
  ],
  [
    /^Label `(.*)` has already been declared/,
    ({ match }) => ({ message: `Rename or remove this second label ${quoted(match[1] ?? '')}.` }),
  ],
  [/^The keyword '(.*)' is reserved/, ({ match }) => ({ message: `Choose another name: ${quoted(match[1] ?? '')} is reserved.` })],
  [
    /^Identifier expected\. '(.*)' is a reserved word/,
    ({ match }) => ({ message: `Write a name here: ${quoted(match[1] ?? '')} is a reserved word.` }),
  ],
  [
    /^Cannot use `(.*)` as an identifier/,
    ({ match }) => ({ message: `Choose another name: ${quoted(match[1] ?? '')} is a keyword here.` }),
  ],
  [
    /^Cannot assign to '(.*)' in strict mode/,
    ({ match }) => ({ message: `Choose another name: ${quoted(match[1] ?? '')} cannot be assigned to.` }),
  ],
  [
    /^(?:Cannot assign to this expression|Invalid left-hand side|The left-hand side of an assignment)/,
    fixed('Assign to a variable or a property: this cannot be assigned to.'),
  ],
  [/^Missing initializer in const declaration/, fixed('Give this constant a value, or declare it with `let`.')],
  [/^Missing initializer in destructuring/, fixed('Give this destructuring pattern a value.')],
  [
    /^Expected corresponding JSX closing tag for '(.*)'/,
    ({ match }) => ({ message: `Close ${quoted(`<${match[1]}>`)} before this closing tag.` }),
  ],
  [/^Missing catch or finally clause/, fixed('Add a `catch` or `finally` block after this `try` block.')],
  [/^Expected function body/, fixed('Add the body of this function: `{ … }`.')],
  [/^Expected function name/, fixed('Give this function a name.')],
  [/^A class name is required/, fixed('Give this class a name.')],
  [/^Empty parenthesized expression/, fixed('Write an expression between the parentheses, or `=>` after them.')],
  [/^Invalid assignment in object literal/, fixed('Write `:` instead of `=` in this object.', ':')],
  [/^Line terminator not permitted before arrow/, fixed('Put `=>` on the line of its parameters.')],
  [/^Illegal newline after throw/, fixed('Put the expression on the line of `throw`.')],
  [/^A 'return' statement can only be used/, fixed('Put this `return` inside a function.')],
  [/^Illegal break statement/, fixed('Put this `break` inside a loop or a `switch`.')],
  [/^Illegal continue statement/, fixed('Put this `continue` inside a loop.')],
  [/^`await` is only allowed/, fixed('Make the enclosing function `async`, or remove this `await`.')],
  [/^A 'yield' expression is only allowed/, fixed('Make the enclosing function a generator (`function*`), or remove this `yield`.')],
  [/^Export '(.*)' is not defined/, ({ match }) => ({ message: `Declare ${quoted(match[1] ?? '')} before you export it.` })],
  [/^Duplicated export '(.*)'/, ({ match }) => ({ message: `Export ${quoted(match[1] ?? '')} once only.` })],
  [/^A module cannot have multiple default exports/, fixed('Keep one default export only.')],
  [
    /^'.*' declaration can only be used at the top level of a module/,
    ({ token }) => ({ message: `Move this ${quoted(token)} to the top level of the module.` }),
  ],
  [/^Super calls are not permitted/, fixed('Call `super()` only in the constructor of a class that extends another.')],
  [/^'super' can only be/, fixed('Use `super` only in a class that extends another, or in a method.')],
  [
    /^Private field '(.*)' must be declared/,
    ({ match }) => ({ message: `Declare the private field ${quoted(match[1] ?? '')} in its class.` }),
  ],
  [/^Lexical declaration cannot appear in a single-statement context/, fixed('Put this declaration in a block: `{ … }`.')],
  [/^Multiple constructor implementations/, fixed('Keep one constructor only.')],
  [/^(?:A rest parameter must be last|Spread must be last)/, fixed('Put the rest element last.')],
  [/^Invalid Unicode escape sequence/, fixed('Write this escape as \\uXXXX or \\u{X…} with hexadecimal digits.')],
  [/^Invalid characters after number/, fixed('Separate the number from what follows it; a name cannot start with a digit.')],
  [/^Flag (\w) is mentioned twice/, ({ match }) => ({ message: `Write the flag ${match[1]} of this regular expression once only.` })],
  [/^File appears to be binary/, fixed('Write source code: this looks like binary data.')],
]

function separate(token: string): string {
  return token === ''
    ? 'Complete this statement: the code ends here.'
    : `Write an operator, \`;\` or a line break before ${quoted(token)}: it does not continue the statement before it.`
}

function unexpected(token: string): string {
  if (token === '') return 'Complete the code: it ends too early.'
  if (/^[)\]}]$/.test(token)) return `Remove this \`${token}\`, or write what is missing before it.`
  return `Remove or correct ${quoted(token)}: it is not expected here.`
}

type Finding = Pick<OxcError, 'message' | 'labels' | 'helpMessage'>

/** Says what to do about an error of the parser. */
export function describe({ message, labels, helpMessage }: Finding, source: string): Mistake {
  const at = labels[0]?.start ?? 0
  const mistake = isAboutMeaning(message) ? undefined : mistakeAt(source, skipSpace(source, at), '//')
  if (mistake !== undefined) return mistake
  const opened = labels.find((label) => label.message === 'Opened here')
  const expected = /^Expected (`[^`]*`(?: or `[^`]*`)*) but found /.exec(message)
  if (expected !== null) return { message: expectation(expected[1] ?? '', tokenAt(source, at), opened, source) }
  for (const [pattern, word] of wordings) {
    const match = pattern.exec(message)
    if (match !== null) return word({ match, token: tokenAt(source, at) })
  }
  return { message: [message, helpMessage].flatMap((part) => (part ? [sentence(part)] : [])).join(' ') }
}

function expectation(wanted: string, found: string, opened: { readonly start: number } | undefined, source: string): string {
  const bracket = opened === undefined ? undefined : source.charAt(opened.start)
  if (found === '') {
    if (opened === undefined || bracket === undefined) return `Complete the code: it ends where ${wanted} must follow.`
    return `Close the \`${bracket}\` opened on line ${positionAt(source, opened.start).line}: the code ends before it is closed.`
  }
  const before = `Write ${wanted} before ${quoted(found)}`
  return opened === undefined
    ? `${before}.`
    : `${before}: the \`${bracket}\` opened on line ${positionAt(source, opened.start).line} is still open.`
}

/** Errors after the grammar: the token is code. */
function isAboutMeaning(message: string): boolean {
  return /already been declared|reserved|is not defined|strict mode|initializer|only be used in TypeScript/.test(message)
}

/** The word or sign at an offset; empty at the end of the code. */
function tokenAt(source: string, at: number): string {
  const token = /[\p{L}\p{N}_$]+|=>|\.{3}|[^\s]/uy
  token.lastIndex = skipSpace(source, at)
  return token.exec(source)?.[0] ?? ''
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`
}
