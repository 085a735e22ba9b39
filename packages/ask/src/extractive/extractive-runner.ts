import { fromFunction, type Message, type ModelEvent, type ModelEvents, type Runner } from '@stickler/core'
import { contentText } from '@stickler/core/internal'
import { isGerman } from './asked.ts'
import { extractsFor, type ReadPrompt } from './extract.ts'

const noSources = 'This is a demo without a language model: it only quotes documents, and this message came without any.'

/**
 * A stand-in for a language model that needs no network: it quotes the sentences of the sources in
 * its prompt that match the question best, each with its marker. It understands nothing, writes no
 * text of its own, and never cites a source that does not contain the quote.
 */
export function extractiveRunner(): Runner {
  const quoting = fromFunction(async function* (messages) {
    const prompt = readPrompt(messages)
    const { sentences, nearest } = extractsFor(prompt)
    if (sentences.length === 0) yield* pieces(prompt.sources.length === 0 ? noSources : nothingFits(prompt.question, nearest))
    for (const [index, { sentence, source, goesOn }] of sentences.entries()) {
      if (index > 0) yield goesOn ? ' ' : '\n\n'
      yield* pieces(sentence)
      yield ` [^${source}]`
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

/** Word by word, as models write. */
function* pieces(text: string): Generator<string> {
  for (const [piece] of text.matchAll(/\S+\s*/g)) yield piece
}

/**
 * Says that no sentence matches, and where the words of the question occur; it does not claim that
 * these sources answer it.
 */
function nothingFits(question: string, nearest: readonly number[]): string {
  const german = isGerman(question)
  const places = nearest.map((id) => `[^${id}]`).join(german ? ' und ' : ' and ')
  const said = german
    ? 'Das Demo-Modell vergleicht nur Wörter und hat keinen Satz gefunden, der diese Frage beantwortet.'
    : 'The demo model only compares words, and found no sentence that answers this question.'
  if (nearest.length === 0) return said
  return `${said} ${german ? 'Am nächsten kommt ihr' : nearest.length === 1 ? 'The nearest passage is' : 'The nearest passages are'} ${places}.`
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

/**
 * Reads the last user message with sources; look-alikes inside sources or questions are ignored.
 */
export function readPrompt(messages: readonly Message[]): ReadPrompt {
  const texts = messages.flatMap(({ role, content }) => (role === 'user' ? [contentText(content)] : []))
  for (const text of texts.toReversed()) {
    const start = text.indexOf('Sources:\n<source id="1" ')
    // Everything after the start of the question is the question.
    const asks = text.search(/\n(?:Question|Request):\n/)
    const read = start < 0 || (asks >= 0 && asks < start) ? undefined : readFrom(text, start + 'Sources:\n'.length)
    if (read !== undefined) return read
  }
  return { question: texts.at(-1) ?? '', sources: [] }
}

function readFrom(text: string, start: number): ReadPrompt | undefined {
  const sources: { id: number; text: string }[] = []
  let at = start
  for (;;) {
    element.lastIndex = at
    const found = element.exec(text)
    if (found === null) break
    sources.push({ id: Number(found[1]), text: unescaped(found[2] ?? '') })
    at = element.lastIndex
  }
  asking.lastIndex = at
  return asking.test(text) ? { question: text.slice(asking.lastIndex), sources } : undefined
}

function unescaped(text: string): string {
  return text.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => characters.get(entity) ?? entity)
}
