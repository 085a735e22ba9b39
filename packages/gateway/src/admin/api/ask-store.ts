import { HttpError } from '../../front/replies/http-error.ts'
import { QueryError } from '../../records/store/queries/query-error.ts'
import { StoreUnavailable, unavailableSentence } from '../../records/store/store-unavailable.ts'
import { badCursor } from './query-reader.ts'

/** Waits for an answer of the store, and says in HTTP what went wrong with it. */
export async function askStore<Value>(question: Promise<Value>): Promise<Value> {
  try {
    return await question
  } catch (error) {
    if (error instanceof QueryError) throw badCursor('cursor')
    if (!(error instanceof StoreUnavailable)) throw error
    throw new HttpError(503, unavailableSentence(error), {
      code: 'store_unavailable',
      headers: { 'retry-after': '2' },
    })
  }
}
