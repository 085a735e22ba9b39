import { afterAll, afterEach, beforeAll, beforeEach, expect, onTestFinished } from 'vitest'
import type { RunRecord } from '../records/run/run-record.ts'
import { openStore } from '../records/store/open-store.ts'
import type { Store } from '../records/store/store.ts'
import type { StoreOptions } from '../records/store/store-options.ts'
import type { TestDatabase, TestEngine } from './store-engines.ts'
import { sampleTime, temporaryFolder } from './store-fixtures.ts'

/** A store that is new for every test. */
class StoreHarness {
  store: Store = undefined as unknown as Store
  folder = ''
  /** Milliseconds since 1970, as the store sees them. */
  now = sampleTime
  #database: TestDatabase | undefined

  /** Opens a further store on the same database. */
  readonly open = (options: Partial<StoreOptions> = {}): Promise<Store> =>
    openStore({
      url: this.#database?.url ?? '',
      folder: this.folder,
      keepText: true,
      now: () => this.now,
      batchMs: 5,
      retentionDays: 30,
      auditRetentionDays: 30,
      ...options,
    })

  /** Opens the store again, with other options. */
  readonly reopen = async (options: Partial<StoreOptions>): Promise<void> => {
    await this.store.close()
    this.store = await this.open(options)
  }

  /** Records runs and waits until they are in the database. */
  readonly record = async (...runs: readonly RunRecord[]): Promise<void> => {
    await Promise.all(runs.map((run) => this.store.recorder.run(run)))
    expect(await this.store.flush()).toBe(true)
  }

  /** Prepares a test. */
  async begin(engine: TestEngine): Promise<void> {
    this.now = sampleTime
    this.folder = temporaryFolder((remove) => onTestFinished(remove))
    this.#database = await engine.newDatabase(this.folder)
    this.store = await this.open()
  }

  /** Cleans up after a test. */
  async end(): Promise<void> {
    await this.store.close()
    await this.#database?.close()
  }
}

/** Gives every test of a suite a new store on an engine. */
export function storeHarness(engine: TestEngine): StoreHarness {
  const harness = new StoreHarness()
  beforeAll(() => engine.start())
  afterAll(() => engine.stop())
  beforeEach(() => harness.begin(engine))
  afterEach(() => harness.end())
  return harness
}
