import { chunksOf, searchableText } from '@stickler/ask/retrieval'
import { systemClock } from '@stickler/core'
import type { GatewayConfig } from '../../config/resolved/gateway-config.ts'
import { demoDocuments } from './demo-documents.ts'
import { createRetrieving } from './retrieving.ts'

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
