import { endOfMatch, matchAt } from '../../../../answer/span.ts'
import { jsonOfArgument, objectOf, typeOfArgument } from '../argument.ts'
import type { PairSyntax } from '../table.ts'
import { calledName, isMarkAt, type ReadForm } from './reading.ts'

const name = /[^\s<>[\]{}|｜"'`,;=]{1,200}/y
const gap = /(?:\s|\\n|<tool_sep>|<ifm\|arg_type>[^<>]{0,40}<\/ifm\|arg_type>)*/y

/** Reads a name and its arguments, each with marks around its key and its value. */
export function readPairs({ key, value }: PairSyntax): ReadForm {
  return (text, from, tools) => {
    const written = matchAt(name, text, from)?.[0]
    if (written === undefined) return undefined
    const skip = (at: number): number => endOfMatch(gap, text, at) ?? at
    const called = calledName(written, tools)
    const tool = tools.find(called)
    const members: [string, string][] = []
    let at = skip(from + written.length)
    while (isMarkAt(key[0], text, at)) {
      const keyEnd = text.indexOf(key[1], at)
      if (keyEnd < 0) return 'cut'
      const argument = text.slice(at + key[0].length, keyEnd).trim()
      const open = skip(keyEnd + key[1].length)
      // A key without a value is an argument that was left out.
      if (!isMarkAt(value[0], text, open)) at = open
      else {
        const start = value[0] === '' ? keyEnd + key[1].length : open + value[0].length
        const end = text.indexOf(value[1], start)
        if (end < 0) return 'cut'
        members.push([argument, jsonOfArgument(text.slice(start, end), typeOfArgument(tool, argument))])
        at = skip(end + value[1].length)
      }
    }
    const given = objectOf(members)
    return given === undefined ? undefined : { calls: [{ name: called, arguments: given }], end: at }
  }
}
