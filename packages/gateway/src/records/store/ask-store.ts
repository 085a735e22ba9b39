import type { MaybePromise } from '@stickler/core/internal'
import { HttpError } from '@stickler/core/internal/apis'
import { QueryError } from './queries/page.ts'
import { StoreUnavailable, unavailableSentence } from './store-unavailable.ts'

/** The error for a cursor that no list returned. */
export function badCursor(param: string): HttpError {
  return new HttpError(400, `${param} must be the \`next\` of the page before; begin again without it.`, { param, code: 'invalid_cursor' })
}

/** Waits for the store, and turns its errors into HTTP errors. */
export async function askStore<Value>(question: MaybePromise<Value>): Promise<Value> {
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
