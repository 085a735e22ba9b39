import { isFields } from '@stickler/core/internal'
import { RetrieverUnavailable } from '../../retriever.ts'

/** An entry that was found. */
export interface Entry<Source> {
  readonly id: string
  readonly score: number
  readonly source: Source
  /** What a next page begins after. */
  readonly sort: unknown
}

type Reply = Readonly<Record<string, unknown>>

/** The entries of a search. */
export function entriesOf<Source>({ hits }: Reply): Entry<Source>[] {
  if (!isFields(hits) || !Array.isArray(hits.hits)) throw new RetrieverUnavailable('the reply of the index has no hits')
  return hits.hits
    .filter(isFields)
    .map(({ _id, _score, _source, sort }) => ({ id: String(_id), score: Number(_score ?? 0), source: _source as Source, sort }))
}

/** The content of an entry in the documents index. */
export interface StoredDocument {
  readonly path: string
  readonly fingerprint: string
  readonly generation: string
  readonly chunks: number
  readonly vectors: number
}

/** An entry that was fetched by its id, with what a conditional write needs. */
interface Fetched<Source> {
  readonly id: string
  readonly source?: Source
  readonly seqNo?: number
  readonly primaryTerm?: number
}

/** The entries of a fetch by ids, in their order. */
export function fetchedOf<Source>({ docs }: Reply): Fetched<Source>[] {
  if (!Array.isArray(docs)) throw new RetrieverUnavailable('the reply of the index has no documents')
  return docs
    .filter(isFields)
    .map(({ _id, found, _source, _seq_no, _primary_term }) =>
      found === true
        ? { id: String(_id), source: _source as Source, seqNo: Number(_seq_no), primaryTerm: Number(_primary_term) }
        : { id: String(_id) },
    )
}

/** The value of a sum. */
export function sumOf({ aggregations }: Reply, name: string): number {
  const found = isFields(aggregations) ? aggregations[name] : undefined
  return isFields(found) ? Number(found.value) : 0
}

/**
 * The ids that a bulk request could not write because of another writer; throws for any other
 * failure.
 */
export function conflictsOf({ errors, items }: Reply): string[] {
  if (errors !== true) return []
  const results = (Array.isArray(items) ? items : []).flatMap((item) => (isFields(item) ? Object.values(item) : [])).filter(isFields)
  const failed = results.filter(({ status }) => Number(status) >= 300)
  const other = failed.find(({ status }) => status !== 409)
  if (other !== undefined || failed.length === 0) {
    const reason = isFields(other?.error) ? String(other.error.reason).slice(0, 200) : 'no reason given'
    throw new RetrieverUnavailable(`the index could not write ${failed.length} of ${results.length} entries: ${reason}`)
  }
  return failed.map(({ _id }) => String(_id))
}
