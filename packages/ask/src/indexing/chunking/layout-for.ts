import { cutCost, type LayOut, plainLayout } from './layout.ts'
import { markdownLayout } from './markdown-layout.ts'

/** Plain text is split between paragraphs, else after sentences that end a line. */
const textLayout: LayOut = (_, lines) =>
  plainLayout((at) => {
    const before = lines[at - 1]
    if (before === undefined || before.isBlank) return cutCost.part
    return /[.!?…]["')\]]?\s*$/.test(before.text.slice(-8)) ? cutCost.item : cutCost.line
  })

/** What ends a block rather than starts one. */
const closing = /^(?:[)\]}>]|end\b|else\b|elif\b|except\b|finally\b|catch\b)/

/** Code is split between definitions: after a blank line, before an unindented line. */
const codeLayout: LayOut = (_, lines) =>
  plainLayout((at) => {
    const { text = '' } = lines[at] ?? {}
    const isAtMargin = !/^\s/.test(text) && !closing.test(text)
    if (lines[at - 1]?.isBlank ?? true) return isAtMargin ? cutCost.part : cutCost.item
    return isAtMargin ? cutCost.line : cutCost.inside
  })

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
