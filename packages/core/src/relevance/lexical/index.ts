/** Longer texts are read in pieces, and after so many characters others get their turn: a text of megabytes must not stop a server. */
const turn = 65_536
/** What pieces have in common, so that no passage is lost between them. */
const overlap = 4096

/** How likely the text that fits best is about a question, from 0 to 1, by words alone: no model, no corpus, no index. */
export async function lexicalRelevance(question: string, texts: readonly string[], signal?: AbortSignal): Promise<number> {
  return (await lexicalScore(question, texts, signal)) ?? 0
}

/** The same; nothing for a question whose words do not say what it is about. */
export async function lexicalScore(question: string, texts: readonly string[], signal?: AbortSignal): Promise<number | undefined> {
  // The table of words is loaded on demand.
  const { LexicalScorer } = await import('./score.ts')
  const scorer = new LexicalScorer(question)
  if (!scorer.hasTopic) return undefined
  let best = 0
  let read = 0
  for (const text of texts) {
    for (let from = 0; from === 0 || from + overlap < text.length; from += turn) {
      const piece = text.length > turn + overlap ? text.slice(from, from + turn + overlap) : text
      best = Math.max(best, scorer.score(piece))
      read += piece.length
      if (read < turn) continue
      read = 0
      await nextTurn()
      signal?.throwIfAborted()
    }
  }
  return best
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0)
  })
}
