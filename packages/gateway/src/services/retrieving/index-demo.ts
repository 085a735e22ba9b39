import { chunksOf, searchableText } from '@stickler/ask/retrieval'
import { systemClock } from '@stickler/core/internal'
import type { GatewayConfig } from '../../config/resolved/gateway-config.ts'
import { createRetrieving } from './retrieving.ts'

/** The content of the demo: a few pages about Stickler itself. */
const demoDocuments: Readonly<Record<string, string>> = {
  'streams.md': `# Streams

Text of a stream is released as soon as no continuation can make it wrong. A stream whose answer is doomed is stopped at once, and the model is asked again.
Nothing wrong was shown until then, so the reader sees one clean answer.
`,
  'repairs.md': `# Repairs

A repair changes an answer without asking the model again. Every repair carries a certificate that says what was changed, and its class: lossless, lossy or guess.
The contract says which classes are allowed. A repaired answer is always checked again.
`,
  'retries.md': `# Retries

An answer that breaks its contract is asked for again with feedback that names each issue. Retries end when the budget of attempts, tokens, money or time is used up,
or when the model gives the same answer again.
`,
  'unchecked.md': `# Unchecked

A validator that could not run gives no verdict: the answer is unchecked, never valid and never invalid. The contract says whether an unchecked answer is delivered.
`,
  'documents.md': `# Answers from documents

A pipeline looks a question up in an index and judges whether the passages are relevant to it. If they are not, the question is reformulated once and looked up again.
The passages are numbered and fenced as data, and the citations of the answer are checked against them. The command stickler index puts your own documents into an index.
`,
}

/** Indexes the demo's documents. */
export async function indexDemo({ retrieval }: Pick<GatewayConfig, 'retrieval'>): Promise<void> {
  if (retrieval === undefined) return
  const retrieving = createRetrieving(retrieval, { clock: systemClock })
  try {
    const embedder = await retrieving.embedder()
    const documents = await Promise.all(
      Object.entries(demoDocuments).map(async ([path, text]) => {
        const chunks = chunksOf(path, text)
        const vectors = (await embedder?.embed(chunks.map(searchableText), { purpose: 'passage' })) ?? []
        return {
          path,
          fingerprint: 'demo',
          chunks: chunks.map((chunk, index) => ({ ...chunk, ...(vectors[index] && { vector: vectors[index] }) })),
        }
      }),
    )
    await (await retrieving.engine()).replace(documents, embedder?.name)
  } finally {
    await retrieving.close()
  }
}
