import { localEmbedder, openEngine } from '@stickler/ask/retrieval'
import { terms } from '@stickler/core/internal/relevance'

const passages = {
  'hashes.md': 'A hash is made with encodeSHA256, which takes a value and the name of the result.',
  'loops.md': 'A loop begins with startLoop and ends with endLoop.',
}
/** Writes two small documents into an index. */
export async function fillIndex(path: string): Promise<void> {
  const embedder = localEmbedder()
  const engine = await openEngine(path)
  const texts = Object.values(passages)
  const vectors = await embedder.embed(texts, { purpose: 'passage' })
  const documents = Object.entries(passages).map(([name, text], index) => {
    const vector = vectors[index]
    return {
      path: name,
      fingerprint: name,
      chunks: [{ urn: `${name}#L1`, text, headings: [], terms: terms(text), ...(vector ? { vector } : {}) }],
    }
  })
  await engine.replace(documents, embedder.name)
  await engine.close()
}

/** What a stream told. */
export interface Told {
  readonly events: readonly string[]
  readonly text: string
  readonly last: Readonly<Record<string, unknown>>
}

/** The events of a stream, and what its last one says. */
export function told(stream: string): Told {
  const frames = stream.split('\n\n').flatMap((frame) => {
    const found = /^event: (\w+)\ndata: (.*)$/.exec(frame)
    return found === null ? [] : [{ event: found[1] ?? '', data: JSON.parse(found[2] ?? '') as Record<string, unknown> }]
  })
  return {
    events: frames.map(({ event }) => event),
    text: frames.flatMap(({ event, data }) => (event === 'answer_token' ? [String(data.text)] : [])).join(''),
    last: frames.at(-1)?.data ?? {},
  }
}
