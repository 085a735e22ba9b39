import { createRequire } from 'node:module'
import type { Parser } from 'web-tree-sitter'

/** The library has one runtime for all grammars of a process: two that start at once would read each other's memory. */
const runtime: { last: Promise<unknown> } = { last: Promise.resolve() }

/** A parser for a grammar; grammars are loaded one after another. */
export function treeSitterParser(grammar: string): Promise<Parser> {
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
