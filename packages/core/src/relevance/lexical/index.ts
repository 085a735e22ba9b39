/** How likely the text that fits best is about a question, from 0 to 1, by words alone: no model, no corpus, no index. */
export async function lexicalRelevance(question: string, texts: readonly string[]): Promise<number> {
  // Only those who ask for it load the table of words.
  const { LexicalScorer } = await import('./score.ts')
  const scorer = new LexicalScorer(question)
  return texts.reduce((best, text) => Math.max(best, scorer.score(text)), 0)
}
