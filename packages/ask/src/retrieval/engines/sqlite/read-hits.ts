import type { Hit } from '../../index-engine.ts'
import { urnOrder } from '../urn-order.ts'
import type { Connection } from './file/connection.ts'

/** A chunk that was found. */
export interface Found {
  readonly id: number
  readonly score: number
}

/** The best of what was found, with its text; equal scores by urn. */
export function readHits(connection: Connection, collection: number, found: readonly Found[], limit: number): Hit[] {
  const urn = (id: number): string => connection.rows<[string]>(`select urn from chunks_${collection} where id = ?`, [id])[0]?.[0] ?? ''
  return found
    .map(({ id, score }) => ({ id, score, urn: urn(id) }))
    .sort((one, other) => other.score - one.score || urnOrder(one.urn, other.urn))
    .slice(0, limit)
    .map(({ id, score }) => {
      const [row] = connection.rows<[string, string, string]>(`select urn, headings, text from chunks_${collection} where id = ?`, [id])
      const [name = '', headings = '[]', text = ''] = row ?? []
      return { urn: name, text, headings: JSON.parse(headings) as string[], score }
    })
}
