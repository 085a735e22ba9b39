import type { Mistake } from '../model-mistakes.ts'
import { quoted } from '../quoted.ts'

/** What is known where a report is. */
interface Circumstances {
  readonly match: RegExpExecArray
  /** The word or sign at the fault; empty at the end of a line. */
  readonly token: string
}

type Wording = (circumstances: Circumstances) => Mistake

const fixed =
  (message: string): Wording =>
  () => ({ message })

/** What to do about Ruff's reports, by their text; the first that matches is taken. */
export const wordings: readonly (readonly [RegExp, Wording])[] = [
  [/^Expected `:`, found `=`/, fixed('Write `==` to compare, or `:=` to assign.')],
  [/^Expected symbol after `as`/, fixed('Write a name after `as`.')],
  [/^Expected `:`, found newline/, fixed('End this line with `:`.')],
  [
    /^Expected `(.+?)`, found (?:newline|end of file|Unknown|dedent|indent)/,
    ({ match }) => ({ message: `Write \`${match[1]}\` before the end of the line.` }),
  ],
  [/^Expected `(.+?)`, found/, ({ match, token }) => ({ message: `Write \`${match[1]}\` before ${named(token)}.` })],
  [
    /^Expected (?:a statement|an expression|a simple statement|an identifier$|dedent|newline)/,
    ({ token }) => (token === '' ? { message: 'Complete this line: it ends too early.', endsEarly: true } : { message: unexpected(token) }),
  ],
  [
    /^Expected an expression or a '(.)'/,
    ({ match, token }) => ({ message: `Write an expression or \`${match[1]}\` before ${named(token)}.` }),
  ],
  [
    /^Simple statements must be separated/,
    ({ token }) => ({ message: `Write an operator, a comma or a line break before ${named(token)}.` }),
  ],
  [/^Compound statements are not allowed/, ({ token }) => ({ message: `Start a new line before ${named(token)}.` })],
  [/^Unexpected indentation/, fixed('Remove the extra indentation of this line.')],
  [/^unindent does not match/, fixed('Indent this line like one of the blocks above it.')],
  [
    /^Expected an indented block after (.+)/,
    ({ match }) => ({ message: `Indent this line, or add a body: the ${match[1] ?? ''} above has none.` }),
  ],
  [/^missing closing quote/, fixed('Close the string that starts here with the quotes that opened it.')],
  [/^unexpected EOF/, () => ({ message: 'Complete the code: it ends too early.', endsEarly: true })],
  [/^Got unexpected token/, ({ token }) => ({ message: `Remove or replace the character ${named(token)}: it is not allowed here.` })],
  [/^Got unexpected unicode/, fixed('Write the name of a Unicode character after \\N.')],
  [/^Missing closing parenthesis/, fixed('Close the parenthesis with `)`.')],
  [/^Expected a newline after line continuation/, fixed('End the line right after the backslash, or remove it.')],
  [/^Expected `except` or `finally`/, fixed('Add an `except` or `finally` block after this `try` block.')],
  [/^Expected class, function definition/, fixed('Put a function or a class after this decorator.')],
  [
    /^Expected an identifier, but found a keyword `(.+?)`/,
    ({ match }) => ({ message: `Choose another name: ${quoted(match[1] ?? '')} is a keyword.` }),
  ],
  [/^The keyword is not allowed/, ({ token }) => ({ message: `Choose another name: ${named(token)} is a keyword.` })],
  [/^Invalid (?:annotated )?assignment target/, fixed('Assign to a name, an attribute or an item; write `==` to compare.')],
  [/^Invalid delete target/, fixed('Delete a name, an attribute or an item.')],
  [/^(?:Invalid decimal integer|ParseIntError)/, fixed('Correct this number: it has no leading zeros, and octal numbers start with `0o`.')],
  [/^Duplicate parameter "(.+)"/, ({ match }) => ({ message: `Rename or remove the second parameter ${quoted(match[1] ?? '')}.` })],
  [/^Parameter without a default/, fixed('Give this parameter a default, or put it before those that have one.')],
  [/^Positional argument cannot follow/, fixed('Put this positional argument before the keyword arguments.')],
  [/^Unparenthesized generator/, fixed('Put the generator expression in parentheses.')],
  [/^Unparenthesized tuple/, fixed('Put the tuple in parentheses.')],
  [/^Starred expression cannot/, fixed('Put the starred expression in a list, a tuple or a call.')],
  [/^Multiple exception types/, fixed('Put the exception types in parentheses: `except (A, B):`.')],
  [/^`return` statement outside/, fixed('Put this `return` inside a function.')],
  [/^`(yield|yield from|await)` statement outside/, ({ match }) => ({ message: `Put this \`${match[1]}\` inside a function.` })],
  [/^`await` should be used within/, fixed('Make the enclosing function `async def`, or remove this `await`.')],
  [/^`break` outside loop/, fixed('Put this `break` inside a loop.')],
  [/^`continue` not properly in loop/, fixed('Put this `continue` inside a loop.')],
  [/^nonlocal declaration not allowed/, fixed('Remove this `nonlocal`: it belongs in a nested function.')],
  [
    /^Nonlocal name `(.+?)`/,
    ({ match }) => ({ message: `Bind ${quoted(match[1] ?? '')} in an enclosing function, or remove this \`nonlocal\`.` }),
  ],
  [
    /^Name `(.+?)` is used prior to global/,
    ({ match }) => ({ message: `Move the \`global\` declaration before the first use of ${quoted(match[1] ?? '')}.` }),
  ],
  [/^An `except` block/, fixed('Put the bare `except:` last.')],
  [/^`from __future__` imports/, fixed('Move this import to the start of the file.')],
  [/^(f|t)-string: (.+)/, ({ match }) => ({ message: `Correct this ${match[1]}-string: ${match[2] ?? ''}.` })],
]

/** Names a token for a message. */
function named(token: string): string {
  return token === '' ? 'the end of the line' : quoted(token)
}

function unexpected(token: string): string {
  if (/^(?:else|elif|except|finally|case)$/.test(token))
    return `Put this \`${token}\` right after the block it belongs to, with the same indentation.`
  if (/^[)\]}]$/.test(token)) return `Remove this \`${token}\`, or write what is missing before it.`
  return `Remove or correct ${quoted(token)}: it is not expected here.`
}
