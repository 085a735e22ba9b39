import { clamp } from '@stickler/core/syntax'

/** What to do about a message of Go's parser, such as `expected ')', found '}'` or `missing ',' in argument list`. */
export function goMessage(problem: string): string {
  const what = clamp((problem.split(' (and ')[0] ?? '').replace(/\s+/g, ' '), 200)
  if (what.startsWith("missing '")) return `Insert the ${what}.`
  const [expected = '', found] = what.split(', found ')
  if (!expected.startsWith('expected ') || found === undefined) return `Correct the Go code: ${what}.`
  return `Write ${named(expected.slice('expected '.length))} here instead of ${named(found)}.`
}

/** Go's parser writes tokens in quotes and kinds of code bare. */
function named(what: string): string {
  if (what === "'IDENT'") return 'a name'
  if (what === "'EOF'") return 'the end of the code'
  if (what === 'newline') return 'a new line'
  if (what.startsWith("'") || what.startsWith('"')) return what
  return /^[aeiou]/.test(what) ? `an ${what}` : `a ${what}`
}
