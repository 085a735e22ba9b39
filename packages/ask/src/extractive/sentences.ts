import { Answer } from '@stickler/core'
import { parseCitations } from '@stickler/core/citations'
import { proseOf } from './prose.ts'

/** A sentence as it can be quoted, and the headings above it. */
export interface Sentence {
  readonly text: string
  readonly about: string
}

/** Longer sentences are not quoted, nor are fragments. */
const longest = 500
const shortest = 10

/**
 * The complete sentences of Markdown or plain text, and rows of tables that end with one: no code,
 * headings or markers; list, emphasis and link syntax is removed.
 */
export function sentencesOf(text: string): readonly Sentence[] {
  const document = new Answer(text)
  const titles = document.headings.values()
  let title = titles.next().value
  const path = pathAbove(text)
  let about = path
  return document.inlines.flatMap((block) => {
    while (title !== undefined && title.span.end <= block.start) {
      about = `${path} ${title.text.slice(0, 300)}`
      title = titles.next().value
    }
    if (title !== undefined && block.start >= title.span.start) return []
    const lines = (block.lines ?? [block]).flatMap(({ start, end }) => text.slice(start, end).split('\n'))
    // Headings right above a passage are not part of its first sentence.
    const own = lines[0]?.trim() === path ? lines.slice(1) : lines
    return [...own.flatMap(rowOf), ...proseOf(own).flatMap((paragraph) => split(plain(paragraph)))]
      .map((sentence) => ({ text: sentence.replace(/\s+/g, ' ').trim(), about }))
      .filter((sentence) => isQuotable(sentence.text))
  })
}

/**
 * The first line if it is a path of headings or a title: alone, or with a separator between
 * headings.
 */
function pathAbove(text: string): string {
  const [first = '', second = ''] = text.slice(0, 1000).split('\n', 2)
  const line = first.trim()
  return line.length < 300 && !/[.!?:;,]$/.test(line) && (second.trim() === '' || line.includes(' › ')) ? line : ''
}

/** A row of a table as one sentence, `Doomed: Said of a stream that cannot become valid.`; rows without sentences are not quotable. */
function rowOf(line: string): readonly string[] {
  const row = line.trim()
  if (!row.startsWith('|') || !row.endsWith('|')) return []
  const cells = row.split(/(?<!\\)\|/).map((cell) => plain(cell.replaceAll('\\|', '|').trim()))
  const [name = '', ...others] = cells.filter((cell) => cell !== '')
  return others.length === 0 ? [] : [`${name.charAt(0).toUpperCase()}${name.slice(1)}: ${others.join('; ').replaceAll('.; ', '. ')}`]
}

const abbreviated =
  /(?:^|[\s(])(?:e\.g|i\.e|z\.\s?B|d\.\s?h|u\.\s?a|etc|vs|cf|bzw|ca|Nr|No|Dr|Mr|Mrs|Ms|Prof|St|Abs|Art|Fig|inkl|ggf|vgl|evtl|usw|approx|[A-Za-z]|\d{1,2})$/

/** Splits a paragraph after full stops that precede a capital, a digit or a quotation. */
function split(paragraph: string): readonly string[] {
  const sentences: string[] = []
  let from = 0
  for (const { index } of paragraph.matchAll(/[.!?…][)"'*_`”“»«]?\s/g)) {
    const next = paragraph.slice(index + 1, index + 6).trimStart()
    if (abbreviated.test(paragraph.slice(Math.max(from, index - 8), index))) continue
    if (!/^[)"'*_”“»«]?\s*[\p{Lu}\p{N}`"'*_[(„“»«]/u.test(next)) continue
    const end = index + (/^[)"'*_`”“»«]/.test(paragraph.slice(index + 1, index + 2)) ? 2 : 1)
    sentences.push(paragraph.slice(from, end))
    from = end
  }
  return [...sentences, paragraph.slice(from)]
}

function plain(paragraph: string): string {
  return paragraph
    .replace(/!?\[([^\][\n]{0,300})\]\([^()\n]{0,500}\)/g, '$1')
    .replace(/\*\*|(?<![\p{L}\p{N}_*])[*_](?=[\p{L}\p{N}`])|(?<=[\p{L}\p{N}`.!?:;,])[*_](?![\p{L}\p{N}_*])/gu, '')
    .replace(/^[\s>#+*/-]+/, '')
    .replace(/^\[[ xX]\] /, '')
}

/**
 * Whether it is a complete statement after which a marker is recognized, and which contains nothing
 * that looks like one.
 */
function isQuotable(sentence: string): boolean {
  if (sentence.length < shortest || sentence.length > longest || !sentence.includes(' ')) return false
  if (!/[.!…][)"'`”“»«]?$/.test(sentence) || !/^["'`([„“»«]?[^\p{Ll}\p{P}]/u.test(sentence)) return false
  if (/^<|\[\^|[\p{Cc}\p{Cs}]/u.test(sentence) || (sentence.match(/`/g)?.length ?? 0) % 2 > 0) return false
  const { citations, warnings } = parseCitations(`${sentence} [^1]`, 1)
  return citations.length === 1 && warnings.length === 0
}
