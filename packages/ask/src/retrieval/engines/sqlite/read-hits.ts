import type { Hit } from '../../index-engine.ts'
import { urnOrder } from '../urn-order.ts'
import type { Connection } from './file/connection.ts'
import { DamagedFile } from './file/unusable-file.ts'

/** A chunk that was found. */
export interface Found {
  readonly id: number
  readonly score: number
}

const columns = [
  ['text', 'urn'],
  ['text', 'headings'],
  ['text', 'text'],
] as const

/** The best of what was found, with its text; equal scores by urn. */
export function readHits(connection: Connection, collection: number, found: readonly Found[], limit: number): Hit[] {
  const chunk = `from chunks_${collection} where id = ?`
  const urn = (id: number): string => connection.rows([['text', 'urn']], chunk, [id])[0]?.[0] ?? ''
  return found
    .map(({ id, score }) => ({ id, score, urn: urn(id) }))
    .sort((one, other) => other.score - one.score || urnOrder(one.urn, other.urn))
    .slice(0, limit)
    .map(({ id, score }) => {
      const [row] = connection.rows(columns, chunk, [id])
      if (row === undefined) throw new DamagedFile('a passage is missing')
      const [name, headings, text] = row
      return { urn: name, text, headings: headingsOf(headings), score }
    })
}

function headingsOf(stored: string): string[] {
  try {
    const headings: unknown = JSON.parse(stored)
    if (Array.isArray(headings) && headings.every((heading) => typeof heading === 'string')) return headings
  } catch {
    // Reported below.
  }
  throw new DamagedFile('the headings of a passage cannot be read')
}
