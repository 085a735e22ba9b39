import { createRequire } from 'node:module'
import type { Language, SourceParser, SyntaxFault } from '@stickler/core/validators'
import type { Node, Parser } from 'web-tree-sitter'
import { faultAt } from '../fault-at.ts'
import { quoted } from '../quoted.ts'
import type { TreeRule } from './rules.ts'

/** A grammar that has lost its way reports ever more; the first ones help. */
const mostFaults = 20

const closers: Readonly<Record<string, string>> = { '{': '}', '(': ')', '[': ']' }

/** What a tree without errors shows as wrong by rules; what is put before the source is never wrong. */
function ruleFaults(root: Node, source: string, shift: number, rules: readonly TreeRule[]): readonly SyntaxFault[] {
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
function treeFaults(root: Node, source: string, shift: number, title: string): readonly SyntaxFault[] {
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

/** The library has one runtime for all grammars of a process: two that start at once would read each other's memory. */
const runtime: { last: Promise<unknown> } = { last: Promise.resolve() }

/** A parser for a grammar; grammars are loaded one after another. */
function treeSitterParser(grammar: string): Promise<Parser> {
  const next = runtime.last.then(() => load(grammar))
  runtime.last = next.catch(() => undefined)
  return next
}

async function load(grammar: string): Promise<Parser> {
  const { Language, Parser } = await import('web-tree-sitter')
  const { resolve } = createRequire(import.meta.url)
  await Parser.init()
  const parser = new Parser()
  parser.setLanguage(await Language.load(resolve(`@vscode/tree-sitter-wasm/wasm/${grammar}.wasm`)))
  return parser
}

/** What is put around a snippet that is part of something. */
interface Frame {
  readonly before: string
  readonly after: string
}

/** Which grammar parses a language, and what it needs. */
interface GrammarSettings {
  /** As `languageOf` writes it. */
  readonly name: string
  /** For messages, such as `C#`. */
  readonly title: string
  /** What the guide says of its parser, where that is more than `tree-sitter`. */
  readonly parsedBy?: string
  /** The file of the grammar. */
  readonly grammar: string
  /** What a snippet may lack at its start, such as `<?php`. */
  readonly opening?: (source: string) => string
  /** In which frames a snippet may be right that is not a whole file. */
  readonly frames?: readonly Frame[]
  /** What the grammar lets pass. */
  readonly rules?: readonly TreeRule[]
}

/** A language that is parsed by a tree-sitter grammar. */
export function treeSitterLanguage(settings: GrammarSettings): Language {
  const { name, title, parsedBy = 'tree-sitter', grammar, opening = () => '', frames = [], rules = [] } = settings
  return {
    name,
    parsedBy,
    async load(): Promise<SourceParser> {
      const parser = await treeSitterParser(grammar)

      function faultsWithin(source: string, { before, after }: Frame): readonly SyntaxFault[] {
        const tree = parser.parse(before + source + after)
        if (tree === null) throw new Error(`the ${title} parser returned no tree`)
        try {
          const faults = treeFaults(tree.rootNode, source, before.length, title)
          return faults.length > 0 ? faults : ruleFaults(tree.rootNode, source, before.length, rules)
        } finally {
          tree.delete()
        }
      }

      // The first text compiles the grammar, which is not the cost of a snippet.
      faultsWithin('', { before: opening(''), after: '\n' })
      return (source) => {
        // Some grammars want a line break at the end.
        const faults = faultsWithin(source, { before: opening(source), after: '\n' })
        const isPart = faults.length > 0 && frames.some((frame) => faultsWithin(source, frame).length === 0)
        return isPart ? [] : faults
      }
    },
  }
}
