import type { AuditRow } from '../../run/run-record.ts'
import type { Engine } from '../engine/engine.ts'
import { pageSize, readSequence } from './page.ts'

/** One question of `/ask`, with its position in the list. */
interface StoredAudit {
  readonly id: string
  readonly at: number
  readonly row: AuditRow
}

/** Some audit rows, the last written first. */
export interface AuditPage {
  readonly audit: readonly StoredAudit[]
  /** The cursor of the next page; absent at the end. */
  readonly next?: string
}

/** Lists audit rows, the last written first. */
export async function listAudit(
  { db }: Engine,
  { limit, before }: { readonly limit?: number; readonly before?: string },
): Promise<AuditPage> {
  const size = pageSize(limit)
  const rows = await db
    .selectFrom('audit')
    .selectAll()
    .$if(before !== undefined, (query) => query.where('seq', '<', readSequence(before ?? '')))
    .orderBy('seq', 'desc')
    .limit(size + 1)
    .execute()
  const page = rows.slice(0, size)
  const last = page.at(-1)
  return {
    audit: page.map(({ id, at, row }) => ({ id, at, row: JSON.parse(row) as AuditRow })),
    ...(rows.length > size && last ? { next: String(last.seq) } : {}),
  }
}
