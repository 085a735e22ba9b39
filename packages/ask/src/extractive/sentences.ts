import { Answer } from '@stickler/core'
import { parseCitations } from '@stickler/core/citations'

/** Longer sentences are not quoted, nor are fragments. */
const longest = 500
const shortest = 25

/** The sentences of Markdown or plain text that can be quoted: no code blocks, headings, tables or markers; marks of lists, emphasis and links are taken off. */
export function sentencesOf(text: string): readonly string[] {
  const document = new Answer(text)
  const titles = document.headings.values()
  let title = titles.next().value
  return document.inlines
    .filter(({ start }) => {
      while (title !== undefined && title.span.end <= start) title = titles.next().value
      return title === undefined || start < title.span.start
    })
    .flatMap((block) => {
      const lines = block.lines ?? [block]
      return split(plain(lines.map(({ start, end }) => text.slice(start, end)).join('\n')))
    })
    .map((sentence) => sentence.replace(/\s+/g, ' ').trim())
    .filter(isQuotable)
}

/** Cuts a paragraph behind full stops that a capital, a digit or a quotation follows; rows of a table are not sentences. */
function split(paragraph: string): readonly string[] {
  if (/^[ \t]{0,8}\|/m.test(paragraph) || /^\s*\[[^\]\n]{1,200}\]:/.test(paragraph)) return []
  const sentences: string[] = []
  let from = 0
  for (const { index } of paragraph.matchAll(/[.!?][)"'*_`]?\s/g)) {
    const next = paragraph.slice(index + 1, index + 6).trimStart()
    const isAbbreviated = /(?:^|[\s(])(?:e\.g|i\.e|z\.B|d\.h|etc|vs|cf|bzw|ca|Nr|No|[A-Z])$/.test(
      paragraph.slice(Math.max(from, index - 6), index),
    )
    if (isAbbreviated || !/^[)"'*_]?\s*[\p{Lu}\p{N}`"'*_[(]/u.test(next)) continue
    const end = index + (/^[)"'*_`]/.test(paragraph.slice(index + 1, index + 2)) ? 2 : 1)
    sentences.push(paragraph.slice(from, end))
    from = end
  }
  return [...sentences, paragraph.slice(from)]
}

function plain(paragraph: string): string {
  return paragraph
    .replace(/!?\[([^\][\n]{0,300})\]\([^()\n]{0,500}\)/g, '$1')
    .replace(/\*\*|(?<![\p{L}\p{N}_*])[*_](?=[\p{L}\p{N}`])|(?<=[\p{L}\p{N}`.!?:;,])[*_](?![\p{L}\p{N}_*])/gu, '')
    .replace(/^[\s>#+*-]+/, '')
    .replace(/^\[[ xX]\] /, '')
}

/** Whether it is a whole statement behind which a marker is found as such, with nothing in it that is taken for one. */
function isQuotable(sentence: string): boolean {
  if (sentence.length < shortest || sentence.length > longest || !/[.!?;)"'`]$/.test(sentence)) return false
  if (/^<|\[\^|[\p{Cc}\p{Cs}]/u.test(sentence) || (sentence.match(/`/g)?.length ?? 0) % 2 > 0) return false
  const { citations, warnings } = parseCitations(`${sentence} [^1]`, 1)
  return citations.length === 1 && warnings.length === 0
}
