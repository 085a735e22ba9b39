import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe } from 'vitest'
import { testEngine } from '../../../testing/engine-conformance.ts'
import { referenceEngine } from '../../../testing/reference-engine.ts'
import { memoryEngine, sqliteEngine } from './sqlite-engine.ts'

const folder = mkdtempSync(join(tmpdir(), 'stickler-index-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe('the reference', () => testEngine({ open: () => referenceEngine(), ranksAsMemory: true, runs: 2 }))

describe('in memory', () => testEngine({ open: () => memoryEngine(), ranksAsMemory: true }))

describe('in a file', () => {
  testEngine({ open: (collection) => sqliteEngine(join(folder, 'index.db'), { collection }), ranksAsMemory: true, runs: 3 })
})
