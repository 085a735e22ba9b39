import { createRequire } from 'node:module'
import type { SyntaxFault } from '@stickler/core/syntax'
import type { Parser } from 'web-tree-sitter'
import type { Language, SourceParser } from '../language.ts'
import { ruleFaults, treeFaults } from './faults.ts'
import type { TreeRule } from './rules.ts'

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
export interface Frame {
  readonly before: string
  readonly after: string
}

/** Which grammar parses a language, and what it needs. */
export interface GrammarSettings {
  /** As `languageOf` writes it. */
  readonly name: string
  /** For messages, such as `C#`. */
  readonly title: string
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
export function treeSitterLanguage({ name, title, grammar, opening = () => '', frames = [], rules = [] }: GrammarSettings): Language {
  return {
    name,
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
