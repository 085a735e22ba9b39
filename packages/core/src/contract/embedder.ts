/** Turns texts into vectors that lie close to each other where the texts mean the same. */
export interface Embedder {
  /** Names the model and everything else that decides what a vector means: vectors of different names must not be compared. */
  readonly name: string
  /** The lowest cosine of a question and texts that are about it, where it is known; `relevanceThresholds.embedding` when absent. */
  readonly relevanceThreshold?: number
  /** Whether its vectors compare words rather than meanings, as without a model. */
  readonly comparesWords?: true
  /** One vector for each text, in order, all of one length; rejects with ValidatorUnavailable on failure. `purpose` is for models that distinguish questions from passages. */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<readonly Float32Array[]>
}

/** How texts are embedded. */
export interface EmbedOptions {
  readonly purpose?: 'query' | 'passage'
  /** No caller is waiting, as while indexing: calls that may succeed later are repeated. */
  readonly patient?: true
  readonly signal?: AbortSignal
}

/** Puts one question to a model and returns the words of its answer; rejects when there is none. */
export type AskModel = (prompt: string, signal?: AbortSignal) => Promise<string>
