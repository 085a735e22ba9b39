import type { SyntaxFault } from '@stickler/core/syntax'
import type { Node } from 'web-tree-sitter'
import { faultAt } from '../fault-at.ts'
import { quoted } from '../quoted.ts'
import type { TreeRule } from './rules.ts'

/** A grammar that has lost its way reports ever more; the first ones help. */
const mostFaults = 20

const closers: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' }

/** What a tree without errors shows as wrong by rules; what is put before the source is never wrong. */
export function ruleFaults(root: Node, source: string, shift: number, rules: readonly TreeRule[]): readonly SyntaxFault[] {
  const found: { readonly start: number; readonly end: number; readonly message: string }[] = []
  for (const { types, fault } of rules) {
    for (const node of root.descendantsOfType([...types])) {
      const message = node.startIndex < shift ? undefined : fault(node, shift)
      if (message !== undefined) found.push({ start: node.startIndex - shift, end: node.endIndex - shift, message })
      if (found.length >= mostFaults) break
    }
  }
  found.sort((one, other) => one.start - other.start)
  return found.slice(0, mostFaults).map(({ start, end, message }) => {
    const firstLine = /^[^\r\n]*/.exec(source.slice(start, end))?.[0] ?? ''
    return faultAt(source, start, start + firstLine.length, message)
  })
}

/** What a tree shows as wrong, in the order of the source; offsets of the tree are `shift` characters ahead of the source's. */
export function treeFaults(root: Node, source: string, shift: number, title: string): readonly SyntaxFault[] {
  if (!root.hasError) return []
  const faults: SyntaxFault[] = []
  const open: Node[] = [root]
  while (open.length > 0 && faults.length < mostFaults) {
    const node = open.pop()
    if (node === undefined) break
    if (node.isMissing) faults.push(missing(node))
    else if (node.isError) faults.push(wrong(node))
    else if (node.hasError) for (const child of node.children.toReversed()) open.push(child)
  }
  // A tree with an error somewhere is never taken for a valid one.
  return faults.length > 0 ? faults : [faultAt(source, 0, 0, `Correct the ${title} code: it does not parse.`)]

  function missing(node: Node): SyntaxFault {
    const at = node.startIndex - shift
    return faultAt(
      source,
      at,
      at,
      node.isNamed ? `Complete the ${title} code: something is missing here.` : `Insert the missing ${quoted(node.type)}.`,
    )
  }

  function wrong(node: Node): SyntaxFault {
    const unclosed = node.children.findLast(({ type }) => type in closers)
    if (unclosed !== undefined && isUnclosed(node, unclosed)) {
      const at = unclosed.startIndex - shift
      return faultAt(
        source,
        at,
        at + 1,
        `Close this ${quoted(unclosed.type)} with ${quoted(closers[unclosed.type] ?? '')}, or correct what is in it.`,
      )
    }
    const start = Math.max(node.startIndex - shift, 0)
    const end = Math.max(node.endIndex - shift, start)
    const firstLine = source.slice(start, end).trim().split(/\r?\n/, 1)[0] ?? ''
    const message =
      firstLine === '' ? `Complete the ${title} code here.` : `Correct the ${title} code at ${quoted(firstLine)}: it does not parse.`
    return faultAt(source, start, start + firstLine.length, message)
  }
}

/** Whether nothing after an opening bracket closes it inside the node. */
function isUnclosed(node: Node, bracket: Node): boolean {
  const closer = closers[bracket.type]
  return !node.children.some(({ type, startIndex }) => type === closer && startIndex > bracket.startIndex)
}
