import type { SyntaxFault } from '@stickler/core/syntax'
import { endOfText, faultAt } from '../fault-at.ts'
import { afterLineAndBytes } from '../offsets.ts'
import { bodylessFunction } from './bodyless-function.ts'
import { goTokenEnd } from './lexer.ts'
import { goMessage } from './message.ts'

/** What gofmt puts around a fragment, before it and after it. */
const declarations = 'package p;'
const statements = ['package p; func _() {', '\n\n}'] as const

/** The first fault of a source; Go's formatter reports no further ones. */
export function goFaults(source: string, firstProblem: (text: string) => string | undefined): readonly SyntaxFault[] {
  // A line directive would move the places that are reported.
  const text = source.replace(/(\/[/*])line /g, '$1Line ')
  const problem = firstProblem(text)
  if (problem !== undefined) return [isFile(text) ? faultOf(source, problem, 0) : fragmentFault(source, text, problem)]
  const bodyless = bodylessFunction(source)
  return bodyless === undefined ? [] : [faultAt(source, bodyless.start, bodyless.end, 'Give the function literal a body in braces.')]

  /** Tries what gofmt tries, to learn what its places count from. */
  function fragmentFault(whole: string, fragment: string, last: string): SyntaxFault {
    const asDeclarations = firstProblem(declarations + fragment)
    if (asDeclarations !== undefined && !asDeclarations.includes('expected declaration'))
      return faultOf(whole, asDeclarations, declarations.length)
    const [before, after] = statements
    return faultOf(whole, firstProblem(before + fragment + after) ?? last, before.length)
  }
}

/** Whether the first word is `package`. */
function isFile(text: string): boolean {
  for (let at = 0; at < text.length; ) {
    const end = Math.max(goTokenEnd(text, at), at + 1)
    const token = text.slice(at, end)
    if (!/^[\s\ufeff]*$/.test(token) && !token.startsWith('//') && !token.startsWith('/*'))
      return token.replace(/^\ufeff/, '') === 'package'
    at = end
  }
  return false
}

/** Reads `line:column: message`, with columns in bytes; the first line has `shift` characters that are not the source's. */
function faultOf(source: string, problem: string, shift: number): SyntaxFault {
  const [, line = '1', column = '1', what = ''] = /^(\d+):(\d+): ([\s\S]*)$/.exec(problem) ?? []
  const byte = Number(column) - (line === '1' ? shift : 0)
  const start = Math.min(afterLineAndBytes(source, Number(line), Math.max(byte, 1)), endOfText(source))
  return faultAt(source, start, goTokenEnd(source, start), goMessage(what))
}
