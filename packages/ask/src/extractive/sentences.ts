import { Answer } from '@stickler/core'
import { readCitations } from '@stickler/presets/internal'

/**
 * Lines of code: they begin with, end with or contain what prose does not, outside of backticks.
 */
const codeMarks = [
  /(?:[{}([]|\);|=>)\s*$/,
  /=>|&&|\|\||\?\?|::|[=!]=|\/\*|\*\/|(?<!:)\/\//,
  / = (?:new |await |["'[{(])/,
  /^\s*(?:[)\]}]|@\w|(?:const|let|var)\s[\w{[][^=\n]{0,200}=|(?:def|function|fn)\s\w{1,80}[(<]|(?:struct|impl)\s\w)/,
  /^\s*(?:import\s.{0,200}\sfrom\s|export\s(?:const|function|class|type|interface|default)\s|(?:public|private)\s\w{1,80}\s\w{1,80}\(|return\s.{0,200};$)/,
]
const commentStart = /^\s*(?:\/\/+!?|#+!?|--|\*)\s+/
const commentFrame = /^\s*(?:\/\*+|\*+\/|"""|''')\s*$/
const tableRow = /^\s{0,8}\||^\s*:?-+:?\s*\||\s\|\s/
const linkTarget = /^\s*\[[^\]\n]{1,200}\]:/

/**
 * The paragraphs of prose in a block: code is left out except for its comments, and tables and link
 * targets completely.
 */
function proseOf(lines: readonly string[]): readonly string[] {
  const [first = ''] = lines
  if (linkTarget.test(first) || lines.some((line) => tableRow.test(withoutSpans(line)))) return []
  const paragraphs: string[][] = [[]]
  for (const line of lines) {
    if (commentFrame.test(line)) paragraphs.push([])
    else paragraphs.at(-1)?.push(unframed(line))
  }
  return paragraphs.flatMap((paragraph) => {
    const runs = paragraph.some((line) => isCode(line)) ? comments(paragraph) : [paragraph]
    return runs.map((run) => run.join('\n'))
  })
}

/** The comments in code, without their markers. */
function comments(lines: readonly string[]): readonly (readonly string[])[] {
  const runs: string[][] = [[]]
  for (const line of lines) {
    const text = line.replace(commentStart, '')
    if (text !== line && !isCode(text)) runs.at(-1)?.push(text)
    else runs.push([])
  }
  return runs
}

/** Without the markers of a one-line comment. */
function unframed(line: string): string {
  return line.replace(/^\s*\/\*+\s+/, '// ').replace(/\s\*\/$/, '')
}

function isCode(line: string): boolean {
  const text = withoutSpans(line)
  return codeMarks.some((mark) => mark.test(text))
}

function withoutSpans(line: string): string {
  return line.replace(/`[^`\n]{0,300}`/g, 'x')
}

/** A sentence as it can be quoted, and the headings above it. */
interface Sentence {
  readonly text: string
  readonly about: string
  /** Whether it is in the first paragraphs below a heading, which say what the text is about. */
  readonly leads: boolean
  /** What a row of a table without a sentence is about. */
  readonly entry?: string
}

/** Longer sentences are not quoted, nor are fragments. */
const longest = 500
const shortest = 10
/** Paragraphs below a heading that say what follows. */
const leading = 2

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
  let paragraphs = 0
  return document.inlines.flatMap((block) => {
    while (title !== undefined && title.span.end <= block.start) {
      about = `${path} ${title.text.slice(0, 300)}`
      title = titles.next().value
      paragraphs = 0
    }
    if (title !== undefined && block.start >= title.span.start) return []
    const lines = (block.lines ?? [block]).flatMap(({ start, end }) => text.slice(start, end).split('\n'))
    // Headings right above a passage are not part of its first sentence.
    const own = lines[0]?.trim() === path ? lines.slice(1) : lines
    const said = proseOf(own).flatMap((paragraph) => split(plain(paragraph)))
    if (said.length > 0) paragraphs++
    const leads = paragraphs <= leading
    const sentences = said.flatMap((sentence) => quotable({ text: sentence, about, leads }))
    return [
      ...own.flatMap((line) =>
        rowOf(line).flatMap((row) =>
          quotable({ about: row.entry === undefined || row.entry.startsWith('`') ? about : '', leads: false, ...row }),
        ),
      ),
      ...sentences,
    ]
  })
}

function quotable({ text, ...others }: Sentence): readonly Sentence[] {
  const sentence = { text: text.replace(/\s+/g, ' ').trim(), ...others }
  return isQuotable(sentence) ? [sentence] : []
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

/** A row of a table as one sentence, `Doomed: Said of a stream that cannot become valid.`; without a sentence in it, it is an entry, which its headings say nothing about. */
function rowOf(line: string): readonly Omit<Sentence, 'about' | 'leads'>[] {
  const row = line.trim()
  if (!row.startsWith('|') || !row.endsWith('|')) return []
  const cells = row.split(/(?<!\\)\|/).map((cell) => plain(cell.replaceAll('\\|', '|').trim()))
  const [name = '', ...others] = cells.filter((cell) => cell !== '')
  const text = `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${others.join('; ').replaceAll('.; ', '. ')}`
  if (ends.test(text)) return [{ text }]
  return others.some((cell) => prose.test(cell)) ? [{ text, entry: name }] : []
}

const ends = /[.!…][)"'`”“»«]?$/
/** Words in a row say something; names and figures do not. */
const prose = /(?:^|\s)(?:\p{L}{1,20}['’,;:]?\s){3}\p{L}{2}/u

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
 * Whether it is a complete statement, or a row of a table, after which a marker is recognized, and which contains nothing
 * that looks like one.
 */
function isQuotable({ text: sentence, entry }: Sentence): boolean {
  if (sentence.length < shortest || sentence.length > longest || !sentence.includes(' ')) return false
  if ((entry === undefined && !ends.test(sentence)) || !/^["'`([„“»«]?[^\p{Ll}\p{P}]/u.test(sentence)) return false
  if (/^<|\[\^|[\p{Cc}\p{Cs}]/u.test(sentence) || (sentence.match(/`/g)?.length ?? 0) % 2 > 0) return false
  const { citations, warnings } = readCitations(`${sentence} [^1]`, 1)
  return citations.length === 1 && warnings.length === 0
}
