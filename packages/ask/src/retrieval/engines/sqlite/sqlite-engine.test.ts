import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { requireBuilt } from '../../../../../../e2e/support/require-built.ts'
import { testEngine } from '../../../testing/engine-conformance.ts'
import type { IndexEngine } from '../../index-engine.ts'
import { checkedDocuments, wrong } from '../checked-documents.ts'
import { memoryEngine } from '../memory-engine.ts'
import { queryTerms } from '../stored-terms.ts'
import { storedText } from '../stored-text.ts'
import { Refused } from './refused.ts'
import { sqliteEngine } from './sqlite-engine.ts'
import { SqliteIndex } from './sqlite-index.ts'

const folder = mkdtempSync(join(tmpdir(), 'stickler-index-'))
beforeAll(() => requireBuilt(['core', 'ask']))
afterAll(() => rmSync(folder, { recursive: true }))

describe('in memory', () => testEngine({ open: () => memoryEngine(), ranksAsMemory: true }))

describe('in a file', () => {
  testEngine({ open: (collection) => sqliteEngine(join(folder, 'index.db'), { collection }), ranksAsMemory: true, runs: 3 })
})

describe('in a file, without threads', () => {
  testEngine({ open: (collection) => inPlace(join(folder, 'in-place.db'), collection), ranksAsMemory: true })
})

/** The index as threads use it, in this one: many more random histories in the same time. */
function inPlace(path: string, collection: string): IndexEngine {
  const index = new SqliteIndex(path, collection)
  const never = (): boolean => false
  return {
    async searchText(terms, limit, signal) {
      signal?.throwIfAborted()
      return index.searchText(queryTerms(terms), limit)
    },
    async searchVector(vector, embedding, limit, signal) {
      signal?.throwIfAborted()
      return named(() => index.searchVector(vector, embedding, limit))
    },
    async fingerprints(below, signal) {
      signal?.throwIfAborted()
      return index.fingerprints(below)
    },
    async facts(signal) {
      signal?.throwIfAborted()
      return index.facts()
    },
    async replace(documents, embedding, signal) {
      signal?.throwIfAborted()
      const checked = checkedDocuments(documents, embedding)
      named(() => index.replace(checked, never))
    },
    async remove(paths, signal) {
      signal?.throwIfAborted()
      index.remove(paths.map(storedText), never)
    },
    close: async () => index.close(),
  }
}

/** Reports as the host of a thread does. */
function named<Result>(task: () => Result): Result {
  try {
    return task()
  } catch (error) {
    throw error instanceof Refused ? wrong(error.message) : error
  }
}
