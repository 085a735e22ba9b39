import { expect, test } from 'vitest'
import { chunksOf } from '../indexing/chunking/chunks-of.ts'
import { relevanceJudge } from '../pipeline/relevance-judge.ts'
import { localEmbedder } from './embedders/local-embedder.ts'
import { memoryEngine } from './engines/memory-engine.ts'
import { hybridRetriever } from './hybrid-retriever.ts'

const pages = [
  '# Vacaciones\n\nLas vacaciones se piden con dos semanas de antelación en el portal de personal.',
  '# Contratos\n\nEl contrato termina con tres meses de preaviso, por escrito.',
  '# Gastos\n\nLos gastos de viaje se reembolsan a final de mes con el recibo.',
  '# Sesiones\n\nLa función getUserName devuelve el nombre de la cuenta abierta.',
]

async function judged(question: string, filler: number, strategy: 'lexical' | 'embedding'): Promise<boolean> {
  const engine = memoryEngine()
  const embedder = localEmbedder()
  const texts = [...pages, ...Array.from({ length: filler }, (_, at) => `# Receta ${at}\n\nSe cuece el arroz ${at} minutos y se sirve.`)]
  const documents = texts.map(async (text, at) => {
    const chunks = chunksOf(`${at}.md`, text)
    const vectors = await embedder.embed(chunks.map((chunk) => chunk.text))
    return {
      path: `${at}.md`,
      fingerprint: '',
      chunks: chunks.map((chunk, place) => ({ ...chunk, vector: vectors[place] ?? new Float32Array() })),
    }
  })
  await engine.replace(await Promise.all(documents), embedder.name)
  const { chunks, familiarity } = await hybridRetriever({ engine, embedder }).retrieve(question)
  const { relevant } = await relevanceJudge({ strategy, embedder })(
    question,
    chunks.map(({ text }) => text),
    undefined,
    { familiarity },
  )
  return relevant
}

test.each(['lexical', 'embedding'] as const)('any match in a small index is relevant, nothing else is: %s', async (strategy) => {
  for (const question of [
    '¿Cuántos días antes tengo que pedir mis vacaciones de verano?',
    '¿Qué pasa si quiero terminar mi contrato antes de tiempo?',
    '¿Cuándo me devuelven el dinero de los gastos?',
  ])
    expect([question, await judged(question, 0, strategy)]).toEqual([question, true])
  expect(await judged('Warum leuchten Polarlichter?', 0, strategy)).toBe(false)
})

test('an identifier of the question in a passage makes it relevant, however large the index', async () => {
  const question = 'Which obscure legacy helper resembles getUserName on mainframes?'
  expect(await judged(question, 300, 'lexical')).toBe(true)
  expect(await judged(question.replace('getUserName', 'getUserMail'), 300, 'lexical')).toBe(false)
})
