import { codeLayout } from './code-layout.ts'
import type { LayOut } from './layout.ts'
import { markdownLayout } from './markdown-layout.ts'
import { textLayout } from './text-layout.ts'

const markdown = new Set(['md', 'markdown', 'mdown', 'mdx', 'mkd', 'qmd'])

const text = new Set(['', 'adoc', 'asciidoc', 'csv', 'log', 'org', 'rst', 'srt', 'tex', 'text', 'tsv', 'txt', 'vtt'])

/** How a document is split, by its extension: Markdown, plain text, and everything else as code. */
export function layoutFor(path: string): LayOut {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const dot = name.lastIndexOf('.')
  const ending = dot <= 0 ? '' : name.slice(dot + 1).toLowerCase()
  if (markdown.has(ending)) return markdownLayout
  return text.has(ending) ? textLayout : codeLayout
}
