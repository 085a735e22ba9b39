import markdownIt from 'markdown-it'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmFromMarkdown } from 'mdast-util-gfm'
import { gfm } from 'micromark-extension-gfm'

const extensions = [gfm()]
const mdastExtensions = [gfmFromMarkdown()]
const parser = markdownIt()

/** Reads Markdown with GFM into a tree; this is what most tools in JavaScript build upon. */
export function mdast(text) {
  return fromMarkdown(text, { extensions, mdastExtensions })
}

/** Reads Markdown into tokens with markdown-it, the fastest of the usual parsers. */
export function markdownItTokens(text) {
  return parser.parse(text, {})
}
