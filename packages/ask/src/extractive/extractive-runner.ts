import { Answer, fromFunction, type Message, type ModelEvent, type ModelEvents, type Runner } from '@stickler/core'
import { contentText } from '@stickler/core/internal'
import { terms } from '@stickler/core/internal/relevance'
import { readCitations } from '@stickler/presets/internal'
import { queryWords } from '../retrieval/query-words.ts'

const noSources = 'This is a demo without a language model: it only quotes documents, and this message came without any.'
const noneFits = 'This is a demo without a language model: it only quotes documents, and no passage found has a word of the question.'
const noProse = 'This is a demo without a language model: it only quotes prose, and the passages about the question have none.'

/**
 * A stand-in for a language model that needs no network: it quotes the prose of the first source in
 * its prompt that has some and a word of the question, each paragraph with its marker. It understands
 * nothing and writes no text of its own.
 */
export function extractiveRunner(): Runner {
  const quoting = fromFunction(async function* (messages) {
    const { sources, question } = readPrompt(messages) ?? { sources: [], question: '' }
    const asked = subjectOf(question)
    const fitting = sources.map((text, at) => ({ text, marker: `[^${at + 1}]` })).filter(({ text }) => shares(asked, text))
    const quotes = fitting.map(({ text, marker }) => ({ paragraphs: proseOf(text), marker }))
    const best = quotes.find(({ paragraphs }) => paragraphs.length > 0)
    if (best === undefined) yield* pieces(sources.length === 0 ? noSources : quotes.length === 0 ? noneFits : noProse)
    for (const [at, paragraph] of (best?.paragraphs ?? []).entries()) {
      if (at > 0) yield '\n\n'
      yield* pieces(paragraph)
      yield ` ${best?.marker}`
    }
  })
  return {
    run: (session, prompt, options) => complete(quoting.run(session, prompt, options)),
    continue: (session, feedback, options) => complete(quoting.continue(session, feedback, options)),
  }
}

/** Its answers are never cut off, and it reports so. */
async function* complete(events: ModelEvents): AsyncGenerator<ModelEvent> {
  for await (const event of events) yield event.type === 'end' ? { ...event, finishReason: 'stop' } : event
}

/** What a question is about; nothing where it has only words that any question has. */
function subjectOf(question: string): ReadonlySet<string> {
  const content = queryWords(question).filter(({ isContent }) => isContent)
  return new Set(content.flatMap(({ written }) => terms(written)))
}

function shares(asked: ReadonlySet<string>, text: string): boolean {
  return asked.size === 0 || terms(text).some((term) => asked.has(term))
}

/** Word by word, as models write. */
function* pieces(text: string): Generator<string> {
  for (const [piece] of text.matchAll(/\S+\s*/g)) yield piece
}

/** The paragraphs of a passage that can be quoted, each in one line: no headings, code, tables or markers. */
function proseOf(text: string): readonly string[] {
  const document = new Answer(text)
  const headings = new Set(document.headings.map(({ span }) => span.start))
  return document.inlines
    .filter(({ start, end }) => ![...headings].some((at) => at >= start && at < end))
    .map(({ start, end }) => text.slice(start, end).replace(/\s+/g, ' ').trim())
    .filter(isQuotable)
}

/** Whether it is a complete sentence or several, after which a marker is recognized, and which contains nothing that looks like one. */
function isQuotable(paragraph: string): boolean {
  if (!/^[^\p{Ll}\p{P}\p{S}\p{N}][^\p{Cc}\p{Cs}]*[.!?:]$/u.test(paragraph) || /\[\^|[<|\\$]/.test(paragraph)) return false
  if ((paragraph.match(/`/g)?.length ?? 0) % 2 > 0) return false
  const { citations, warnings } = readCitations(`${paragraph} [^1]`, 1)
  return citations.length === 1 && warnings.length === 0
}

const element = /<source id="(\d{1,9})" urn="[^"<]*">([^<]*)<\/source>\n?/y
const asking = /\n(?:Question|Request):\n/y

const characters: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
])

/** What is read of a prompt. */
interface ReadPrompt {
  readonly sources: readonly string[]
  readonly question: string
}

/**
 * Reads the sources and the question of the last user message that has some; look-alikes inside
 * sources or questions are ignored.
 */
export function readPrompt(messages: readonly Message[]): ReadPrompt | undefined {
  const texts = messages.flatMap(({ role, content }) => (role === 'user' ? [contentText(content)] : []))
  for (const text of texts.toReversed()) {
    const start = text.indexOf('Sources:\n<source id="1" ')
    // Everything after the start of the question is the question.
    const asks = text.search(/\n(?:Question|Request):\n/)
    const read = start < 0 || (asks >= 0 && asks < start) ? undefined : readFrom(text, start + 'Sources:\n'.length)
    if (read !== undefined) return read
  }
  return undefined
}

function readFrom(text: string, start: number): ReadPrompt | undefined {
  const sources: string[] = []
  let at = start
  for (;;) {
    element.lastIndex = at
    const found = element.exec(text)
    if (found === null) break
    sources.push((found[2] ?? '').replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters.get(entity) ?? entity))
    at = element.lastIndex
  }
  asking.lastIndex = at
  return asking.test(text) ? { sources, question: text.slice(asking.lastIndex) } : undefined
}
