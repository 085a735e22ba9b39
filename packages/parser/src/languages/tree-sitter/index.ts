import { createRequire } from 'node:module'
import type { Language, SourceParser } from '../language.ts'
import { treeFaults } from './faults.ts'

/** Which grammar parses a language, and what it needs. */
export interface GrammarSettings {
  /** As `languageOf` writes it. */
  readonly name: string
  /** For people and models, such as `C#`. */
  readonly title: string
  /** The file of the grammar. */
  readonly grammar: string
  /** What a snippet may lack at its start, such as `<?php`; its text must be on one line. */
  readonly opening?: (source: string) => string
}

/** A language that is parsed by a tree-sitter grammar. */
export function treeSitterLanguage({ name, title, grammar, opening = () => '' }: GrammarSettings): Language {
  return {
    name,
    async load(): Promise<SourceParser> {
      const { Language: Grammar, Parser } = await import('web-tree-sitter')
      const { resolve } = createRequire(import.meta.url)
      await Parser.init()
      const parser = new Parser()
      parser.setLanguage(await Grammar.load(resolve(`@vscode/tree-sitter-wasm/wasm/${grammar}.wasm`)))
      return (source) => {
        const before = opening(source)
        const tree = parser.parse(before + source)
        if (tree === null) throw new Error(`the ${title} parser returned no tree`)
        try {
          return treeFaults(tree.rootNode, source, before.length, title)
        } finally {
          tree.delete()
        }
      }
    },
  }
}
