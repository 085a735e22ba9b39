import type { SyntaxFault } from '@stickler/core/syntax'
import { endOfText, faultAt } from '../fault-at.ts'
import { afterLineAndBytes } from '../offsets.ts'
import { bodylessFunction } from './bodyless-function.ts'
import { goTokenEnd } from './lexer.ts'
import { goMessage } from './message.ts'

/** What gofmt puts around a fragment, in the order in which it tries. */
const frames = [
  { before: '', after: '', isMore: (problem: string) => problem.includes("expected 'package'") },
  { before: 'package p;', after: '', isMore: (problem: string) => problem.includes('expected declaration') },
  { before: 'package p; func _() {', after: '\n\n}', isMore: () => false },
]

/** The first fault of a source; Go's formatter reports no further ones. */
export function goFaults(source: string, firstProblem: (text: string) => string | undefined): readonly SyntaxFault[] {
  // A line directive would move the places that are reported.
  const text = source.replace(/(\/[/*])line /g, '$1Line ')
  for (const { before, after, isMore } of frames) {
    const problem = firstProblem(before + text + after)
    if (problem === undefined) break
    if (!isMore(problem)) return [faultOf(source, problem, before.length)]
  }
  const bodyless = bodylessFunction(source)
  return bodyless === undefined ? [] : [faultAt(source, bodyless.start, bodyless.end, 'Give the function literal a body in braces.')]
}

/** Reads `line:column: message`, with columns in bytes; the first line has `shift` characters that are not the source's. */
function faultOf(source: string, problem: string, shift: number): SyntaxFault {
  const [, line = '1', column = '1', what = ''] = /^(\d+):(\d+): ([\s\S]*)$/.exec(problem) ?? []
  const byte = Number(column) - (line === '1' ? shift : 0)
  const start = Math.min(afterLineAndBytes(source, Number(line), Math.max(byte, 1)), endOfText(source))
  return faultAt(source, start, goTokenEnd(source, start), goMessage(what))
}
